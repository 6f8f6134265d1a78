"""Ratings from a CSV file `task,worker,label[,confidence,second,round,claim,lang]`.

`annotation.ratings_table` reads the columns; here their values become codes, and rows that repeat are dealt
with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotation.ratings import (
    ADJUDICATION,
    DEFAULT_ROUNDS,
    HIGHLY_UNCERTAIN,
    IGNORED_ROUND,
    MAIN,
    NO_CONFIDENCE,
    NO_SECOND,
    ROUNDS,
    Codes,
    Ratings,
    per_item,
    repeated,
)
from annotation.ratings_scheme import LabelSet
from annotation.ratings_table import REQUIRED, Column, Table
from dalil.errors import InputError, UsageError
from dalil.wording import counted

Repeats = Literal["refuse", "first", "last", "keep"]
MOST_SEEN = 200
"""of more labels nobody has a scheme: a column of texts was taken for one of labels"""
UNCERTAIN_SPELLINGS = frozenset({"highly uncertain", "highly_uncertain", "highly-uncertain"})


@dataclass(frozen=True)
class ReadOptions:
    """How a file's columns and values are to be read."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """our name → the file's name of a column"""
    rounds: Mapping[str, str] = field(default_factory=dict)
    """the file's name of a round → pilot, main, third, adjudication or ignore"""
    repeats: Repeats = "refuse"
    """what to do where a worker rated a task twice in a round"""
    levels: int = 5
    """highest confidence"""


def read_csv(path: Path, labels: LabelSet | None = None, options: ReadOptions | None = None) -> Ratings:
    """The ratings in a CSV file (UTF-8, with or without BOM, header in the first line).

    Without `labels`, K is the number of labels seen (second choices too), and `labels_from` says so. Rows of
    ignored rounds are left out before anything else: nothing in them is checked or counted. Raises
    InputError with file, line and field for: a missing column, a row with too few or many fields, an empty
    task, worker or label, a label outside the scheme, a confidence that is no whole number of 1 … levels, a
    second choice equal to the first or outside the scheme, an unknown round, a task with two claims or
    languages, and (unless `repeats` says otherwise) a worker who rated a task twice in a round, or a task
    that was ruled on twice. UsageError for a column that is none of ours.
    """
    reader = _Reader(path, options or ReadOptions())
    return reader.ratings(labels)


