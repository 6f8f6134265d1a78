"""Rows of a data set, whatever file they came from: one a pair of claim and article.

Columns that a file does not have are None; nothing is guessed. `pair_hash` is the identity of a pair
across files and spellings of ids: it depends on the two texts alone, and only white space and Unicode
form are folded, so anybody can compute it from a published file.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dalil.errors import UsageError
from dalil.records import fit_text

HASH_DIGITS = 32


def text_hash(text: str) -> str:
    """SHA-256 (128 bits, hexadecimal) over a text in NFC with runs of white space as one space."""
    plain = " ".join(fit_text(text).split())
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()[:HASH_DIGITS]


def pair_hash(claim: str, article_hash: str) -> str:
    """Identity of a pair: over the claim's text hash and the article's."""
    return hashlib.sha256(f"{text_hash(claim)} {article_hash}".encode()).hexdigest()[:HASH_DIGITS]


@dataclass(frozen=True, slots=True)
class Row:
    """One pair. `claim_id` groups the pairs of a claim; `article` is None in a release without texts."""

    id: str
    claim_id: str
    claim: str
    label: str
    article_hash: str
    article: str | None = None
    title: str | None = None
    url: str | None = None
    claim_url: str | None = None
    veracity: str | None = None
    site: str | None = None
    country: str | None = None
    domain: str | None = None
    cluster: str | None = None
    date: str | None = None
    language: str | None = None
    split: str | None = None
    where: str | None = None
    """file:line it was read from"""

    @property
    def pair_hash(self) -> str:
        """Identity of the pair across files."""
        return pair_hash(self.claim, self.article_hash)


@dataclass(frozen=True)
class LoneClaim:
    """A claim that a data set lists without articles (the claim files of Khouja 2020)."""

    text: str
    veracity: str | None
    split: str | None


@dataclass(frozen=True)
class DataSet:
    """Rows, the label names in their order, and what kind of files they came from."""

    name: str
    kind: str
    """arastance, baly, khouja (the form of the files), release, rehydrated, split or rows"""
    rows: tuple[Row, ...]
    labels: tuple[str, ...]
    origin: str = ""
    lone_claims: tuple[LoneClaim, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits that rows carry, in the usual order."""
        return ordered_splits({row.split for row in self.rows if row.split is not None})

    def with_splits(self, splits: Sequence[str | None]) -> DataSet:
        """The same rows in other splits (one name a row, in the rows' order)."""
        rows = tuple(replace(row, split=name) for row, name in zip(self.rows, splits, strict=True))
        return replace(self, rows=rows)


def new_folder(path: Path) -> Path:
    """The whole path of a folder that something is to be made in.

    Raises UsageError where it holds something, or is the one that the command runs in (it would be replaced).
    """
    whole = Path(os.path.abspath(path))
    if whole.exists() and (not whole.is_dir() or any(whole.iterdir())):
        raise UsageError("the folder is not empty", where=path, todo="give a new folder")
    if whole == Path.cwd():
        raise UsageError("is the folder that you are in", where=path, todo="give a new folder")
    return whole


_UNFIT = frozenset('/\\:*?"<>|')
LONGEST_SPLIT = 60


def split_name_problem(name: str) -> str | None:
    """Why a split cannot have this name, or None: files are named for splits, and others name the splits."""
    if not name.strip():
        return "is empty"
    if len(name) > LONGEST_SPLIT:
        return f"is longer than {LONGEST_SPLIT} characters"
    if (
        name.startswith((".", " "))
        or name.endswith((".", " "))
        or _UNFIT & set(name)
        or not name.isprintable()
    ):
        return "cannot be the name of a file"
    return None


USUAL = ("train", "dev", "validation", "test")


def ordered_splits(names: Iterable[str]) -> tuple[str, ...]:
    """Train, dev, test first; then by name, numbers by value."""
    known = {name: place for place, name in enumerate(USUAL)}

    def key(name: str) -> tuple[int, int, str]:
        digits = "".join(filter(str.isdigit, name))
        return known.get(name, len(USUAL)), int(digits or 0), name

    return tuple(sorted(names, key=key))


def label_counts(rows: Iterable[Row], labels: Sequence[str]) -> dict[str, int]:
    """How many rows have each label, all labels in their order."""
    found = Counter(row.label for row in rows)
    return {label: found.get(label, 0) for label in labels}
