"""What a corpus knows of the quantities of a plan."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.rounds.capacity import DEFAULTS, QUANTITIES, Capacity
from annotation.rounds.design import circulant
from annotation.rounds.people import annotators
from dalil.config import FILE
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Annotation, Assignment, Pair, Superseded

MOST_PEOPLE, MOST_ITEMS = 1_000, 10_000_000
"""a design of more is nobody's plan, and takes long"""


@dataclass(frozen=True)
class Known:
    """Pairs that nobody was given, and people who annotate (not who has no capacity at all)."""

    pairs: int
    people: tuple[str, ...]
    full: int = 0
    """people who annotate and have no capacity at all"""

    def design(self, solved: Capacity) -> dict[str, Any] | None:
        """The circulant design of a plan; None for fewer than two people, or for more than any team has."""
        people = solved.whole() if solved.unknown == "people" else math.floor(solved.people + 1e-9)
        if people is None or not 2 <= people <= MOST_PEOPLE or solved.items > MOST_ITEMS:
            return None
        names = self.people if len(self.people) == people else tuple(f"{place}" for place in range(people))
        found = circulant(math.floor(solved.items * solved.double + 1e-9), names)
        loads = found.loads().values()
        return {
            "offsets": found.offsets,
            "fewest_shared": found.fewest_shared,
            "fewest_load": min(loads),
            "most_load": max(loads),
        }


def plan_of(folder: Path, given: Mapping[str, float | str | None]) -> tuple[dict[str, float], Known | None]:
    """The five known quantities: as given, else from the corpus, else the usual ones.

    Raises UsageError where a corpus has nothing for a quantity that is lacking.
    """
    values = {name: value for name in QUANTITIES if isinstance(value := given.get(name), float)}
    asked = {name for name in QUANTITIES if given.get(name) == "?"}
    known = _known(folder) if (folder / FILE).is_file() else None
    usual: dict[str, float] = dict(DEFAULTS)
    for name, value in usual.items():
        if name not in asked:
            values.setdefault(name, value)
    if known is not None:
        for name, value in (("items", float(known.pairs)), ("people", float(len(known.people)))):
            missing = [one for one in QUANTITIES if one not in values]
            if name not in asked and name in missing and len(missing) > 1 and value:
                values[name] = value
        _refuse_nothing(values, asked, known)
    return values, known


def _refuse_nothing(values: Mapping[str, float], asked: set[str], known: Known) -> None:
    """Where too much is unknown because the corpus is not that far yet, say that."""
    missing = [name for name in QUANTITIES if name not in values]
    if len(missing) < 2:
        return
    others = " or ".join(f"--{name}" for name in missing)
    if "people" in missing and "people" not in asked and not known.people:
        raise UsageError(
            "nobody who annotates has capacity" if known.full else "nobody is invited yet",
            todo=f"give {others}, or invite people first: dalil annotate invite NAME CORPUS",
        )
    if "items" in missing and "items" not in asked and not known.pairs:
        raise UsageError(
            "no pair waits to be given out", todo=f"give {others}, or make pairs: dalil pair CORPUS"
        )


def _known(folder: Path) -> Known:
    with Corpus.open(folder, writable=False) as corpus:
        store = corpus.store
        given = {row[0] for row in store.count_by(Assignment, "pair_id")}
        given |= {row[0] for row in store.count_by(Annotation, "pair_id")}
        pairs = store.ids(Pair) - store.ids(Superseded) - given
        team = annotators(store)
        able = tuple(one.id for one in team if one.capacity != 0)
        return Known(len(pairs), able, len(team) - len(able))
