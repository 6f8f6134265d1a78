"""Splits of a data set: disjoint in what is asked for, balanced as far as that lets them be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from annotation.dataset.balance import Goal, at_random, balance
from annotation.dataset.local_search import Floats, Ints
from annotation.dataset.rows import DataSet, Row, split_name_problem
from annotation.dataset.strata import goal_of
from annotation.dataset.ties import DEFAULT, THRESHOLD, Keys, all_keys, groups, leaking_rows, leaks
from annotation.dataset.too_few import TooFewGroups
from dalil.errors import InputError, UsageError
from dalil.progress import Reporter, Silent
from dalil.wording import counted, fitting

By = Literal["rows", "time"]
STRATA = ("label", "veracity", "site", "country", "domain", "language")
SHARES: Mapping[str, float] = {"train": 0.7, "dev": 0.14, "test": 0.16}
"""AraStance's: 2,848, 569 and 646 of 4,063"""


WHOLE = "all"
"""the part of a data set that is not split"""


@dataclass(frozen=True)
class Ask:
    """What is asked of a split.

    `shares` sum to 1; `counts` (split → label → number) instead of them regenerates published sizes.
    """

    shares: Mapping[str, float] = field(default_factory=lambda: dict(SHARES))
    stratify: tuple[str, ...] = ("label", "veracity", "site")
    apart: tuple[str, ...] = DEFAULT
    threshold: float = THRESHOLD
    by: By = "rows"
    undated: str | None = None
    seed: int = 0
    counts: Mapping[str, Mapping[str, int]] | None = None

    def __post_init__(self) -> None:
        if len(self.shares) < 2 or any(share <= 0 for share in self.shares.values()):
            raise UsageError("a split needs two parts at least, each with a share above 0")
        for name in self.shares:
            problem = split_name_problem(name)
            if problem:
                raise UsageError(f"split {name[:40]!r} {problem}", todo="e.g. train, dev, test")
        if not abs(sum(self.shares.values()) - 1) <= 1e-6:
            raise UsageError(f"the shares add up to {sum(self.shares.values()):g}, not to 1")
        unknown = set(self.stratify) - set(STRATA)
        if unknown:
            raise UsageError(
                f"rows cannot be stratified by {', '.join(sorted(unknown))}",
                todo=f"one of {', '.join(STRATA)}",
            )


@dataclass(frozen=True)
class Cell:
    """One count that the split was to meet: of which stratum, wanted and got."""

    stratum: str
    split: str
    wanted: float
    got: int
    total: int

    @property
    def points(self) -> float:
        """Difference in percentage points of the stratum's total."""
        return 100 * (self.got - self.wanted) / self.total if self.total else 0.0


@dataclass(frozen=True)
class Guard:
    """What keeping ties together did."""

    kind: str
    leaks_before: int
    """keys in several splits when only claims are kept whole (same seed)"""
    rows_before: int
    leaks_after: int
    rows_after: int


@dataclass(frozen=True)
class Outcome:
    """A split, and how near it came to what was asked."""

    splits: tuple[str, ...]
    """one a row"""
    names: tuple[str, ...]
    ask: Ask
    groups: int
    largest_group: int
    objective: float
    objective_at_random: float | None
    cells: tuple[Cell, ...]
    guards: tuple[Guard, ...]
    moved: int
    """rows that lie elsewhere than in the split that keeps only claims whole"""
    notes: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """For JSON and for the card."""
        sizes = Counter(self.splits)
        return {
            "sizes": {name: sizes[name] for name in self.names},
            "seed": self.ask.seed,
            "by": self.ask.by,
            "apart": list(self.ask.apart),
            "near_duplicate_threshold": self.ask.threshold
            if {"article", "related"} & set(self.ask.apart)
            else None,
            "stratify": list(self.ask.stratify),
            "groups": self.groups,
            "largest_group": self.largest_group,
            "objective": round(self.objective, 6),
            "objective_at_random": None
            if self.objective_at_random is None
            else round(self.objective_at_random, 6),
            "largest_difference": _largest(self.cells),
            "cells": [
                {
                    "stratum": c.stratum,
                    "split": c.split,
                    "wanted": round(c.wanted, 3),
                    "got": c.got,
                    "of": c.total,
                }
                for c in self.cells
            ],
            "guard": [vars(guard) for guard in self.guards],
            "moved": self.moved,
            "notes": list(self.notes),
        }


