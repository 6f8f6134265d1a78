"""Cosine agreement: the mean cosine of two annotators' vectors over the items that both judged (SCRum-9).

Vectors are one-hot (first choice alone: the cosine is 1 where both chose the same label, else 0) or the
MVC2 vector (first choice by confidence, second choice, Highly Uncertain; see `annotation.ratings_vectors`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from annotation.agreement.figure import Figure, undefined
from annotation.agreement.pairs import rated_together
from annotation.ratings import Floats, Ratings
from annotation.ratings_vectors import VoteOptions, first_and_second, one_hot
from annotation.ratings_views import FirstRatings

Over = Literal["pairs", "annotators"]
Vectors = Callable[[Ratings], Floats]
NAME = "cosine_agreement"


@dataclass(frozen=True)
class CosineTable:
    """Average, lowest and highest cosine agreement, over pairs of annotators or over annotators."""

    annotators: int
    pairs: int
    average: float | None
    low: float | None
    high: float | None
    reason: str | None = None

    def plain(self) -> dict[str, Any]:
        out = {
            "annotators": self.annotators,
            "pairs": self.pairs,
            "average": self.average,
            "minimum": self.low,
            "maximum": self.high,
        }
        return out | ({"reason": self.reason} if self.reason else {})


def with_first_choice(ratings: Ratings) -> Floats:
    """Vectors of the first choice alone."""
    return one_hot(ratings)


def with_second_choice(options: VoteOptions) -> Vectors:
    """Vectors as the MVC2 method makes them."""
    return lambda ratings: first_and_second(ratings, options)


def cosines_by_pair(first: FirstRatings, vectors: Vectors) -> dict[tuple[int, int], float]:
    """(rater, rater) → mean cosine over the items both judged, the first by name first.

    Items where a vector is all zero (confidence 1 under `zero-to-one`) have no direction and are left out.
    """
    a, b = rated_together(first)
    if not len(a):
        return {}
    made = vectors(first.ratings)
    length = np.sqrt(np.einsum("ik,ik->i", made, made))
    pointing = (length[a] > 0) & (length[b] > 0)
    a, b = a[pointing], b[pointing]
    cosine = np.einsum("ik,ik->i", made[a], made[b]) / (length[a] * length[b])
    worker = first.ratings.worker.astype(np.int64)
    key = worker[a] * len(first.ratings.workers) + worker[b]
    pairs, place = np.unique(key, return_inverse=True)
    means = np.bincount(place, weights=cosine) / np.bincount(place)
    size = len(first.ratings.workers)
    return {(int(p // size), int(p % size)): float(m) for p, m in zip(pairs, means, strict=True)}


def cosine_table(first: FirstRatings, vectors: Vectors, over: Over = "pairs") -> CosineTable:
    """A row of SCRum-9's table 5. `over="annotators"` first averages each annotator's pairs."""
    by_pair = cosines_by_pair(first, vectors)
    annotators = len(np.unique(first.ratings.worker))
    if not by_pair:
        return CosineTable(annotators, 0, None, None, None, "no two annotators share an item")
    values = list(by_pair.values())
    if over == "annotators":
        own: dict[int, list[float]] = {}
        for pair, value in by_pair.items():
            for rater in pair:
                own.setdefault(rater, []).append(value)
        values = [sum(found) / len(found) for found in own.values()]
    return CosineTable(annotators, len(by_pair), sum(values) / len(values), min(values), max(values))


def mean_of_languages(tables: dict[str, CosineTable]) -> CosineTable:
    """The row "All": languages weighted by their number of annotators.

    The published table's own last row follows from its others in this way (and not from a plain mean).
    """
    known = [table for table in tables.values() if table.average is not None]
    if not known:
        return CosineTable(0, 0, None, None, None, "no language has two annotators who share an item")
    weights = np.array([table.annotators for table in known], dtype=np.float64)

    def mean(values: list[float | None]) -> float:
        return float(np.average([value for value in values if value is not None], weights=weights))

    return CosineTable(
        int(weights.sum()),
        sum(table.pairs for table in known),
        mean([table.average for table in known]),
        mean([table.low for table in known]),
        mean([table.high for table in known]),
    )


def cosine_agreement(first: FirstRatings, vectors: Vectors, over: Over = "pairs") -> Figure:
    """The average of `cosine_table` as a figure."""
    table = cosine_table(first, vectors, over)
    items = int((first.counts.sum(axis=1) >= 2).sum())
    if table.average is None:
        return undefined(NAME, table.reason or "", items=items)
    return Figure(NAME, table.average, items=items, detail={"over": over, "pairs": table.pairs})
