"""Long lists, one sheet at a time: nothing is cut off, and only what is shown is prepared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from annotation.app.site import Visit

Row = TypeVar("Row")
A_SHEET = 50
"""rows"""


@dataclass(frozen=True)
class Sheet(Generic[Row]):
    """Some rows of a list, and where they stand in it."""

    rows: Sequence[Row]
    number: int
    sheets: int
    total: int
    path: str
    wanted: tuple[tuple[str, str], ...] = ()

    def link(self, number: int) -> str:
        """Where another sheet of the same list is."""
        return f"{self.path}?{urlencode([*self.wanted, ('page', str(number))])}"


def sheet_of(visit: Visit, found: Sequence[Row], size: int = A_SHEET, **wanted: str) -> Sheet[Row]:
    """The rows that `?page=` asks for (the last sheet when it asks for more than there are).

    `wanted` are the other parts of the query, kept in the links to other sheets.
    """
    asked = visit.request.query_params.get("page", "1")
    sheets = max(-(-len(found) // size), 1)
    number = min(max(int(asked) if asked.isdecimal() and len(asked) < 7 else 1, 1), sheets)
    rows = found[(number - 1) * size : number * size]
    return Sheet(rows, number, sheets, len(found), visit.request.url.path, tuple(wanted.items()))
