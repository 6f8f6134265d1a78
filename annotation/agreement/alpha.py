"""Krippendorff's α: any number of raters, gaps, and distances between labels.

Over items with at least two ratings, o_ck = Σ_i r_ic(r_ik − [c=k])/(r_i − 1) are the coincidences, n_k their
marginals, N their sum; with δ² the squared distance between two labels

    α = 1 − (N − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck

Source: Krippendorff, *Computing Krippendorff's alpha-reliability* (2011). For nominal labels only the sums of
the diagonal are needed: p_a′ = (1−ε)p_a + ε with ε = 1/N, against p_e = Σ π_k² (Gwet 2014), which is the same
number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from annotation.agreement.chance import CERTAIN, nothing_shared
from annotation.agreement.figure import Bootstrap, Figure, interval_of, undefined
from annotation.ratings import Floats, Mask
from annotation.ratings_views import FirstRatings
from dalil.errors import UsageError

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
NAME = "krippendorff_alpha"


def krippendorff_alpha(
    first: FirstRatings, how: Bootstrap | None = None, *, level: Level = "nominal"
) -> Figure:
    """α at a level of measurement. `ordinal` takes labels in their order, `interval` and `ratio` as numbers.

    Labels that were only seen have no order but that of numbers. Raises UsageError where a label is no
    number but the level needs one (for `ratio`: none below 0), or where labels have no order.
    """
    statistic: Callable[[Floats], Floats]
    if level == "nominal":
        if how is None:
            return _figure(first, nominal_totals(first.counts)[None], nominal_alpha, None, level)
        rows, statistic = nominal_rows(first.counts), nominal_alpha
    else:
        found = first.ratings
        values = label_values(found.labels, level)
        order = _order(found.labels, ordered=found.labels_ordered) if level == "ordinal" else None
        rows = coincidence_rows(first.counts if order is None else first.counts[:, order])

        def statistic(sums: Floats) -> Floats:
            return distant_alpha(sums, values, level)

    return _figure(first, rows, statistic, how, level)


def nominal_rows(counts: Floats) -> Floats:
    """What each item adds: [1, r_i, Σ_k r_ik(r_ik−1)/(r_i−1), r_ik …] where r_i ≥ 2, else zeros."""
    shared, raters, agreeing = _agreeing(counts)
    rows = np.empty((len(counts), 3 + counts.shape[1]))
    rows[:, 0] = 1.0
    rows[:, 1] = raters
    rows[:, 2] = agreeing
    rows[:, 3:] = counts
    rows[~shared] = 0.0
    return rows


def nominal_totals(counts: Floats) -> Floats:
    """The column sums of `nominal_rows`, without the rows."""
    shared, raters, agreeing = _agreeing(counts)
    weight = shared.astype(np.float64)
    return np.concatenate([[weight.sum(), weight @ raters, weight @ agreeing], weight @ counts])


def _agreeing(counts: Floats) -> tuple[Mask, Floats, Floats]:
    """Items with two ratings, r_i, and Σ_k r_ik(r_ik−1)/(r_i−1)."""
    raters = counts @ np.ones(counts.shape[1])
    pairs = np.einsum("ik,ik->i", counts, counts)
    pairs -= raters
    pairs /= np.maximum(raters - 1, 1)
    return raters >= 2, raters, pairs


def nominal_alpha(sums: Floats) -> Floats:
    """α from totals of `nominal_rows`; NaN where undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        size = sums[..., 1]
        p_a = sums[..., 2] / size
        p_e = ((sums[..., 3:] / size[..., None]) ** 2).sum(axis=-1)
        own = p_a + (1 - p_a) / size
        out: Floats = np.where(1 - p_e < CERTAIN, np.nan, (own - p_e) / (1 - p_e))
    return out


