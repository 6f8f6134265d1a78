"""What came of disagreement: how often a third rater or a ruling was needed, and who was overruled.

A pair's outcome is the ruling where there is one, else the label that most of its raters chose (first
raters and third together; SCRum-9 and AraStance both resolve that way), else none: still open. Whether the
first raters disagreed is asked of their judgements as they stood then, the outcome follows from the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.ratings import ADJUDICATION, MAIN, PILOT, THIRD, Codes, Ratings

OPEN = -1


@dataclass(frozen=True, eq=False)
class Adjudication:
    """Counts over pairs of the main round with at least two raters."""

    pairs: int
    disagreed: int
    by_third: int
    """disagreements that a third rater has looked at"""
    by_ruling: int
    """pairs with a ruling"""
    by_revision: int
    """disagreements that the first raters settled by revising, without a ruling"""
    open: int
    """disagreements without an outcome yet"""
    rulings_against_all: int
    """pairs whose outcome none of the first raters had chosen"""
    raters: tuple[dict[str, Any], ...]
    """for each first rater: ratings on disagreed pairs with an outcome, how many were overruled"""
    overruled: NDArray[np.int64]
    """K × K: the first raters' label (down) where the outcome was another (across)"""

    @property
    def rate(self) -> float | None:
        """Share of pairs on which the first raters disagreed."""
        return self.disagreed / self.pairs if self.pairs else None


def adjudication(ratings: Ratings) -> Adjudication:
    """Adjudication of the main round (of the pilot, where there is no main round)."""
    kind = MAIN if (ratings.round == MAIN).any() else PILOT
    own = ratings.of_rounds(kind)
    first = own.blind()
    counts = first.counts()
    raters = counts.sum(axis=1)
    shared = raters >= 2
    differ = shared & (counts.max(axis=1, initial=0) < raters)
    outcome = outcomes(ratings.of_rounds(kind, THIRD, ADJUDICATION))
    settled = differ & (outcome != OPEN)
    third = _touched(ratings, THIRD)
    ruled = _touched(ratings, ADJUDICATION)
    final = own.counts()
    agree_now = final.max(axis=1, initial=0) == final.sum(axis=1)
    chosen = counts[np.arange(len(counts)), np.maximum(outcome, 0)] > 0
    table, people = _overruled(first, outcome, settled)
    return Adjudication(
        pairs=int(shared.sum()),
        disagreed=int(differ.sum()),
        by_third=int((differ & third).sum()),
        by_ruling=int((shared & ruled).sum()),
        by_revision=int((differ & agree_now & ~ruled).sum()),
        open=int((differ & (outcome == OPEN)).sum()),
        rulings_against_all=int((shared & (outcome != OPEN) & ~chosen).sum()),
        raters=people,
        overruled=table,
    )


def outcomes(ratings: Ratings) -> Codes:
    """Label of each item: its ruling, else the single most common label, else OPEN."""
    counts = ratings.votes().counts()
    top = counts.max(axis=1, initial=0)
    single = (counts == top[:, None]).sum(axis=1) == 1
    out = np.where(single & (top > 0), counts.argmax(axis=1), OPEN).astype(np.int32)
    rulings = ratings.of_rounds(ADJUDICATION)
    out[rulings.item] = rulings.label
    return out


def _touched(ratings: Ratings, kind: int) -> NDArray[np.bool_]:
    out = np.zeros(ratings.n_items, dtype=bool)
    out[ratings.item[ratings.round == kind]] = True
    return out


def _overruled(
    first: Ratings, outcome: Codes, settled: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], tuple[dict[str, Any], ...]]:
    own = first.select(settled[first.item])
    final = outcome[own.item]
    lost = own.label != final
    k, size = first.n_labels, len(first.workers)
    table = np.bincount(own.label[lost].astype(np.int64) * k + final[lost], minlength=k * k).reshape(k, k)
    disputed = np.bincount(own.worker, minlength=size)
    beaten = np.bincount(own.worker[lost], minlength=size)
    judged = np.bincount(first.worker, minlength=size)
    people: list[dict[str, Any]] = [
        {
            "rater": first.workers[int(code)],
            "ratings": int(judged[code]),
            "disputed": int(disputed[code]),
            "overruled": int(beaten[code]),
            "share_of_disputed": float(beaten[code] / disputed[code]) if disputed[code] else None,
        }
        for code in np.flatnonzero(judged)
    ]
    people.sort(key=lambda row: (-row["overruled"], row["rater"]))
    return table, tuple(people)
