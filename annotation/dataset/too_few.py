"""Where what is kept apart leaves fewer groups than splits: what would be possible instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

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

    `apart`: what could be kept apart instead for as many splits, or None; `fewer`: whether two splits are
    possible as it is; `folds`: whether k folds were asked for.
    """

    def __init__(
        self, count: int, names: Sequence[str], ask: Ask, keys: Mapping[str, Keys], rows: Sequence[Row]
    ):
        alone = {kind: _number({kind: column}) for kind, column in keys.items()}
        words = ", ".join(f"{number:,} by {kind}" for kind, number in alone.items())
        self.count = count
        self.fewer = 2 <= count < len(names)
        self.folds = all(name == f"fold_{place}" for place, name in enumerate(names, 1))
        self.whole = tuple(kind for kind in ask.apart if kind in ("site", "country"))
        self.apart = next(
            (
                (*kinds, *self.whole)
                for kinds in LOOSER
                if set(kinds) < set(keys) | ({"related"} if {"article", "body"} & set(keys) else set())
                and _number(all_keys(rows, (*kinds, *self.whole), ask.threshold)) >= len(names)
            ),
            None,
        )
        ways = []
        if self.apart:
            ways.append(f"--apart {','.join(kind for kind in self.apart if kind not in self.whole)}")
        if self.fewer:
            ways.append("--folds 2" if self.folds else "--share train=0.8 --share test=0.2")
        if self.whole:
            ways.append("no --by (which balances rows)")
        super().__init__(
            f"{counted(count, 'group')} for {counted(len(names), 'split')}: kept apart by "
            f"{', '.join(ask.apart)} (alone: {words})",
            todo=f"ask with {', or '.join(ways)}" if ways else "it is too small to be split",
        )


def _number(keys: Mapping[str, Keys]) -> int:
    return int(groups(keys).max()) + 1
