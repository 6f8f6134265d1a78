"""What follows from judgements by itself: a third annotator where first choices differ."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from annotation.rounds.dealing import assignment_id
from annotation.rounds.kinds import MAIN, THIRD
from annotation.rounds.people import annotators, may_judge
from annotation.rounds.reading import Item, found, items, latest, tied
from annotation.rounds.settings import AnnotateSettings
from annotation.rounds.writing import Inside
from annotation.schemes import Scheme
from dalil.records import Annotation, Assignment, Decision, Skip
from dalil.state.store import Store, Writer
from dalil.state.tables import TABLES

AGREE_NOW = "the first annotators agree now"
WITHDRAWN = "judgements that differed were withdrawn"


@dataclass(frozen=True)
class Standing:
    """Assignments and latest judgements of one pair in one round."""

    assignments: tuple[Assignment, ...]
    judgements: tuple[Annotation, ...]
    skips: tuple[Skip, ...]

    @property
    def handled(self) -> set[str]:
        """Who judged or skipped it."""
        return {one.annotator for one in self.judgements} | {one.annotator for one in self.skips}

    @property
    def waiting(self) -> bool:
        """Whether somebody has still to judge."""
        handled = self.handled
        return any(one.withdrawn is None and one.annotator not in handled for one in self.assignments)

    @property
    def undecided(self) -> bool:
        """Whether the first choices differ (of more than two, which only a file has: whether none leads)."""
        return tied(one.label for one in self.judgements)


def standing(writer: Writer, pair: str, name: str) -> Standing:
    """How a pair stands in a round, as this transaction sees it."""
    where = {"pair_id": pair, "round": name}
    return Standing(
        tuple(found(writer.connection, Assignment, **where)),
        tuple(latest(found(writer.connection, Annotation, **where)).values()),
        tuple(found(writer.connection, Skip, **where)),
    )


class Follower:
    """Keeps the third round in step with the first ratings, within the transaction that changes them."""

    def __init__(self, store: Store, own: AnnotateSettings, scheme: Scheme):
        self.store = store
        self.own = own
        self.scheme = scheme

    def after(self, writer: Writer, pair: str, name: str) -> None:
        """Called when a pair got (or lost) a judgement, a skip or an assignment in a round."""
        if name != MAIN or not self.own.third:
            return
        first, third = standing(writer, pair, MAIN), standing(writer, pair, THIRD)
        live = [one for one in third.assignments if one.withdrawn is None]
        if first.waiting or len(first.judgements) < 2:
            return
        if not first.undecided:
            judged = {one.annotator for one in third.judgements}
            withdrawn = [one for one in live if one.annotator not in judged]
            writer.put(one.model_copy(update={"withdrawn": AGREE_NOW}) for one in withdrawn)
        elif live or third.judgements:  # a file may bring a third rating that nobody was asked for
            return
        elif not found(writer.connection, Decision, pair_id=pair):
            self.ask_third(writer, pair)

    def ask_third(self, writer: Writer, pair: str) -> Assignment | None:
        """Give a pair to the least loaded who may judge it and never did. None where there is nobody."""
        inside = Inside(self.store, writer.connection)
        item = items(inside, [pair]).get(pair)
        if item is None:
            return None
        met = _met(writer, pair)
        # a third rating that was withdrawn untouched may be asked for again
        met -= self._withdrawn_untouched(writer, pair)
        return self._give(writer, inside, item, met, THIRD)

    def replace(self, writer: Writer, lost: Assignment) -> Assignment | None:
        """Give what somebody will not judge to somebody else, in the same round."""
        inside = Inside(self.store, writer.connection)
        item = items(inside, [lost.pair_id]).get(lost.pair_id)
        if item is None:
            return None
        return self._give(writer, inside, item, _met(writer, lost.pair_id), lost.round)

    def _give(self, writer: Writer, inside: Store, item: Item, met: set[str], name: str) -> Assignment | None:
        loads, counted, last = _loads(writer, name)
        chosen = self.choose(inside, item, met, loads, counted)
        if chosen is None:
            return None
        made = self.made(item.pair, chosen, name, last.get(chosen, 0) + 1)
        writer.put([made])
        return made

    def choose(
        self,
        store: Store,
        item: Item,
        met: Collection[str],
        loads: Mapping[str, int],
        counted: Mapping[str, int],
    ) -> str | None:
        """Who gets a pair, or None: of those who may judge it, have not `met` it and whose capacity is above
        what is `counted`, the one with the lowest of `loads`; among equals the seed draws. Who has no link
        comes last.
        """
        from annotation.rounds.queue import may_work

        free = [
            one
            for one in annotators(store)
            if one.id not in met
            and may_judge(one, item)
            and (one.capacity is None or counted.get(one.id, 0) < one.capacity)
        ]
        # who has no link cannot enter the page: only where there is nobody else
        free.sort(
            key=lambda one: (one.invitation is None, loads.get(one.id, 0), self._lot(item.pair, one.id))
        )
        return next((one.id for one in free if may_work(store, one, self.scheme)), None)

    @staticmethod
    def made(pair: str, who: str, name: str, place: int) -> Assignment:
        """An assignment of a round."""
        key = assignment_id(pair, who, name)
        return Assignment(id=key, pair_id=pair, annotator=who, round=name, place=place)

    def _lot(self, pair: str, who: str) -> str:
        return hashlib.sha256(f"third:{self.own.seed}:{pair}:{who}".encode()).hexdigest()

    @staticmethod
    def _withdrawn_untouched(writer: Writer, pair: str) -> set[str]:
        third = standing(writer, pair, THIRD)
        return {
            one.annotator
            for one in third.assignments
            if one.withdrawn in (AGREE_NOW, WITHDRAWN) and one.annotator not in third.handled
        }


def needs_third(store: Store) -> set[str]:
    """Pairs of the main round whose first choices differ, with nobody still to judge and no third asked.

    Where a file has brought more than two first judgements, those of which none leads.
    """
    judged: dict[str, dict[str, str]] = {}
    for (pair, annotator, _), one in latest(store.all(Annotation, round=MAIN)).items():
        judged.setdefault(pair, {})[annotator] = one.label
    handled = {(pair, who) for pair, votes in judged.items() for who in votes}
    handled |= {(one.pair_id, one.annotator) for one in store.all(Skip, round=MAIN)}
    waiting = {
        one.pair_id
        for one in store.all(Assignment, round=MAIN)
        if one.withdrawn is None and (one.pair_id, one.annotator) not in handled
    }
    asked = {one.pair_id for one in store.all(Assignment, round=THIRD) if one.withdrawn is None}
    asked |= {row[0] for row in store.count_by(Annotation, "pair_id", "round") if row[1] == THIRD}
    return {pair for pair, votes in judged.items() if tied(votes.values())} - waiting - asked


def _met(writer: Writer, pair: str) -> set[str]:
    """Who was given a pair, judged it (what comes from a file has no assignment) or ruled on it."""
    met = {one.annotator for one in found(writer.connection, Assignment, pair_id=pair)}
    met |= {one.adjudicator for one in found(writer.connection, Decision, pair_id=pair)}
    return met | {one.annotator for one in found(writer.connection, Annotation, pair_id=pair)}


def _loads(writer: Writer, name: str) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Of each annotator: live assignments in a round, those that count against capacity, the last place."""
    table = TABLES[Assignment]
    live = table.c.withdrawn.is_(None)
    query = sa.select(
        table.c.annotator,
        sa.func.sum(sa.case((sa.and_(live, table.c.round == name), 1), else_=0)),
        sa.func.sum(sa.case((sa.and_(live, table.c.round.in_((MAIN, THIRD))), 1), else_=0)),
        sa.func.max(table.c.place),
    ).group_by(table.c.annotator)
    rows = [tuple(row) for row in writer.connection.execute(query)]
    return (
        {row[0]: int(row[1]) for row in rows},
        {row[0]: int(row[2]) for row in rows},
        {row[0]: int(row[3]) for row in rows},
    )
