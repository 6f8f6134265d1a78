"""The tables, derived from the records, in the subset of SQL that SQLite and PostgreSQL share.

Text ids, UTC ISO times, JSON as canonical text. Every table of records also says which unit of
which stage wrote a row (`owner_stage`, `owner_key`), so that a rerun can replace its unit's rows.
"""

from __future__ import annotations

import json
import types
from typing import Annotated, Any, Union, get_args, get_origin

from sqlalchemy import Boolean, Column, Dialect, Float, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from dalil.ids import canonical_json
from dalil.records import RECORDS, Record


class CanonicalJSON(TypeDecorator[Any]):
    """Lists and mappings as text, in one spelling."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else canonical_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


METADATA = MetaData()


def _sql_type(annotation: Any) -> tuple[TypeEngine[Any], bool]:
    """SQL type of a field, and whether it may be NULL."""
    options = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    plain = [option for option in options if option is not type(None)]
    inner = get_args(plain[0])[0] if get_origin(plain[0]) is Annotated else plain[0]
    base = get_origin(inner) or inner
    kinds: dict[Any, TypeEngine[Any]] = {
        str: Text(),
        int: Integer(),
        float: Float(),
        bool: Boolean(),
        tuple: CanonicalJSON(),
        dict: CanonicalJSON(),
    }
    if len(plain) != 1 or base not in kinds:
        raise TypeError(f"a record field cannot be of type {annotation}")
    return kinds[base], type(None) in options


def _table(record: type[Record]) -> Table:
    columns = []
    for name, field in record.model_fields.items():
        kind, optional = _sql_type(field.annotation)
        columns.append(Column(name, kind, primary_key=name == "id", nullable=optional))
    owner = [Column("owner_stage", Text), Column("owner_key", Text)]
    indexes = [Index(f"ix_{record.TABLE}_{name}", name) for name in record.INDEX]
    indexes.append(Index(f"ix_{record.TABLE}_owner", "owner_stage", "owner_key"))
    return Table(record.TABLE, METADATA, *columns, *owner, *indexes)


TABLES: dict[type[Record], Table] = {record: _table(record) for record in RECORDS}

LEDGER = Table(
    "ledger",
    METADATA,
    Column("stage", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("input_hash", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("outcome", Text, nullable=False),  # done, empty, dropped, failed
    Column("retry_after", Text),
    Column("run", Text),
    Column("at", Text),
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("stage", Text, nullable=False),
    Column("service", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("state", Text, nullable=False),  # sent, answered, failed, lost
    Column("cost", Float, nullable=False),
    Column("note", Text),
    Column("run", Text),
    Column("sent_at", Text, nullable=False),
    Column("ended_at", Text),
    Index("ix_journal_service", "service", "sent_at"),
    Index("ix_journal_state", "state"),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("stages", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("ended", Text),
    Column("outcome", Text),
    Column("dalil", Text, nullable=False),
)

WARC_FILES = Table(
    "warc_files",
    METADATA,
    Column("file", Text, primary_key=True),
    Column("length", Integer, nullable=False),
)

STATE_TABLES = (LEDGER, JOURNAL, RUNS, WARC_FILES)
