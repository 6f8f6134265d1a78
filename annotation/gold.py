"""gold: a pair's final label and how it came. `[gold]` of corpus.toml says by which rule or method."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from annotation.aggregate import METHODS, method
from annotation.aggregate.base import Aggregated
from annotation.aggregate.base import Settings as MethodSettings
from annotation.aggregate.scope import in_scope
from annotation.gold_rules import (
    FEWEST,
    OUT_OF_SCOPE,
    REASONS,
    RESERVED,
    TIE,
    Outcome,
    Rule,
    gold_of,
    gold_table,
)
from annotation.ratings import ADJUDICATION, Ratings, RoundKind
from annotation.ratings_records import NothingJudged, from_store, scheme_in
from annotation.ratings_scheme import LabelSet, labels_of, read_scheme, shipped_scheme
from annotation.ratings_vectors import Normalisation, SecondWeight, VoteOptions
from annotation.rounds.kinds import EXPERT
from annotation.rounds.settings import AnnotateSettings
from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.formats.making import HOW
from dalil.records import Annotation, Assignment, Gold, Pair, Record
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store

LEVELS = 5
"""confidence is 1 to 5 where neither settings nor scheme say otherwise, as in SCRum-9"""


class GoldSettings(Settings):
    """`[gold]` of corpus.toml, and the defaults of `dalil gold`."""

    rule: Rule = "majority"
    """`majority` (one label chosen more often than any other) or `unanimous`; a ruling always decides"""
    method: str | None = None
    """an aggregation method instead of the rule: mv, mvc, mvc2, sv, svc, svc2, dawid-skene or bsv"""
    ties: Literal["adjudicate", "seed"] = "adjudicate"
    """a method's ties: left to adjudication, or decided by the seed"""
    fewest: int | None = Field(default=None, ge=1)
    """fewest votes for a label without a ruling; default 2 by a rule, 1 by a method"""
    scheme: str | None = None
    """label scheme (a name, or a .toml file); default: `scheme` under [annotate]"""
    out_of_scope: tuple[str, ...] = ()
    """labels whose pairs leave the data where most chose them, beside those that the scheme marks"""
    rounds: dict[str, RoundKind] = Field(default_factory=dict)
    """what rounds of other names were"""
    levels: int | None = Field(default=None, ge=2)
    """highest confidence; default: the scheme's, or 5"""
    normalisation: Normalisation = "effiara"
    """confidence to a weight: effiara, share or zero-to-one"""
    second_weight: SecondWeight = "c/2"
    """weight of a second choice beside a first of weight c: c/2, 1-c or 1-2c"""
    missing_confidence: int | None = Field(default=None, ge=1)
    """confidence to assume where none was given; default: refuse"""
    seed: int = Field(default=0, ge=0)
    """what decides ties"""
    iterations: int = Field(default=100, ge=1)
    """dawid-skene: at most so many"""
    tolerance: float = 1e-5
    """dawid-skene: stop when the log-likelihood gains less than this a rating"""
    smoothing: float = Field(default=0.0, ge=0)
    """dawid-skene: pseudo-answers in each cell of a worker's matrix (Dirichlet prior)"""
    likelihood_among: Literal["any", "others"] = "any"
    """bsv: whose label counts as present"""
    rest: Literal["second", "uniform"] = "second"
    """bsv: where the mass goes that confidence leaves"""

    def votes(self) -> VoteOptions:
        """How confidence and second choice weigh."""
        return VoteOptions(self.normalisation, self.second_weight, self.missing_confidence)

    def of_methods(self) -> MethodSettings:
        """Settings of the aggregation methods."""
        return MethodSettings(
            votes=self.votes(),
            seed=self.seed,
            iterations=self.iterations,
            tolerance=self.tolerance,
            smoothing=self.smoothing,
            likelihood_among=self.likelihood_among,
            rest=self.rest,
        )

    def fewest_votes(self) -> int:
        """Fewest votes for a label without a ruling."""
        return self.fewest if self.fewest is not None else FEWEST if self.method is None else 1


