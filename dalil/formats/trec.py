"""TREC run and qrels files, as trec_eval reads them: fields between white space, one row a line.

    run     QUERY Q0 DOCUMENT RANK SCORE TAG
    qrels   QUERY ITERATION DOCUMENT GRADE

trec_eval orders a run by falling score and never looks at the rank, so scores are written that fall with
the rank. Ids may not hold white space, which would move the columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from dalil.errors import InputError
from dalil.formats.files import opened
from dalil.wording import counted

Run = dict[str, tuple[str, ...]]
"""query → documents, best first"""
Qrels = dict[str, dict[str, int]]
"""query → document → grade; 0 or less is not relevant"""


def read_runs(path: Path) -> dict[str, Run]:
    """Tag → run. Raises InputError with the line of what is wrong."""
    scored: dict[str, dict[str, list[tuple[float, int, str]]]] = {}
    seen: set[tuple[str, str, str]] = set()
    for where, (query, _, document, rank, score, tag) in _rows(path, 6, "QUERY Q0 DOCUMENT RANK SCORE TAG"):
        if (tag, query, document) in seen:
            raise InputError(f"{document} stands twice for {query}", where=where, todo="keep one of the rows")
        seen.add((tag, query, document))
        place = (-_number(score, "score", where), int(_number(rank, "rank", where)), document)
        scored.setdefault(tag, {}).setdefault(query, []).append(place)
    return {
        tag: {query: tuple(document for _, _, document in sorted(rows)) for query, rows in queries.items()}
        for tag, queries in scored.items()
    }


def read_qrels(path: Path) -> Qrels:
    """Grades. Raises InputError with the line of what is wrong."""
    found: Qrels = {}
    for where, (query, _, document, grade) in _rows(path, 4, "QUERY ITERATION DOCUMENT GRADE"):
        value = _number(grade, "grade", where)
        if value != int(value):
            raise InputError(f"the grade {grade!r} is no whole number", where=where)
        if document in found.setdefault(query, {}):
            raise InputError(
                f"{document} has two grades for {query}", where=where, todo="keep one of the rows"
            )
        found[query][document] = int(value)
    return found


def write_run(path: Path, run: Mapping[str, Sequence[str]], tag: str) -> Path:
    """A run, queries in the order of their ids. Raises InputError for an id with white space."""
    _fit([tag])
    lines = []
    for query, documents in sorted(run.items()):
        _fit([query, *documents])
        count = len(documents)
        lines += [f"{query} Q0 {key} {at} {count - at + 1} {tag}\n" for at, key in enumerate(documents, 1)]
    path.write_text("".join(lines), "utf-8", newline="\n")
    return path


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> Path:
    """Grades, sorted. Raises InputError for an id with white space."""
    lines = []
    for query, grades in sorted(qrels.items()):
        _fit([query, *grades])
        lines += [f"{query} 0 {document} {grade}\n" for document, grade in sorted(grades.items())]
    path.write_text("".join(lines), "utf-8", newline="\n")
    return path


def _rows(path: Path, columns: int, form: str) -> Iterator[tuple[str, list[str]]]:
    with opened(path) as stream:
        for number, line in enumerate(stream, start=1):
            where = f"{path}:{number}"
            try:
                cells = line.decode("utf-8-sig").split()
            except UnicodeDecodeError as error:
                raise InputError(f"not UTF-8 at byte {error.start}", where=where) from error
            if cells and len(cells) != columns:
                raise InputError(
                    f"has {counted(len(cells), 'field')}, not {columns}",
                    where=where,
                    todo=f"the form is: {form}",
                )
            if cells:
                yield where, cells


def _number(text: str, name: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"the {name} {text!r} is no number", where=where)
    return value


def _fit(ids: Iterable[str]) -> None:
    for key in ids:
        if not key or key.split() != [key]:
            raise InputError(f"an id of a TREC file cannot be empty or hold white space: {key!r}")
