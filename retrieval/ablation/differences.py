"""Variant against baseline, paired by claim: differences with bootstrap intervals (dalil.stats)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dalil.stats import Floats, bootstrap
from retrieval.ablation.material import Material

# columns of sums, one row a claim: 1, then (documents, judged, related, any related) of variant and baseline
_ONE, _JUDGED, _RELATED, _ANY = 0, (2, 6), (3, 7), (4, 8)


@dataclass(frozen=True)
class Difference:
    """Variant minus baseline over the claims that both were asked for."""

    variant: str
    what: str
    """related documents a claim, share of claims with one, related share of the judged"""
    claims: int
    baseline: float | None
    value: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None
    """95% interval; None where there are too few claims"""
    more: int = 0
    less: int = 0
    """claims in which the variant has more, or less, than the baseline"""


def _per_claim(columns: tuple[int, int], side: int) -> Callable[[Floats], Floats]:
    return lambda sums: sums[..., columns[side]] / sums[..., _ONE]


def _of_judged(side: int) -> Callable[[Floats], Floats]:
    def share(sums: Floats) -> Floats:
        judged = sums[..., _JUDGED[side]]
        return np.where(judged > 0, sums[..., _RELATED[side]] / np.maximum(judged, 1), np.nan)

    return share


WHATS: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "related a claim": (_per_claim(_RELATED, 0), _per_claim(_RELATED, 1)),
    "claims with related": (_per_claim(_ANY, 0), _per_claim(_ANY, 1)),
    "related of judged": (_of_judged(0), _of_judged(1)),
}


def differences(material: Material, baseline: str, *, seed: int, replicates: int) -> tuple[Difference, ...]:
    """Every other variant against the baseline, over all engines together."""
    found = _documents(material)
    made = []
    for variant in material.variants:
        both = sorted(found[variant].keys() & found[baseline].keys())
        if variant == baseline or not both:
            continue
        sums = np.array(
            [
                [1.0, *_counts(material, c, found[variant][c]), *_counts(material, c, found[baseline][c])]
                for c in both
            ]
        )
        for what, (ours, theirs) in WHATS.items():
            made.append(_difference(variant, what, sums, ours, theirs, seed, replicates))
    return tuple(made)


def _documents(material: Material) -> dict[str, dict[str, set[str]]]:
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in material.brought:
        found[one.variant][one.claim] |= set(one.documents)
    return found


def _counts(material: Material, claim: str, documents: set[str]) -> list[float]:
    labels = [material.labels[claim, key] for key in documents if (claim, key) in material.labels]
    related = sum(label in material.related for label in labels)
    return [float(len(documents)), float(len(labels)), float(related), float(related > 0)]


def _difference(
    variant: str,
    what: str,
    sums: Floats,
    ours: Callable[[Floats], Floats],
    theirs: Callable[[Floats], Floats],
    seed: int,
    replicates: int,
) -> Difference:
    total = sums.sum(axis=0)
    interval = bootstrap(sums, lambda s: ours(s) - theirs(s), seed=seed, replicates=replicates)
    mine, other = float(ours(total)), float(theirs(total))
    apart = ours(sums) - theirs(sums)
    return Difference(
        variant,
        what,
        len(sums),
        _known(other),
        _known(mine),
        _known(mine - other),
        _known(interval.low) if interval else None,
        _known(interval.high) if interval else None,
        int(np.sum(apart > 0)),
        int(np.sum(apart < 0)),
    )


def _known(value: float) -> float | None:
    return round(value, 6) if np.isfinite(value) else None
