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
from dalil.state import migrate
from dalil.state.migrations import HEAD
from dalil.state.store import CHUNK, Reader, Store
from dalil.state.tables import LEDGER, STATE_TABLES, TABLES
from dalil.wording import counted, fitting

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

    A dump of an older dalil becomes a corpus of this one. Raises UsageError where a corpus is already,
    InputError (file:line) for a damaged or stable dump or one of a newer dalil. Nothing is left behind
    when it fails.
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
    """Into a database of the dump's own revision, which is then brought to this one, as any older is."""
    if not (folder / FILE).is_file():
        raise _missing(folder / FILE)
    revision = _revision(folder / f"{RECORDS[0].TABLE}.jsonl")
    path.mkdir(parents=True, exist_ok=True)
    _copy_files(folder, path)
    store = Store.create(path / DATABASE, revision)
    try:
        counts = _fill(store, folder, revision)
        store.upgrade()
    finally:
        store.close()
    return counts


def _fill(store: Store, folder: Path, revision: str) -> dict[str, int]:
    then = sa.MetaData()
    then.reflect(store.engine)
    tables = [table for name, table in sorted(then.tables.items()) if name != migrate.VERSIONS]
    for table in tables:
        if not (folder / f"{table.name}.jsonl").is_file():
            raise _missing(folder / f"{table.name}.jsonl")
    counts = {}
    with store.transaction() as writer:
        for table in tables:
            path = folder / f"{table.name}.jsonl"
            rows = _read(path, {column.name for column in table.columns}, revision)
            counts[table.name] = 0
            while some := [_bound(row) for row in islice(rows, CHUNK)]:
                writer.connection.execute(sa.insert(table), some)
                counts[table.name] += len(some)
    return counts


def _bound(row: dict[str, Any]) -> dict[str, Any]:
    """A row as the database holds it: lists and mappings as text."""
    return {
        name: canonical_json(value) if isinstance(value, (list, dict)) else value
        for name, value in row.items()
    }


def _revision(path: Path) -> str:
    """The revision of the code that wrote a dump. Raises InputError where this code cannot know it."""
    if not path.is_file():
        raise _missing(path)
    head = next(_lines(path), None)
    if head is None:
        raise _incomplete(path, 0, None)
    return _checked_head(head, f"{path}:1")


def _copy_files(source: Path, target: Path) -> None:
    """The corpus's own files: corpus.toml, lists, keys, site definitions, WARC.

    Not what is made of them, and no hidden files: those are locks, or somebody's secrets.
    """
    for item in sorted(source.iterdir()):
        if item.is_dir() and item.name in FOLDERS:
            shutil.copytree(item, target / item.name)
        elif item.is_file() and not item.name.startswith((DATABASE, ".")) and item.suffix != ".jsonl":
            shutil.copy2(item, target / item.name)


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


def _read(path: Path, columns: set[str], revision: str) -> Iterator[dict[str, Any]]:
    """The rows of a table. Raises InputError where one is damaged, or where not all are there."""
    number, announced = 0, None
    for number, row in enumerate(_lines(path), 1):
        where = f"{path}:{number}"
        if number == 1:
            found = _checked_head(row, where)
            if found != revision:
                raise InputError(
                    f"this file is of revision {found}, others of the dump are of {revision}",
                    where=where,
                    todo="dump again: files of two dumps lie together",
                )
            announced = row.get("rows")
        elif not isinstance(row, dict) or set(row) != columns:
            raise InputError("the fields are not those of this table", where=where, todo="dump again")
        else:
            yield row
    if announced != number - 1:
        raise _incomplete(path, number, announced)


def _lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise InputError(f"not JSON: {error}", where=f"{path}:{number}", todo="dump again") from error


def _missing(path: Path) -> InputError:
    return InputError(
        "this file of the dump is missing",
        where=path,
        todo="dump again, without --stable: a stable dump cannot be loaded",
    )


def _incomplete(path: Path, lines: int, announced: object) -> InputError:
    return InputError(
        f"{counted(max(lines - 1, 0), 'row')} of {announced if lines else 'unknown'} "
        f"{fitting(max(lines - 1, 0), 'is', 'are')} there",
        where=path,
        todo="dump again: its end is missing, or lines were added",
    )


def _checked_head(head: Any, where: str) -> str:
    """The revision that a first line names, if this code can load it."""
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
    revision = head.get("revision")
    if revision != HEAD and revision not in migrate.known_revisions():
        raise InputError(
            f"the dump is of revision {revision}, which is newer than this dalil (it knows {HEAD})",
            where=where,
            todo="update dalil",
        )
    return str(revision)


def _remove(item: Path) -> None:
    shutil.rmtree(item) if item.is_dir() else item.unlink()


def equal(first: Path, second: Path) -> list[str]:
    """Names of the files in which two dumps differ (empty: the same database)."""
    names = {path.name for folder in (first, second) for path in folder.glob("*.jsonl")}
    return sorted(name for name in names if _bytes(first / name) != _bytes(second / name))


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
