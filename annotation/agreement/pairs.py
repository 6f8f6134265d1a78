"""Pairs of raters who judged the same item, as arrays: the ground of Cohen's κ, cosine and confusion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.ratings import item_order
from annotation.ratings_views import FirstRatings

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RaterPair:
    """Two raters and the places (in the ratings' arrays) of their ratings of shared items."""

    a: int
    b: int
    place_a: Ints
    place_b: Ints

    @property
    def shared(self) -> int:
        """How many items both judged."""
        return len(self.place_a)


def rated_together(first: FirstRatings) -> tuple[Ints, Ints]:
    """Places of all pairs of ratings of one item, the worker whose name comes first before the other."""
    order, starts = item_order(first.ratings)
    sizes = np.diff(starts)
    parts_a, parts_b = [], []
    for size in np.unique(sizes[sizes >= 2]):
        at = starts[:-1][sizes == size]
        block = order[at[:, None] + np.arange(size)]
        left, right = np.triu_indices(int(size), k=1)
        parts_a.append(block[:, left].ravel())
        parts_b.append(block[:, right].ravel())
    if not parts_a:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty
    a, b = np.concatenate(parts_a), np.concatenate(parts_b)
    rank = _ranks(first)
    swap = rank[a] > rank[b]
    return np.where(swap, b, a), np.where(swap, a, b)


def rater_pairs(first: FirstRatings, fewest: int = 1) -> Iterator[RaterPair]:
    """Each two raters who share at least `fewest` items: those who share most first, then by their names."""
    a, b = rated_together(first)
    if not len(a):
        return
    rank, worker = _ranks(first), first.ratings.worker
    key = rank[a] * len(first.ratings.workers) + rank[b]
    order = np.argsort(key, kind="stable")
    ends = np.flatnonzero(np.diff(key[order], append=-1)) + 1
    starts = np.concatenate([[0], ends[:-1]])
    sizes = ends - starts
    for place in np.lexsort((key[order][starts], -sizes)):
        if sizes[place] < fewest:
            return
        part = order[starts[place] : ends[place]]
        yield RaterPair(int(worker[a[part[0]]]), int(worker[b[part[0]]]), a[part], b[part])


def _ranks(first: FirstRatings) -> Ints:
    """Place of each rating's worker among the sorted names, so that the order of rows decides nothing."""
    names = list(first.ratings.workers)
    place = np.empty(len(names), dtype=np.int64)
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return place[first.ratings.worker]
