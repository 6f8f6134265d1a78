"""Fleiss' κ and Gwet's AC1 for any number of raters an item, with gaps.

Counts r_ik (item i, label k), r_i = Σ_k r_ik; n items with r_i ≥ 1, n′ with r_i ≥ 2:

    p_a = (1/n′) Σ_{r_i≥2} Σ_k r_ik(r_ik−1) / [r_i(r_i−1)]        π_k = (1/n) Σ_i r_ik/r_i
    Fleiss: p_e = Σ π_k²          AC1: p_e = Σ π_k(1−π_k)/(K−1)          (p_a − p_e)/(1 − p_e)

Sources: Fleiss (1971); Gwet, *Computing inter-rater reliability and its variance in the presence of high
agreement* (2008), for AC1, unequal numbers of raters and both standard errors. With the same number of
raters everywhere this κ is Fleiss' own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.agreement.figure import Bootstrap, Figure, interval_of, undefined
from annotation.ratings import Floats
from annotation.ratings_views import FirstRatings

CERTAIN = 1e-12


@dataclass(frozen=True)
class Chance:
    """How a coefficient corrects for chance: p_e from π (… × K), and each item's share of it."""

    name: str
    expected: Callable[[Floats], Floats]
    item_expected: Callable[[Floats, Floats], Floats]
    """(π, r_ik/r_i) → p_e,i"""


FLEISS = Chance("fleiss_kappa", lambda pi: (pi**2).sum(axis=-1), lambda pi, share: share @ pi)
GWET = Chance(
    "gwet_ac1",
    lambda pi: (pi * (1 - pi)).sum(axis=-1) / (pi.shape[-1] - 1),
    lambda pi, share: (1 - share) @ pi / (pi.shape[-1] - 1),
)


def fleiss_kappa(first: FirstRatings, how: Bootstrap | None = None) -> Figure:
    """Fleiss' κ with Gwet's standard error and, if asked for, a bootstrap interval."""
    return coefficient(first, first.counts, FLEISS, how)


def gwet_ac1(first: FirstRatings, how: Bootstrap | None = None) -> Figure:
    """Gwet's AC1: steady where one label is very common, which drives κ down."""
    return coefficient(first, first.counts, GWET, how)


def raw_agreement(first: FirstRatings, how: Bootstrap | None = None) -> Figure:
    """p_a: the share of pairs of raters, averaged over items, that gave the same label."""
    rows = item_rows(first.counts)
    total = rows.sum(axis=0)
    if total[1] == 0:
        return undefined("raw_agreement", nothing_shared(total[0]))
    interval = interval_of(first, rows, _raw, how)
    return Figure("raw_agreement", float(_raw(total)), interval=interval, items=int(total[1]))


def per_category(first: FirstRatings, chance: Chance, how: Bootstrap | None = None) -> dict[str, Figure]:
    """The coefficient of each label against all others (K = 2): where the disagreement lies.

    A low κ on a rare label beside a high AC1 is the prevalence paradox, not necessarily bad annotation.
    """
    raters = first.counts.sum(axis=1)
    out = {}
    for code, name in enumerate(first.ratings.labels):
        own = first.counts[:, code]
        out[name] = coefficient(first, np.stack([own, raters - own], axis=1), chance, how)
    return out


def coefficient(first: FirstRatings, counts: Floats, chance: Chance, how: Bootstrap | None) -> Figure:
    """The coefficient over counts (n × K) of these ratings, or of a coarser coding of them."""
    rows = item_rows(counts)
    total = rows.sum(axis=0)
    items = int(total[1])
    if items == 0:
        return undefined(chance.name, nothing_shared(total[0]))
    p_a, pi = total[2] / total[1], total[3:] / total[0]
    if counts.shape[1] < 2:
        return undefined(chance.name, "there is one label only", items=items, p_a=float(p_a))
    p_e = float(chance.expected(pi))
    if 1 - p_e < CERTAIN:
        reason = "all ratings are of one label, so agreement by chance is certain"
        return undefined(chance.name, reason, items=items, p_a=float(p_a), p_e=p_e)
    value = float((p_a - p_e) / (1 - p_e))
    return Figure(
        chance.name,
        value,
        se=_standard_error(rows, chance, value, pi, p_e),
        interval=interval_of(first, rows, lambda sums: _corrected(sums, chance), how),
        items=items,
        detail={"p_a": float(p_a), "p_e": p_e},
    )


def kappa_of(p_a: float, p_e: float) -> float:
    """(p_a − p_e)/(1 − p_e), for published figures."""
    return (p_a - p_e) / (1 - p_e)


def item_rows(counts: Floats) -> Floats:
    """What each item adds to the totals: [rated, rated twice, its p_a, r_ik/r_i …] (n × (3 + K))."""
    raters = counts @ np.ones(counts.shape[1])
    rated, shared = raters >= 1, raters >= 2
    rows = np.empty((len(counts), 3 + counts.shape[1]))
    rows[:, 0] = rated
    rows[:, 1] = shared
    pairs = np.einsum("ik,ik->i", counts, counts) - raters
    rows[:, 2] = pairs / np.maximum(raters * (raters - 1), 1)
    rows[:, 3:] = counts
    rows[:, 3:] /= np.maximum(raters, 1)[:, None]
    return rows


def nothing_shared(rated: float) -> str:
    """Why there is no agreement to measure."""
    return "no item has two raters" if rated else "there are no ratings"


def _raw(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        out: Floats = sums[..., 2] / sums[..., 1]
    return out


def _corrected(sums: Floats, chance: Chance) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        p_a = sums[..., 2] / sums[..., 1]
        p_e = chance.expected(sums[..., 3:] / sums[..., :1])
        out: Floats = np.where(1 - p_e < CERTAIN, np.nan, (p_a - p_e) / (1 - p_e))
    return out


def _standard_error(rows: Floats, chance: Chance, value: float, pi: Floats, p_e: float) -> float | None:
    """Gwet (2008): variance of the items' own contributions to the coefficient."""
    if not rows[:, 0].all():
        rows = rows[rows[:, 0] > 0]
    n = len(rows)
    if n < 2:
        return None
    shared = rows[:, 1] > 0
    n_shared = shared.sum()
    gain = np.where(shared, (n / n_shared) * (rows[:, 2] - p_e) / (1 - p_e), 0.0)
    drift = chance.item_expected(pi, rows[:, 3:]) - p_e
    own = gain - 2 * (1 - value) * drift / (1 - p_e)
    return float(np.sqrt(((own - value) ** 2).sum() / (n * (n - 1))))
