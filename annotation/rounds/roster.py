"""Who there is: people of the team, and people whose judgements came from files alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import sqlalchemy as sa

from annotation.rounds.queue import Progress, progress_of_all
from dalil.records import Annotation, Decision, Person, Skip
from dalil.state.store import Store
from dalil.state.tables import TABLES

Link = Literal["active", "none", "left", "imported"]
"""`none`: revoked; `imported`: never invited, so there is nothing to enter by, to deal to or to leave"""


@dataclass(frozen=True)
class Member:
    """Somebody who was invited, or who judged, skipped or ruled in a file that came in."""

    name: str
    link: Link
    person: Person | None = None
    """None for who was never invited"""
    rounds: Mapping[str, Progress] = field(default_factory=dict)
    """round → pairs that they were asked for"""
    judged: int = 0
    """pairs in all that they judged, counted in each round, from files too"""
    unasked: int = 0
    """of these, pairs that nobody asked them for here (they came from files)"""


def roster(store: Store) -> list[Member]:
    """Everybody, by name."""
    people = {person.id: person for person in store.all(Person)}
    rounds: dict[str, dict[str, Progress]] = {}
    for (name, round_name), found in progress_of_all(store).items():
        rounds.setdefault(name, {})[round_name] = found
    judged = _judged(store)
    made = []
    for name in sorted(people.keys() | set(_heard(store))):
        person, mine = people.get(name), rounds.get(name, {})
        number = judged.get(name, 0)
        asked = sum(found.judged for found in mine.values())
        made.append(Member(name, _link(person), person, mine, number, max(number - asked, 0)))
    return made


def never_invited(store: Store, name: str) -> bool:
    """Whether somebody is known by judgements of a file alone."""
    return store.get(Person, name) is None and name in set(_heard(store))


def _link(person: Person | None) -> Link:
    if person is None:
        return "imported"
    return "left" if person.left else "active" if person.invitation else "none"


def _judged(store: Store) -> dict[str, int]:
    table = TABLES[Annotation]
    once = sa.select(table.c.annotator, table.c.pair_id, table.c.round).distinct().subquery()
    query = sa.select(once.c.annotator, sa.func.count()).group_by(once.c.annotator)
    return {str(row[0]): int(row[1]) for row in store.rows(query)}


def _heard(store: Store) -> Iterator[str]:
    """Who judged, skipped or ruled."""
    for kind, column in ((Annotation, "annotator"), (Skip, "annotator"), (Decision, "adjudicator")):
        for row in store.rows(sa.select(TABLES[kind].c[column]).distinct()):
            yield str(row[0])
