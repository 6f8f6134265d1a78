"""Records of a file with true line numbers: JSONL, JSON lists and CSV, gzipped or not.

Lines end at "\\n" alone: Arabic news text has U+2028, U+0085 and form feeds inside fields, at which
`str.splitlines` would break it.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from dalil.errors import InputError
from dalil.formats.rows import Bad, Record, kind_of
from dalil.text.jsons import NotJson, parse_json
from dalil.wording import counted

Records = Iterator[tuple[str, Record] | Bad]
LONGEST_CELL = 2**27
"""characters; csv's own limit of 131,072 is less than many an article has"""
_NO_TEXT = {
    b"PK\x03\x04": ("a workbook or another archive, not text", "save the sheet as CSV UTF-8"),
    b"\xd0\xcf\x11\xe0": ("an old workbook, not text", "save the sheet as CSV UTF-8"),
    b"\xff\xfe": ("UTF-16 text", "save the file as UTF-8 (of a sheet: as CSV UTF-8)"),
    b"\xfe\xff": ("UTF-16 text", "save the file as UTF-8 (of a sheet: as CSV UTF-8)"),
}
"""first bytes of what spreadsheets save in the place of CSV UTF-8"""
_SEPARATOR = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
"""a first line with which spreadsheets tell each other the delimiter"""


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A file's bytes, unpacked where its first bytes say gzip. Raises InputError."""
    try:
        with path.open("rb") as raw:
            head = raw.read(4)
            raw.seek(0)
            for begins, (what, todo) in _NO_TEXT.items():
                if head.startswith(begins):
                    raise InputError(what, where=path, todo=todo)
            if head.startswith(b"\x1f\x8b"):
                with gzip.open(raw) as inner:
                    yield inner  # type: ignore[misc]  # a GzipFile is an IO[bytes] in all that is used
            else:
                yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"broken gzip: {error}", where=path, todo="get the file again") from error
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", where=path, todo="check the path"
        ) from error


def jsonl_records(path: Path) -> Records:
    """Objects of a JSONL file, or of a file that is one JSON list. Blank lines count and are passed over."""
    with opened(path) as stream:
        number = 0
        for line in stream:
            number += 1
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                value = parse_json(line.rstrip(b"\r\n"))
            except NotJson as error:
                if number == 1 and line.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"[":
                    yield from _list_records(path, line + stream.read())
                    return
                yield Bad(where, "line", f"is {error.what}")
                continue
            if number == 1 and isinstance(value, list):
                yield from _list_records(path, line)
                continue
            yield _object(where, value)


def _list_records(path: Path, content: bytes) -> Records:
    try:
        values = parse_json(content)
    except NotJson as error:
        raise InputError(
            error.what, where=f"{path}:{error.line}", todo="one object a line, or one list of objects"
        ) from error
    for number, value in enumerate(values, start=1):
        yield _object(f"{path}: item {number}", value)


def _object(where: str, value: Any) -> tuple[str, Record] | Bad:
    return (
        (where, value)
        if isinstance(value, dict)
        else Bad(where, "line", f"must be an object, not {kind_of(value)}")
    )


def csv_records(path: Path) -> Records:
    """Rows of a CSV file by the names in its first line; comma, semicolon or tab, whichever that has most.

    Raises InputError for a file without a header and for broken quoting, which leaves no way to
    tell where the next row begins.
    """
    with opened(path) as stream:
        reader, begin = _reader(path, stream)
        columns: list[str] = []
        start = begin
        try:
            for cells in reader:
                where, start = f"{path}:{start}", reader.line_num + begin
                if not columns:
                    columns = _columns(where, cells)
                elif not any(cells):
                    continue
                elif len(cells) != len(columns):
                    yield Bad(
                        where,
                        "row",
                        f"has {counted(len(cells), 'cell')} where the first line has {len(columns)}",
                    )
                else:
                    yield where, dict(zip(columns, cells, strict=True))
        except csv.Error as error:
            lone = "new-line character" in str(error)
            raise InputError(
                f"broken CSV in the row that begins here: {'a lone carriage return' if lone else error}",
                where=f"{path}:{start}",
                todo="save the file as CSV UTF-8" if lone else "check its quotation marks",
            ) from error
        if not columns:
            raise InputError("the file is empty", where=path, todo="the first line names the columns")


def csv_columns(path: Path) -> list[str]:
    """The names in the first line of a CSV file; [] where that cannot be read."""
    with opened(path) as stream:
        try:
            return [cell.strip() for cell in next(_reader(path, stream)[0], [])]
        except csv.Error:
            return []


def _reader(path: Path, stream: IO[bytes]) -> tuple[Any, int]:
    """A reader of a CSV file, and the number of the line with which its rows begin."""
    if csv.field_size_limit() < LONGEST_CELL:
        csv.field_size_limit(LONGEST_CELL)
    lines = _text_lines(path, stream)
    first = next(lines, "")
    named = _SEPARATOR.fullmatch(first)
    if named is not None:
        first = next(lines, "")
    delimiter = named[1] if named is not None else max(",;\t", key=first.count)
    return csv.reader(_chained(first, lines), delimiter=delimiter, strict=True), 1 if named is None else 2


def _columns(where: str, cells: list[str]) -> list[str]:
    columns = [cell.strip() for cell in cells]
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if twice:
        raise InputError(f"two columns are called {twice[0]!r}", where=where, todo="give each its own name")
    return columns


def _text_lines(path: Path, stream: IO[bytes]) -> Iterator[str]:
    for number, line in enumerate(stream, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"not UTF-8 at byte {error.start} of the line",
                where=f"{path}:{number}",
                todo="save the file as CSV UTF-8",
            ) from error


def _chained(first: str, rest: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from rest


def first_record(path: Path) -> Record | None:
    """The first record of a JSONL, JSON or CSV file (its name says which); None where none can be read."""
    if not path.is_file():
        return None
    reader = csv_records if is_csv(path) else jsonl_records
    try:
        found = next(iter(reader(path)), None)
    except InputError:
        return None
    return None if found is None or isinstance(found, Bad) else found[1]


def is_csv(path: Path) -> bool:
    """Whether a file's name says CSV or TSV."""
    return path.name.removesuffix(".gz").lower().endswith((".csv", ".tsv"))
