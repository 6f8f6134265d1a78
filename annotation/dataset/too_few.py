"""Where what is kept apart leaves fewer groups than splits: what would be possible instead."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from annotation.dataset.rows import Row
from annotation.dataset.ties import Keys, all_keys, groups
from dalil.errors import UsageError
from dalil.wording import counted

if TYPE_CHECKING:
    from annotation.dataset.splitting import Ask

LOOSER = (("claim", "cluster", "related"), ("claim", "cluster"), ("claim",))
"""what may be kept apart instead where that leaves too few groups, the strictest first"""


class TooFewGroups(UsageError):
    """There are fewer groups than splits. What to do is said as options of `dalil dataset split`.

    `ways`: what is possible instead, in the order in which it is named.
    """

    def __init__(
        self, count: int, names: Sequence[str], ask: Ask, keys: Mapping[str, Keys], rows: Sequence[Row]
    ):
        alone = {kind: _number({kind: column}) for kind, column in keys.items()}
        words = ", ".join(f"{number:,} by {kind}" for kind, number in alone.items())
        self.count = count
        self.ways = tuple(_ways(count, names, ask, rows))
        super().__init__(
            f"{counted(count, 'group')} for {counted(len(names), 'split')}: kept apart by "
            f"{', '.join(ask.apart)} (alone: {words})",
            todo=f"ask {', or '.join(way.options() for way in self.ways)}"
            if self.ways
            else "it is too small to be split",
        )


@dataclass(frozen=True)
class Way:
    """One thing that would be possible: less kept apart, sites or countries not kept whole, or two splits."""

    apart: tuple[str, ...] = ()
    rows: bool = False
    sizes: Literal["", "two folds", "two splits"] = ""

    def options(self) -> str:
        """As options of `dalil dataset split`."""
        said = {"two folds": "--folds 2", "two splits": "--share train=0.8 --share test=0.2"}.get(self.sizes)
        apart = f"--apart {','.join(self.apart)}" if self.apart else None
        given = " ".join(word for word in (said, apart) if word)
        return " and ".join(
            word
            for word in (f"with {given}" if given else None, "without --by" if self.rows else None)
            if word
        )

    def lines(self) -> str:
        """As lines of `[release]`."""
        said = {"two folds": "folds = 2", "two splits": "shares = { train = 0.8, test = 0.2 }"}.get(
            self.sizes
        )
        apart = f"apart = {json.dumps(self.apart)}" if self.apart else None
        return " and ".join(word for word in (said, apart, 'by = "rows"' if self.rows else None) if word)


def _ways(count: int, names: Sequence[str], ask: Ask, rows: Sequence[Row]) -> Iterator[Way]:
    whole = tuple(kind for kind in ask.apart if kind in ("site", "country"))
    own = tuple(kind for kind in ask.apart if kind not in whole)

    def enough(kinds: Sequence[str]) -> bool:
        return _number(all_keys(rows, kinds, ask.threshold)) >= len(names)

    looser = [kinds for kinds in LOOSER if _looser(kinds, own)]
    less = next((kinds for kinds in looser if enough((*kinds, *whole))), None)
    if less:
        yield Way(apart=less)
    elif whole and enough(own):
        yield Way(rows=True)
    elif whole and (less := next((kinds for kinds in looser if enough(kinds)), None)):
        yield Way(apart=less, rows=True)
    if 2 <= count < len(names):
        folds = all(name == f"fold_{place}" for place, name in enumerate(names, 1))
        yield Way(sizes="two folds" if folds else "two splits")


def _looser(kinds: Sequence[str], own: Sequence[str]) -> bool:
    """Whether less is kept apart; `related` is less than `article` and `body`."""
    there = {"claim", *own}
    return set(kinds) < there | ({"related"} if {"article", "body"} & there else set())


def _number(keys: Mapping[str, Keys]) -> int:
    return int(groups(keys).max()) + 1
