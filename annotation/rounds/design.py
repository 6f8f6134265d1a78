"""Pairs dealt to two annotators each by a circulant design C_n(1..g).

In a circle drawn by the seed, annotator i shares items with i+1 … i+g (modulo n). Every such two share
N/(n·g) items, give or take one; g is the largest for which that is 15 or more, else 1. With g = (n−1)/2,
or with the half offset added where n is even, everybody shares with everybody. Loads differ by at most one
and no item is left.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dalil.errors import UsageError

FEWEST_SHARED = 15
"""Fewer shared items say little about how two annotators agree."""


@dataclass(frozen=True)
class Design:
    """Who shares how many items: places in the circle, and annotators in their order in it."""

    circle: tuple[str, ...]
    offsets: int
    complete: bool
    shares: tuple[tuple[int, int, int], ...]
    """(i, j, items)"""

    @property
    def items(self) -> int:
        return sum(number for _, _, number in self.shares)

    @property
    def fewest_shared(self) -> int:
        """Items that two annotators share, at least, where they share any by design."""
        return min((number for _, _, number in self.shares), default=0)

    def loads(self) -> dict[str, int]:
        """Items of each annotator."""
        out = dict.fromkeys(self.circle, 0)
        for i, j, number in self.shares:
            out[self.circle[i]] += number
            out[self.circle[j]] += number
        return out

    def lighter_first(self, earlier: Mapping[str, int]) -> Design:
        """The same design, the places with one item more given to those who had fewer items `earlier`.

        Loads that differed by one at most still do when both deals are added up.
        """
        if len({earlier.get(name, 0) for name in self.circle}) < 2:
            return self
        loads = self.loads()
        places = sorted(range(len(self.circle)), key=lambda place: (-loads[self.circle[place]], place))
        names = sorted(self.circle, key=lambda name: (earlier.get(name, 0), self.circle.index(name)))
        seated = dict(zip(places, names, strict=True))
        return replace(self, circle=tuple(seated[place] for place in range(len(places))))

    def deal(self, items: Sequence[str], seed: int) -> dict[str, tuple[str, str]]:
        """Item → its two annotators; which items fall to whom is drawn by the seed."""
        if len(items) != self.items:
            raise ValueError(f"a design of {self.items} items cannot deal {len(items)}")
        drawn = sorted(items)
        random.Random(f"deal:{seed}").shuffle(drawn)
        out, start = {}, 0
        for i, j, number in self.shares:
            for item in drawn[start : start + number]:
                out[item] = (self.circle[i], self.circle[j])
            start += number
        return out


def widest(items: int, people: int, fewest: int = FEWEST_SHARED) -> int:
    """The largest g whose overlap N/(n·g) is at least `fewest`, else 1."""
    most = max((people - 1) // 2, 1)
    return max((g for g in range(1, most + 1) if items / (people * g) >= fewest), default=1)


def circulant(
    items: int, people: Sequence[str], *, seed: int = 0, offsets: int | None = None, complete: bool = False
) -> Design:
    """The design for a number of items and these annotators.

    `offsets` sets g; `complete` makes everybody share with everybody. Raises UsageError for fewer than two
    annotators or an impossible g.
    """
    n = len(people)
    if n < 2:
        raise UsageError(
            f"two annotators a pair need at least two people, not {n}",
            todo="add people: dalil annotate invite",
        )
    most = max((n - 1) // 2, 1)
    if offsets is not None and not 1 <= offsets <= most:
        raise UsageError(f"g = {offsets} is not possible with {n} annotators", todo=f"give 1 to {most}")
    circle = sorted(people)
    random.Random(f"circle:{seed}").shuffle(circle)
    g = most if complete else offsets if offsets is not None else widest(items, n)
    half = n % 2 == 0 and n > 2 and complete
    return Design(tuple(circle), g, complete or n <= 3, tuple(_shares(items, n, g, half)))


def _shares(items: int, n: int, g: int, half: bool) -> list[tuple[int, int, int]]:
    """Every edge equally often; the rest spread so that no annotator has two more than another."""
    cycles = [_cycle(n, offset) for offset in range(1, g + 1)]
    middle = [(i, i + n // 2) for i in range(n // 2)] if half else []
    edges = [edge for cycle in cycles for edge in cycle] + middle
    each, rest = divmod(items, len(edges))
    more: set[tuple[int, int]] = set()
    # whole cycles add two to everybody, the half offset one; what is left fits the first cycle
    for whole in [*cycles[1:], middle]:
        if whole and rest >= len(whole):
            more |= set(whole)
            rest -= len(whole)
    more |= set(_even_part(cycles[0], rest))
    return [(i, j, each + ((i, j) in more)) for i, j in edges]


def _cycle(n: int, offset: int) -> list[tuple[int, int]]:
    if n == 2:
        return [(0, 1)]
    return [(i, (i + offset) % n) for i in range(n)]


def _even_part(ring: list[tuple[int, int]], number: int) -> list[tuple[int, int]]:
    """`number` edges of the ring 0–1–2–…–0 that touch everybody equally often, give or take one."""
    n = len(ring)
    if number <= n // 2:
        return ring[0 : 2 * number : 2]
    left_out = set(ring[0 : 2 * (n - number) : 2])
    return [edge for edge in ring if edge not in left_out]
