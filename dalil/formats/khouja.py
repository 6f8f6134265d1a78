"""Khouja 2020 (ANS): CSV files of claims (`claim_s`, `fake_flag`) and of pairs (`s1`, `s2`, `stance`).

`s1` is a news headline and `s2` a sentence made from one: s2 is the claim, s1 the text that agrees with
it, disagrees, or does neither (`other`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from dalil.formats.files import csv_records, first_record, is_csv
from dalil.formats.rows import (
    ArticleRow,
    BadField,
    ClaimRow,
    Item,
    LabelRow,
    Options,
    Record,
    label_of,
    needed,
    rows_of,
)
from dalil.ids import value_hash

LABELS = ("agree", "disagree", "other")
SPLITS = ("train", "dev", "test")
COLLECTION = "khouja2020"


class Khouja:
    """Both kinds of files, told apart by their columns."""

    NAME: ClassVar[str] = "khouja"
    KINDS: ClassVar[tuple[str, ...]] = ("claims", "articles", "labels")

    @staticmethod
    def knows(path: Path) -> bool:
        """By the columns."""
        first = first_record(path) if is_csv(path) else None
        return first is not None and (
            first.keys() == {"claim_s", "fake_flag"} or first.keys() == {"s1", "s2", "stance"}
        )

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind. A claim file has claims alone; the pairs' claims are those of its `s2`."""
        split = next((name for name in SPLITS if name in path.name.lower()), None)
        seen: set[str] = set()
        return rows_of(csv_records(path), lambda where, row: _rows(where, row, kind, options, split, seen))


def _rows(
    where: str, row: Record, kind: str, options: Options, split: str | None, seen: set[str]
) -> list[Item]:
    found: dict[str, Any] = {"split": split} if split else {}
    if "claim_s" in row:
        if kind != "claims":
            raise BadField("s1", f"this file has claims and no {kind}")
        return [_claim(where, row, found)]
    claim = ClaimRow(where, needed(row, "s2"), collection=COLLECTION, key=needed(row, "s2"), found=found)
    if kind == "claims":
        new = claim.raw not in seen
        seen.add(claim.raw)
        return [claim] if new else []
    text = needed(row, "s1")
    article = ArticleRow(where, text, collection=COLLECTION, key=value_hash([None, text]))
    if kind == "articles":
        new = text not in seen
        seen.add(text)
        return [article] if new else []
    return [LabelRow(where, claim, article, label_of(row.get("stance"), LABELS, options), scheme="khouja")]


def _claim(where: str, row: Record, found: dict[str, Any]) -> ClaimRow:
    raw, flag = needed(row, "claim_s"), needed(row, "fake_flag").strip()
    if flag not in ("0", "1"):
        raise BadField("fake_flag", f"must be 0 or 1, not {flag[:40]!r}")
    veracity = "false" if flag == "1" else "true"
    return ClaimRow(
        where,
        raw,
        collection=COLLECTION,
        key=raw,
        veracity=veracity,
        found={**found, "veracity": "fake_flag"},
    )
