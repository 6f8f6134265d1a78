"""Pairs that people judged differently: the adjudicator's queue, and what is discussed after a pilot.

The database says which pairs these are, so that a page costs what it shows and not what the corpus holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from annotation.rounds.kinds import COUNTED, PILOT
from annotation.rounds.reading import handled, tied
from annotation.rounds.settings import AnnotateSettings
from dalil.records import Annotation, Assignment, Decision, Round, Skip
from dalil.state.store import Store
from dalil.state.tables import TABLES


class Vote(NamedTuple):
    """Somebody's last judgement of a pair in a round."""

    id: str
    annotator: str
    round: str
    label: str


@dataclass(frozen=True)
class Dispute:
    """A pair with different first choices and nobody left to ask. Votes are in order of their ids."""

    pair: str
    votes: tuple[Vote, ...]
    ruling: Decision | None

    @property
    def tied(self) -> bool:
        """Whether no label leads."""
        return tied(vote.label for vote in self.votes)

    def judged_by(self, person: str) -> bool:
        """Whether somebody is one of those who judged it."""
        return any(vote.annotator == person for vote in self.votes)


def disputes(store: Store) -> list[Dispute]:
    """All of them, ruled on or not, in order of pairs. Pairs that somebody has still to judge wait, until
    their round is closed."""
    return _read(store, _open())


def dispute_of(store: Store, pair: str) -> Dispute | None:
    """The disagreement about one pair, or None where there is none."""
    return next(iter(_read(store, _open().where(_A.c.pair_id == pair))), None)


def to_rule(store: Store, own: AnnotateSettings) -> list[Dispute]:
    """What waits for a ruling."""
    ruled = sa.select(TABLES[Decision].c.id).where(TABLES[Decision].c.pair_id == _A.c.pair_id)
    found = _read(store, _open().where(~ruled.exists()))
    return [one for one in found if own.adjudicate == "all" or one.tied]


def to_discuss(store: Store, person: str | None = None) -> list[Dispute]:
    """Disagreements of the pilot; of one person, those they judged themselves."""
    query = _open().having(sa.func.sum(sa.case((_A.c.round == PILOT, 0), else_=1)) == 0)
    if person is not None:
        table = TABLES[Annotation].alias()
        query = query.where(_A.c.pair_id.in_(sa.select(table.c.pair_id).where(table.c.annotator == person)))
    return [one for one in _read(store, query) if person is None or one.judged_by(person)]


_A, _S = TABLES[Annotation], TABLES[Assignment]


def _open() -> sa.Select[tuple[str]]:
    """Pairs with more than one label (revisions included), where no assignment waits.

    A closed round takes no judgement, so nothing in it is waited for.
    """
    closed = sa.select(TABLES[Round].c.id).where(TABLES[Round].c.closed.is_(True))
    waits = (
        sa.select(_S.c.id)
        .where(_S.c.pair_id == _A.c.pair_id, _S.c.round.in_(COUNTED), _S.c.withdrawn.is_(None))
        .where(_S.c.round.not_in(closed), ~handled(Annotation), ~handled(Skip))
    )
    return (
        sa.select(_A.c.pair_id)
        .where(_A.c.round.in_(COUNTED))
        .group_by(_A.c.pair_id)
        .having(sa.func.count(_A.c.label.distinct()) > 1, ~waits.exists())
    )


def _read(store: Store, pairs: sa.Select[tuple[str]]) -> list[Dispute]:
    """The disputes among these pairs, as one state of the database has them."""
    votes: dict[str, dict[tuple[str, str], tuple[int, Vote]]] = {}
    rulings: dict[str, Decision] = {}
    decision = TABLES[Decision]
    kept = [decision.c[name] for name in Decision.model_fields]
    wanted = pairs.subquery()
    last = (
        sa.select(_A.c.pair_id, _A.c.number, _A.c.id, _A.c.annotator, _A.c.round, _A.c.label)
        .where(_A.c.pair_id.in_(sa.select(wanted.c.pair_id)), _A.c.round.in_(COUNTED))
        .order_by(_A.c.pair_id, _A.c.id)
    )
    ruled = sa.select(*kept).where(decision.c.pair_id.in_(sa.select(wanted.c.pair_id)))
    with store.snapshot() as reader:
        for pair, number, *rest in reader.rows(last):
            vote = Vote(*rest)
            mine = votes.setdefault(pair, {})
            known = mine.get((vote.annotator, vote.round))
            if known is None or number > known[0]:
                mine[vote.annotator, vote.round] = (number, vote)
        for row in reader.rows(ruled):
            made = Decision.model_validate(dict(row._mapping))
            before = rulings.get(made.pair_id)
            if before is None or made.number > before.number:
                rulings[made.pair_id] = made
    found = (
        Dispute(pair, tuple(sorted(vote for _, vote in mine.values())), rulings.get(pair))
        for pair, mine in sorted(votes.items())
    )
    return [one for one in found if len({vote.label for vote in one.votes}) > 1]
