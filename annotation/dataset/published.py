"""What papers state about their data sets: data/datasets/NAME.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from dalil.errors import UsageError


@dataclass(frozen=True)
class Source:
    """A row of AraStance's Table 3."""

    name: str
    match: tuple[str, ...]
    veracity: str
    claims: int
    articles: int
    labels: Mapping[str, int]


@dataclass(frozen=True)
class Download:
    """Where a data set's files are."""

    page: str
    base: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Published:
    """Stated figures; what a paper does not state is None or empty."""

    key: str
    name: str
    licence: str
    labels: tuple[str, ...]
    pairs: int
    claims: int | None = None
    veracity: Mapping[str, int] = field(default_factory=dict)
    splits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    merge: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """split of the paper → splits of the files"""
    sources: tuple[Source, ...] = ()
    lone_claims: Mapping[str, int] = field(default_factory=dict)
    bodies_in_several_folds: int | None = None
    duplicate_pairs: int | None = None
    claims_with_only_unrelated: int | None = None
    download: Download | None = None

    def totals(self) -> dict[str, int]:
        """Pairs with each label, over all splits."""
        return {label: sum(counts[label] for counts in self.splits.values()) for label in self.labels}

    def source_of(self, text: str) -> Source | None:
        """The source that an address or file name belongs to."""
        low = text.lower()
        return next((s for s in self.sources if any(word in low for word in s.match)), None)


NAMES = ("arastance", "baly", "khouja")


@cache
def published(name: str) -> Published:
    """The figures of a data set. Raises UsageError for one that is not known."""
    if name not in NAMES:
        raise UsageError(f"no published data set {name!r}", todo=f"one of {', '.join(NAMES)}")
    from dalil.resources import data

    found = tomllib.loads(data("datasets", f"{name}.toml").read_text("utf-8"))
    labels = tuple(found["labels"])
    fetch = found.get("fetch")
    return Published(
        key=name,
        name=found["name"],
        licence=found["licence"],
        labels=labels,
        pairs=found["pairs"],
        claims=found.get("claims"),
        veracity=found.get("veracity", {}),
        splits=found["splits"],
        merge={split: tuple(parts) for split, parts in found.get("merge", {}).items()},
        sources=tuple(
            Source(
                row["name"],
                tuple(row["match"]),
                row["veracity"],
                row["claims"],
                row["articles"],
                {label: row[label] for label in labels},
            )
            for row in found.get("sources", ())
        ),
        lone_claims=found.get("lone_claims", {}),
        bodies_in_several_folds=found.get("bodies_in_several_folds"),
        duplicate_pairs=found.get("duplicate_pairs"),
        claims_with_only_unrelated=found.get("claims_with_only_unrelated"),
        download=Download(fetch["page"], fetch["base"], tuple(fetch["files"])) if fetch else None,
    )
