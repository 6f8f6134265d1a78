"""Reports on screen: rich tables in a terminal, aligned plain lines where output goes elsewhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO


class Printer:
    """Prints lines, headings and tables to a stream."""

    def __init__(self, stream: TextIO | None = None):
        from rich.console import Console

        self.console = Console(file=stream, highlight=False, markup=False, soft_wrap=True)

    def line(self, text: str) -> None:
        """One line of text."""
        self.console.print(visible(text))

    def heading(self, text: str) -> None:
        """A heading with a free line before it."""
        self.console.print()
        self.console.print(visible(text), style="bold" if self.console.is_terminal else None)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
        """A table: first column to the left, figures to the right; columns without content are left out."""
        used = [place for place in range(len(columns)) if not rows or any(row[place] for row in rows)]
        columns = [columns[place] for place in used]
        rows = [[visible(row[place]) for place in used] for row in rows]
        if title:
            self.line(title)
        if self.console.is_terminal:
            self._rich(columns, rows)
        else:
            self._plain(columns, rows)

    def _rich(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        from rich.table import Table
        from rich.text import Text

        made = Table(box=None, pad_edge=False, header_style="bold")
        for place, name in enumerate(columns):
            made.add_column(Text(name), justify="right" if _figures(rows, place) else "left")
        for row in rows:
            made.add_row(*(Text(cell) for cell in row))
        self.console.print(made, soft_wrap=False)

    def _plain(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        from rich.cells import cell_len

        everything = [list(columns), *(list(row) for row in rows)]
        widths = [max(cell_len(row[place]) for row in everything) for place in range(len(columns))]
        right = [_figures(rows, place) for place in range(len(columns))]
        for row in everything:
            cells = []
            for cell, width, figures in zip(row, widths, right, strict=True):
                pad = " " * (width - cell_len(cell))
                cells.append(pad + cell if figures else cell + pad)
            self.line("  ".join(cells).rstrip())


@contextmanager
def working(doing: str) -> Iterator[None]:
    """A sign of life on the terminal while something long goes on; nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(f"{doing} …"):
        yield


def visible(text: str) -> str:
    """Text of one line without control characters: names and labels come from other people's files."""
    return "".join(" " if unicodedata.category(mark) == "Cc" else mark for mark in text)


def _figures(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether a column holds figures (the first column never does)."""
    cells = [row[place] for row in rows if row[place]]
    return place > 0 and all(any(c.isdigit() for c in cell) or cell == "–" for cell in cells)


def plain(value: Any) -> Any:
    """A report's values as JSON has them (NumPy numbers become plain ones)."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value
