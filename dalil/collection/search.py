"""Searching a collection: terms, a mode of matching, a window."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dalil.collection.documents import StoredDocument
from dalil.collection.manifest import Manifest
from dalil.collection.snippets import snippet
from dalil.collection.tantivy_index import TEXTS, IndexReader, Restriction
from dalil.errors import StateError, UsageError

Match = Literal["all", "most", "any"]
BOOSTS: Mapping[str, float] = {"title": 3.0, "lead": 1.0, "body": 1.0}
"""Weights of the fields (measured: benchmarks/collection_known_item.md)"""


@dataclass(frozen=True, slots=True)
class Found:
    """A document of an answer: rank from 1."""

    rank: int
    score: float
    document: StoredDocument


@dataclass(frozen=True, slots=True)
class Results:
    """An answer. `matched` counts all documents that match, `found` has the best of them."""

    terms: tuple[str, ...]
    matched: int
    found: tuple[Found, ...]
    undated: int | None = None
    """documents that match but have no date, and so lie outside the window; None without a window"""


class Collection:
    """An open collection."""

    def __init__(self, path: Path, manifest: Manifest, index: IndexReader):
        self.path = path
        self.manifest = manifest
        self._index = index

    @classmethod
    def open(cls, path: Path | str) -> Collection:
        """Raises StateError: none, unfinished, of another version, damaged."""
        folder = Path(path)
        manifest = Manifest.read(folder)
        if not (folder / manifest.index).is_dir():
            manifest = Manifest.read(folder)  # a build may have ended between the two
        index = IndexReader(folder / manifest.index)
        if len(index) != manifest.documents:
            raise StateError(
                f"{manifest.documents} documents were built and {len(index)} are here",
                where=folder,
                todo="build it again with: dalil index FILE… --out COLLECTION",
            )
        return cls(folder, manifest, index)

    @property
    def name(self) -> str:
        """The name in the identity of documents without url."""
        return self.manifest.name

    def __len__(self) -> int:
        return self.manifest.documents

    def get(self, key: str) -> StoredDocument | None:
        """The document with this id, or None."""
        stored = self._index.get(key)
        return None if stored is None else StoredDocument.from_json(stored)

    def search(
        self,
        text: str,
        *,
        start: str | None = None,
        end: str | None = None,
        match: Match = "most",
        limit: int = 10,
        outlets: Sequence[str] = (),
        boosts: Mapping[str, float] = BOOSTS,
    ) -> Results:
        """The best documents for a text.

        `start` and `end` are ISO dates, both inclusive. A document whose date is a month or a year is
        inside where all of it is; an undated one never is. `match`: a document needs all distinct
        terms of the text, most (more than half) or any. `boosts` names the fields searched and their
        weights. Text without a term finds nothing. Raises UsageError for a window, mode, limit or
        field that cannot be.
        """
        if limit < 1:
            raise UsageError(f"limit must be at least 1, not {limit}")
        if not boosts or not set(boosts) <= set(TEXTS):
            raise UsageError(
                f"fields to search must be among {', '.join(TEXTS)}, not {', '.join(boosts) or 'none'}"
            )
        within = Restriction(*_window(start, end), tuple(outlets))
        terms = self._index.terms(text)
        needed = needed_terms(len(terms), match)
        if not terms:
            return Results((), 0, (), 0 if within.has_window else None)
        ranked, matched = self._index.search(terms, needed, boosts, within, limit)
        found = tuple(
            Found(rank, one.score, StoredDocument.from_json(one.stored)) for rank, one in enumerate(ranked, 1)
        )
        undated = None
        if within.has_window:
            undated = self.manifest.undated and self._index.count_undated(terms, needed, boosts, outlets)
        return Results(terms, matched, found, undated)

    def snippet(self, document: StoredDocument, terms: Sequence[str]) -> str:
        """The stretch of a document's body that has most of the terms."""
        return snippet(document.body, frozenset(terms), self._index.stems)


def needed_terms(count: int, match: Match) -> int:
    """How many of `count` distinct terms a document must have. Raises UsageError for an unknown mode."""
    if match == "all":
        return count
    if match == "most":
        return count // 2 + 1
    if match == "any":
        return 1
    raise UsageError(f"match must be all, most or any, not {match!r}")


def _window(start: str | None, end: str | None) -> tuple[int | None, int | None]:
    first, last = _day(start, "start"), _day(end, "end")
    if first is not None and last is not None and first > last:
        raise UsageError(f"the window ends before it begins: {start} to {end}")
    return first, last


def _day(date: str | None, which: str) -> int | None:
    if date is None:
        return None
    try:
        return dt.date.fromisoformat(date).toordinal()
    except ValueError as error:
        raise UsageError(
            f"{which} of the window is no ISO date: {date!r}", todo="write it as 2018-02-19"
        ) from error
