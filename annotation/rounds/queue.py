"""What somebody does next, and how far everybody is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import sqlalchemy as sa

from annotation.rounds.kinds import QUALIFICATION, STAGES, TRAINING, stage_of
from annotation.rounds.notices import Notices
from annotation.rounds.reading import handled
from annotation.rounds.references import score
from annotation.rounds.settings import AnnotateSettings
from annotation.schemes import Scheme
from dalil.records import Annotation, Assignment, Consent, Person, Round, Skip, Superseded
from dalil.state.store import Store
from dalil.state.tables import TABLES

What = Literal["accept", "judge", "wait", "done", "failed", "enough"]


@dataclass(frozen=True)
class Step:
    """`accept` a notice (`notice`), `judge` an assignment, or nothing for now, and why."""

    what: What
    notice: str | None = None
    assignment: Assignment | None = None


@dataclass(frozen=True)
class Progress:
    """Pairs of one person in one round."""

    assigned: int = 0
    judged: int = 0
    skipped: int = 0

    @property
    def open(self) -> int:
        """Still to be judged."""
        return self.assigned - self.judged - self.skipped

    def __add__(self, other: Progress) -> Progress:
        return Progress(
            self.assigned + other.assigned, self.judged + other.judged, self.skipped + other.skipped
        )


def next_step(store: Store, person: Person, own: AnnotateSettings, scheme: Scheme, notices: Notices) -> Step:
    """What comes next: notices, then rounds in their order, never past a failed qualification or a quota."""
    notice = to_accept(store, person.id, notices)
    if notice is not None:
        return Step("accept", notice=notice)
    first = next(iter(open_assignments(store, person.id, most=1)), None)
    if first is None:
        if not may_work(store, person, scheme):
            return Step("failed")
        return Step("done" if store.count(Annotation, annotator=person.id) else "wait")
    if stage_of(first.round) > stage_of(QUALIFICATION) and not may_work(store, person, scheme):
        return Step("failed")
    if own.per_day is not None and judged_today(store, person.id) >= own.per_day:
        return Step("enough")
    return Step("judge", assignment=first)


def may_work(store: Store, person: Person, scheme: Scheme) -> bool:
    """Whether training and qualification, where there are any, are finished and passed (or waived)."""
    if person.cleared or not is_tested(store, person.id):
        return True
    found = progress(store, person.id)
    for name, mark in (
        (TRAINING, scheme.training.pass_mark),
        (QUALIFICATION, scheme.qualification.pass_mark),
    ):
        mine = found.get(name)
        if mine is None or not mine.assigned:
            continue
        met, answered = score(store, person.id, name)
        if mine.open or (mark and met < mark * mine.assigned - 1e-9) or (mark and not answered):
            return False
    return True


def is_tested(store: Store, person: str) -> bool:
    """Whether somebody was given training or a qualification."""
    table = TABLES[Assignment]
    query = sa.select(table.c.id).where(
        table.c.annotator == person, table.c.round.in_((TRAINING, QUALIFICATION))
    )
    return store.scalar(query.limit(1)) is not None


def to_accept(store: Store, person: str, notices: Notices) -> str | None:
    """The first notice that somebody has not accepted in its present version, or None."""
    waiting = (kind for kind in notices.kinds if not accepted(store, person, kind, notices.version(kind)))
    return next(waiting, None)


def accepted(store: Store, person: str, kind: str, version: str) -> bool:
    """Whether somebody accepted this version of a notice."""
    return bool(store.count(Consent, person=person, kind=kind, version=version))


def open_assignments(store: Store, person: str, most: int | None = None) -> list[Assignment]:
    """What somebody still has to judge, in order; the first `most` of it."""
    closed = sa.select(TABLES[Round].c.id).where(TABLES[Round].c.closed.is_(True))
    return _in_order(store, person, most, _asked_for(), TABLES[Assignment].c.round.not_in(closed))


def unhandled(store: Store, person: str, most: int | None = None) -> list[Assignment]:
    """What somebody was given and neither judged nor skipped, in order; the first `most` of it.

    More than is open: rounds that are closed may be opened, and superseded pairs may come back.
    """
    return _in_order(store, person, most, TABLES[Assignment].c.withdrawn.is_(None))


def _in_order(
    store: Store, person: str, most: int | None, *conditions: sa.ColumnElement[bool]
) -> list[Assignment]:
    table = TABLES[Assignment]
    columns = [table.c[name] for name in Assignment.model_fields]
    query = sa.select(*columns).where(
        table.c.annotator == person, *conditions, ~handled(Annotation), ~handled(Skip)
    )
    stage = sa.case(
        *((table.c.round.in_(names), place) for place, names in enumerate(STAGES)), else_=len(STAGES)
    )
    query = query.order_by(stage, table.c.place, table.c.id).limit(most)
    return [Assignment.model_validate(dict(row._mapping)) for row in store.rows(query)]


def progress(store: Store, person: str | None = None) -> dict[str, Progress]:
    """Round → progress, of one person or of all."""
    out: dict[str, Progress] = {}
    for (_, name), found in progress_of_all(store, person).items():
        out[name] = out.get(name, Progress()) + found
    return out


def progress_of_all(store: Store, person: str | None = None) -> dict[tuple[str, str], Progress]:
    """(person, round) → progress. What is no longer asked for and was not judged does not count."""
    table = TABLES[Assignment]
    judged, skipped = handled(Annotation), handled(Skip)
    state = sa.case((judged, "judged"), (skipped, "skipped"), else_="open")
    query = (
        sa.select(table.c.annotator, table.c.round, state, sa.func.count())
        .where(sa.or_(_asked_for(), judged))
        .group_by(table.c.annotator, table.c.round, state)
    )
    if person is not None:
        query = query.where(table.c.annotator == person)
    out: dict[tuple[str, str], Progress] = {}
    for name, round_name, found, number in store.rows(query):
        one = Progress(number, number * (found == "judged"), number * (found == "skipped"))
        out[name, round_name] = out.get((name, round_name), Progress()) + one
    return dict(sorted(out.items()))


def judged_today(store: Store, person: str) -> int:
    """Judgements of a UTC day, revisions not counted."""
    table = TABLES[Annotation]
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    query = (
        sa.select(sa.func.count())
        .select_from(table)
        .where(table.c.annotator == person, table.c.number == 1, table.c.at >= day)
    )
    return int(store.scalar(query))


def _asked_for() -> sa.ColumnElement[bool]:
    """Whether an assignment still stands: not taken back, and its pair not superseded before anybody judged.

    A superseded pair that somebody judged is finished, so that no judgement is lost; one that nobody judged
    costs nobody's time, and comes back when pairing makes it again.
    """
    mine, gone, judged = TABLES[Assignment], TABLES[Superseded], TABLES[Annotation]
    idle = sa.and_(
        sa.select(gone.c.id).where(gone.c.id == mine.c.pair_id).exists(),
        ~sa.select(judged.c.id).where(judged.c.pair_id == mine.c.pair_id).exists(),
    )
    return sa.and_(mine.c.withdrawn.is_(None), ~idle)
