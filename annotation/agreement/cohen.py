"""Cohen's κ of two raters, over the items that both judged."""

from __future__ import annotations

import numpy as np

from annotation.agreement.chance import CERTAIN
from annotation.agreement.figure import Bootstrap, Figure, undefined
from annotation.agreement.pairs import RaterPair
from annotation.ratings import Floats
from annotation.ratings_views import FirstRatings
from dalil.stats import bootstrap, sum_by_cluster

NAME = "cohen_kappa"


def confusion(first: FirstRatings, pair: RaterPair) -> Floats:
    """How often rater a chose label k where rater b chose l (K × K, a down, b across)."""
    k = first.ratings.n_labels
    label = first.ratings.label.astype(np.int64)
    cells = np.bincount(label[pair.place_a] * k + label[pair.place_b], minlength=k * k)
    return cells.reshape(k, k).astype(np.float64)


def cohen_kappa(first: FirstRatings, pair: RaterPair, how: Bootstrap | None = None) -> Figure:
    """Cohen (1960), with the large-sample standard error of Fleiss, Cohen and Everitt (1969).

    Undefined where both raters gave one and the same label throughout.
    """
    table = confusion(first, pair)
    names = {"raters": [first.ratings.workers[pair.a], first.ratings.workers[pair.b]]}
    value = float(kappa(table))
    if not np.isfinite(value):
        agree = float(np.trace(table) / table.sum())
        reason = "both raters gave one label throughout, so agreement by chance is certain"
        return undefined(NAME, reason, items=pair.shared, p_a=agree, **names)
    interval = None
    if how is not None:
        k = len(table)
        rows = np.zeros((pair.shared, k * k))
        label = first.ratings.label.astype(np.int64)
        rows[np.arange(pair.shared), label[pair.place_a] * k + label[pair.place_b]] = 1.0
        code, clusters, _ = first.cluster
        sums = sum_by_cluster(rows, code[first.ratings.item[pair.place_a]], clusters)
        interval = bootstrap(
            sums,
            lambda totals: kappa(totals.reshape(*totals.shape[:-1], k, k)),
            seed=how.seed,
            replicates=how.replicates,
            level=how.level,
            method=how.method,
        )
    return Figure(
        NAME,
        value,
        se=standard_error(table, value),
        interval=interval,
        items=pair.shared,
        detail={"p_a": float(np.trace(table) / table.sum())} | names,
    )


def kappa(table: Floats) -> Floats:
    """κ of tables (… × K × K); NaN where agreement by chance is certain."""
    size = table.sum(axis=(-1, -2))
    with np.errstate(invalid="ignore", divide="ignore"):
        p_a = np.trace(table, axis1=-2, axis2=-1) / size
        p_e = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / size**2
        out: Floats = np.where(1 - p_e < CERTAIN, np.nan, (p_a - p_e) / (1 - p_e))
    return out


def standard_error(table: Floats, value: float) -> float:
    """Fleiss, Cohen & Everitt (1969), formula 13."""
    share = table / table.sum()
    down, across = share.sum(axis=1), share.sum(axis=0)
    p_a, p_e = np.trace(share), float(down @ across)
    same = np.diag(share) * (1 - (down + across) * (1 - value)) ** 2
    apart = share * (across[:, None] + down[None, :]) ** 2
    mixed = (1 - value) ** 2 * (apart.sum() - np.trace(apart))
    rest = (value - p_e * (1 - value)) ** 2
    variance = (same.sum() + mixed - rest) / ((1 - p_e) ** 2 * table.sum())
    return float(np.sqrt(max(variance, 0.0))) if p_a < 1 else 0.0
