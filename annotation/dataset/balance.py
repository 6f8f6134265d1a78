"""Assigning groups of rows to splits so that counts come close to their targets.

The objective is Σ over splits s and counts c of w_c (n_sc − t_sc)² / max(t_sc, 1): Pearson's X² of the
counts against their targets, so a small split counts as much as a large one. Groups go in from the
largest, each where the objective stays lowest (as in iterative stratification: Sechidis, Tsoumakas and
Vlahavas 2011); then single moves and exchanges of two groups improve it until none does; then a few groups
are shaken and it is tried again, keeping the best. It ends early where whole numbers allow nothing better.
All random choices come from the seed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.dataset.local_search import EXACT, Floats, Ints, Search

SHAKEN = 4
PATIENCE = 60
"""shakes without gain after which it is enough"""
MOST_DEALT = 100_000
"""ones that are dealt out for a bound, at most"""


def _nothing() -> None:
    """No progress is asked for."""


@dataclass(frozen=True, eq=False)
class Goal:
    """What is wanted: `targets` (splits × counts) and `weights` (counts)."""

    targets: Floats
    weights: Floats

    def scale(self) -> Floats:
        """Weight of a squared difference (splits × counts)."""
        out: Floats = self.weights[None, :] / np.maximum(self.targets, 1.0)
        return out

    def objective(self, counts: Floats) -> float:
        """X² of counts (splits × counts)."""
        return float((self.scale() * (counts - self.targets) ** 2).sum())

    def least(self, vectors: Floats) -> float:
        """A bound below the objective: what it would be if each count were dealt out for itself, in ones.

        Exact for one count, since the sum of convex functions of whole numbers is least where each unit
        goes where it costs least. The largest group lies in one split, whichever is best. 0 where counts
        are no whole numbers.
        """
        if (vectors != np.round(vectors)).any():
            return 0.0
        totals, scale = vectors.sum(axis=0).astype(int).tolist(), self.scale()
        largest = vectors[int(vectors[:, 0].argmax())]
        bounds = []
        for split in range(len(self.targets)):
            held = np.zeros_like(self.targets)
            held[split] = largest
            dealt = zip(totals, self.targets.T, scale.T, held.T, strict=True)
            bounds.append(sum(_least(*count) for count in dealt))
        return float(min(bounds))


def _least(total: int, targets: Floats, weights: Floats, held: Floats) -> float:
    """The least Σ w (n − t)² of whole n ≥ `held` with a given sum."""
    away = np.maximum(held - targets, 0).sum() + abs(total - targets.sum())
    given = np.maximum(np.maximum(np.floor(targets) - len(targets) - np.ceil(away), 0), held)
    left = total - int(given.sum())  # so low that the best lies above it
    if not 0 <= left <= MOST_DEALT:
        return 0.0
    costs = [
        (float(w * (2 * (n - t) + 1)), split)
        for split, (n, t, w) in enumerate(zip(given, targets, weights, strict=True))
    ]
    heapq.heapify(costs)
    for _ in range(left):
        cost, split = costs[0]
        given[split] += 1
        heapq.heapreplace(costs, (cost + 2 * float(weights[split]), split))
    return float((weights * (given - targets) ** 2).sum())


def counts_of(vectors: Floats, assigned: Ints, splits: int) -> Floats:
    """What each split holds (splits × counts) of groups' counts (groups × counts)."""
    return np.stack([vectors[assigned == split].sum(axis=0) for split in range(splits)])


def balance(
    vectors: Floats, goal: Goal, *, seed: int, patience: int = PATIENCE, step: Callable[[], None] = _nothing
) -> Ints:
    """A split code for each group (rows of `vectors`: groups × counts). Same input and seed, same answer.

    `step` is called after each descent.
    """
    rng = np.random.default_rng(seed)
    search = Search(vectors, goal.targets, goal.scale(), _greedy(vectors, goal, rng), rng)
    least = goal.least(vectors)
    enough = least + EXACT * max(least, 1.0)
    search.descend(enough)
    best, value, waited = search.assigned.copy(), search.value, 0
    while value > enough and waited < patience and len(vectors) > 1:
        step()
        search.shake(SHAKEN)
        search.descend(enough)
        waited += 1
        if search.value < value - EXACT:
            best, value, waited = search.assigned.copy(), search.value, 0
        else:
            search.settle(best)
    return _none_empty(vectors, goal, best)


def at_random(vectors: Floats, goal: Goal, *, seed: int, times: int = 50) -> float:
    """Mean objective of random assignments with the targets' proportions: what doing nothing would give."""
    rng = np.random.default_rng([seed, 1])
    share = goal.targets[:, 0] / goal.targets[:, 0].sum()
    values = []
    for _ in range(times):
        assigned = rng.choice(len(share), size=len(vectors), p=share)
        values.append(goal.objective(counts_of(vectors, assigned, len(share))))
    return float(np.mean(values))


def _greedy(vectors: Floats, goal: Goal, rng: np.random.Generator) -> Ints:
    scale = goal.scale()
    alone = vectors**2 @ scale.T
    pull = -scale * goal.targets
    assigned = np.zeros(len(vectors), dtype=np.int64)
    for group in np.lexsort((rng.random(len(vectors)), -vectors[:, 0])):
        vector = vectors[group]
        chosen = int((alone[group] + 2 * (pull @ vector)).argmin())
        assigned[group] = chosen
        pull[chosen] += scale[chosen] * vector
    return assigned


def _none_empty(vectors: Floats, goal: Goal, assigned: Ints) -> Ints:
    """Where groups are so few that a split goes without: the cheapest move into it that leaves none empty."""
    out = assigned.copy()
    splits = len(goal.targets)
    while True:
        held = np.bincount(out, minlength=splits)
        empty = np.flatnonzero(held == 0)
        spare = np.flatnonzero(held[out] > 1)
        if not empty.size or not spare.size:
            return out
        tried = []
        for group in spare:
            moved = out.copy()
            moved[group] = empty[0]
            tried.append(goal.objective(counts_of(vectors, moved, splits)))
        out[spare[int(np.argmin(tried))]] = empty[0]
