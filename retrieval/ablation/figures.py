"""Counting an ablation: rows for variants and engines, overlap, groups, differences with intervals.

Undefined is None, never 0: a variant that could not run is not applicable, a share of nothing judged is
not known, related documents per dollar of a free engine have no value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from retrieval.ablation.differences import Difference, differences
from retrieval.ablation.material import Brought, Material
from retrieval.ablation.measures import mean, per_query

ALL = "all"
LENGTHS = ((1, 7), (8, 14), (15, 24), (25, None))
"""words of a claim, from and to"""
MEASURES = ("nDCG@10", "AP", "RR", "Success@10")


@dataclass(frozen=True)
class Row:
    """What a variant, an engine, one on the other, or all together brought."""

    variant: str
    engine: str
    claims: int = 0
    """claims it was asked for"""
    not_applicable: str | None = None
    """why it could not run for any claim"""
    requests: int | None = None
    requests_without: int | None = None
    """requests that would be saved without it"""
    cost: float | None = None
    hits: int | None = None
    documents: int | None = None
    """(claim, document)"""
    new_documents: int | None = None
    """that nothing else brought"""
    judged: int | None = None
    judged_share: float | None = None
    related: int | None = None
    related_share: float | None = None
    """of the judged"""
    new_related: int | None = None
    """what leaving it out loses"""
    claims_with_related: int | None = None
    claims_lost: int | None = None
    """claims that would have no related document without it"""
    known_related: int | None = None
    """related documents known for its claims, found or not"""
    recall: float | None = None
    related_per_dollar: float | None = None
    labels: Mapping[str, int] = field(default_factory=dict)
    measures: Mapping[str, float | None] = field(default_factory=dict)
    """over its claims with a known related document; documents without a judgement left out"""


@dataclass(frozen=True)
class Group:
    """Rows of the variants over some of the claims."""

    by: str
    name: str
    claims: int
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True)
class Ablation:
    """The report."""

    claims: int
    judged_pairs: int
    related_labels: tuple[str, ...]
    rows: tuple[Row, ...]
    absent: Mapping[str, Mapping[str, int]]
    overlap: Mapping[str, Mapping[str, float | None]]
    """variant → variant → share of the first's documents that the second brought too (claims of both)"""
    groups: tuple[Group, ...]
    differences: tuple[Difference, ...]
    baseline: str
    counts_requests: bool
    notes: tuple[str, ...]
    seed: int
    resamples: int

    def row(self, variant: str, engine: str = ALL) -> Row:
        """The row of this name. Raises KeyError."""
        for row in self.rows:
            if (row.variant, row.engine) == (variant, engine):
                return row
        raise KeyError(f"{variant} on {engine}")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def ablate(material: Material, *, seed: int = 0, replicates: int = 2000) -> Ablation:
    """Count, group and resample. Claims are the unit of resampling, and the seed decides the resamples."""
    baseline = next(
        (name for name in material.variants if any(one.variant == name for one in material.brought)), ""
    )
    return Ablation(
        claims=len(material.claims),
        judged_pairs=len(material.labels),
        related_labels=tuple(sorted(material.related)),
        rows=tuple(_rows(material)),
        absent={
            variant: {reason: len(keys) for reason, keys in reasons.items()}
            for variant, reasons in material.absent.items()
        },
        overlap=_overlap(material),
        groups=tuple(_groups(material, baseline, seed, replicates)),
        differences=differences(material, baseline, seed=seed, replicates=replicates),
        baseline=baseline,
        counts_requests=material.counts_requests,
        notes=material.notes,
        seed=seed,
        resamples=replicates,
    )


def _rows(material: Material) -> list[Row]:
    """Each variant over all engines, each engine over all variants, each on each, and all."""
    counting = _Counting(material)
    made = [counting.row(variant, ALL) for variant in material.variants]
    if len(material.engines) > 1:
        made += [counting.row(ALL, engine) for engine in material.engines]
        made += [counting.row(v, e) for v in material.variants for e in material.engines]
    return [*made, counting.row(ALL, ALL)]