class _Reader:
    def __init__(self, path: Path, options: ReadOptions):
        self.path = path
        self.options = options
        self.table = Table(path, options.columns)
        self._leave_out_ignored()

    def ratings(self, labels: LabelSet | None) -> Ratings:
        task, worker, label = (self.table.full(name) for name in REQUIRED)
        given = labels if labels is not None else self._seen(label)
        coded = self._labels(label, given, "label")
        claim, lang = self.table.optional("claim"), self.table.optional("lang")
        made = Ratings(
            item=task.codes,
            worker=worker.codes,
            label=coded,
            confidence=self._confidence(len(coded)),
            second=self._second(coded, given),
            round=self._rounds(len(coded)),
            items=task.values,
            workers=worker.values,
            labels=given.names,
            labels_from=given.origin,
            claim=self._per_task(task, claim, "claim"),
            claims=claim.values if claim else (),
            lang=self._per_task(task, lang, "lang"),
            langs=tuple(lang.values) if lang else (),
            levels=self.options.levels,
            rounds_named=self.table.has("round"),
            origin=str(self.path),
        )
        made = self._without_repeats(made)
        return replace(made, notes=tuple(self.table.notes))

    def _seen(self, label: Column) -> LabelSet:
        """First and second choices: both are labels that could be chosen."""
        values = set(label.values)
        if self.table.has("second"):
            values |= {
                text
                for text in self.table.texts("second").values
                if text and text.casefold() not in UNCERTAIN_SPELLINGS
            }
        if len(values) > MOST_SEEN:
            raise InputError(
                f"label: {counted(len(values), 'different label')}: is this the column of labels?",
                where=self.path,
                todo="say which it is: --column label=NAME, or name the labels: --scheme or --labels",
            )
        found = LabelSet.seen(tuple(values))
        alike = [
            name for name in found.names if sum(name.casefold() == n.casefold() for n in found.names) > 1
        ]
        if alike:
            self.table.notes.append(f"labels that differ in case alone are counted apart: {', '.join(alike)}")
        return found

    def _leave_out_ignored(self) -> None:
        """Rows of ignored rounds out of the table, with every text that only they have."""
        if not self.table.has("round"):
            if self.options.rounds:
                raise UsageError(
                    f"--round, but no column {self.table.called('round')}",
                    where=self.path,
                    todo="say what it is called: --column round=NAME",
                )
            return
        ignored = self._rounds(len(self.table)) == _IGNORED
        if not ignored.any():
            return
        if ignored.all():
            raise InputError("no ratings: all are of ignored rounds", where=self.path)
        self.table.notes.append(f"{counted(int(ignored.sum()), 'rating')} of ignored rounds left out")
        self.table.keep(~ignored)

    def _labels(self, column: Column, labels: LabelSet, name: str) -> Codes:
        found = [labels.code(value) for value in column.values]
        codes = np.array([-1 if code is None else code for code in found], dtype=np.int32)
        bad = codes[column.codes] < 0
        if bad.any():
            row = int(np.argmax(bad))
            value = column.values[column.codes[row]]
            raise self.table.at(row, name, f"{value!r} is not a label of {labels.origin}", labels.help())
        out: Codes = codes[column.codes]
        return out

    def _second(self, first: Codes, labels: LabelSet) -> Codes:
        if not self.table.has("second"):
            return np.full(len(first), NO_SECOND, dtype=np.int32)
        column = self.table.texts("second")
        coded = np.empty(len(column.values), dtype=np.int32)
        for place, value in enumerate(column.values):
            coded[place] = _second_code(value, labels)
        codes: Codes = coded[column.codes]
        bad = codes == _UNKNOWN
        if bad.any():
            row = int(np.argmax(bad))
            value = column.values[column.codes[row]]
            raise self.table.at(row, "second", f"{value!r} is not a label of {labels.origin}", labels.help())
        same = codes == first
        if same.any():
            row = int(np.argmax(same))
            raise self.table.at(
                row,
                "second",
                f"equals the first choice ({labels.names[first[row]]!r})",
                "leave it empty or give another label",
            )
        return codes

    def _confidence(self, size: int) -> Codes:
        if not self.table.has("confidence"):
            return np.full(size, NO_CONFIDENCE, dtype=np.int32)
        column, levels = self.table.texts("confidence"), self.options.levels
        coded = np.array([_whole(value, levels) for value in column.values], dtype=np.int32)
        codes: Codes = coded[column.codes]
        bad = codes == _UNKNOWN
        if bad.any():
            row = int(np.argmax(bad))
            value = column.values[column.codes[row]]
            raise self.table.at(
                row, "confidence", f"{value!r} is no whole number of 1 to {levels}", "correct it"
            )
        return codes

    def _rounds(self, size: int) -> Codes:
        if not self.table.has("round"):
            return np.full(size, MAIN, dtype=np.int32)
        column = self.table.full("round")
        named = dict(DEFAULT_ROUNDS) | dict(self.options.rounds)
        kinds = [named.get(value, value) for value in column.values]
        known = {name: code for code, name in enumerate(ROUNDS)} | {IGNORED_ROUND: _IGNORED}
        coded = np.array([known.get(kind, _UNKNOWN) for kind in kinds], dtype=np.int32)
        codes: Codes = coded[column.codes]
        bad = codes == _UNKNOWN
        if bad.any():
            row = int(np.argmax(bad))
            value = column.values[column.codes[row]]
            raise self.table.at(
                row,
                "round",
                f"{value!r} is none of {', '.join(ROUNDS)}",
                f"say what it was: --round {value}=main (or pilot, third, adjudication, ignore)",
            )
        return codes

    def _per_task(self, task: Column, column: Column | None, name: str) -> Codes | None:
        if column is None:
            return None
        codes = per_item(task.codes, column.codes, len(task.values))
        differs = codes[task.codes] != column.codes
        if differs.any():
            row = int(np.argmax(differs))
            other = column.values[codes[task.codes[row]]]
            value = column.values[column.codes[row]]
            raise self.table.at(
                row, name, f"task {task.values[task.codes[row]]!r} has {value!r} here, {other!r} elsewhere"
            )
        return codes

    def _without_twice_ruled(self, made: Ratings) -> Ratings:
        """One ruling a task: whoever gave it, two would leave the outcome to the order of rows."""
        ruled = np.flatnonzero(made.round == ADJUDICATION)
        order = ruled if self.options.repeats != "last" else ruled[::-1]
        _, first = np.unique(made.item[order], return_index=True)
        if len(first) == len(ruled):
            return made
        again = np.setdiff1d(ruled, order[first])
        if self.options.repeats in ("refuse", "keep"):
            place = int(again[0])
            other = int(np.argmax((made.item == made.item[place]) & (made.round == ADJUDICATION)))
            raise self.table.at(
                place,
                "task",
                f"{made.items[made.item[place]]!r} was already ruled on in line {self.table.line(other)}",
                "leave one ruling, or say --repeats first or last",
            )
        keep = np.ones(len(made), dtype=bool)
        keep[again] = False
        self.table.notes.append(
            f"{counted(again.size, 'repeated ruling')} left out, the {self.options.repeats} kept"
        )
        return made.select(keep)

    def _without_repeats(self, made: Ratings) -> Ratings:
        made = self._without_twice_ruled(made)
        again = repeated(made)
        if not again.size or self.options.repeats == "keep":
            if again.size:
                self.table.notes.append(f"{counted(again.size, 'repeated rating')} kept: each counts")
            return made if again.size else made.without_repeats_proven()
        if self.options.repeats == "refuse":
            raise self._repeat(made, again)
        keep = _one_of_each(made, last=self.options.repeats == "last")
        self.table.notes.append(
            f"{counted(int((~keep).sum()), 'repeated rating')} left out, the {self.options.repeats} kept"
        )
        return made.select(keep).without_repeats_proven()

    def _repeat(self, made: Ratings, again: NDArray[np.int64]) -> InputError:
        place = int(again[0])
        task, worker = made.items[made.item[place]], made.workers[made.worker[place]]
        same = (made.item == made.item[place]) & (made.worker == made.worker[place])
        first = int(np.argmax(same & (made.round == made.round[place])))
        return self.table.at(
            place,
            "task,worker",
            f"{worker!r} already rated {task!r} in this round on line {self.table.line(first)} "
            f"({counted(again.size, 'repeated rating')} in the file)",
            "remove one, or say --repeats first, last or keep",
        )


