"""The journal: every request is written here before it is sent.

A row that a killed run left as `sent` may or may not have reached the service: it counts against
the budget, the next run marks it `lost`, and the request is sent again. `dalil status` reports it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import sqlalchemy as sa

from dalil.config import Budget
from dalil.errors import LimitReached
from dalil.records import utc_now
from dalil.state import failpoints
from dalil.state.store import Store, Writer
from dalil.state.tables import JOURNAL


@dataclass(frozen=True)
class Spent:
    """What a service has cost so far."""

    requests: int
    today: int
    cost: float


def begin(store: Store, *, stage: str, service: str, fingerprint: str, cost: float, run: str) -> str:
    """Write a request down, and commit, before it is sent. Returns the row's id."""
    row = {
        "id": uuid.uuid4().hex, "stage": stage, "service": service, "fingerprint": fingerprint, "state": "sent",
        "cost": cost, "run": run, "sent_at": utc_now(),
    }  # fmt: skip
    with store.transaction() as writer:
        writer.connection.execute(sa.insert(JOURNAL), row)
    failpoints.passed("send")
    return str(row["id"])


def end(writer: Writer, row: str, state: str, note: str | None = None) -> None:
    """Close a row (`answered` or `failed`), in the transaction of the answer's records."""
    writer.connection.execute(
        sa.update(JOURNAL).where(JOURNAL.c.id == row).values(state=state, note=note, ended_at=utc_now())
    )


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
    used = spent(store, service)
    key = f"corpus.toml: budgets.{service}"
    if budget.max_cost is not None and used.cost + cost > budget.max_cost + 1e-9:
        raise LimitReached(
            f"the next request to {service} would cost ${cost:.3f} beyond the ${used.cost:.2f} spent of ${budget.max_cost:.2f}",
            where=f"{key}.max_cost",
            todo="raise the limit and run again",
        )
    if budget.max_requests_per_day is not None and used.today >= budget.max_requests_per_day:
        raise LimitReached(
            f"{used.today} requests were sent to {service} today, the most that is allowed",
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
        later.c.fingerprint == JOURNAL.c.fingerprint, later.c.stage == JOURNAL.c.stage, later.c.state != "lost"
    )
    query = sa.select(sa.func.count()).select_from(JOURNAL).where(JOURNAL.c.state == "lost", sa.exists(again))
    return int(store.scalar(query))
