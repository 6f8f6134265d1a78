"""What is wrong with a CSV file and on which line: it is read a second time, slowly, to say so."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from dalil.errors import InputError
from dalil.wording import counted


def line_of(path: Path, row: int) -> int:
    """The line on which data row `row` (0-based) begins: fields may hold line ends."""
    start = 1
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        number = -2  # the header is row -1
        for number, fields in enumerate((f for f in reader if f), start=-1):
            if number == row:
                return start_of(reader.line_num, fields)
            start = reader.line_num + 1
    return start + max(row - number, 0)


def start_of(last_line: int, fields: Sequence[str]) -> int:
    """First line of a record that ends on `last_line`."""
    return last_line - sum(value.count("\n") for value in fields)


def broken(path: Path, message: str) -> InputError:
    """Which line Arrow could not read: bad UTF-8 or another number of fields."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            return InputError("is not UTF-8", where=f"{path}:{number}", todo="save it as UTF-8")
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        width = len(next(reader, []))
        for fields in reader:
            if fields and len(fields) != width:
                return InputError(
                    f"{counted(len(fields), 'field')} where the header has {width}",
                    where=f"{path}:{reader.line_num}",
                    todo="quote fields that hold commas",
                )
    return InputError(
        f"cannot be read as CSV ({message})",
        where=path,
        todo="save it as comma-separated UTF-8 with a header",
    )


def separated_otherwise(found: Sequence[str]) -> str | None:
    """What to do about a header that is one field because something else separates the fields."""
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(found) == 1 and mark in found[0]:
            return f"the file seems to be separated by {name}: save it separated by commas"
    return None
