"""Baly et al. 2018, as released: a folder `dataset` of one JSON file a claim, and train_test_splits.txt.

Each file: id, claim, fact (true or false), and lists article, url, stance, rationale of equal length.
The split file has a line a fold: `Fold_1: ID ID …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from dalil.errors import InputError
from dalil.formats.rows import (
    ArticleRow,
    Bad,
    BadField,
    ClaimRow,
    Item,
    LabelRow,
    Options,
    Record,
    kind_of,
    label_of,
    list_of,
    needed,
    rows_of,
    text_of,
)
from dalil.ids import value_hash
from dalil.text.jsons import NotJson, parse_json
from dalil.wording import counted

LABELS = ("agree", "disagree", "discuss", "unrelated")
SPLITS = "train_test_splits.txt"
_FOLD = re.compile(r"Fold_(\d+)\s*:(.*)")


class Baly:
    """The release folder, or its `dataset` folder."""

    NAME: ClassVar[str] = "baly"
    KINDS: ClassVar[tuple[str, ...]] = ("claims", "articles", "labels")

    @staticmethod
    def knows(path: Path) -> bool:
        """A folder with the layout."""
        return path.is_dir() and ((path / "dataset").is_dir() or (path.parent / SPLITS).is_file())

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind, claims in the order of their ids."""
        folder = path / "dataset" if (path / "dataset").is_dir() else path
        files = sorted(folder.glob("*.json"), key=lambda file: _order(file.stem))
        if not files:
            raise InputError("no claim files (*.json) here", where=folder, todo="give the release's folder")
        folds = read_folds(folder.parent / SPLITS)
        for file in files:
            record = _record(file)
            yield from rows_of([record], lambda where, row: _rows(where, row, kind, options, folds))


def read_folds(path: Path) -> dict[str, int]:
    """Claim id → fold, 1 to 5; empty where there is no such file. Raises InputError."""
    if not path.is_file():
        return {}
    folds: dict[str, int] = {}
    for number, line in enumerate(path.read_text("utf-8-sig").split("\n"), start=1):
        if not line.strip():
            continue
        match = _FOLD.fullmatch(line.strip())
        if match is None:
            raise InputError("not a fold: 'Fold_N: ID ID …'", where=f"{path}:{number}")
        for key in match[2].split():
            if key in folds:
                raise InputError(f"{key} is in fold {folds[key]} already", where=f"{path}:{number}")
            folds[key] = int(match[1])
    return folds


def _record(file: Path) -> tuple[str, Record] | Bad:
    try:
        value = parse_json(file.read_bytes())
    except NotJson as error:
        return Bad(f"{file}:{error.line}", "file", f"is {error.what}")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=file) from error
    return (
        (f"{file}:1", value)
        if isinstance(value, dict)
        else Bad(f"{file}:1", "file", f"must be an object, not {kind_of(value)}")
    )


def _rows(where: str, row: Record, kind: str, options: Options, folds: dict[str, int]) -> list[Item]:
    key = needed(row, "id", "ID")
    fact = needed(row, "fact", "Fact").strip().lower()
    if fact not in ("true", "false"):
        raise BadField("fact", f"must be true or false, not {fact[:40]!r}")
    found: dict[str, Any] = {"veracity": "fact"}
    if folds:
        if key not in folds:
            raise BadField("id", f"{key} is in no fold of {SPLITS}")
        found["split"] = f"fold_{folds[key]}"
    claim = ClaimRow(
        where, needed(row, "claim", "Claim"), collection="baly2018", key=key, veracity=fact, found=found
    )
    if kind == "claims":
        return [claim]
    labels = _labels(where, row, claim, options)
    return [label.article for label in labels] if kind == "articles" else list(labels)


def _labels(where: str, row: Record, claim: ClaimRow, options: Options) -> list[LabelRow]:
    texts, urls, stances = (list_of(row, name) for name in ("article", "url", "stance"))
    rationales = row.get("rationale")
    for name, values in (("url", urls), ("stance", stances)):
        if len(values) != len(texts):
            raise BadField(name, f"has {counted(len(values), 'entry')} for {counted(len(texts), 'article')}")
    made = []
    for at, (text, url, stance) in enumerate(zip(texts, urls, stances, strict=True)):
        if not isinstance(text, str) or not text.strip():
            raise BadField(
                f"article[{at}]",
                "is empty" if isinstance(text, str) else f"must be text, not {kind_of(text)}",
            )
        if not isinstance(url, str):
            raise BadField(f"url[{at}]", f"must be text, not {kind_of(url)}")
        article = ArticleRow(
            where, text, collection="baly2018", key=value_hash([url, text]), url=url.strip() or None
        )
        label = label_of(stance, LABELS, options, f"stance[{at}]")
        rationale = rationales[at] if isinstance(rationales, list) and at < len(rationales) else None
        note = (
            text_of({"rationale": rationale}, "rationale")
            if not isinstance(rationale, (list, dict))
            else None
        )
        made.append(LabelRow(where, claim, article, label, scheme="arastance", note=note))
    return made


def _order(name: str) -> tuple[str, int]:
    letters, _, digits = name.partition("-")
    return letters, int(digits) if digits.isdigit() else 0
