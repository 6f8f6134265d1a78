"""All SQL of a corpus (SQLAlchemy Core). One file, `corpus.db`, in WAL mode.

Readers see the state at the moment they begin; a writer's transaction is all or nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.engine import Connection, Engine

from dalil.errors import StateError
from dalil.records import Annotation, Assignment, Dropped, Gold, Pair, Record, fit_value
from dalil.state import failpoints, migrate
from dalil.state.judged import Judged
from dalil.state.migrations import HEAD
from dalil.state.tables import TABLES, WARC_FILES

R = TypeVar("R", bound=Record)
CHUNK = 500
_OWNER = ("owner_stage", "owner_key")


class Store:
    """The rows of a corpus. Open with `Store.open`; `transaction()` for writing."""

    def __init__(self, path: Path, engine: Engine, writable: bool):
        self.path = path
        self.engine = engine
        self.writable = writable

    @classmethod
    def create(cls, path: Path, revision: str = HEAD) -> Store:
        """Make a new database (of an older revision: to load a dump of then, and `upgrade` it).

        Raises StateError when the place cannot be written.
        """
        with database_errors(path):
            engine = _engine(path, writable=True)
            migrate.upgrade(engine, revision)
        return cls(path, engine, writable=True)

    @classmethod
    def open(cls, path: Path, *, writable: bool = True) -> Store:
        """Open a database; for writing an older one is migrated first.

        Raises StateError when it is missing, not a database, from a newer dalil, older and
        opened for reading only, or on a path that cannot be written.
        """
        if not path.is_file():
            raise StateError(
                "there is no corpus here",
                where=path.parent,
                todo="name the folder of one, or make one with: dalil init CORPUS",
            )
        with database_errors(path):
            engine = _engine(path, writable=writable)
            migrate.check(engine, path, writable=writable)
            if writable:
                migrate.upgrade(engine)
                _probe_writing(engine)
        return cls(path, engine, writable=writable)

    @staticmethod
    def older(path: Path) -> bool:
        """Whether a database of an older dalil lies here. Raises StateError where none can be read."""
        if not path.is_file():
            return False
        with database_errors(path):
            engine = _engine(path, writable=False)
            try:
                return migrate.is_older(engine)
            finally:
                engine.dispose()

    @staticmethod
    def renew(path: Path) -> bool:
        """Migrate an older database where this user may write. Whether there was one."""
        if not (path.is_file() and _can_write(path) and _can_write(path.parent) and Store.older(path)):
            return False
        Store.open(path).close()
        return True

    def upgrade(self) -> None:
        """Bring a database that was made of an older revision to this one."""
        with database_errors(self.path):
            migrate.upgrade(self.engine)

    def check_pages(self) -> None:
        """Read the whole file. Raises StateError where a page of it is damaged."""
        with database_errors(self.path), self.engine.connect() as connection:
            found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        if found != "ok":
            raise _explained(f"malformed: {found}", self.path)

    def close(self) -> None:
        """Give back the connections."""
        self.engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Writer]:
        """All or nothing. Raises StateError when the disk is full or the file cannot be written."""
        with database_errors(self.path), self.engine.connect() as plain:
            connection = plain.execution_options(writing=True)
            with connection.begin():
                writer = Writer(connection)
                yield writer
                writer.judged.finish()
                failpoints.passed("commit")

    def all(self, record: type[R], **where: Any) -> Iterator[R]:
        """Rows of a record, ordered by id, narrowed by equal fields or by lists of values."""
        table = TABLES[record]
        query = sa.select(*(table.c[name] for name in record.model_fields)).order_by(table.c.id)
        for name, value in where.items():
            column = table.c[name]
            several = isinstance(value, (list, tuple, set, frozenset))
            query = query.where(column.in_(list(value)) if several else column == value)
        for row in self.rows(query):
            yield record.model_validate(dict(row._mapping))

    def get(self, record: type[R], key: str) -> R | None:
        """The row with this id, or None."""
        return next(self.all(record, id=key), None)

    def ids(self, record: type[Record]) -> set[str]:
        """All ids of a record."""
        return {row[0] for row in self.rows(sa.select(TABLES[record].c.id))}

    def count(self, record: type[Record], **where: Any) -> int:
        """How many rows, narrowed by equal fields."""
        table = TABLES[record]
        query = sa.select(sa.func.count()).select_from(table)
        for name, value in where.items():
            query = query.where(table.c[name] == value)
        return int(self.scalar(query))

    def count_by(self, record: type[Record], *fields: str) -> dict[tuple[Any, ...], int]:
        """How many rows for each combination of values of some fields, sorted."""
        columns = [TABLES[record].c[name] for name in fields]
        query = sa.select(*columns, sa.func.count()).group_by(*columns).order_by(*columns)
        return {tuple(row[:-1]): int(row[-1]) for row in self.rows(query)}

    def rows(self, query: sa.Select[Any]) -> Iterator[Any]:
        """Rows of any select, streamed over one connection."""
        with self.snapshot() as reader:
            yield from reader.rows(query)

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Several reads of one and the same state, whatever is written meanwhile."""
        with database_errors(self.path), self.engine.connect() as connection:
            yield Reader(connection)

    def scalar(self, query: sa.Select[Any]) -> Any:
        """The single value of a select."""
        with self.snapshot() as reader:
            return reader.scalar(query)


