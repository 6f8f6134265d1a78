"""CheckThat! 2019, task 2: one object a claim with the results of a search: rank, title, snippet, url."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from dalil.formats.files import first_record, is_csv, jsonl_records
from dalil.formats.plain import found_of
from dalil.formats.rows import (
    BadField,
    ClaimRow,
    Item,
    Options,
    Record,
    ResultRow,
    kind_of,
    list_of,
    needed,
    rows_of,
)


class CheckThat:
    """`claimID`, `text`, `results`."""

    NAME: ClassVar[str] = "checkthat"
    KINDS: ClassVar[tuple[str, ...]] = ("claims", "results")

    @staticmethod
    def knows(path: Path) -> bool:
        """By the fields of the first record."""
        first = None if is_csv(path) else first_record(path)
        return first is not None and {"claimID", "text", "results"} <= first.keys()

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind."""
        return rows_of(jsonl_records(path), lambda where, row: [_row(where, row, kind)])


def _row(where: str, row: Record, kind: str) -> Item:
    text = needed(row, "text")
    claim = ClaimRow(where, text, collection="checkthat2019", key=needed(row, "claimID"))
    if kind == "claims":
        return claim
    results = []
    for at, result in enumerate(list_of(row, "results")):
        if not isinstance(result, dict):
            raise BadField(f"results[{at}]", f"must be an object, not {kind_of(result)}")
        try:
            results.append(found_of(result))
        except BadField as error:
            raise BadField(f"results[{at}].{error.name}", error.reason) from error
    ranks = [found.rank for found in results]
    if len(set(ranks)) != len(ranks):
        raise BadField("results", "two of them have the same rank")
    return ResultRow(where, text, tuple(results), claim)
