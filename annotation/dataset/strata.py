"""What a split is to balance: how often each group has each value of each stratum, and the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from annotation.dataset.balance import Goal
from annotation.dataset.local_search import Floats, Ints
from annotation.dataset.rows import DataSet, Row

if TYPE_CHECKING:
    from annotation.dataset.splitting import Ask

SIZE_WEIGHT = 10.0
"""sizes matter more than any single stratum"""


def goal_of(
    data: DataSet, code: Ints, names: Sequence[str], ask: Ask, parts: int | None = None
) -> tuple[list[str], Floats, Goal]:
    """The strata counted, groups × counts (`parts` groups, or as many as occur), and the targets.

    Size, label and language count pairs; veracity, site, country and domain count claims.
    """
    count = parts or int(code.max()) + 1
    columns: dict[str, Floats] = {}
    for stratum in ask.stratify:
        columns |= _counted(data.rows, stratum, code, count)
    strata = ["size", *sorted(columns)]
    columns["size"] = np.bincount(code, minlength=count).astype(float)
    vectors = np.stack([columns[name] for name in strata], axis=1)
    totals = vectors.sum(axis=0)
    shares = np.array([ask.shares.get(name, 0.0) for name in names])
    targets = shares[:, None] * totals[None, :]
    weights = np.ones(len(strata))
    weights[0] = SIZE_WEIGHT
    if ask.counts is not None:
        targets = _published(ask.counts, names, strata, totals)
    return strata, vectors, Goal(targets, weights)


def _counted(rows: Sequence[Row], stratum: str, code: Ints, count: int) -> dict[str, Floats]:
    """Value of a stratum → how often each group has it (claims once, where it is of claims)."""
    once = stratum not in ("label", "language")
    seen: set[tuple[str, str]] = set()
    number: dict[str, int] = {}
    places: list[int] = []
    values: list[int] = []
    for place, row in enumerate(rows):
        value = getattr(row, stratum)
        if value is None or (once and (row.claim_id, value) in seen):
            continue
        if once:
            seen.add((row.claim_id, value))
        places.append(place)
        values.append(number.setdefault(value, len(number)))
    cells = code[np.array(places, dtype=np.int64)] * len(number) + np.array(values, dtype=np.int64)
    found = np.bincount(cells, minlength=count * len(number)).reshape(count, len(number)).astype(float)
    return {f"{stratum} {value}": found[:, column] for value, column in number.items()}


def _published(
    counts: Mapping[str, Mapping[str, int]], names: Sequence[str], strata: Sequence[str], totals: Floats
) -> Floats:
    """Targets of published counts; where this data set's totals differ, in the published proportions."""
    sizes = np.array([sum(counts[name].values()) for name in names], dtype=float)
    targets = np.outer(sizes / sizes.sum(), totals)
    for place, stratum in enumerate(strata):
        kind, _, value = stratum.partition(" ")
        wanted = sizes if kind == "size" else np.array([counts[n].get(value, 0) for n in names], dtype=float)
        if kind in ("size", "label") and wanted.sum():
            targets[:, place] = wanted * (totals[place] / wanted.sum())
    return targets
