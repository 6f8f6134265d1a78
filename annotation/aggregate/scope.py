"""Labels out of scope ("only refers to image/video"): items leave the data where the majority chose one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from annotation.ratings import ADJUDICATION, NO_SECOND, Before, Codes, Ratings
from dalil.errors import UsageError

SCOPE = ("in scope", "out of scope")


@dataclass(frozen=True, eq=False)
class Scoped:
    """Ratings with the labels in scope alone, and what was left out to get there."""

    ratings: Ratings
    removed: Codes
    """items removed: more than half of their votes (or a ruling) chose a label out of scope"""
    stray_votes: int
    """single votes for such a label on items that stay; they do not count"""


def in_scope(ratings: Ratings, out_of_scope: Collection[str]) -> Scoped:
    """Remove labels out of scope. A ruling decides alone; else it takes more than half of the votes.

    Raises UsageError where a label is none of these ratings', or where no label would be left.
    """
    outside = sorted({ratings.label_code(name) for name in out_of_scope})
    if not outside:
        return Scoped(ratings, np.empty(0, dtype=np.int32), 0)
    inside = [code for code in range(ratings.n_labels) if code not in outside]
    if not inside:
        raise UsageError("every label is out of scope", todo="leave at least one in scope")
    removed = _removed(ratings, outside)
    stray = np.isin(ratings.label, outside)
    keep = ~removed[ratings.item]
    recode = np.full(ratings.n_labels, NO_SECOND, dtype=np.int32)
    recode[inside] = np.arange(len(inside), dtype=np.int32)
    kept = ratings.select(keep & ~stray)
    made = replace(
        kept,
        label=recode[kept.label],
        second=_recoded(kept.second, recode),
        labels=tuple(ratings.labels[code] for code in inside),
        before=_before(kept.before, recode),
    )
    return Scoped(made, np.flatnonzero(removed).astype(np.int32), int((stray & keep).sum()))


def as_scope(ratings: Ratings, out_of_scope: Collection[str]) -> Ratings:
    """The same ratings with two labels alone: in scope or not. Raises UsageError for an unknown label."""
    outside = sorted({ratings.label_code(name) for name in out_of_scope})

    def coded(label: Codes) -> Codes:
        return np.isin(label, outside).astype(np.int32)

    none = np.full(len(ratings), NO_SECOND, dtype=np.int32)
    before = ratings.before
    return replace(
        ratings,
        label=coded(ratings.label),
        second=none,
        labels=SCOPE,
        before=Before(coded(before.label), before.confidence, none) if before is not None else None,
    )


def _recoded(second: Codes, recode: Codes) -> Codes:
    """Second choices, those out of scope left out."""
    return np.where(second >= 0, recode[second], second).astype(np.int32)


def _before(found: Before | None, recode: Codes) -> Before | None:
    if found is None:
        return None
    return Before(recode[found.label], found.confidence, _recoded(found.second, recode))


def _removed(ratings: Ratings, outside: list[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    counts = ratings.votes().counts()
    removed: np.ndarray[tuple[int], np.dtype[np.bool_]] = counts[:, outside].sum(axis=1) * 2 > counts.sum(
        axis=1
    )
    rulings = ratings.of_rounds(ADJUDICATION)
    removed[rulings.item] = np.isin(rulings.label, outside)
    return removed