class Reader:
    """What can be read of one state."""

    def __init__(self, connection: Connection):
        self.connection = connection

    def rows(self, query: sa.Select[Any]) -> Iterator[Any]:
        """Rows of any select, streamed."""
        yield from self.connection.execution_options(yield_per=CHUNK).execute(query)

    def scalar(self, query: sa.Select[Any]) -> Any:
        """The single value of a select."""
        return self.connection.execute(query).scalar()


class Writer:
    """What can be done inside a transaction. `judged` guards what people have seen."""

    def __init__(self, connection: Connection):
        self.connection = connection
        self.judged = Judged(connection)

    def put(self, records: Iterable[Record], *, stage: str | None = None, key: str | None = None) -> int:
        """Write records for a unit of a stage; a row with the same id is replaced. Returns how many.

        Of a judged row, what people saw stays as it is (`dalil.state.judged`).
        """
        return self.put_owned((record, stage, key) for record in records)

    def put_owned(self, rows: Iterable[tuple[Record, str | None, str | None]]) -> int:
        """Write records of several units at once, each with its stage and key. Returns how many."""
        by_kind: dict[type[Record], list[dict[str, Any]]] = {}
        for record, stage, key in rows:
            row = record.model_dump()
            row |= {"owner_stage": stage, "owner_key": key}
            by_kind.setdefault(type(record), []).append(row)
        self.judged.see(by_kind)
        for kind, found in by_kind.items():
            self._many(_replacing(kind), self.judged.as_shown(kind, found))
            self._warc_lengths(found)
        return sum(map(len, by_kind.values()))

    def put_new(self, records: Iterable[Record]) -> int:
        """Write records that are nobody's (documents, judgements); rows with known ids stay.

        Returns how many are new.
        """
        new = 0
        for record in records:
            self.judged.see((type(record),))
            statement = upsert(TABLES[type(record)]).on_conflict_do_nothing(index_elements=["id"])
            new += self.connection.execute(statement, record.model_dump()).rowcount
        return new

    def clear(self, stage: str, key: str, kinds: Sequence[type[Record]]) -> None:
        """Remove what a unit of a stage wrote, of these kinds, but what was judged."""
        cleared: set[type[Record]] = {*kinds, Dropped}
        for kind in cleared:
            table = TABLES[kind]
            rows = sa.delete(table).where(table.c.owner_stage == stage, table.c.owner_key == key)
            if kind is Pair:
                rows = rows.where(_unjudged())
            elif left := self.judged.leave(kind, stage, key):
                self._remove_others(kind, stage, key, set(left))
                continue
            self.connection.execute(rows)

    def _remove_others(self, kind: type[Record], stage: str, key: str, left: set[str]) -> None:
        table = TABLES[kind]
        owned = sa.select(table.c.id).where(table.c.owner_stage == stage, table.c.owner_key == key)
        self.delete(kind, [row[0] for row in self.connection.execute(owned).all() if row[0] not in left])

    def delete(self, record: type[Record], keys: Iterable[str]) -> None:
        """Remove rows by id."""
        table = TABLES[record]
        for key in keys:
            self.connection.execute(sa.delete(table).where(table.c.id == key))

    def _many(self, statement: Any, rows: list[dict[str, Any]]) -> None:
        for start in range(0, len(rows), CHUNK):
            self.connection.execute(statement, rows[start : start + CHUNK])

    def _warc_lengths(self, rows: list[dict[str, Any]]) -> None:
        """A committed fetch commits its bytes: remember how far each WARC file is good."""
        ends: dict[str, int] = {}
        for row in rows:
            if row.get("warc_file") and row.get("warc_offset") is not None:
                end = row["warc_offset"] + row["warc_length"]
                ends[row["warc_file"]] = max(end, ends.get(row["warc_file"], 0))
        for file, end in ends.items():
            self.warc_good(file, end)

    def warc_good(self, file: str, end: int) -> None:
        """A WARC file is good up to this offset (and at least as far as was known)."""
        self.connection.execute(_LENGTHENING, {"file": file, "length": end})