class _Counting:
    """Sets of documents by cell, made once."""

    def __init__(self, material: Material):
        self.material = material
        self.cells: dict[tuple[str, str], list[Brought]] = defaultdict(list)
        self.holders: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        self.askers: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for one in material.brought:
            cell = (one.variant, one.engine)
            self.cells[cell].append(one)
            for key in one.documents:
                self.holders[one.claim, key].add(cell)
            for request in one.requests:
                self.askers[request].add(cell)
        self.related = {place for place, label in material.labels.items() if label in material.related}

    def row(self, variant: str, engine: str) -> Row:
        mine = {cell for cell in self.cells if variant in (ALL, cell[0]) and engine in (ALL, cell[1])}
        brought = [one for cell in sorted(mine) for one in self.cells[cell]]
        if not brought:
            return Row(variant, engine, not_applicable=self._why_not(variant))
        found = {(one.claim, key) for one in brought for key in one.documents}
        judged = found & self.material.labels.keys()
        related = judged & self.related
        new = {place for place in found if self.holders[place] <= mine}
        asked = {one.claim for one in brought}
        known = {place for place in self.related if place[0] in asked}
        requests = {key: cost for one in brought for key, cost in one.requests.items()}
        cost = sum(requests.values())
        counts = self.material.counts_requests
        return Row(
            variant=variant,
            engine=engine,
            claims=len(asked),
            requests=len(requests) if counts else None,
            requests_without=sum(self.askers[key] <= mine for key in requests) if counts else None,
            cost=round(cost, 6) if counts else None,
            hits=sum(one.hits for one in brought),
            documents=len(found),
            new_documents=len(new),
            judged=len(judged),
            judged_share=_share(len(judged), len(found)),
            related=len(related),
            related_share=_share(len(related), len(judged)),
            new_related=len(related & new),
            claims_with_related=len({claim for claim, _ in related}),
            claims_lost=len({claim for claim, _ in related} - {claim for claim, _ in self._others(mine)}),
            known_related=len(known),
            recall=_share(len(related), len(known)),
            related_per_dollar=_share(len(related), cost) if counts else None,
            labels=dict(sorted(Counter(self.material.labels[place] for place in judged).items())),
            measures=self._measures(brought, asked, known),
        )

    def _others(self, mine: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Related documents that something else brought."""
        return {place for place in self.related if self.holders.get(place, set()) - mine}

    def _why_not(self, variant: str) -> str:
        reasons = self.material.absent.get(variant, {})
        told = ", ".join(f"{reason} ({len(keys)})" for reason, keys in reasons.items() if keys)
        return told or "never asked"

    def _measures(
        self, brought: list[Brought], asked: set[str], known: set[tuple[str, str]]
    ) -> dict[str, float | None]:
        """Of one ranking a claim: only where one variant on one engine answered."""
        if len({(one.variant, one.engine) for one in brought}) > 1:
            return {}
        wanted = {claim for claim, _ in known}
        qrels: dict[str, dict[str, int]] = defaultdict(dict)
        for (claim, document), label in self.material.labels.items():
            if claim in wanted:
                qrels[claim][document] = int(label in self.material.related)
        run = {one.claim: one.documents for one in brought}
        values = per_query(qrels, run, MEASURES, condensed=True)
        return {name: _rounded(mean(found)) for name, found in values.items()}


def _overlap(material: Material) -> dict[str, dict[str, float | None]]:
    sets: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in material.brought:
        sets[one.variant][one.claim] |= set(one.documents)
    found: dict[str, dict[str, float | None]] = {}
    for row in material.variants:
        found[row] = {}
        for column in material.variants:
            both = sets[row].keys() & sets[column].keys()
            total = sum(len(sets[row][claim]) for claim in both)
            shared = sum(len(sets[row][claim] & sets[column][claim]) for claim in both)
            found[row][column] = _share(shared, total)
    return found


def _groups(material: Material, baseline: str, seed: int, replicates: int) -> Iterable[Group]:
    """By length, by veracity, and (where any pair is marked) without leakage-marked pairs."""
    for low, high in LENGTHS:
        name = f"{low}–{high} words" if high else f"{low}+ words"
        keys = {
            key for key, facts in material.claims.items()
            if facts.words is not None and low <= facts.words <= (high or facts.words)
        }  # fmt: skip
        if keys:
            yield _group("length", name, material.only(keys.__contains__), baseline, seed, replicates)
    values = sorted({facts.veracity for facts in material.claims.values()})
    for value in values if len(values) > 1 else ():
        keys = {key for key, facts in material.claims.items() if facts.veracity == value}
        yield _group("veracity", value, material.only(keys.__contains__), baseline, seed, replicates)
    if material.marked:
        without = material.without_marked()
        yield _group("leakage", "without marked pairs", without, baseline, seed, replicates)


def _group(by: str, name: str, material: Material, baseline: str, seed: int, replicates: int) -> Group:
    counting = _Counting(material)
    rows = tuple(counting.row(variant, ALL) for variant in material.variants)
    found = differences(material, baseline, seed=seed, replicates=replicates)
    return Group(by, name, len(material.claims), rows, found)


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 6) if whole else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
