"""Local search over assignments of groups to splits: single moves, and exchanges of two groups.

What a change does to the objective is linear in the counts that change sides, plus their squares, so all
exchanges between two samples of groups are weighed by one product of matrices. A step weighs samples and
takes the best; that a sample holds nothing better is tried several times, then with large samples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOME = 64
"""groups of a split that a step looks at"""
MANY = 400
"""groups of a split that are looked at before it is said that nothing is better"""
TRIES = 3
"""steps without gain after which it is enough"""
EXACT = 1e-9
_DIGITS = 9
"""changes are compared to so many: what differs in its last bits alone is a tie, on every machine"""

Moves = list[tuple[int, int]]
"""groups, and the split that each goes to"""


class Search:
    """An assignment of groups (rows of `vectors`) that is changed where that lowers the objective.

    The objective is Σ `scale` · (counts − `targets`)² over splits × counts.
    """

    def __init__(
        self, vectors: Floats, targets: Floats, scale: Floats, assigned: Ints, rng: np.random.Generator
    ):
        self.vectors = vectors
        self.squares = vectors**2
        self.scale = scale
        self.rng = rng
        self.splits = len(targets)
        self.assigned = assigned.copy()
        self.excess = -targets
        self._members = np.zeros((self.splits, len(vectors)), dtype=np.int64)
        self._held = np.bincount(assigned, minlength=self.splits)
        self._place = np.zeros(len(vectors), dtype=np.int64)
        for split in range(self.splits):
            inside = np.flatnonzero(assigned == split)
            self.excess[split] += vectors[inside].sum(axis=0)
            self._members[split, : len(inside)] = inside
            self._place[inside] = np.arange(len(inside))

    @property
    def value(self) -> float:
        """The objective."""
        return float((self.scale * self.excess**2).sum())

    def descend(self, enough: float = EXACT) -> None:
        """Change while that helps, down to `enough`: by steps over some groups, then over many."""
        while self.value > enough:
            failed = 0
            while failed < TRIES and self.value > enough:
                failed = 0 if self._step(SOME) else failed + 1
                if failed and self._held.max() <= SOME:
                    return  # all were looked at
            if self.value <= enough or not (self._step(MANY) or self._move_any()):
                return

    def shake(self, number: int) -> Moves:
        """Put some groups anywhere. Returns where they were."""
        moved = self.rng.choice(len(self.vectors), size=min(number, len(self.vectors)), replace=False)
        before = [(int(group), int(self.assigned[group])) for group in moved]
        targets = self.rng.integers(self.splits, size=len(moved))
        self._apply([(int(group), int(target)) for group, target in zip(moved, targets, strict=True)])
        return before

    def settle(self, assigned: Ints) -> None:
        """Go back to an earlier assignment."""
        self._apply(
            [(int(group), int(assigned[group])) for group in np.flatnonzero(self.assigned != assigned)]
        )

    def _step(self, most: int) -> bool:
        """The best move or exchange among some groups of each split. Whether there was one."""
        pull = self.scale * self.excess
        picked = [self._sample(split, most) for split in range(self.splits)]
        vectors = [self.vectors[groups] for groups in picked]
        squares = [self.squares[groups] for groups in picked]
        best, moves = -EXACT, Moves()
        for a, groups in enumerate(picked):
            if not groups.size:
                continue
            change = self._leaving(a, vectors[a], squares[a], pull)
            place, target = np.unravel_index(int(change.argmin()), change.shape)
            if change[place, target] < best:
                best, moves = float(change[place, target]), [(int(groups[place]), int(target))]
            for b in range(a + 1, self.splits):
                if not picked[b].size:
                    continue
                # d = v_right − v_left enters a and leaves b: linear in d, plus d² under the summed scales
                both = self.scale[a] + self.scale[b]
                slope = 2 * (pull[a] - pull[b])
                exchange = (vectors[a] * (-2 * both)) @ vectors[b].T
                exchange += (squares[a] @ both - vectors[a] @ slope)[:, None]
                exchange += (squares[b] @ both + vectors[b] @ slope)[None, :]
                exchange = exchange.round(_DIGITS)
                left, right = np.unravel_index(int(exchange.argmin()), exchange.shape)
                if exchange[left, right] < best:
                    best = float(exchange[left, right])
                    moves = [(int(groups[left]), b), (int(picked[b][right]), a)]
        self._apply(moves)
        return bool(moves)

    def _move_any(self) -> bool:
        """The best move of all groups, where one is better. Whether there was one."""
        pull = self.scale * self.excess
        best, moves = -EXACT, Moves()
        for split in range(self.splits):
            groups = self._members[split, : self._held[split]]
            if groups.size:
                change = self._leaving(split, self.vectors[groups], self.squares[groups], pull)
                place, target = np.unravel_index(int(change.argmin()), change.shape)
                if change[place, target] < best:
                    best, moves = float(change[place, target]), [(int(groups[place]), int(target))]
        self._apply(moves)
        return bool(moves)

    def _leaving(self, split: int, vectors: Floats, squares: Floats, pull: Floats) -> Floats:
        """What it changes when groups of a split go to each split (groups × splits)."""
        enter = squares @ self.scale.T + 2 * vectors @ pull.T
        leave = squares @ self.scale[split] - 2 * vectors @ pull[split]
        change: Floats = (enter + leave[:, None]).round(_DIGITS)
        change[:, split] = np.inf
        return change

    def _sample(self, split: int, most: int) -> Ints:
        held = int(self._held[split])
        members = self._members[split, :held]
        return np.sort(members) if held <= most else members[self.rng.integers(held, size=most)]

    def _apply(self, moves: Moves) -> None:
        for group, target in moves:
            source = int(self.assigned[group])
            if source == target:
                continue
            self.excess[source] -= self.vectors[group]
            self.excess[target] += self.vectors[group]
            self.assigned[group] = target
            self._held[source] -= 1
            last = self._members[source, self._held[source]]
            self._members[source, self._place[group]] = last
            self._place[last] = self._place[group]
            self._members[target, self._held[target]] = group
            self._place[group] = self._held[target]
            self._held[target] += 1
