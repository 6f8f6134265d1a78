"""Seeded bootstrap over clusters, for statistics that depend on the data through sums alone.

Nearly every coefficient of agreement and every rate is a function of totals over items (number of
agreeing pairs, votes for each label, …). So a cluster (all pairs of one claim) is one row of sums,
a resample is a weighted sum of rows, and two thousand resamples are one matrix product.

Sources: Efron & Tibshirani, *An Introduction to the Bootstrap* (1993), §13.3 (percentile), §14.3 (BCa);
resampling whole clusters: Davison & Hinkley, *Bootstrap Methods and their Application* (1997), §3.8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Statistic = Callable[[Floats], Floats]
IntervalMethod = Literal["percentile", "bca"]

FEWEST_CLUSTERS = 2
_CHUNK_CELLS = 4_000_000
_DIGITS = 10  # sums of the same numbers in another order are the same pattern


@dataclass(frozen=True)
class Interval:
    """A bootstrap interval: limits, how it was made and from how many clusters and replicates."""

    low: float
    high: float
    level: float
    method: str
    se: float
    """standard deviation of the replicates"""
    clusters: int
    replicates: int
    undefined: int
    """replicates in which the statistic was undefined; they are left out"""
    seed: int


def sum_by_cluster(rows: Floats, cluster: Ints, clusters: int) -> Floats:
    """Sums of `rows` (n × f) within each of `clusters` clusters (`cluster`: n codes): clusters × f.

    Clusters without a row are left out of the result, since nothing was observed in them.
    """
    totals = np.empty((clusters, rows.shape[1]), dtype=np.float64)
    for column in range(rows.shape[1]):
        totals[:, column] = np.bincount(cluster, weights=rows[:, column], minlength=clusters)
    seen = np.bincount(cluster, minlength=clusters) > 0
    return totals[seen]


def bootstrap(
    sums: Floats,
    statistic: Statistic,
    *,
    seed: int,
    replicates: int = 2000,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
) -> Interval | None:
    """Interval of `statistic` by resampling the rows of `sums` (clusters × f) with replacement.

    `statistic` takes totals (… × f) and gives one number for each (…), NaN where it is undefined.
    None when there are fewer than two clusters, or no replicate in which the statistic is defined.
    The same seed and the same set of clusters give the same interval, in whatever order they lie.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    if sums.shape[0] < FEWEST_CLUSTERS:
        return None
    values = _replicates(sums, statistic, np.random.default_rng(seed), replicates)
    defined = values[np.isfinite(values)]
    if not defined.size:
        return None
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "bca":
        tails = _bca_tails(sums, statistic, defined, tails)
    low, high = np.quantile(defined, tails)
    return Interval(
        low=float(low),
        high=float(high),
        level=level,
        method=method,
        se=float(defined.std(ddof=1)) if defined.size > 1 else 0.0,
        clusters=int(sums.shape[0]),
        replicates=int(replicates),
        undefined=int(values.size - defined.size),
        seed=seed,
    )


def _replicates(sums: Floats, statistic: Statistic, rng: np.random.Generator, replicates: int) -> Floats:
    """The statistic in each resample. Equal rows are drawn together: a multinomial over the distinct
    rows is the same bootstrap, and is small where a million items show a few hundred patterns."""
    distinct, counts = np.unique(np.round(sums, _DIGITS), axis=0, return_counts=True)
    clusters = int(counts.sum())
    chance = counts / clusters
    step = max(1, _CHUNK_CELLS // len(distinct))
    parts = []
    for start in range(0, replicates, step):
        weights = rng.multinomial(clusters, chance, size=min(step, replicates - start))
        parts.append(statistic(weights.astype(np.float64) @ distinct))
    return np.concatenate(parts)


def _bca_tails(sums: Floats, statistic: Statistic, replicates: Floats, tails: Floats) -> Floats:
    """The quantiles to read, corrected for bias and acceleration (Efron & Tibshirani 1993, 14.10–14.15)."""
    from scipy.special import ndtr, ndtri

    total = sums.sum(axis=0)
    estimate = float(statistic(total))
    below = (np.sum(replicates < estimate) + 0.5 * np.sum(replicates == estimate)) / replicates.size
    if not np.isfinite(estimate) or below in (0.0, 1.0):
        return tails
    bias = float(ndtri(below))
    left_out = statistic(total - sums)
    left_out = left_out[np.isfinite(left_out)]
    pull = left_out.mean() - left_out
    spread = float(np.sum(pull**2)) ** 1.5
    acceleration = float(np.sum(pull**3)) / (6 * spread) if spread > 0 else 0.0
    normal = ndtri(tails)
    corrected: Floats = ndtr(bias + (bias + normal) / (1 - acceleration * (bias + normal)))
    return corrected
