"""The ledger: what was done with which inputs by which version, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite import insert as upsert

from dalil.records import utc_now
from dalil.state.store import Store, Writer
from dalil.state.tables import LEDGER


@dataclass(frozen=True)
class Entry:
    """One row of the ledger."""

    input_hash: str
    version: str
    outcome: str
    """done, empty, dropped or failed"""
    retry_after: str | None

    def stands(self, input_hash: str, version: str, now: str) -> bool:
        """Whether it need not be done again."""
        if self.outcome == "failed":
            return self.retry_after is not None and self.retry_after > now
        return self.input_hash == input_hash and self.version == version


def entries(store: Store, stage: str) -> dict[str, Entry]:
    """Key → entry, for a stage."""
    columns = (LEDGER.c.key, LEDGER.c.input_hash, LEDGER.c.version, LEDGER.c.outcome, LEDGER.c.retry_after)
    return {row[0]: Entry(*row[1:]) for row in store.rows(sa.select(*columns).where(LEDGER.c.stage == stage))}


def entry(store: Store, stage: str, key: str) -> Entry | None:
    """One entry, or None."""
    columns = (LEDGER.c.input_hash, LEDGER.c.version, LEDGER.c.outcome, LEDGER.c.retry_after)
    query = sa.select(*columns).where(LEDGER.c.stage == stage, LEDGER.c.key == key)
    return next((Entry(*row) for row in store.rows(query)), None)


def write(writer: Writer, stage: str, key: str, found: Entry, run: str) -> None:
    """Remember what came of a unit, in the transaction of its outputs."""
    values = {
        "stage": stage, "key": key, "input_hash": found.input_hash, "version": found.version,
        "outcome": found.outcome, "retry_after": found.retry_after, "run": run, "at": utc_now(),
    }  # fmt: skip
    statement = upsert(LEDGER).values(values)
    writer.connection.execute(statement.on_conflict_do_update(index_elements=["stage", "key"], set_=values))


def write_many(writer: Writer, rows: Iterable[tuple[str, str, Entry]], run: str) -> None:
    """`write` for many (stage, key, entry) at once."""
    now = utc_now()
    values = [
        {
            "stage": stage, "key": key, "input_hash": found.input_hash, "version": found.version,
            "outcome": found.outcome, "retry_after": found.retry_after, "run": run, "at": now,
        }
        for stage, key, found in rows
    ]  # fmt: skip
    if values:
        writer.connection.execute(_replacing(), values)


@cache
def _replacing() -> Insert:
    statement = upsert(LEDGER)
    new = {column.name: column for column in statement.excluded if column.name not in ("stage", "key")}
    return statement.on_conflict_do_update(index_elements=["stage", "key"], set_=new)


def forget(writer: Writer, stage: str, key: str) -> None:
    """Remove the entry of a unit whose inputs are gone."""
    writer.connection.execute(sa.delete(LEDGER).where(LEDGER.c.stage == stage, LEDGER.c.key == key))


def outcomes(store: Store) -> Iterator[tuple[str, str, int]]:
    """(stage, outcome, count) over the whole ledger."""
    query = (
        sa.select(LEDGER.c.stage, LEDGER.c.outcome, sa.func.count())
        .group_by(LEDGER.c.stage, LEDGER.c.outcome)
        .order_by(LEDGER.c.stage, LEDGER.c.outcome)
    )
    for row in store.rows(query):
        yield row[0], row[1], int(row[2])
