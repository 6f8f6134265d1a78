"""A corpus as sorted JSONL and back, without loss.

A dump is private: it holds texts, judgements and names. A release is what may be given away. A
*stable* dump leaves out times and runs, so that two runs over the same inputs give equal dumps; it
is for comparing and cannot be loaded.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from dalil.config import FILE
from dalil.corpus import DATABASE, Corpus
from dalil.errors import InputError, StateError, UsageError
from dalil.ids import canonical_json
from dalil.records import RECORDS
from dalil.state.migrations import HEAD
from dalil.state.store import CHUNK, Reader, Store
from dalil.state.tables import LEDGER, STATE_TABLES, TABLES

NOTICE = "private: a dump holds texts, judgements and names; a release is what may be given away"
FOLDERS = ("warc", "sites")
_TIMES = ("run", "at", "retry_after")


def dump(corpus: Corpus, folder: Path, *, stable: bool = False) -> dict[str, int]:
    """Write a corpus into an empty or new folder. Returns table → rows.

    All tables are of one moment, also beside a running stage. Raises UsageError when the folder is
    not empty, StateError when it cannot be written.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty", where=folder, todo="give a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with corpus.store.snapshot() as reader:
            counts = {
                table.name: _write(folder / f"{table.name}.jsonl", reader, table, leave_out, stable)
                for table, leave_out in _tables(stable)
            }
        if not stable:
            _copy_files(corpus.path, folder)
    except OSError as error:
        raise StateError(
            f"the dump cannot be written: {error.strerror}", where=folder, todo="check disk and path"
        ) from error
    return counts


def load(folder: Path, path: Path) -> dict[str, int]:
    """Make a corpus from a dump. Returns table → rows.

    Raises UsageError where a corpus is already, InputError (file:line) for a damaged or stable dump
    or one of another revision. Nothing is left behind when it fails.
    """
    if not folder.is_dir():
        raise UsageError("there is no dump here", where=folder, todo="give a folder that dalil dump wrote")
    if path.exists() and any(path.iterdir()):
        raise UsageError("the folder is not empty", where=path, todo="give a new folder")
    made = not path.exists()
    try:
        return _load(folder, path)
    except BaseException:
        if path.exists():
            for item in [path] if made else list(path.iterdir()):
                _remove(item)
        raise


def _load(folder: Path, path: Path) -> dict[str, int]:
    counts = {}
    for needed in (FILE, *(f"{name}.jsonl" for name in _names())):
        if not (folder / needed).is_file():
            raise InputError(
                "this file of the dump is missing",
                where=folder / needed,
                todo="dump again, without --stable: a stable dump cannot be loaded",
            )
    path.mkdir(parents=True, exist_ok=True)
    _copy_files(folder, path)
    store = Store.create(path / DATABASE)
    try:
        with store.transaction() as writer:
            for name in _names():
                table = next(table for table in (*TABLES.values(), *STATE_TABLES) if table.name == name)
                rows = _read(folder / f"{name}.jsonl", {column.name for column in table.columns})
                counts[name] = 0
                while some := list(islice(rows, CHUNK)):
                    writer.connection.execute(sa.insert(table), some)
                    counts[name] += len(some)
    finally:
        store.close()
    return counts


def _copy_files(source: Path, target: Path) -> None:
    """The corpus's own files: corpus.toml, lists, keys, site definitions, WARC.

    Not what is made of them, and no hidden files: those are locks, or somebody's secrets.
    """
    for item in sorted(source.iterdir()):
        if item.is_dir() and item.name in FOLDERS:
            shutil.copytree(item, target / item.name)
        elif item.is_file() and not item.name.startswith((DATABASE, ".")) and item.suffix != ".jsonl":
            shutil.copy2(item, target / item.name)


def _names() -> list[str]:
    return [*(record.TABLE for record in RECORDS), *(table.name for table in STATE_TABLES)]


def _tables(stable: bool) -> Iterator[tuple[sa.Table, frozenset[str]]]:
    """Each table, and the columns of it that are left out."""
    for record in RECORDS:
        yield TABLES[record], record.volatile() if stable else frozenset()
    for table in (LEDGER,) if stable else STATE_TABLES:
        yield table, frozenset(_TIMES) if stable else frozenset()


def _write(path: Path, reader: Reader, table: sa.Table, leave_out: frozenset[str], stable: bool) -> int:
    columns = [column for column in table.columns if column.name not in leave_out]
    count = int(reader.scalar(sa.select(sa.func.count()).select_from(table)))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        head = {"dalil_dump": 1, "revision": HEAD, "rows": count, "stable": stable, "notice": NOTICE}
        file.write(canonical_json(head) + "\n")
        for row in reader.rows(sa.select(*columns).order_by(*table.primary_key.columns)):
            file.write(canonical_json(dict(row._mapping)) + "\n")
    return count


def _read(path: Path, columns: set[str]) -> Iterator[dict[str, Any]]:
    """The rows of a table. Raises InputError where one is damaged, or where not all are there."""
    number, announced = 0, None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            where = f"{path}:{number}"
            try:
                row = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise InputError(f"not JSON: {error}", where=where, todo="dump again") from error
            if number == 1:
                _check_head(row, where)
                announced = row.get("rows")
            elif not isinstance(row, dict) or set(row) != columns:
                raise InputError("the fields are not those of this table", where=where, todo="dump again")
            else:
                yield row
    if announced != number - 1:
        raise InputError(
            f"{max(number - 1, 0)} rows of {announced if number else 'unknown'} are there",
            where=path,
            todo="dump again: its end is missing, or lines were added",
        )


def _check_head(head: Any, where: str) -> None:
    if not isinstance(head, dict) or head.get("dalil_dump") != 1:
        raise InputError(
            "the first line is not that of a dump", where=where, todo="give a folder that dalil dump wrote"
        )
    if head.get("stable"):
        raise InputError(
            "a stable dump leaves out times and runs and cannot be loaded",
            where=where,
            todo="dump without --stable",
        )
    if head.get("revision") != HEAD:
        raise InputError(
            f"the dump is of revision {head.get('revision')}, this dalil reads {HEAD}",
            where=where,
            todo="load it with the dalil that wrote it, open the corpus with this one, and dump again",
        )


def _remove(item: Path) -> None:
    shutil.rmtree(item) if item.is_dir() else item.unlink()


def equal(first: Path, second: Path) -> list[str]:
    """Names of the files in which two dumps differ (empty: the same database)."""
    names = {path.name for folder in (first, second) for path in folder.glob("*.jsonl")}
    return sorted(name for name in names if _bytes(first / name) != _bytes(second / name))


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
