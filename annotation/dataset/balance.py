"""Assigning groups of rows to splits so that counts come close to their targets.

The objective is Σ over splits s and counts c of w_c (n_sc − t_sc)² / max(t_sc, 1): Pearson's X² of the
counts against their targets, so a small split counts as much as a large one. Groups go in from the
largest, each where the objective stays lowest (as in iterative stratification: Sechidis, Tsoumakas and
Vlahavas 2011); then single moves and swaps of two groups improve it until none does; then a few groups are
shaken and it is tried again, keeping the best. All random choices come from the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_PARTNERS = 400
"""groups of a split that are looked at for swaps at once; of more, a random sample"""
SHAKEN = 4
PATIENCE = 60
"""shakes without gain after which it is enough"""
EXACT = 1e-9


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


def counts_of(vectors: Floats, assigned: Ints, splits: int) -> Floats:
    """What each split holds (splits × counts) of groups' counts (groups × counts)."""
    out = np.zeros((splits, vectors.shape[1]))
    np.add.at(out, assigned, vectors)
    return out


def balance(vectors: Floats, goal: Goal, *, seed: int, patience: int = PATIENCE) -> Ints:
    """A split code for each group (rows of `vectors`: groups × counts). Same input and seed, same answer."""
    rng = np.random.default_rng(seed)
    best = _descend(vectors, goal, _greedy(vectors, goal, rng), rng)
    value = goal.objective(counts_of(vectors, best, len(goal.targets)))
    waited = 0
    while value > EXACT and waited < patience and len(vectors) > 1:
        tried = _descend(vectors, goal, _shaken(best, len(goal.targets), rng), rng)
        reached = goal.objective(counts_of(vectors, tried, len(goal.targets)))
        waited += 1
        if reached < value - EXACT:
            best, value, waited = tried, reached, 0
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
    counts = np.zeros_like(goal.targets)
    assigned = np.zeros(len(vectors), dtype=np.int64)
    for group in np.lexsort((rng.random(len(vectors)), -vectors[:, 0])):
        gain = (scale * (vectors[group] ** 2 + 2 * vectors[group] * (counts - goal.targets))).sum(axis=1)
        chosen = int(gain.argmin())
        assigned[group] = chosen
        counts[chosen] += vectors[group]
    return assigned


def _descend(vectors: Floats, goal: Goal, start: Ints, rng: np.random.Generator) -> Ints:
    assigned = start.copy()
    scale = goal.scale()
    excess = counts_of(vectors, assigned, len(goal.targets)) - goal.targets
    while True:
        change, moves = _best_move(vectors, scale, excess, assigned)
        swap, pair = _best_swap(vectors, scale, excess, assigned, rng)
        if swap < change:
            change, moves = swap, pair
        if change >= -EXACT:
            return assigned
        for group, target in moves:
            excess[assigned[group]] -= vectors[group]
            excess[target] += vectors[group]
            assigned[group] = target


def _best_move(
    vectors: Floats, scale: Floats, excess: Floats, assigned: Ints
) -> tuple[float, list[tuple[int, int]]]:
    """The change of the best move of one group, and the move."""
    pull = scale * excess
    square = vectors**2
    enter = square @ scale.T + 2 * vectors @ pull.T
    leave = (square * scale[assigned] - 2 * vectors * pull[assigned]).sum(axis=1)
    change = enter + leave[:, None]
    change[np.arange(len(vectors)), assigned] = np.inf
    place = int(change.argmin())
    group, target = divmod(place, len(excess))
    return float(change[group, target]), [(group, target)]


def _best_swap(
    vectors: Floats, scale: Floats, excess: Floats, assigned: Ints, rng: np.random.Generator
) -> tuple[float, list[tuple[int, int]]]:
    """The change of the best exchange of two groups of different splits, and the two moves."""
    pull = scale * excess
    best: tuple[float, list[tuple[int, int]]] = (0.0, [])
    for a in range(len(excess)):
        for b in range(a + 1, len(excess)):
            left, right = (_sample(np.flatnonzero(assigned == split), rng) for split in (a, b))
            if not left.size or not right.size:
                continue
            # d = v_right − v_left enters a and leaves b: linear in d, plus d² under the summed scales
            both = scale[a] + scale[b]
            slope = 2 * (pull[a] - pull[b])
            of_left = vectors[left] @ -slope + vectors[left] ** 2 @ both
            of_right = vectors[right] @ slope + vectors[right] ** 2 @ both
            change = of_left[:, None] + of_right[None, :] - 2 * (vectors[left] * both) @ vectors[right].T
            place = int(change.argmin())
            i, j = divmod(place, len(right))
            if change[i, j] < best[0]:
                best = (float(change[i, j]), [(int(left[i]), b), (int(right[j]), a)])
    return best


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


def _sample(groups: Ints, rng: np.random.Generator) -> Ints:
    if len(groups) <= MOST_PARTNERS:
        return groups
    return np.sort(rng.choice(groups, MOST_PARTNERS, replace=False))


def _shaken(assigned: Ints, splits: int, rng: np.random.Generator) -> Ints:
    out = assigned.copy()
    moved = rng.choice(len(out), size=min(SHAKEN, len(out)), replace=False)
    out[moved] = rng.integers(splits, size=len(moved))
    return out
