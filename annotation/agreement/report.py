"""Everything that `dalil agreement` says, as plain data; `annotation.agreement.show` prints it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from annotation.aggregate.scope import SCOPE, as_scope, in_scope
from annotation.agreement.adjudication import adjudication
from annotation.agreement.alpha import Level, krippendorff_alpha
from annotation.agreement.chance import FLEISS, GWET, fleiss_kappa, gwet_ac1, per_category, raw_agreement
from annotation.agreement.cohen import cohen_kappa
from annotation.agreement.confusion import confusion_between_raters
from annotation.agreement.cosine import (
    CosineTable,
    Over,
    Vectors,
    cosine_table,
    mean_of_languages,
    with_first_choice,
    with_second_choice,
)
from annotation.agreement.figure import Bootstrap
from annotation.agreement.pairs import RaterPair, rater_pairs
from annotation.ratings import MAIN, PILOT, Ratings
from annotation.ratings_vectors import VoteOptions
from annotation.ratings_views import FirstRatings, first_two, looks_adjudicated, of_language, pilot
from dalil.errors import UsageError
from dalil.stats import FEWEST_CLUSTERS
from dalil.wording import counted, fitting

FEW_CLUSTERS = 30
WITH_INTERVAL = 30
"""pairs of raters that get a bootstrap interval; the others have a standard error"""


@dataclass(frozen=True)
class ReportOptions:
    """What is measured and how."""

    bootstrap: Bootstrap | None = field(default_factory=Bootstrap)
    level: Level = "nominal"
    votes: VoteOptions = field(default_factory=VoteOptions)
    over: Over = "pairs"
    fewest_shared: int = 2
    most_pairs: int = 500


def agreement_report(
    ratings: Ratings, options: ReportOptions | None = None, blind: Ratings | None = None
) -> dict[str, Any]:
    """The report: what was read, the pilot, the first raters, and what came of disagreements.

    Coefficients are over `blind`, the same judgements as they stood before raters could know of each other,
    where it is given; else that is taken from `ratings`. Raises UsageError where no rating is independent of
    others, InputError where ratings that are said to be first look adjudicated (see `FirstRatings`).
    """
    own = options or ReportOptions()
    early = ratings if blind is None else blind
    has_pilot, has_main = bool((early.round == PILOT).any()), bool((early.round == MAIN).any())
    if not has_pilot and not has_main:
        raise UsageError(
            "there is no pilot and no main round, so no agreement to measure",
            where=ratings.origin or None,
            todo="say which round is which: --round NAME=main",
        )
    out: dict[str, Any] = {"read": _read(ratings), "settings": _settings(ratings, own)}
    if has_pilot:
        out["pilot"] = section(pilot(early), own)
    if has_main:
        out["first"] = section(first_two(early), own)
    out["adjudication"] = _adjudication(ratings)
    if early.lang is not None:
        out["languages"] = language_table(first_two(early) if has_main else pilot(early), own)
    return out


def scoped_report(
    ratings: Ratings, outside: Collection[str], options: ReportOptions | None = None
) -> dict[str, Any]:
    """The report over the labels in scope, which are K; beside it how far raters agree on what is in scope.

    Items out of scope leave the data set, and their labels are none of the K that the others are chosen
    from. Whether an item is in scope is a question of its own, with two answers, over all items. For the
    coefficients both follow from judgements as they stood before raters could know of each other.
    """
    own = options or ReportOptions()
    scoped, blind = in_scope(ratings, outside), in_scope(ratings.blind(), outside).ratings
    if len(ratings.of_rounds(PILOT, MAIN)) and not len(blind.of_rounds(PILOT, MAIN)):
        raise UsageError(
            f"every first judgement is out of scope ({', '.join(sorted(outside))})",
            where=ratings.origin or None,
            todo="there is nothing to agree on until something in scope is judged",
        )
    out = agreement_report(scoped.ratings, own, blind)
    if not outside:
        return out
    asked = as_scope(ratings, outside)
    figures = {}
    for name, kind, view in (("pilot", PILOT, pilot), ("first", MAIN, first_two)):
        if (ratings.round == kind).any():
            first = view(asked)
            if not first.counts[:, SCOPE.index("out of scope")].any():
                continue  # everybody gave the same answer: κ has no value then
            figures[name] = [
                raw_agreement(first, own.bootstrap).plain(),
                fleiss_kappa(first, own.bootstrap).plain(),
            ]
    out["out_of_scope"] = {
        "labels": sorted(outside),
        "items_removed": len(scoped.removed),
        "stray_votes": scoped.stray_votes,
        "agreement": figures,
    }
    return out


def section(first: FirstRatings, own: ReportOptions) -> dict[str, Any]:
    """Every coefficient over one selection of ratings."""
    how = own.bootstrap
    raters = first.counts.sum(axis=1)
    sizes, items = np.unique(raters[raters > 0].astype(int), return_counts=True)
    shown, left_out = _pairs(first, own)
    confusion = confusion_between_raters(first)
    return {
        "selection": first.selection,
        "ratings": len(first.ratings),
        "items": int((raters > 0).sum()),
        "items_with_two_raters": int((raters >= 2).sum()),
        "raters": len(np.unique(first.ratings.worker)),
        "notes": _notes(first, own),
        "raters_an_item": {str(size): int(number) for size, number in zip(sizes, items, strict=True)},
        "coefficients": [
            figure.plain()
            for figure in (
                raw_agreement(first, how),
                fleiss_kappa(first, how),
                krippendorff_alpha(first, how, level=own.level),
                gwet_ac1(first, how),
            )
        ],
        "per_category": {
            name: {
                "ratings": int(first.counts[:, first.ratings.labels.index(name)].sum()),
                "fleiss_kappa": figure.plain(),
                "gwet_ac1": ac1.plain(),
            }
            for (name, figure), ac1 in zip(
                per_category(first, FLEISS, how).items(), per_category(first, GWET, how).values(), strict=True
            )
        },
        "cosine": _cosines(first, own),
        "cohen": [cohen_kappa(first, pair, how if i < WITH_INTERVAL else None).plain() for i, pair in shown],
        "cohen_pairs_left_out": left_out,
        "confusion": {
            "labels": list(confusion.labels),
            "coincidences": confusion.coincidences.tolist(),
            "most_confused": confusion.most_confused(),
        },
    }


def language_table(first: FirstRatings, own: ReportOptions) -> dict[str, Any]:
    """SCRum-9's table 5: for each language annotators, average, minimum and maximum cosine agreement.

    First with first choices alone, then with confidence and second choice (where there are any). Beside it
    Fleiss' κ of each language.
    """
    kinds: dict[str, Vectors] = {"first_choice": with_first_choice}
    if _weighable(first, own):
        kinds["with_second_and_confidence"] = with_second_choice(own.votes)
    tables: dict[str, dict[str, CosineTable]] = {name: {} for name in kinds}
    kappas = {}
    for code, lang in sorted(enumerate(first.ratings.langs), key=lambda pair: pair[1]):
        part = of_language(first, code)
        kappas[lang] = fleiss_kappa(part, own.bootstrap).plain()
        for name, vectors in kinds.items():
            tables[name][lang] = cosine_table(part, vectors, own.over)
    for table in tables.values():
        table["All"] = mean_of_languages(table)
    return {
        "cosine": {
            name: {lang: row.plain() for lang, row in table.items()} for name, table in tables.items()
        },
        "fleiss_kappa": kappas,
        "over": own.over,
        "all_is": "mean of the languages weighted by their annotators",
    }


def _cosines(first: FirstRatings, own: ReportOptions) -> dict[str, Any]:
    out = {"first_choice": cosine_table(first, with_first_choice, own.over).plain()}
    if _weighable(first, own):
        table = cosine_table(first, with_second_choice(own.votes), own.over)
        out["with_second_and_confidence"] = table.plain()
    return out


def _weighable(first: FirstRatings, own: ReportOptions) -> bool:
    """Whether every rating has a confidence, or one may be assumed."""
    complete = bool(first.ratings.has_confidence().all()) or own.votes.missing_confidence is not None
    return complete and len(first.ratings) > 0


def _pairs(first: FirstRatings, own: ReportOptions) -> tuple[list[tuple[int, RaterPair]], int]:
    shown, left_out = [], 0
    for number, pair in enumerate(rater_pairs(first)):
        if pair.shared >= own.fewest_shared and number < own.most_pairs:
            shown.append((number, pair))
        else:
            left_out += 1
    return shown, left_out


def _adjudication(ratings: Ratings) -> dict[str, Any]:
    found = adjudication(ratings)
    return {
        "pairs": found.pairs,
        "disagreed": found.disagreed,
        "rate": found.rate,
        "by_third": found.by_third,
        "by_ruling": found.by_ruling,
        "by_revision": found.by_revision,
        "open": found.open,
        "outcome_nobody_chose_first": found.rulings_against_all,
        "raters": list(found.raters),
        "overruled": {"labels": list(ratings.labels), "from_to": found.overruled.tolist()},
    }


def _read(ratings: Ratings) -> dict[str, Any]:
    _, clusters, cluster = ratings.clusters()
    return {
        "from": ratings.origin,
        "ratings": len(ratings),
        "items": ratings.n_items,
        "workers": len(ratings.workers),
        "K": ratings.n_labels,
        "labels": list(ratings.labels),
        "labels_from": ratings.labels_from,
        "rounds": {
            name: int(number)
            for name, number in zip(
                ("pilot", "main", "third", "adjudication"),
                np.bincount(ratings.round, minlength=4),
                strict=True,
            )
            if number
        },
        "rounds_named": ratings.rounds_named,
        "clusters": clusters,
        "cluster": cluster,
        "revised": {"first_judgements": ratings.revised[0], "later": ratings.revised[1]},
        "notes": list(ratings.notes),
    }


def _notes(first: FirstRatings, own: ReportOptions) -> list[str]:
    return [*_few(first, own), *_some_confidences(first, own), *_third_among_first(first)]


def _few(first: FirstRatings, own: ReportOptions) -> list[str]:
    """Resampling a handful of clusters understates how much they vary (Cameron, Gelbach & Miller 2008)."""
    code, _, cluster = first.cluster
    clusters = len(np.unique(code[first.ratings.item]))
    if own.bootstrap is None or clusters >= FEW_CLUSTERS:
        return []
    if clusters < FEWEST_CLUSTERS:
        return [f"fewer than two {cluster}s, so nothing to resample: no intervals"]
    return [f"only {clusters} {cluster}s to resample: intervals are probably too narrow"]


def _some_confidences(first: FirstRatings, own: ReportOptions) -> list[str]:
    given = int(first.ratings.has_confidence().sum())
    if not given or _weighable(first, own):
        return []
    return [
        f"{len(first.ratings) - given:,} of {counted(len(first.ratings), 'rating')} "
        f"{fitting(len(first.ratings) - given, 'has', 'have')} no confidence: no cosine "
        "agreement with confidence and second choice (or assume one: --missing-confidence)"
    ]


def _third_among_first(first: FirstRatings) -> list[str]:
    """Rounds were named, so nothing is refused; but they may have been named wrongly."""
    if not looks_adjudicated(first.counts):
        return []
    return [
        "items with more raters are nearly all ones on which they differ: was a third rater who was asked "
        "where two disagreed entered here as a first one? Then these figures are far too high"
    ]


def _settings(ratings: Ratings, own: ReportOptions) -> dict[str, Any]:
    _, _, cluster = ratings.clusters()
    how = own.bootstrap
    return {
        "intervals": asdict(how) | {"clusters": cluster} if how else None,
        "interval_level": f"{how.level:.0%}" if how else "no",
        "alpha_level": own.level,
        "cosine_over": own.over,
        "votes": own.votes.settings(),
        "standard_error": "Gwet 2008 (Fleiss κ, AC1); Fleiss, Cohen and Everitt 1969 (Cohen κ)",
    }
