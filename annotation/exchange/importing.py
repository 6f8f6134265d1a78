"""Judgements made elsewhere, brought in: checked like those of the page, appended, each once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType

from annotation.answers import Answer, Unanswered, answer_of
from annotation.exchange.votes import Vote
from annotation.rounds.following import Follower
from annotation.rounds.judging import SKIP_REASONS
from annotation.rounds.kinds import ADJUDICATION, MAIN, NAMES, THIRD
from annotation.rounds.people import clean_name
from annotation.rounds.reading import latest
from annotation.rounds.writing import writing
from annotation.schemes import LABEL, Scheme
from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.ids import make_id
from dalil.records import Annotation, Decision, Pair, Record, Skip, fit_text, utc_now

SAID = {
    "choose_one": "has no answer",
    "unknown_answer": "is none of the scheme's answers",
    "not_asked": "is not asked with the answers before it",
    "same_as_first": "equals the first choice",
    "too_long": "is too long",
}


@dataclass(frozen=True)
class Imported:
    """How many judgements, skips and rulings are new, and how many were there already."""

    judgements: int
    revisions: int
    skips: int
    rulings: int
    known: int


def bring_in(
    corpus: Corpus,
    scheme: Scheme,
    votes: Iterable[Vote],
    *,
    origin: str,
    follower: Follower,
    default_round: str = MAIN,
) -> Imported:
    """Append what is new, all or nothing.

    Raises InputError, with the place in the file, for an unknown pair, a round or an answer that the
    scheme does not allow.
    """
    store = corpus.store
    pairs = store.ids(Pair)
    stored = list(store.all(Annotation))
    known = latest(stored)
    revisions = {(one.pair_id, one.annotator, one.round, one.number): one for one in stored}
    rounds: dict[tuple[str, str], list[str]] = {}
    for pair, annotator, name in known:
        rounds.setdefault((pair, annotator), []).append(name)
    skips: dict[tuple[str, str, str], list[str]] = {}
    for skip in store.all(Skip):
        skips.setdefault((skip.pair_id, skip.annotator, skip.round), []).append(skip.reason)
    rulings: dict[str, Decision] = {}
    for ruling in store.all(Decision):
        if ruling.pair_id not in rulings or ruling.number > rulings[ruling.pair_id].number:
            rulings[ruling.pair_id] = ruling
    made: list[Record] = []
    counts = {"judgements": 0, "revisions": 0, "skips": 0, "rulings": 0, "known": 0}
    for vote in sorted(map(_sound, votes), key=lambda vote: vote.number):
        key = _key(vote, pairs, rounds, default_round)
        if vote.kind == "skip":
            record: Record | None = _skip(vote, key, skips)
            counts["skips" if record else "known"] += 1
        elif vote.kind == "decision":
            record = _ruling(vote, key, scheme, rulings)
            counts["rulings" if record else "known"] += 1
        else:
            before = known.get(key)
            record = _judgement(vote, key, scheme, known, revisions.get((*key, vote.number)), origin)
            counts["known" if record is None else "revisions" if before else "judgements"] += 1
        if record is not None:
            made.append(record)
    touched = {(one.pair_id, one.round) for one in made if isinstance(one, (Annotation, Skip))}
    with writing(store) as writer:
        writer.put_new(made)
        for pair, name in sorted(touched):
            follower.after(writer, pair, name)
    return Imported(**counts)


def _sound(vote: Vote) -> Vote:
    """The vote with texts that are texts, and seconds and offsets that are numbers."""
    texts = ("pair", "annotator", "round", "note", "reason", "at", "guideline", "shown_hash")
    for name in texts:
        if not isinstance(getattr(vote, name), (str, NoneType)):
            raise InputError(f"{name} {getattr(vote, name)!r} is not a text", where=vote.where)
    if vote.kind not in ("annotation", "skip", "decision"):
        raise InputError(f"unknown kind {vote.kind!r}", where=vote.where)
    try:
        seconds = None if vote.seconds is None else float(vote.seconds)
        if seconds is not None and not 0 <= seconds < math.inf:
            raise ValueError
    except (TypeError, ValueError) as error:
        raise InputError(f"seconds {vote.seconds!r} is not a number", where=vote.where) from error
    try:
        marked = [(int(start), int(end)) for start, end in vote.answers.get("sentences") or ()]
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("sentences must be pairs of offsets", where=vote.where) from error
    answers = {name: value for name, value in vote.answers.items() if name != "sentences"}
    note = vote.note.replace("\r\n", "\n").replace("\r", "\n") if vote.note else None
    return replace(
        vote, seconds=seconds, note=note, answers=answers | ({"sentences": marked} if marked else {})
    )


def _key(
    vote: Vote, pairs: set[str], rounds: Mapping[tuple[str, str], list[str]], default_round: str
) -> tuple[str, str, str]:
    """Pair, person and round. A format without rounds means the one in which the person judged the pair."""
    if vote.pair not in pairs:
        raise InputError(f"no pair has the id {vote.pair!r}", where=vote.where)
    before = rounds.get((vote.pair, vote.annotator), [])
    name = vote.round or (before[0] if len(before) == 1 else default_round)
    if name not in (*NAMES, ADJUDICATION):
        raise InputError(
            f"unknown round {name!r}", where=vote.where, todo=f"one of {', '.join(NAMES)}, or --round NAME"
        )
    try:
        annotator = clean_name(vote.annotator)
    except UsageError as error:
        raise InputError(error.what, where=vote.where) from error
    return vote.pair, annotator, name


def _judgement(
    vote: Vote,
    key: tuple[str, str, str],
    scheme: Scheme,
    known: dict[tuple[str, str, str], Annotation],
    revision: Annotation | None,
    origin: str,
) -> Annotation | None:
    answer = _answer(vote, scheme)
    before = known.get(key)
    if _said(before, answer) or _said(revision, answer):
        return None
    for other in ({MAIN, THIRD} - {key[2]}) if key[2] in (MAIN, THIRD) else ():
        if (key[0], key[1], other) in known:
            raise InputError(
                f"{key[1]} judged this pair in round {other} already",
                where=vote.where,
                todo="nobody judges a pair twice: leave one of the two out",
            )
    number = before.number + 1 if before else 1
    made = Annotation(
        id=make_id("annotation", *key, str(number)),
        pair_id=key[0],
        annotator=key[1],
        round=key[2],
        scheme=scheme.name,
        label=answer.label,
        confidence=answer.confidence,
        second=answer.second,
        answers=dict(answer.answers),
        note=answer.note,
        number=number,
        shown_hash=vote.shown_hash,
        guideline=vote.guideline,
        origin=origin,
        seconds=vote.seconds,
        at=vote.at or utc_now(),
    )
    known[key] = made
    return made


def _said(stored: Annotation | None, answer: Answer) -> bool:
    """Whether this is what is stored; a file without notes says nothing about them."""
    if stored is None:
        return False
    return (stored.label, stored.confidence, stored.second, stored.note) == (
        answer.label,
        answer.confidence,
        answer.second,
        answer.note or stored.note,
    ) and dict(stored.answers) == dict(answer.answers)


def _answer(vote: Vote, scheme: Scheme) -> Answer:
    given = {name: str(value) for name, value in vote.answers.items() if name != "sentences"}
    unknown = sorted(set(given) - {question.name for question in scheme.questions})
    if unknown:
        raise InputError(f"{', '.join(unknown)} is no question of the scheme", where=vote.where)
    given |= {
        name: str(value)
        for name, value in {
            LABEL: vote.label,
            "confidence": vote.confidence,
            "second": vote.second,
            "note": vote.note,
        }.items()
        if value is not None
    }
    sentences = vote.answers.get("sentences", ())
    try:
        return answer_of(scheme, given, sentences)
    except Unanswered as error:
        name, why = next(iter(error.problems.items()))
        raise InputError(f"{name} {given.get(name, '')!r} {SAID.get(why, why)}", where=vote.where) from error


def _skip(vote: Vote, key: tuple[str, str, str], known: dict[tuple[str, str, str], list[str]]) -> Skip | None:
    reason = vote.reason if vote.reason in SKIP_REASONS else "other"
    before = known.setdefault(key, [])
    if reason in before:
        return None
    before.append(reason)
    number = len(before)
    return Skip(
        id=make_id("skip", *key, str(number)),
        pair_id=key[0],
        annotator=key[1],
        round=key[2],
        reason=reason,
        note=fit_text(vote.note) if vote.note else None,
        number=number,
        at=vote.at or utc_now(),
    )


def _ruling(
    vote: Vote, key: tuple[str, str, str], scheme: Scheme, known: dict[str, Decision]
) -> Decision | None:
    if vote.label not in scheme.names:
        raise InputError(f"label {vote.label!r} is none of the scheme's answers", where=vote.where)
    before = known.get(key[0])
    if before is not None and (before.label, before.adjudicator) == (vote.label, key[1]):
        return None
    number = before.number + 1 if before else 1
    made = Decision(
        id=make_id("decision", key[0], str(number)),
        pair_id=key[0],
        adjudicator=key[1],
        label=vote.label,
        note=fit_text(vote.note) if vote.note else None,
        number=number,
        at=vote.at or utc_now(),
    )
    known[key[0]] = made
    return made


def file_origin(path: Path) -> str:
    """What an imported judgement says of where it comes from."""
    return f"file:{path.name}"
