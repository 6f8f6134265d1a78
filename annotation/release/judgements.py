"""The raw judgements of a release, soft labels from them, and what the card says of agreement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotation.aggregate.scope import in_scope
from annotation.agreement.figure import Bootstrap
from annotation.agreement.report import ReportOptions, scoped_report
from annotation.gold import GoldSettings, corpus_labels, judged
from annotation.ratings import MAIN, PILOT, Ratings
from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.records import Annotation, Decision, Pair, Skip

CSV_COLUMNS = ("task", "worker", "label", "confidence", "second", "round", "claim", "lang")
"""what `dalil agreement FILE.csv` reads"""
DIGITS = 6


@dataclass(frozen=True)
class Judgements:
    """Everything that people said, under pseudonyms."""

    lines: tuple[dict[str, Any], ...] = ()
    """every revision"""
    skips: tuple[dict[str, Any], ...] = ()
    """what people could not judge, and why"""
    latest: tuple[dict[str, Any], ...] = ()
    """the last revision of each, as rows of CSV_COLUMNS"""
    soft: Mapping[str, dict[str, float]] = field(default_factory=dict)
    """pair → label → share"""
    soft_method: str | None = None
    labels: tuple[str, ...] = ()
    agreement: Mapping[str, Any] | None = None
    by_annotator: Mapping[str, int] = field(default_factory=dict)
    last_day: str | None = None


def judgements(corpus: Corpus, released: set[str], name: Callable[[str], str]) -> Judgements:
    """Judgements and rulings of a corpus; those on pairs that are not released are marked as such.

    Notes and exact times stay in the corpus: a note may name people.
    """
    store = corpus.store
    annotations = list(store.all(Annotation))
    decisions = list(store.all(Decision))
    passed_over = sorted(
        (_skipped(one, released, name) for one in store.all(Skip)),
        key=lambda line: (line["pair_id"], line["annotator"], line["round"], line["number"]),
    )
    if not annotations and not decisions:
        return Judgements(skips=tuple(passed_over))
    claims = {pair.id: pair.claim_id for pair in store.all(Pair)}
    closed = {scheme: _closed(scheme, corpus) for scheme in {one.scheme for one in annotations}}
    lines = [
        _line(one, one.annotator, one.round, released, name) | _said(one, closed[one.scheme])
        for one in annotations
    ]
    lines += [
        _line(one, one.adjudicator, "adjudication", released, name) | {"scheme": None} for one in decisions
    ]
    lines.sort(key=lambda line: (line["pair_id"], line["round"], line["annotator"], line["number"]))
    days = sorted(line["day"] for line in lines if line["day"])
    counts: dict[str, int] = {}
    for line in lines:
        counts[line["annotator"]] = counts.get(line["annotator"], 0) + 1
    gold = corpus.section("gold", GoldSettings)
    ratings, outside = judged(store, gold, corpus_labels(corpus, gold))
    scoped = in_scope(ratings, outside).ratings
    soft, method = _soft(scoped)
    return Judgements(
        lines=tuple(lines),
        skips=tuple(passed_over),
        latest=tuple(_latest(lines, claims, ratings)),
        soft=soft,
        soft_method=method,
        labels=scoped.labels,
        agreement=_agreement(ratings, outside),
        by_annotator=dict(sorted(counts.items())),
        last_day=days[-1] if days else None,
    )


def _line(
    found: Annotation | Decision, who: str, round_name: str, released: set[str], name: Callable[[str], str]
) -> dict[str, Any]:
    return {
        "pair_id": found.pair_id,
        "annotator": name(who),
        "round": round_name,
        "label": found.label,
        "number": found.number,
        "day": found.at[:10] if found.at else None,
        "released": found.pair_id in released,
    }


def _skipped(found: Skip, released: set[str], name: Callable[[str], str]) -> dict[str, Any]:
    return {
        "pair_id": found.pair_id,
        "annotator": name(found.annotator),
        "round": found.round,
        "reason": found.reason,
        "number": found.number,
        "day": found.at[:10] if found.at else None,
        "released": found.pair_id in released,
    }


def _closed(scheme: str, corpus: Corpus) -> frozenset[str]:
    """Questions answered by number or choice; what people wrote freely stays in the corpus, as notes do."""
    from annotation.rounds.settings import AnnotateSettings
    from annotation.schemes import scheme_of

    try:
        found = corpus.section("annotate", AnnotateSettings).read_scheme(corpus.path)
        if found.name != scheme:
            found = scheme_of(scheme, corpus.path)
    except DalilError:  # a scheme that is not at hand says nothing of its questions: none is given away
        return frozenset()
    return frozenset(question.name for question in found.questions if question.kind != "text")


def _said(found: Annotation, closed: frozenset[str]) -> dict[str, Any]:
    return {
        "scheme": found.scheme,
        "confidence": found.confidence,
        "second": found.second,
        "answers": {
            name: value
            for name, value in found.answers.items()
            if name in closed or not isinstance(value, str)
        },
        "guideline": found.guideline,
        "shown_hash": found.shown_hash,
    }


def _latest(lines: list[dict[str, Any]], claims: Mapping[str, str], ratings: Ratings) -> list[dict[str, Any]]:
    last: dict[tuple[str, str, str], dict[str, Any]] = {}
    for line in lines:
        last[line["pair_id"], line["round"], line["annotator"]] = line
    lang_of = (
        {item: ratings.langs[code] for item, code in zip(ratings.items, ratings.lang, strict=True)}
        if ratings.lang is not None
        else {}
    )
    return [
        {
            "task": line["pair_id"],
            "worker": line["annotator"],
            "label": line["label"],
            "confidence": line.get("confidence"),
            "second": line.get("second"),
            "round": line["round"],
            "claim": claims.get(line["pair_id"], ""),
            "lang": lang_of.get(line["pair_id"], "und"),
        }
        for line in last.values()
    ]


def _soft(ratings: Ratings) -> tuple[dict[str, dict[str, float]], str]:
    """Soft labels: shares of the votes, weighted by confidence and second choice where every vote has one."""
    from annotation.aggregate import method

    votes = ratings.votes()
    name = "svc2" if len(votes) and bool(votes.has_confidence().all()) else "sv"
    found = method(name).fit(ratings).predict(ratings)
    out = {}
    for place in np.flatnonzero(found.voted):
        shares = found.weights[place]
        out[found.items[int(place)]] = {
            label: round(float(share), DIGITS) for label, share in zip(found.labels, shares, strict=True)
        }
    return out, name


def _agreement(ratings: Ratings, outside: Collection[str]) -> Mapping[str, Any] | None:
    if not np.isin(in_scope(ratings.blind(), outside).ratings.round, (PILOT, MAIN)).any():
        return None
    return scoped_report(ratings, outside, ReportOptions(bootstrap=Bootstrap()))
