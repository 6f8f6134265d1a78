"""Writing by turns, and reading inside a transaction.

Threads of one process wait for each other here and not inside SQLite, whose waiting is unfair and ends in
an error after its time. Whoever holds the turn reads through the transaction's own connection: asking the
pool for another, while all of the pool's wait for the turn, would never end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from dalil.errors import StateError
from dalil.state.store import Store, Writer

LONGEST_WAIT = 20.0
"""seconds for a turn; the database itself is waited for as long"""
_turns: WeakKeyDictionary[Store, threading.Lock] = WeakKeyDictionary()
_new = threading.Lock()


class Busy(StateError):
    """Others of this process write, or wait to write, for too long."""


@contextmanager
def writing(store: Store) -> Iterator[Writer]:
    """A transaction of the store, one at a time in this process. Raises Busy when no turn comes."""
    with _new:
        turn = _turns.setdefault(store, threading.Lock())
    # while another process holds the database everybody in the line would wait for all before them
    if not turn.acquire(timeout=LONGEST_WAIT):
        raise Busy("another process keeps the database locked", where=store.path, todo="wait and send again")
    try:
        with store.transaction() as writer:
            yield writer
    finally:
        turn.release()


def is_busy(error: StateError) -> bool:
    """Whether it will do to wait and try again: somebody else is writing."""
    orig = getattr(error.__cause__, "orig", None)
    name = str(getattr(orig, "sqlite_errorname", ""))
    return isinstance(error, Busy) or name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


class Inside(Store):
    """The store as a transaction sees it, through the transaction's own connection."""

    def __init__(self, store: Store, connection: Connection):
        super().__init__(store.path, store.engine, store.writable)
        self._connection = connection

    def rows(self, query: sa.Select[Any]) -> Iterator[Any]:
        return iter(self._connection.execute(query).all())

    def scalar(self, query: sa.Select[Any]) -> Any:
        return self._connection.execute(query).scalar()
