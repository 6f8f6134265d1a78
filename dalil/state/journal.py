"""The journal: every request is written here before it is sent.

A row that a killed run left as `sent` may or may not have reached the service: it counts against
the budget, the next run marks it `lost`, and the request is sent again. `dalil status` reports it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from dalil.config import Budget
from dalil.errors import LimitReached
from dalil.net.secrets import redact
from dalil.records import utc_now
from dalil.state import failpoints
from dalil.state.store import Store, Writer
from dalil.state.tables import JOURNAL
from dalil.wording import counted, fitting


@dataclass(frozen=True)
class Spent:
    """What a service has cost so far."""

    requests: int
    today: int
    cost: float


def begin(store: Store, *, stage: str, service: str, fingerprint: str, cost: float, run: str) -> str:
    """Write a request down, and commit, before it is sent. Returns the row's id."""
    row = new_row(stage=stage, service=service, fingerprint=fingerprint, cost=cost, run=run)
    with store.transaction() as writer:
        begin_many(writer, [row])
    failpoints.passed("send")
    return str(row["id"])


def new_row(*, stage: str, service: str, fingerprint: str, cost: float, run: str) -> dict[str, Any]:
    """A row for `begin_many`."""
    return {
        "id": uuid.uuid4().hex, "stage": stage, "service": service, "fingerprint": fingerprint,
        "state": "sent", "cost": cost, "run": run, "sent_at": utc_now(),
    }  # fmt: skip


def begin_many(writer: Writer, rows: list[dict[str, Any]]) -> None:
    """Write requests down in one transaction, which must be committed before any of them is sent."""
    writer.connection.execute(sa.insert(JOURNAL), rows)


def end(writer: Writer, row: str, state: str, note: str | None = None) -> None:
    """Close a row (`answered` or `failed`), in the transaction of the answer's records."""
    end_many(writer, [(row, state, note)])


def withdraw(writer: Writer, row: str) -> None:
    """Take back a row whose request was never sent (no key, a wrong setting): it costs nothing."""
    writer.connection.execute(sa.delete(JOURNAL).where(JOURNAL.c.id == row))


def end_many(writer: Writer, rows: Iterable[tuple[str, str, str | None]]) -> None:
    """Close rows: (id, `answered` or `failed`, note). Notes are kept without secrets."""
    now = utc_now()
    values = [
        {"row": row, "new_state": state, "new_note": note and redact(note), "now": now}
        for row, state, note in rows
    ]
    if values:
        writer.connection.execute(_ENDING, values)


_ENDING = (
    sa.update(JOURNAL)
    .where(JOURNAL.c.id == sa.bindparam("row"))
    .values(state=sa.bindparam("new_state"), note=sa.bindparam("new_note"), ended_at=sa.bindparam("now"))
)


@dataclass
class Asking:
    """One request of an acquisition while it is asked: each send beyond the first has a row of its own."""

    store: Store
    stage: str
    service: str
    fingerprint: str
    cost: float
    run: str
    budget: Budget | None
    row: str
    _sent: bool = field(default=False, init=False)

    def sending(self) -> None:
        """Called before each send. Raises LimitReached when one more would pass the budget."""
        if self._sent:
            allow(self.store, self.service, self.cost, self.budget)
            self.failed("asked again")
            self.row = begin(
                self.store,
                stage=self.stage,
                service=self.service,
                fingerprint=self.fingerprint,
                cost=self.cost,
                run=self.run,
            )
        self._sent = True

    def failed(self, note: str) -> None:
        """The last send came to nothing (its row stays, and its cost counts)."""
        with self.store.transaction() as writer:
            open_row = JOURNAL.c.id == self.row, JOURNAL.c.state == "sent"
            writer.connection.execute(
                sa.update(JOURNAL)
                .where(*open_row)
                .values(state="failed", note=redact(note), ended_at=utc_now())
            )


_ASKING: ContextVar[Asking | None] = ContextVar("asking", default=None)


def asking() -> Asking | None:
    """The request that a stage is sending right now, or None outside of one."""
    return _ASKING.get()


@contextmanager
def asks(current: Asking) -> Iterator[Asking]:
    """For the runner: this request is being asked inside the block."""
    token = _ASKING.set(current)
    try:
        yield current
    finally:
        _ASKING.reset(token)


def mark_lost(store: Store) -> int:
    """Called when a run begins: rows still `sent` were in flight when another was killed."""
    query = sa.select(sa.func.count()).select_from(JOURNAL).where(JOURNAL.c.state == "sent")
    found = int(store.scalar(query))
    if found:
        with store.transaction() as writer:
            writer.connection.execute(
                sa.update(JOURNAL).where(JOURNAL.c.state == "sent").values(state="lost", ended_at=utc_now())
            )
    return found


def spent(store: Store, service: str) -> Spent:
    """Requests and cost of a service: all, and on this UTC day."""
    today = utc_now()[:10]
    of_service = JOURNAL.c.service == service
    count = sa.select(sa.func.count()).select_from(JOURNAL).where(of_service)
    cost = sa.select(sa.func.coalesce(sa.func.sum(JOURNAL.c.cost), 0.0)).where(of_service)
    return Spent(
        requests=int(store.scalar(count)),
        today=int(store.scalar(count.where(JOURNAL.c.sent_at >= today))),
        cost=float(store.scalar(cost)),
    )


def allow(store: Store, service: str, cost: float, budget: Budget | None) -> None:
    """Raise LimitReached when one more request would pass the budget of its service."""
    if budget is None:
        return
    check(service, cost, budget, spent(store, service))


def check(service: str, cost: float, budget: Budget, used: Spent) -> None:
    """Raise LimitReached when one more request would pass a budget of which `used` is used."""
    key = f"corpus.toml: budgets.{service}"
    if budget.max_cost is not None and used.cost + cost > budget.max_cost + 1e-9:
        raise LimitReached(
            f"the next request to {service} would cost ${cost:.3f} beyond the ${used.cost:.2f} spent "
            f"of ${budget.max_cost:.2f}",
            where=f"{key}.max_cost",
            todo="raise the limit and run again",
        )
    if budget.max_requests_per_day is not None and used.today >= budget.max_requests_per_day:
        raise LimitReached(
            f"{counted(used.today, 'request')} {fitting(used.today, 'was', 'were')} sent to {service} "
            "today, the most that is allowed",
            where=f"{key}.max_requests_per_day",
            todo="run again tomorrow (UTC), or raise the limit",
        )


def states(store: Store) -> dict[tuple[str, str], int]:
    """(service, state) → count."""
    query = (
        sa.select(JOURNAL.c.service, JOURNAL.c.state, sa.func.count())
        .group_by(JOURNAL.c.service, JOURNAL.c.state)
        .order_by(JOURNAL.c.service, JOURNAL.c.state)
    )
    return {(row[0], row[1]): int(row[2]) for row in store.rows(query)}


def repeated(store: Store) -> int:
    """How many requests that were in flight at a kill were sent again."""
    later = sa.alias(JOURNAL)
    again = sa.select(later.c.id).where(
        later.c.fingerprint == JOURNAL.c.fingerprint,
        later.c.stage == JOURNAL.c.stage,
        later.c.state != "lost",
    )
    query = sa.select(sa.func.count()).select_from(JOURNAL).where(JOURNAL.c.state == "lost", sa.exists(again))
    return int(store.scalar(query))
