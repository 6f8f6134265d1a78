"""Ratings from a corpus's records: annotations and rulings, streamed."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from annotation.ratings import (
    ADJUDICATION,
    DEFAULT_ROUNDS,
    HIGHLY_UNCERTAIN,
    IGNORED_ROUND,
    NO_CONFIDENCE,
    NO_SECOND,
    ROUNDS,
    Before,
    Codes,
    Ratings,
)
from annotation.ratings_blind import blind_places
from annotation.ratings_csv import UNCERTAIN_SPELLINGS
from annotation.ratings_scheme import LabelSet
from dalil.errors import DalilError, InputError, UsageError
from dalil.records import Annotation, Claim, Decision, Pair, Remark
from dalil.wording import counted, fitting

if TYPE_CHECKING:
    from dalil.state.store import Store


class NothingJudged(DalilError):
    """No judgement that counts, and no ruling."""


def from_records(
    annotations: Iterable[Annotation],
    claims_of: Mapping[str, str],
    lang_of: Mapping[str, str] | None = None,
    *,
    labels: LabelSet | None = None,
    decisions: Iterable[Decision] = (),
    rounds: Mapping[str, str] | None = None,
    levels: int = 5,
    spoken: Mapping[str, str] | None = None,
) -> Ratings:
    """Ratings of pairs: the latest revision of each annotation, rulings as the adjudication round.

    Beside it stands how first judgements stood while raters could not know of each other (`Ratings.blind`);
    `spoken` gives the time of a pair's first remark.

    `claims_of` gives the claim of a pair (what the bootstrap resamples), `lang_of` its language,
    `rounds` what a round of another name was (pilot, main, third, adjudication or ignore).
    Raises InputError, with the id of the record, for a label outside `labels`, an unknown round, a pair
    without claim or language, a confidence out of range; NothingJudged when there is no annotation.
    """
    kinds = {name: name for name in ROUNDS} | dict(DEFAULT_ROUNDS) | dict(rounds or {})
    gathered = _Gathered(labels)
    for annotation in annotations:
        kind = kinds.get(annotation.round)
        if kind is None:
            raise InputError(
                f"round {annotation.round!r} is none of {', '.join(ROUNDS)}",
                where=annotation.id,
                todo=f"say what it was: --round {annotation.round}=main",
            )
        if kind != IGNORED_ROUND:
            gathered.add(annotation, ROUNDS.index(kind), levels)
    for decision in decisions:
        gathered.add_decision(decision)
    if not len(gathered.item):
        raise NothingJudged(
            "nobody has judged anything yet",
            todo="annotate first (docs/4-annotation.md); imported labels are final already: dalil release",
        )
    return gathered.ratings(claims_of, lang_of, levels, spoken or {})


def from_store(
    store: Store,
    *,
    labels: LabelSet | None = None,
    rounds: Mapping[str, str] | None = None,
    levels: int = 5,
    origin: str = "",
) -> Ratings:
    """Ratings of an open corpus. A pair's language is its claim's."""
    claims_of: dict[str, str] = {pair.id: pair.claim_id for pair in store.all(Pair)}
    language = {claim.id: claim.language for claim in store.all(Claim)}
    lang_of = {pair: language.get(claim, "und") for pair, claim in claims_of.items()}
    made = from_records(
        store.all(Annotation),
        claims_of,
        lang_of,
        labels=labels,
        decisions=store.all(Decision),
        rounds=rounds,
        levels=levels,
        spoken=_spoken(store),
    )
    return replace(made, origin=origin)


def _spoken(store: Store) -> dict[str, str]:
    """Pair → time of the first remark in its discussion."""
    out: dict[str, str] = {}
    for one in store.all(Remark):
        if one.at is not None:
            out[one.pair_id] = min(one.at, out.get(one.pair_id, one.at))
    return out


class _Gathered:
    """Annotations as growing integer arrays."""

    def __init__(self, labels: LabelSet | None):
        self.given = labels
        self.labels: dict[str, int] = {name: code for code, name in enumerate(labels.names)} if labels else {}
        self.items: dict[str, int] = {}
        self.workers: dict[str, int] = {}
        self.item, self.worker, self.label = array("i"), array("i"), array("i")
        self.confidence, self.second, self.round, self.number = array("i"), array("i"), array("i"), array("i")
        self.times: list[str | None] = []
        self.guidelines: Counter[tuple[int, str]] = Counter()

    def add(self, found: Annotation, kind: int, levels: int) -> None:
        confidence = found.confidence if found.confidence is not None else NO_CONFIDENCE
        if confidence != NO_CONFIDENCE and not 1 <= confidence <= levels:
            raise InputError(f"confidence {confidence} is not within 1 to {levels}", where=found.id)
        label = self._label(found.label, found.id)
        second = self._second(found.second, found.id)
        if second == label:
            raise InputError("the second choice equals the first", where=found.id)
        self._append(found.pair_id, found.annotator, label, confidence, second, kind, found.number)
        self.times.append(found.at)
        if found.guideline and found.number == 1:
            self.guidelines[kind, found.guideline] += 1

    def add_decision(self, found: Decision) -> None:
        label = self._label(found.label, found.id)
        # one ruling a pair: whoever gave it, the latest counts
        number = found.number
        self._append(found.pair_id, found.adjudicator, label, NO_CONFIDENCE, NO_SECOND, ADJUDICATION, number)
        self.times.append(found.at)

    def ratings(
        self,
        claims_of: Mapping[str, str],
        lang_of: Mapping[str, str] | None,
        levels: int,
        spoken: Mapping[str, str],
    ) -> Ratings:
        claim, claims = self._per_pair(claims_of, "claim")
        lang, langs = self._per_pair(lang_of, "language") if lang_of is not None else (None, ())
        labels, label, second = self._final_labels()
        made = Ratings(
            item=_codes(self.item),
            worker=_codes(self.worker),
            label=label,
            confidence=_codes(self.confidence),
            second=second,
            round=_codes(self.round),
            items=tuple(self.items),
            workers=tuple(self.workers),
            labels=labels.names,
            labels_from=labels.origin,
            claim=claim,
            claims=claims,
            lang=lang,
            langs=langs,
            levels=levels,
        )
        # rulings come from whoever adjudicates; of the others nobody is left twice in a round
        last = self._latest(made)
        done = self._with_before(made, last, spoken).without_repeats_proven()
        return replace(done, notes=(*done.notes, *_versions(self.guidelines)))

    def _with_before(
        self, made: Ratings, last: np.ndarray[tuple[int], np.dtype[np.bool_]], spoken: Mapping[str, str]
    ) -> Ratings:
        """The last revisions, and beside them what counts for agreement."""
        coded = {self.items[pair]: at for pair, at in spoken.items() if pair in self.items}
        places = blind_places(made.item, made.worker, made.round, _codes(self.number), self.times, coded)
        if not places:
            return made.select(last)
        source = np.arange(len(made))
        touched = np.isin(made.item, [item for item, _, _ in places])
        for place in np.flatnonzero(last & touched).tolist():
            key = (int(made.item[place]), int(made.worker[place]), int(made.round[place]))
            source[place] = places.get(key, place)
        before = Before(made.label[source], made.confidence[source], made.second[source])
        later = sum(
            any(one[place] != two[place] for one, two in _beside(made, before))
            for place in np.flatnonzero(source != np.arange(len(made))).tolist()
        )
        revised = (len(places), later)
        return replace(replace(made, before=before).select(last), revised=revised, notes=_revisions(*revised))

    def _append(
        self, pair: str, worker: str, label: int, confidence: int, second: int, kind: int, number: int
    ) -> None:
        self.item.append(self.items.setdefault(pair, len(self.items)))
        self.worker.append(self.workers.setdefault(worker, len(self.workers)))
        self.label.append(label)
        self.confidence.append(confidence)
        self.second.append(second)
        self.round.append(kind)
        self.number.append(number)

    def _label(self, name: str, where: str) -> int:
        if self.given is None:
            return self.labels.setdefault(name, len(self.labels))
        code = self.given.code(name)
        if code is None:
            raise InputError(
                f"{name!r} is not a label of {self.given.origin}", where=where, todo=self.given.help()
            )
        return code

    def _second(self, name: str | None, where: str) -> int:
        if not name:
            return NO_SECOND
        if name.casefold() in UNCERTAIN_SPELLINGS:
            return HIGHLY_UNCERTAIN
        return self._label(name, where)

    def _latest(self, made: Ratings) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Of revisions by one worker in one round the last; of rulings on a pair the last."""
        who = np.where(made.round == ADJUDICATION, -1, made.worker)
        order = np.lexsort((_codes(self.number), who, made.item, made.round))
        keys = np.stack([made.round, made.item, who])[:, order]
        last = np.ones(len(order), dtype=bool)
        last[:-1] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
        keep = np.zeros(len(order), dtype=bool)
        keep[order[last]] = True
        return keep

    def _per_pair(self, mapping: Mapping[str, str], what: str) -> tuple[Codes, tuple[str, ...]]:
        seen: dict[str, int] = {}
        codes = np.empty(len(self.items), dtype=np.int32)
        for pair, place in self.items.items():
            if pair not in mapping:
                raise InputError(f"an annotated pair has no {what}", where=pair)
            codes[place] = seen.setdefault(mapping[pair], len(seen))
        return codes, tuple(seen)

    def _final_labels(self) -> tuple[LabelSet, Codes, Codes]:
        label, second = _codes(self.label), _codes(self.second)
        if self.given is not None:
            return self.given, label, second
        found = LabelSet.seen(tuple(self.labels))
        to_sorted = np.array([found.names.index(name) for name in self.labels], dtype=np.int32)
        return found, to_sorted[label], np.where(second >= 0, to_sorted[second], second).astype(np.int32)