def whole(data: DataSet, ask: Ask, name: str = WHOLE, note: str | None = None) -> Outcome:
    """No split: every row in one part."""
    return Outcome(
        splits=(name,) * len(data),
        names=(name,),
        ask=replace(ask, apart=(), stratify=()),
        groups=1,
        largest_group=len(data),
        objective=0.0,
        objective_at_random=None,
        cells=(),
        guards=(),
        moved=0,
        notes=(note,) if note else (),
    )


def split(data: DataSet, ask: Ask, reporter: Reporter | None = None) -> Outcome:
    """Split a data set. Nothing is discarded: every row gets a split. `reporter` is told how far it is.

    Raises UsageError where there are fewer groups than splits, or dates are missing for a split by time.
    """
    rows = data.rows
    something(data)
    reporter = reporter or Silent()
    keys = all_keys(rows, ask.apart, ask.threshold, reporter)
    reporter.begin("balance")
    hashes = [row.pair_hash for row in rows]
    code = _in_order(groups(keys), hashes)
    names = tuple(ask.counts or ask.shares)
    _enough(code, names, ask, keys, rows)
    notes: list[str] = []
    random = None
    _, vectors, goal = goal_of(data, code, names, ask)
    if ask.by == "time":
        assigned = by_time(rows, code, ask)
        notes.append("by time: groups in the order of their latest claim; strata are reported, not balanced")
    else:
        assigned = balance(vectors, goal, seed=ask.seed, step=reporter.step)
        random = at_random(vectors, goal, seed=ask.seed)
    biggest, smallest = int(np.bincount(code).max()), math.ceil(float(goal.targets[:, 0].min()))
    if biggest > smallest:
        notes.append(
            f"the largest group has {counted(biggest, 'row')} tied together, more than the smallest split "
            f"is to have ({smallest:,}): that limits how near the sizes can come"
        )
    splits = [names[assigned[group]] for group in code]
    empty = [name for name in names if name not in set(splits)]
    if empty:
        notes.append(f"without any pair: {', '.join(empty)}")
    if set(data.splits) == set(names):
        other = sum(row.split != name for row, name in zip(rows, splits, strict=True))
        notes.append(
            f"{other:,} of {counted(len(rows), 'pair')} {fitting(other, 'lies', 'lie')} in another split "
            "than the files give them"
        )
    before = _only_claims(data, hashes, names, keys, ask)
    reporter.done(None)
    return measured(data, splits, names, ask, tuple(notes), keys=keys, before=before, random=random)


def mend(data: DataSet, ask: Ask, reporter: Reporter | None = None) -> Outcome:
    """A published split made disjoint by moving few rows: each torn group goes where most of it is.

    Raises UsageError where rows carry no split.
    """
    rows = data.rows
    something(data)
    if any(row.split is None for row in rows):
        raise UsageError(
            "rows without a split cannot be mended", where=data.origin, todo="make a split instead"
        )
    keys = all_keys(rows, ask.apart, ask.threshold, reporter)
    code = groups(keys)
    names = data.splits
    published = [str(row.split) for row in rows]
    held = np.zeros((int(code.max()) + 1, len(names)))
    np.add.at(held, (code, np.array([names.index(name) for name in published])), 1)
    assigned = held.argmax(axis=1)
    splits = [names[assigned[group]] for group in code]
    sizes = Counter(published)
    shares = {name: sizes[name] / len(rows) for name in names}
    own = Ask(shares, ask.stratify, ask.apart, ask.threshold, seed=ask.seed)
    note = "the published split, with torn groups put where most of their rows are"
    return measured(data, splits, names, own, (note,), keys=keys, before=published)


def something(data: DataSet) -> None:
    """Raise InputError for a data set without pairs."""
    if not len(data):
        raise InputError("there are no pairs to split", where=data.origin, todo="check the file")


def measured(
    data: DataSet,
    splits: Sequence[str],
    names: Sequence[str],
    ask: Ask,
    notes: tuple[str, ...] = (),
    *,
    keys: Mapping[str, Keys] | None = None,
    before: Sequence[str] | None = None,
    random: float | None = None,
) -> Outcome:
    """How near a split comes to what is asked, and what its parts share (`before`: to compare with)."""
    keys = keys if keys is not None else all_keys(data.rows, ask.apart, ask.threshold)
    before = before if before is not None else splits
    code = groups(keys)
    place = {name: number for number, name in enumerate(names)}
    placed = np.array([place[name] for name in splits], dtype=np.int64)
    strata, counts, goal = goal_of(data, placed, names, ask, len(names))
    return Outcome(
        splits=tuple(splits),
        names=tuple(names),
        ask=ask,
        groups=int(code.max()) + 1,
        largest_group=int(np.bincount(code).max()),
        objective=goal.objective(counts),
        objective_at_random=random,
        cells=_cells(strata, names, goal, counts),
        guards=tuple(_guards(keys, splits, before)),
        moved=sum(a != b for a, b in zip(splits, before, strict=True)),
        notes=notes,
    )


