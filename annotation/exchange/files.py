"""Reading and writing files of other tools: one error for each thing that can be wrong with them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from dalil.errors import InputError, StateError
from dalil.formats.columns import check_columns
from dalil.formats.files import csv_records, opened
from dalil.formats.rows import Bad
from dalil.text.jsons import NotJson, parse_json


def json_of(path: Path) -> Any:
    """The value of a JSON file. Raises InputError with file:line."""
    with opened(path) as stream:
        content = stream.read()
    try:
        return parse_json(content)
    except NotJson as error:
        raise InputError(error.what, where=f"{path}:{error.line}") from error


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """(file:line, value) of each line that is not blank. Raises InputError with file:line."""
    with opened(path) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                yield where, parse_json(line.rstrip(b"\r\n"))
            except NotJson as error:
                raise InputError(error.what, where=where) from error


def csv_rows(
    path: Path, *required: str, known: Collection[str] = (), todo: str | None = None
) -> Iterator[tuple[str, dict[str, str]]]:
    """(file:line, row) of a CSV file: comma, semicolon or tab, with or without a byte order mark.

    `known` are columns that mean something else than those required; `todo` helps where one is missing.
    Raises InputError with file:line for a column that is missing or there twice, and for a row with too
    many or too few cells; with the file for one without rows.
    """
    none = True
    for found in csv_records(path):
        none = False
        if isinstance(found, Bad):
            raise InputError(f"the {found.field} {found.reason}", where=found.where)
        where, row = found
        check_columns(path, list(row), [(name,) for name in required], known, todo=todo)
        yield where, dict(row)
    if none:
        raise InputError("has no rows below its first line", where=path)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises StateError when it cannot be written."""
    beside = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8", newline="")
        beside.replace(path)
    except OSError as error:
        raise StateError(
            f"cannot be written: {error.strerror}", where=path, todo="check path and permissions"
        ) from error


def whole(value: Any, where: str, what: str) -> int | None:
    """A whole number, or None for nothing. Raises InputError for anything else."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not math.isfinite(number) or number != int(number):
        raise InputError(f"{what} {_short(value)} is not a whole number", where=where)
    return int(number)


def inside(value: Any, where: str, what: str) -> dict[str, Any]:
    """An object of a JSON file, or an empty one for nothing. Raises InputError for anything else."""
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{what} must be an object", where=where)
    return value


def listed(value: Any, where: str, what: str) -> list[Any]:
    """A list of a JSON file, or an empty one for nothing. Raises InputError for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list", where=where)
    return value


def _short(value: Any) -> str:
    """A value as an error quotes it."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "of thousands of digits"
    return text if len(text) <= 80 else text[:79] + "…"
