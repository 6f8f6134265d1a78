"""Matsda2sh, as a public scraper writes it: `link`, `fakes` (claims as printed), `trues` (the corrections).

Each entry of `fakes` is a claim; the title is the last part of the link, its hyphens read as
spaces. A record without an entry is dropped with the reason `no_claim`. Nothing in a record says the
verdict, so veracity is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from dalil.formats.files import first_record, is_csv, jsonl_records
from dalil.formats.rows import (
    BadField,
    ClaimRow,
    Item,
    Nothing,
    Options,
    Record,
    kind_of,
    list_of,
    needed,
    rows_of,
)


class Matsda2sh:
    """One object a page."""

    NAME: ClassVar[str] = "matsda2sh"
    KINDS: ClassVar[tuple[str, ...]] = ("claims",)

    @staticmethod
    def knows(path: Path) -> bool:
        """By the fields of the first record."""
        first = None if is_csv(path) else first_record(path)
        return first is not None and {"link", "fakes", "trues"} <= first.keys()

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Claims."""
        return rows_of(jsonl_records(path), _rows)


def _rows(where: str, row: Record) -> list[Item]:
    link = needed(row, "link")
    fakes = [_text(value, f"fakes[{at}]") for at, value in enumerate(list_of(row, "fakes"))]
    trues = [_text(value, f"trues[{at}]") for at, value in enumerate(list_of(row, "trues"))]
    claims = [text for text in fakes if text.strip()]
    if not claims:
        return [Nothing(where, "no_claim", link)]
    body = "\n".join(text for text in trues if text.strip()) or None
    return [
        ClaimRow(
            where,
            raw,
            collection="matsda2sh",
            key=link if number == 1 else f"{link}#{number}",
            site="matsda2sh",
            url=link,
            title=slug_title(link) or None,
            body=body,
        )
        for number, raw in enumerate(claims, start=1)
    ]


def slug_title(link: str) -> str:
    """The words of a link's last part."""
    return " ".join(unquote(urlsplit(link).path.rstrip("/").rsplit("/", 1)[-1]).replace("-", " ").split())


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise BadField(name, f"must be text, not {kind_of(value)}")
    return value
