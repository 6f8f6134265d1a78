"""The columns of a CSV file of ratings, as codes and distinct texts, and the lines that they stand in.

Read through Arrow: columns arrive as dictionaries (distinct texts once, codes beside them), so that a
million rows cost a few arrays. When something is wrong the file is read a second time, slowly, to say on
which line.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.ratings import Codes
from annotation.ratings_texts import Texts
from annotation.ratings_where import broken, line_of, separated_otherwise
from dalil.errors import InputError, UsageError
from dalil.formats.columns import nearest

REQUIRED = ("task", "worker", "label")
OPTIONAL = ("confidence", "second", "round", "claim", "lang")


@dataclass(frozen=True)
class Column:
    """One column: a code for each row, and the text of each code."""

    codes: Codes
    values: Texts


class Table:
    """A file's columns by our names (`columns`: our name → the file's, where they differ).

    Raises InputError with file and line for what is no CSV, a missing or repeated column or no rows;
    UsageError for a column that is none of ours.
    """

    def __init__(self, path: Path, columns: Mapping[str, str]):
        self.path = path
        self.columns = columns
        strange = sorted(set(columns) - {*REQUIRED, *OPTIONAL})
        if strange:
            raise UsageError(
                f"--column {strange[0]}=…: there is no such column here",
                todo=f"columns are: {', '.join((*REQUIRED, *OPTIONAL))}",
            )
        self.notes: list[str] = []
        self._rows = self._read()
        self._columns_present()
        self._numbers = np.arange(self._rows.num_rows)
        """data row of the file that each row here is"""
        self._whole = True

    def __len__(self) -> int:
        return int(self._rows.num_rows)

    def called(self, name: str) -> str:
        """What the file calls one of our columns."""
        return self.columns.get(name, name)

    def has(self, name: str) -> bool:
        """Whether the file has one of our columns."""
        return self.called(name) in self._rows.column_names

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Leave out all other rows, with every text that only they have."""
        self._numbers = self._numbers[rows]
        self._rows = self._rows.filter(rows)
        self._whole = False

    def optional(self, name: str) -> Column | None:
        """`full`, or None where the file has no such column."""
        return self.full(name) if self.has(name) else None

    def full(self, name: str) -> Column:
        """`texts` without an empty one. Raises InputError where there is one."""
        column = self.texts(name)
        bad = np.isin(column.codes, column.values.empty())
        if bad.any():
            raise self.at(int(np.argmax(bad)), name, "is empty", "leave the row out if nothing was judged")
        return column

    def texts(self, name: str) -> Column:
        """A column, texts trimmed and in NFC."""
        import pyarrow as pa
        import pyarrow.compute as pc

        chunked = self._rows.column(self.called(name))
        array = chunked.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = array.chunk(0)
        texts, used = array.dictionary, array.indices.to_numpy()
        if not self._whole:  # rows were left out, perhaps the only ones with a text
            kept, used = np.unique(used, return_inverse=True)
            texts = texts.take(pa.array(kept))
        clean = pc.utf8_normalize(pc.utf8_trim_whitespace(texts), form="NFC")
        merged = clean.dictionary_encode()
        codes = merged.indices.to_numpy()[used].astype(np.int32)
        return Column(codes, Texts(merged.dictionary))

    def line(self, row: int) -> int:
        """The line of the file on which a row begins."""
        return line_of(self.path, int(self._numbers[row]))

    def at(self, row: int, name: str, what: str, todo: str | None = None) -> InputError:
        """The error of a row: where, in which column, what, and what to do."""
        where = f"{self.path}:{self.line(row)}"
        return InputError(f"{name}: {what}" if name else what, where=where, todo=todo)

    def _read(self) -> Any:
        import pyarrow as pa
        import pyarrow.csv as pc

        if not self.path.is_file():
            raise InputError("no such file", where=self.path, todo="give a CSV file or a corpus folder")
        coded = pa.dictionary(pa.int32(), pa.string())
        try:
            table = pc.read_csv(
                self.path,
                parse_options=pc.ParseOptions(newlines_in_values=True),
                convert_options=pc.ConvertOptions(
                    column_types=dict.fromkeys(self._header(), coded), strings_can_be_null=False
                ),
            ).unify_dictionaries()
        except pa.ArrowInvalid as error:
            raise broken(self.path, str(error)) from error
        return table.rename_columns([name.strip() for name in table.column_names])

    def _header(self) -> list[str]:
        """The file's own spelling of the columns that are read (they may have spaces around them)."""
        wanted = {self.called(name) for name in (*REQUIRED, *OPTIONAL)}
        with self.path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            return [name for name in next(csv.reader(file), []) if name.strip() in wanted]

    def _columns_present(self) -> None:
        found = list(self._rows.column_names)
        twice = sorted({name for name in found if found.count(name) > 1})
        if twice:
            raise InputError(f"column {twice[0]!r} occurs more than once", where=f"{self.path}:1")
        missing = [self.called(name) for name in REQUIRED if not self.has(name)]
        if missing:
            raise InputError(
                f"no column {', '.join(missing)} (columns are: {', '.join(found)})",
                where=f"{self.path}:1",
                todo=separated_otherwise(found)
                or f"name the columns task,worker,label or say {self._instead(missing[0])}",
            )
        if not self._rows.num_rows:
            raise InputError("no ratings, only a header", where=self.path)
        used = {self.called(name) for name in (*REQUIRED, *OPTIONAL)}
        unused = [name for name in found if name not in used]
        if unused:
            self.notes.append(f"columns not used: {', '.join(unused)}")

    def _instead(self, missing: str) -> str:
        """The option that says what a missing column is called here."""
        name = next(name for name in REQUIRED if self.called(name) == missing)
        free = [found for found in self._rows.column_names if found not in (*REQUIRED, *OPTIONAL)]
        return f"--column {name}={nearest(missing, free, (f'{missing}_id',)) or 'NAME'}"
