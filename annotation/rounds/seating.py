"""Two seats an item, within languages, exclusions and capacities, with loads as even as these allow.

The circulant design is laid out in each language first. Seats that somebody cannot take are filled by the
least loaded who can; then seats are handed on, along chains of people, from whoever has two more than
somebody else (or one more, and two more over all deals). No chain being left, no fairer loads exist under the
same rules: the cost of a load is convex, and a flow that no such chain can better is the best.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.rounds.design import Design, circulant
from annotation.rounds.people import may_judge
from annotation.rounds.reading import Item
from dalil.errors import UsageError
from dalil.records import Person

TOO_FEW, NO_CAPACITY = "left_out_few", "left_out_full"
REASONS = {
    TOO_FEW: "fewer than two people may judge it",
    NO_CAPACITY: "nobody who may judge it has capacity left",
    "left_out_nobody": "nobody reads its language",
    "left_out_met": "everybody who may judge it has met it or is full",
}


@dataclass(frozen=True)
class Seats:
    """Who judges what; `left_out` has the reason of every item that did not get two people."""

    raters: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, str]
    designs: Mapping[str, Design]
    """language → the design laid out in it"""
    moved: int = 0
    """seats that others took than the design said"""
    fewest_shared: Mapping[str, int] = field(default_factory=dict)
    """language → items that two neighbours of its circle share, at least, as it came out: rules and
    capacities may leave fewer than the design says"""

    def loads(self) -> dict[str, int]:
        """Items of each person who has any."""
        out: dict[str, int] = {}
        for people in self.raters.values():
            for name in people:
                out[name] = out.get(name, 0) + 1
        return dict(sorted(out.items()))


def seat(
    items: Sequence[Item],
    people: Sequence[Person],
    *,
    seed: int = 0,
    offsets: int | None = None,
    complete: bool = False,
    taken: Mapping[str, int] | None = None,
    earlier: Mapping[str, int] | None = None,
) -> Seats:
    """Deal items to two people each. `taken` counts the pairs that people have already, against capacity;
    `earlier` those of this round: who had fewer gets a seat more where a deal does not come out even, so that
    deals one after another leave loads as even as one deal would. Nobody catches up what they missed.
    Raises UsageError where `offsets` fits the annotators of no language; where it fits some, others have
    their own (`Seats.designs` says which). Who has no capacity left has no place in a circle.
    """
    table = _Table(people, taken or {}, seed, earlier or {})
    designs: dict[str, Design] = {}
    languages = sorted({item.language for item in items})
    speakers = {
        language: [one.id for one in people if not one.left and _speaks(one, language) and table.room(one.id)]
        for language in languages
    }
    if offsets is not None and items and not any(_fits(offsets, able) for able in speakers.values()):
        most = max(map(_most_offsets, speakers.values()))
        raise UsageError(f"g = {offsets} is not possible with these annotators", todo=f"give 1 to {most}")
    for language, able in speakers.items():
        group = [item for item in items if item.language == language]
        if len(able) >= 2:
            designs[language] = circulant(
                len(group),
                able,
                seed=seed,
                offsets=offsets if _fits(offsets, able) else None,
                complete=complete,
            ).lighter_first(earlier or {})
            table.lay(designs[language].deal([item.pair for item in group], seed))
        table.items |= {item.pair: item for item in group}
    planned = {pair: frozenset(held) for pair, held in table.raters.items()}
    table.clear_forbidden()
    table.clear_beyond_capacity()
    table.fill()
    table.even_out()
    left_out = {
        pair: table.why_not(item) for pair, item in sorted(table.items.items()) if len(table.raters[pair]) < 2
    }
    whole = {pair: tuple(sorted(held)) for pair, held in table.raters.items() if len(held) == 2}
    moved = sum(len(set(whole[pair]) - planned.get(pair, frozenset())) for pair in whole)
    fewest = {
        language: _fewest_shared(
            design, (two for pair, two in whole.items() if table.items[pair].language == language)
        )
        for language, design in designs.items()
    }
    return Seats(dict(sorted(whole.items())), left_out, designs, moved, fewest)


def _fewest_shared(design: Design, raters: Iterable[tuple[str, ...]]) -> int:
    shared = {frozenset((design.circle[i], design.circle[j])): 0 for i, j, number in design.shares if number}
    for people in raters:
        if (two := frozenset(people)) in shared:
            shared[two] += 1
    return min(shared.values(), default=0)


def _speaks(person: Person, language: str) -> bool:
    return not person.languages or language in person.languages


def _fits(offsets: int | None, able: Sequence[str]) -> bool:
    return offsets is not None and 1 <= offsets <= _most_offsets(able)


def _most_offsets(able: Sequence[str]) -> int:
    return max((len(able) - 1) // 2, 1)


@dataclass
class _Table:
    """Seats while they are being filled."""

    people: Sequence[Person]
    taken: Mapping[str, int]
    seed: int
    earlier: Mapping[str, int]
    items: dict[str, Item] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_name = {person.id: person for person in self.people}
        self.raters: dict[str, set[str]] = {}
        # pair → None: a set that keeps its order, so that the same seed gives the same seats
        self.held: dict[str, dict[str, None]] = {person.id: {} for person in self.people}
        order = sorted(self.by_name)
        random.Random(f"seats:{self.seed}").shuffle(order)
        self.turn = {name: place for place, name in enumerate(order)}
        self.named = {name for person in self.people for name in person.excluded}
        self.allowed: dict[tuple[str, ...], frozenset[str]] = {}
        self.allowed_of: dict[str, frozenset[str]] = {}

    def lay(self, dealt: Mapping[str, Iterable[str]]) -> None:
        for pair, names in dealt.items():
            self.raters[pair] = set()
            for name in names:
                self._sit(pair, name)

    def clear_forbidden(self) -> None:
        for pair, item in self.items.items():
            for name in sorted(self.raters.setdefault(pair, set())):
                if not may_judge(self.by_name[name], item):
                    self._stand(pair, name)

    def clear_beyond_capacity(self) -> None:
        """Whole items go, so that nobody sits alone at one while capacity is scarce."""
        for name in sorted(self.held):
            beyond = len(self.held[name]) - self._room(name)
            if beyond > 0:
                seats = sorted(self.held[name])
                random.Random(f"beyond:{self.seed}:{name}").shuffle(seats)
                for pair in seats[:beyond]:
                    for sitting in sorted(self.raters[pair]):
                        self._stand(pair, sitting)

    def fill(self) -> None:
        for pair in sorted(self.items, key=lambda pair: (-len(self.raters[pair]), pair)):
            while len(self.raters[pair]) < 2:
                free = [name for name in self._able(pair) if self._free(name)]
                if free:
                    self._sit(pair, min(free, key=self._load))
                elif not self._make_room(pair):
                    break
            # an item that one person alone can have waits whole
            if len(self.raters[pair]) == 1:
                self._stand(pair, next(iter(self.raters[pair])))

    def even_out(self) -> None:
        moving = True
        while moving:
            moving = False
            for name in sorted(self.held, key=self._load, reverse=True):
                while self._hand_on(name, to_lighter=True):
                    moving = True

    def why_not(self, item: Item) -> str:
        able = [person for person in self.people if may_judge(person, item)]
        return TOO_FEW if len(able) < 2 else NO_CAPACITY

    def _make_room(self, pair: str) -> bool:
        """Somebody able but full hands a seat on to somebody with room, and takes this one."""
        if not any(self._free(name) for name in self.held):
            return False
        for name in sorted(self._able(pair), key=self._load):
            if self._hand_on(name, keep=pair):
                self._sit(pair, name)
                return True
        return False

    def _hand_on(self, name: str, *, to_lighter: bool = False, keep: str | None = None) -> bool:
        """Move one seat from `name`, along the shortest chain, to somebody with room (and a lower load)."""
        lighter = {other for other in self.held if self._lighter(other, name)} if to_lighter else self.held
        if not lighter:
            return False
        came: dict[str, tuple[str, str] | None] = {name: None}
        waiting = deque([name])
        seen: set[frozenset[str]] = set()
        """groups of people all of whom the search has met"""
        while waiting:
            giver = waiting.popleft()
            for pair in self.held[giver]:
                allowed = self._allowed(pair)
                if allowed in seen or pair == keep:
                    continue
                unseen = allowed - came.keys()
                if not unseen:
                    seen.add(allowed)
                    continue
                unseen -= self.raters[pair]
                for other in sorted(unseen, key=self._load):
                    came[other] = (giver, pair)
                    if other in lighter and self._free(other):
                        self._pass_along(came, other)
                        return True
                    waiting.append(other)
        return False

    def _pass_along(self, came: Mapping[str, tuple[str, str] | None], last: str) -> None:
        step = came[last]
        while step is not None:
            giver, pair = step
            self._stand(pair, giver)
            self._sit(pair, last)
            last, step = giver, came[giver]

    def _able(self, pair: str) -> frozenset[str]:
        """Who may judge an item and does not yet."""
        return self._allowed(pair) - self.raters[pair]

    def _allowed(self, pair: str) -> frozenset[str]:
        if pair in self.allowed_of:
            return self.allowed_of[pair]
        item = self.items[pair]
        key = (item.language, *sorted({item.site, item.outlet or "", item.claim} & self.named))
        if key not in self.allowed:
            self.allowed[key] = frozenset(p.id for p in self.people if may_judge(p, item))
        self.allowed_of[pair] = self.allowed[key]
        return self.allowed[key]

    def _lighter(self, other: str, name: str) -> bool:
        """Whether loads are fairer when `name` has one seat less and `other` one more."""
        less = len(self.held[name]) - len(self.held[other])
        over_all = less + self.earlier.get(name, 0) - self.earlier.get(other, 0)
        return less >= 2 or (less == 1 and over_all >= 2)

    def _load(self, name: str) -> tuple[int, int]:
        return len(self.held[name]), self.turn[name]

    def room(self, name: str) -> bool:
        """Whether somebody has capacity for any pair at all."""
        capacity = self.by_name[name].capacity
        return capacity is None or capacity > self.taken.get(name, 0)

    def _room(self, name: str) -> int:
        capacity = self.by_name[name].capacity
        return len(self.items) if capacity is None else max(capacity - self.taken.get(name, 0), 0)

    def _free(self, name: str) -> bool:
        return len(self.held[name]) < self._room(name)

    def _sit(self, pair: str, name: str) -> None:
        self.raters.setdefault(pair, set()).add(name)
        self.held[name][pair] = None

    def _stand(self, pair: str, name: str) -> None:
        self.raters[pair].discard(name)
        self.held[name].pop(pair, None)
