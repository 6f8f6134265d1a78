"""AraStance (Alhindi et al. 2021), in every form it is published in.

- the authors' files: one object a claim, with `claim`, `article` (list) and `stance` (list of names)
- the same with `filename`, `claim_url`, `article_title` and `article_url`, as one public card lists them
- one row a pair: `id`, `claim`, `article`, `stance` as a number. Publishers number the labels
  differently, so numbers are refused unless their order is declared.

Site and veracity come from `claim_url` or `filename` (the sites of the paper's Table 3), else they are
unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from dalil.formats.files import csv_records, first_record, is_csv, jsonl_records
from dalil.formats.rows import (
    ArticleRow,
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
from dalil.wording import counted

LABELS = ("agree", "disagree", "discuss", "unrelated")
SITES = (
    ("araanews", ("araanews", "aranews", "araa-news"), "false"),
    ("dabegad", ("dabegad", "dabegaed"), "false"),
    ("norumors", ("norumors", "norumers", "no-rumors"), "false"),
    ("reuters", ("reuters",), "true"),
)
"""Site, what of it a url or file name shows, and the veracity of its claims (Table 3, with its spellings)."""
SPLITS = ("train", "dev", "test")


class AraStance:
    """All forms."""

    NAME: ClassVar[str] = "arastance"
    KINDS: ClassVar[tuple[str, ...]] = ("claims", "articles", "labels")

    @staticmethod
    def knows(path: Path) -> bool:
        """By the fields of the first record."""
        first = first_record(path)
        return first is not None and {"claim", "article", "stance"} <= first.keys() and "label" not in first

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind."""
        records = csv_records(path) if is_csv(path) else jsonl_records(path)
        split = next((name for name in SPLITS if name in path.name.lower()), None)
        reading = _Reading(kind, options, split)
        return rows_of(records, reading.rows)


class _Reading:
    """One pass over a file: knows which claims it has seen, so that equal claims stay two."""

    def __init__(self, kind: str, options: Options, split: str | None):
        self.kind = kind
        self.options = options
        self.split = split
        self.objects: dict[str, int] = {}
        self.claims: set[str] = set()

    def rows(self, where: str, row: Record) -> list[Item]:
        """The rows of a record. Raises BadField."""
        several = isinstance(row.get("article"), list)
        claim = self._claim(where, row, several)
        labels = self._several(where, row, claim) if several else [self._single(where, row, claim)]
        if self.kind == "labels":
            return list(labels)
        if self.kind == "articles":
            return [label.article for label in labels]
        new = claim.key not in self.claims
        self.claims.add(str(claim.key))
        return [claim] if new else []

    def _claim(self, where: str, row: Record, one_object: bool) -> ClaimRow:
        raw = needed(row, "claim")
        url = text_of(row, "claim_url")
        filename = text_of(row, "filename")
        site, veracity, source = "unknown", "unknown", None
        for field, value in (("claim_url", url), ("filename", filename)):
            found = next((s for s in SITES if value and any(sign in value.lower() for sign in s[1])), None)
            if found is not None:
                site, veracity, source = found[0], found[2], field
                break
        key = url or filename or raw
        if one_object:
            # two objects are two claims, even where their texts are equal
            self.objects[key] = count = self.objects.get(key, 0) + 1
            key = key if count == 1 else f"{key}#{count}"
        how: dict[str, Any] = {"site": source, "veracity": source} if source else {}
        if self.split:
            how["split"] = self.split
        return ClaimRow(
            where, raw, collection="arastance", key=key, site=site, url=url, veracity=veracity, found=how
        )

    def _several(self, where: str, row: Record, claim: ClaimRow) -> list[LabelRow]:
        texts, stances = list_of(row, "article"), list_of(row, "stance")
        if len(texts) != len(stances):
            raise BadField(
                "stance", f"has {counted(len(stances), 'label')} for {counted(len(texts), 'article')}"
            )
        columns = {}
        for name in ("article_title", "article_url"):
            value = row.get(name)
            columns[name] = list_of(row, name) if value is not None else [None] * len(texts)
            if len(columns[name]) != len(texts):
                raise BadField(
                    name, f"has {counted(len(columns[name]), 'entry')} for {counted(len(texts), 'article')}"
                )
        return [
            self._label(
                where,
                claim,
                at,
                texts[at],
                stances[at],
                columns["article_title"][at],
                columns["article_url"][at],
            )
            for at in range(len(texts))
        ]

    def _single(self, where: str, row: Record, claim: ClaimRow) -> LabelRow:
        return self._label(
            where,
            claim,
            None,
            row.get("article"),
            row.get("stance"),
            row.get("article_title"),
            row.get("article_url"),
        )

    def _label(
        self, where: str, claim: ClaimRow, at: int | None, text: Any, stance: Any, title: Any, url: Any
    ) -> LabelRow:
        index = "" if at is None else f"[{at}]"
        if not isinstance(text, str) or not text.strip():
            problem = "is empty" if isinstance(text, str) else f"must be text, not {kind_of(text)}"
            raise BadField(f"article{index}", problem)
        for name, value in (("article_title", title), ("article_url", url)):
            if value is not None and not isinstance(value, str):
                raise BadField(f"{name}{index}", f"must be text, not {kind_of(value)}")
        article = ArticleRow(
            where,
            text,
            collection="arastance",
            key=value_hash([title or None, text]),
            url=(url or "").strip() or None,
            title=title or None,
        )
        label = label_of(stance, LABELS, self.options, f"stance{index}")
        return LabelRow(where, claim, article, label, scheme="arastance")