_LENGTHENING = sa.text(
    "INSERT INTO warc_files (file, length) VALUES (:file, :length) ON CONFLICT (file) DO UPDATE SET length = "
    "CASE WHEN excluded.length > warc_files.length THEN excluded.length ELSE warc_files.length END"
)


@cache
def _replacing(kind: type[Record]) -> Insert:
    """Insert, or replace the row of the same id (made once a table: that costs more than running it)."""
    statement = upsert(TABLES[kind])
    values = {column.name: column for column in statement.excluded if column.name != "id"}
    unjudged = _unjudged() if kind is Pair else None
    return statement.on_conflict_do_update(index_elements=["id"], set_=values, where=unjudged)


def _unjudged() -> sa.ColumnElement[bool]:
    """What was judged does not move: a pair with assignments, annotations or a final label stays as it is."""
    pair = TABLES[Pair].c.id
    judged = [TABLES[kind].c.pair_id for kind in (Assignment, Annotation)]
    return sa.and_(*(pair.not_in(sa.select(column)) for column in (*judged, TABLES[Gold].c.id)))


@contextmanager
def database_errors(path: Path) -> Iterator[None]:
    """Turn the database's complaints into one clear line."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise _explained(str(error.orig), path) from error


def _explained(text: str, path: Path) -> StateError:
    if "readonly" in text or "unable to open" in text:
        return StateError(
            "the corpus cannot be written here", where=path, todo="check permissions and the mount"
        )
    if "full" in text or "disk I/O" in text:
        return StateError(
            "the disk is full", where=path, todo="free some space and run the command again; nothing is lost"
        )
    if "locked" in text:
        return StateError(
            "another process keeps the database locked", where=path, todo="wait for it and run again"
        )
    if "not a database" in text or "malformed" in text:
        return StateError(
            "this file is not a readable corpus database",
            where=path,
            todo="restore it from a dump: dalil load DIR CORPUS",
        )
    return StateError(f"the database said: {fit_value(text)}", where=path)


def _engine(path: Path, *, writable: bool) -> Engine:
    """An engine whose transactions are real ones; read-only where asked (even on a read-only mount)."""
    query = {"uri": "true", "mode": "rwc" if writable else "ro"}
    if not writable and not path.with_name(path.name + "-wal").exists() and not _can_write(path.parent):
        query["immutable"] = "1"
    file = quote(os.fsencode(path.resolve()))  # SQLite decodes it: `?`, `#` and `%` may stand in a name
    address = sa.URL.create("sqlite", database=f"file:{file}", query=query)
    engine = sa.create_engine(address, connect_args={"timeout": 20})

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN comes too late
        cursor = connection.cursor()
        if writable:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA busy_timeout=20000")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # a writer asks for the lock at once: one that began by reading could not get it later
        writing = connection.get_execution_options().get("writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _probe_writing(engine: Engine) -> None:
    """Fail now, not after an hour's work, when the file cannot be written."""
    with engine.connect() as connection:
        connection.execution_options(writing=True).execute(sa.delete(WARC_FILES).where(sa.false()))


def _can_write(path: Path) -> bool:
    return os.access(path, os.W_OK)