class MakeGold:
    """One unit a judged pair: its votes, its ruling, and what the method (if any) says of it; and one a
    pair that experts alone judge, which has no gold because others are trained and tested with it.

    A method learns from all pairs, so it is fitted when units are made; a pair whose votes and whose
    outcome stay the same is unchanged.
    """

    NAME: ClassVar[str] = "gold"
    VERSION: ClassVar[str] = "3"
    READS: ClassVar[Reads] = Reads(config=("gold",))
    WRITES: ClassVar[tuple[type[Record], ...]] = (Gold,)

    def __init__(self, corpus: Corpus, settings: GoldSettings | None = None):
        self.corpus = corpus
        self.settings = settings or corpus.section("gold", GoldSettings)
        if self.settings.method is not None and self.settings.method not in METHODS:
            raise UsageError(
                f"[gold] method {self.settings.method!r} is unknown",
                todo=f"methods are: {', '.join(METHODS)}",
            )

    def keys(self, store: Store) -> Iterator[Unit]:
        """Judged pairs, with all that decides; then those that are reserved."""
        own = self.settings
        try:
            ratings, outside = judged(store, own, corpus_labels(self.corpus, own))
        except NothingJudged:
            yield from _reserved(store, ())
            return
        scoped = in_scope(ratings, outside)
        removed = set(scoped.removed.tolist())
        result = fitted(scoped.ratings, own) if own.method is not None else None
        # the votes and rulings of every pair; rule and method are applied in `work`
        rulings = _rulings(scoped.ratings)
        table = gold_table(scoped.ratings)
        for place, (pair, outcome) in enumerate(table.rows()):
            said = _said(result, place)
            yield Unit(
                pair,
                {
                    "pair": pair,
                    "votes": outcome.votes,
                    "ruling": rulings.get(place),
                    "removed": place in removed,
                    "rule": own.rule,
                    "fewest": own.fewest_votes(),
                    "ties": own.ties,
                    "method": own.method,
                    "said": said,
                },
            )
        yield from _reserved(store, ratings.items)

    def work(self, inputs: Mapping[str, Any]) -> Result:
        """Votes to a label; ties go to adjudication."""
        pair = inputs["pair"]
        if inputs.get("reserved"):
            return Result(drops=(Drop(RESERVED, REASONS[RESERVED]),))
        outcome = decided(inputs)
        if outcome.label is None:
            return Result(drops=(Drop(outcome.reason or "", f"votes {outcome.votes}"),))
        return Result(
            records=(Gold(id=pair, label=outcome.label, how=outcome.how or "", votes=outcome.votes),)
        )


def _reserved(store: Store, counted: Collection[str]) -> Iterator[Unit]:
    """Pairs of the experts' round on which no vote counts and nobody ruled, and that have no label from
    elsewhere.
    """
    given = {str(row[0]) for row in store.count_by(Assignment, "pair_id", "round") if row[1] == EXPERT}
    given |= {str(row[0]) for row in store.count_by(Annotation, "pair_id", "round") if row[1] == EXPERT}
    elsewhere = {one.id for one in store.all(Gold, how=HOW)}
    for pair in sorted((given & store.ids(Pair)) - elsewhere - set(counted)):
        yield Unit(pair, {"pair": pair, "reserved": True})


def decided(inputs: Mapping[str, Any]) -> Outcome:
    """The outcome of one pair from all that decides it (a unit's inputs)."""
    votes, ruling = inputs["votes"], inputs["ruling"]
    if inputs["removed"]:
        return Outcome(None, None, OUT_OF_SCOPE, votes)
    found = gold_of(votes, inputs["rule"], ruling=ruling, fewest=inputs["fewest"])
    said = inputs["said"]
    if (
        inputs["method"] is None
        or ruling is not None
        or said is None
        or sum(votes.values()) < inputs["fewest"]
    ):
        return found
    if said["tied"] and inputs["ties"] == "adjudicate":
        return Outcome(None, None, TIE, votes)
    return Outcome(said["label"], inputs["method"], None, votes)


def corpus_labels(corpus: Corpus, own: GoldSettings) -> LabelSet | None:
    """The labels that a corpus is judged with, from which K and the levels of confidence come.

    They are those of `[gold] scheme`, else of `[annotate] scheme`, else of the shipped scheme that the
    annotations name; None where these name one that is not at hand. Raises UsageError where annotations
    were made with several schemes.
    """
    if own.scheme:
        return read_scheme(own.scheme, corpus.path)
    named = scheme_in(corpus.store)
    settings = corpus.section("annotate", AnnotateSettings)
    scheme = settings.read_scheme(corpus.path)
    return labels_of(scheme) if named in (None, scheme.name) else shipped_scheme(str(named))


def judged(store: Store, own: GoldSettings, labels: LabelSet | None) -> tuple[Ratings, frozenset[str]]:
    """Ratings of a corpus by its settings and labels (`corpus_labels`), and the labels out of scope."""
    levels = levels_of(own, labels)
    ratings = from_store(store, labels=labels, rounds=own.rounds, levels=levels)
    outside = frozenset(own.out_of_scope) | (labels or LabelSet.seen(ratings.labels)).out_of_scope
    return ratings, outside


def levels_of(own: GoldSettings, labels: LabelSet | None) -> int:
    """The highest confidence: as set, else as the scheme asks, else 5."""
    return own.levels or (labels.levels if labels else None) or LEVELS


def fitted(ratings: Ratings, own: GoldSettings) -> Aggregated:
    """What the method says of every pair."""
    return method(str(own.method), own.of_methods()).fit(ratings).predict(ratings)


def _rulings(ratings: Ratings) -> dict[int, str]:
    found = ratings.of_rounds(ADJUDICATION)
    return {int(item): ratings.labels[code] for item, code in zip(found.item, found.label, strict=True)}


def _said(result: Aggregated | None, place: int) -> dict[str, Any] | None:
    if result is None or result.label[place] < 0:
        return None
    return {"label": result.labels[result.label[place]], "tied": bool(result.tied[place])}
