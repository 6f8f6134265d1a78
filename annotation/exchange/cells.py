"""CSV for people and spreadsheets: a byte order mark, and no cell that a spreadsheet takes for a formula.

A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return is computed when somebody opens the
file, and texts of strangers begin as they like. An apostrophe before it makes it a text; `unguarded` takes
exactly that apostrophe away again. Programs that read the cells as they are see it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
_FORMULA_CELL = re.compile(r"'*[=+\-@\t\r]")


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; one that looks guarded already is guarded once more."""
    return f"'{cell}" if _FORMULA_CELL.match(cell) else cell


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if cell[:1] == "'" and _FORMULA_CELL.match(cell) else cell


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A CSV file as text."""
    out = io.StringIO()
    out.write(BOM)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