def coincidence_rows(counts: Floats) -> Floats:
    """[1, r_i, o_ck of the item, flat] where r_i ≥ 2, else zeros (n × (2 + K²))."""
    n, k = counts.shape
    raters = counts.sum(axis=1)
    rows = np.zeros((n, 2 + k * k))
    shared = raters >= 2
    own = counts[shared]
    cells = own[:, :, None] * own[:, None, :]
    cells[:, np.arange(k), np.arange(k)] -= own
    rows[shared, 0] = 1.0
    rows[shared, 1] = raters[shared]
    rows[shared, 2:] = (cells / (raters[shared] - 1)[:, None, None]).reshape(-1, k * k)
    return rows


def coincidences(counts: Floats) -> Floats:
    """o_ck over all items (K × K): the sum of `coincidence_rows`, without the rows."""
    raters = counts.sum(axis=1)
    own = counts[raters >= 2]
    weighted = own / (raters[raters >= 2] - 1)[:, None]
    out: Floats = own.T @ weighted - np.diag(weighted.sum(axis=0))
    return out


def distant_alpha(sums: Floats, values: Floats, level: Level) -> Floats:
    """α from totals of `coincidence_rows` with distances of a level; NaN where undefined."""
    k = len(values)
    observed = sums[..., 2:].reshape(*sums.shape[:-1], k, k)
    margin = observed.sum(axis=-1)
    size = margin.sum(axis=-1)
    distance = squared_distances(values, margin, level)
    with np.errstate(invalid="ignore", divide="ignore"):
        seen = (observed * distance).sum(axis=(-1, -2))
        chance = (margin[..., :, None] * margin[..., None, :] * distance).sum(axis=(-1, -2))
        out: Floats = np.where(chance > 0, 1 - (size - 1) * seen / chance, np.nan)
    return out


def squared_distances(values: Floats, margin: Floats, level: Level) -> Floats:
    """δ² between labels (… × K × K). Ordinal distances depend on how often labels occur (`margin`)."""
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    if level == "ratio":
        total = values[:, None] + values[None, :]
        return np.divide(
            (values[:, None] - values[None, :]) ** 2,
            total**2,
            out=np.zeros((len(values), len(values))),
            where=total != 0,
        )
    middle = np.cumsum(margin, axis=-1) - margin / 2
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)


def label_values(labels: tuple[str, ...], level: Level) -> Floats:
    """Labels as numbers; for ordinal their places."""
    if level == "ordinal":
        return np.arange(len(labels), dtype=np.float64)
    try:
        values = np.array([float(label) for label in labels])
    except ValueError as error:
        raise UsageError(f"α at level {level} needs labels that are numbers ({error})") from error
    if not np.isfinite(values).all() or (level == "ratio" and (values < 0).any()):
        kind = "numbers of 0 and more" if level == "ratio" else "numbers"
        raise UsageError(f"α at level {level} needs labels that are {kind}: {', '.join(labels)}")
    return values


def _order(labels: tuple[str, ...], *, ordered: bool) -> list[int]:
    """Labels from the lowest to the highest: as they were given, or as numbers where they were only seen."""
    if ordered:
        return list(range(len(labels)))
    try:
        return sorted(range(len(labels)), key=lambda code: float(labels[code]))
    except ValueError as error:
        raise UsageError(
            "α at level ordinal needs labels in their order",
            todo="give them from the lowest to the highest: --labels LOW,MIDDLE,HIGH, or --scheme",
        ) from error


def _figure(
    first: FirstRatings,
    rows: Floats,
    statistic: Callable[[Floats], Floats],
    how: Bootstrap | None,
    level: Level,
) -> Figure:
    total = rows.sum(axis=0)
    items = int(total[0])
    if items == 0:
        return undefined(NAME, nothing_shared(first.counts.sum()), level=level)
    value = float(statistic(total))
    if not np.isfinite(value):
        reason = "all ratings of items with two raters are of one label, so nothing could differ"
        return undefined(NAME, reason, items=items, level=level)
    return Figure(
        NAME, value, interval=interval_of(first, rows, statistic, how), items=items, detail={"level": level}
    )