def _beside(made: Ratings, before: Before) -> tuple[tuple[Codes, Codes], ...]:
    return (
        (made.label, before.label),
        (made.confidence, before.confidence),
        (made.second, before.second),
    )


def _versions(guidelines: Counter[tuple[int, str]]) -> list[str]:
    """Where guidelines were revised within a round, its figures are over both versions."""
    notes = []
    for kind in sorted({kind for kind, _ in guidelines}):
        found = sorted((version, number) for (one, version), number in guidelines.items() if one == kind)
        if len(found) > 1:
            said = ", ".join(f"{version}: {number:,}" for version, number in found)
            notes.append(f"{ROUNDS[kind]}: judged under several versions of the guidelines ({said})")
    return notes


def _revisions(revised: int, later: int) -> tuple[str, ...]:
    """Raters who confer and then revise agree as an adjudication does: who reads κ must know of it."""
    return (
        f"{counted(revised, 'first judgement')} {fitting(revised, 'was', 'were')} revised, {later:,} of "
        "them when all first raters of the pair had "
        "judged it: agreement takes these as they stood before, gold the last revision",
    )


def _codes(values: array[int]) -> Codes:
    return np.array(values, dtype=np.int32)


def scheme_in(store: Store) -> str | None:
    """Name of the scheme that a corpus was annotated with; None where nobody has judged.

    Raises UsageError where annotations were made with several schemes.
    """
    names = sorted({str(row[0]) for row in store.count_by(Annotation, "scheme")})
    if len(names) > 1:
        raise UsageError(
            f"annotations were made with several schemes: {', '.join(names)}",
            todo="say which: --scheme NAME, or scheme under [gold] in corpus.toml",
        )
    return names[0] if names else None