_UNKNOWN = -9
_IGNORED = -8


def parse_pairs(values: Sequence[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` options as a mapping. Raises UsageError for one without `=`."""
    out = {}
    for value in values:
        name, equals, target = value.partition("=")
        if not equals or not name or not target:
            raise UsageError(f"{option} {value!r} is not NAME=VALUE")
        out[name.strip()] = target.strip()
    return out


def _second_code(value: str, labels: LabelSet) -> int:
    if not value:
        return NO_SECOND
    if value.casefold() in UNCERTAIN_SPELLINGS:
        return HIGHLY_UNCERTAIN
    code = labels.code(value)
    return _UNKNOWN if code is None else code


def _whole(value: str, levels: int) -> int:
    """A confidence; 0 for an empty field. `4.0`, as spreadsheets write it, is 4."""
    if not value:
        return NO_CONFIDENCE
    text = value.removesuffix(".0")
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= levels:
        return _UNKNOWN
    return int(text)


def _one_of_each(made: Ratings, *, last: bool) -> NDArray[np.bool_]:
    step = -1 if last else 1
    order = np.arange(len(made))[::step]
    turned = replace(
        made, item=made.item[order], worker=made.worker[order], round=made.round[order]
    )  # only these three decide what repeats
    keep = np.ones(len(made), dtype=bool)
    keep[order[repeated(turned)]] = False
    return keep