def folds(count: int) -> dict[str, float]:
    """Shares of k equal folds, named fold_1 … fold_k."""
    if count < 2:
        raise UsageError(f"{counted(count, 'fold')}: no cross-validation", todo="two at least")
    return {f"fold_{number}": 1 / count for number in range(1, count + 1)}


def by_time(rows: Sequence[Row], code: Ints, ask: Ask) -> Ints:
    """Groups in the order of their latest claim date, cut where the shares are met.

    So nothing that trains is later than what tests; where a group (one rumour) spans the cut, all of it
    goes to the later split.
    """
    names = tuple(ask.shares)
    if ask.undated is not None and ask.undated not in names:
        raise UsageError(f"--undated {ask.undated!r} is no split", todo=f"one of {', '.join(names)}")
    missing = {row.claim_id for row in rows if not row.date}
    if missing and ask.undated is None:
        raise UsageError(
            f"{counted(len(missing), 'claim')} {fitting(len(missing), 'has', 'have')} no date",
            todo="say which split takes them: --undated train",
        )
    count = int(code.max()) + 1
    latest = [""] * count
    for row, group in zip(rows, code, strict=True):
        latest[group] = max(latest[group], row.date or "")
    sizes = np.bincount(code, minlength=count)
    assigned = np.full(count, names.index(ask.undated) if ask.undated else 0, dtype=np.int64)
    dated = sorted(
        (group for group in range(count) if latest[group]), key=lambda group: (latest[group], group)
    )
    total = int(sizes[dated].sum()) if dated else 0
    ends = np.cumsum(list(ask.shares.values())) * total
    before = 0.0
    for group in dated:
        middle = before + sizes[group] / 2
        assigned[group] = min(int(np.searchsorted(ends, middle, side="right")), len(names) - 1)
        before += sizes[group]
    return assigned


def _in_order(code: Ints, hashes: Sequence[str]) -> Ints:
    """Groups numbered by their texts, so that the order of the rows in a file decides nothing."""
    first: dict[int, str] = {}
    for group, key in zip(code.tolist(), hashes, strict=True):
        first[group] = min(first.get(group, key), key)
    number = {
        group: place for place, group in enumerate(sorted(first, key=lambda group: (first[group], group)))
    }
    return np.array([number[group] for group in code.tolist()], dtype=np.int64)


def _enough(
    code: Ints, names: Sequence[str], ask: Ask, keys: Mapping[str, Keys], rows: Sequence[Row]
) -> None:
    count = int(code.max()) + 1 if len(code) else 0
    if count < len(names):
        raise TooFewGroups(count, names, ask, keys, rows)


def _cells(strata: Sequence[str], names: Sequence[str], goal: Goal, counts: Floats) -> tuple[Cell, ...]:
    totals = counts.sum(axis=0)
    return tuple(
        Cell(stratum, name, float(goal.targets[s, c]), int(counts[s, c]), int(totals[c]))
        for c, stratum in enumerate(strata)
        for s, name in enumerate(names)
    )


def _largest(cells: Sequence[Cell]) -> dict[str, Any] | None:
    if not cells:
        return None
    worst = max(cells, key=lambda cell: (abs(cell.points), cell.stratum, cell.split))
    return {
        "stratum": worst.stratum,
        "split": worst.split,
        "wanted": round(worst.wanted, 3),
        "got": worst.got,
        "points": round(worst.points, 3),
    }


def _only_claims(
    data: DataSet, hashes: Sequence[str], names: Sequence[str], keys: Mapping[str, Keys], ask: Ask
) -> Sequence[str]:
    """What the same seed gives when only claims (by id and words) are kept whole."""
    code = _in_order(groups({"claim": keys["claim"]}), hashes)
    if ask.by == "time":
        assigned = by_time(data.rows, code, ask)
    else:
        _, vectors, goal = goal_of(data, code, names, ask)
        assigned = balance(vectors, goal, seed=ask.seed, patience=0)
    return [names[assigned[group]] for group in code]


def _guards(keys: Mapping[str, Keys], splits: Sequence[str], before: Sequence[str]) -> list[Guard]:
    out = []
    for kind, column in keys.items():
        old, new = leaks(column, before, kind), leaks(column, splits, kind)
        out.append(Guard(kind, len(old), leaking_rows(old), len(new), leaking_rows(new)))
    return out
