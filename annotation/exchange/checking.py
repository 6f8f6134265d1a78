"""A vote of a file, made sound: texts that are texts, numbers that are numbers, times in one form.

What a scheme allows is checked later, and only of what is new: schemes change.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import NoneType
from typing import Any

from annotation.answers import LONGEST_TEXT
from annotation.exchange.votes import ANNOTATION, DECISION, SKIP, Vote
from annotation.rounds.judging import SKIP_REASONS
from annotation.rounds.kinds import ADJUDICATION, AGAIN, NAMES
from annotation.rounds.people import clean_name
from dalil.errors import InputError, UsageError
from dalil.records import fit_text

ROUNDS = (*NAMES, AGAIN, ADJUDICATION)
LONGEST_WORD = 200
"""of what is no text of somebody's own: ids, versions, hashes"""
_TEXTS = (
    "pair", "annotator", "round", "label", "second", "note", "reason", "kind", "at", "guideline",
    "shown_hash", "scheme",
)  # fmt: skip
_OWN_WORDS = ("note", "reason")


def checked(vote: Vote, called: Mapping[str, str]) -> Vote:
    """The vote in the form in which votes are stored and compared. `called`: name in the file → name here.

    Raises InputError with its place.
    """
    _only_texts(vote)
    if vote.kind not in (ANNOTATION, SKIP, DECISION):
        raise InputError(f"unknown kind {vote.kind!r}", where=vote.where)
    if vote.round and vote.round not in ROUNDS:
        raise InputError(
            f"unknown round {vote.round!r}", where=vote.where, todo=f"rounds are: {', '.join(ROUNDS)}"
        )
    if vote.number is not None and vote.number < 1:
        raise InputError(f"number {vote.number} is no revision: they count from 1", where=vote.where)
    ruled = vote.kind == ANNOTATION and vote.round == ADJUDICATION
    made = replace(
        vote,
        annotator=_name(vote, called),
        round=ADJUDICATION if vote.kind == DECISION else vote.round,
        label=_word(vote.label),
        second=_word(vote.second),
        note=_own_words(vote, vote.note, "note"),
        answers=_answers(vote),
        kind=DECISION if ruled else vote.kind,
        seconds=_seconds(vote),
        at=_time(vote),
        guideline=_word(vote.guideline),
        shown_hash=_word(vote.shown_hash),
        scheme=_word(vote.scheme),
    )
    return _with_reason(made) if made.kind == SKIP else made


def in_order(votes: Iterable[Vote], called: Mapping[str, str]) -> list[Vote]:
    """Votes of a file, checked, revisions after what they revise.

    Raises InputError as `checked` does, and where a file says two things of one revision.
    """
    made = sorted(
        (checked(vote, called) for vote in votes), key=lambda vote: (vote.number or 1, vote.at or "")
    )
    seen: dict[tuple[Any, ...], Vote] = {}
    for vote in made:
        if vote.kind == SKIP:
            continue
        key = (
            vote.kind,
            vote.pair,
            vote.kind == ANNOTATION and vote.annotator,
            vote.round,
            vote.number,
            vote.at,
        )
        first = seen.setdefault(key, vote)
        if _said(first) != _said(vote):
            raise InputError(
                f"{vote.annotator} says something else of the same pair at {first.where}",
                where=vote.where,
                todo="leave one of the two out, or number them as revisions",
            )
    return made


def _said(vote: Vote) -> tuple[Any, ...]:
    return (vote.annotator, vote.label, vote.confidence, vote.second, dict(vote.answers))


def _only_texts(vote: Vote) -> None:
    for name in _TEXTS:
        value = getattr(vote, name)
        if not isinstance(value, (str, NoneType)):
            raise InputError(f"{name} {value!r} is not a text", where=vote.where)
        if value and name not in _OWN_WORDS and len(value) > LONGEST_WORD:
            raise InputError(f"{name} has {len(value):,} characters", where=vote.where)


def _name(vote: Vote, called: Mapping[str, str]) -> str:
    try:
        name = clean_name(vote.annotator)
        return clean_name(called[name]) if name in called else name
    except UsageError as error:
        raise InputError(error.what, where=vote.where) from error


def _word(text: str | None) -> str | None:
    return fit_text(text).strip() or None if text else None


def _own_words(vote: Vote, text: str | None, what: str) -> str | None:
    """A note as the page would keep it. Raises InputError for one that is too long to be kept whole."""
    found = _word(text)
    if found and len(found) > LONGEST_TEXT:
        raise InputError(
            f"{what} has {len(found):,} characters, more than {LONGEST_TEXT:,}", where=vote.where
        )
    return found


def _with_reason(vote: Vote) -> Vote:
    """A skip with a reason of ours; in the words of another tool it becomes `other` with a note."""
    said = _own_words(vote, vote.reason, "reason")
    if said is None or said in SKIP_REASONS:
        return replace(vote, reason=said)
    note = f"{said}\n\n{vote.note}" if vote.note else said
    return replace(vote, reason="other", note=_own_words(vote, note, "note"))


def _answers(vote: Vote) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in vote.answers.items():
        if name == "sentences":
            out |= {"sentences": marked} if (marked := _marked(vote, value)) else {}
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            value = int(value) if isinstance(value, float) and value.is_integer() else value
            out |= {name: text} if (text := _word(str(value))) else {}
        elif value is not None:
            raise InputError(f"answer {name} {value!r} is neither text nor number", where=vote.where)
    return out


def _marked(vote: Vote, value: Any) -> tuple[tuple[int, int], ...]:
    try:
        marked = {(int(start), int(end)) for start, end in value or ()}
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("sentences must be pairs of offsets", where=vote.where) from error
    if any(not 0 <= start < end for start, end in marked):
        raise InputError("sentences must be offsets of a start and an end after it", where=vote.where)
    return tuple(sorted(marked))


def _seconds(vote: Vote) -> float | None:
    try:
        seconds = None if vote.seconds is None else float(vote.seconds)
        if seconds is not None and not 0 <= seconds < math.inf:
            raise ValueError
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"seconds {vote.seconds!r} is not a number", where=vote.where) from error
    return seconds


def _time(vote: Vote) -> str | None:
    """UTC with seconds. A time without a zone is UTC."""
    if not vote.at:
        return None
    try:
        found = datetime.fromisoformat(vote.at.strip())
        at = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"at {vote.at!r} is no time such as 2026-11-30T08:15:00Z", where=vote.where
        ) from error
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def renamed(given: Iterable[str]) -> dict[str, str]:
    """`name in the file=name here` as given on the command line. Raises UsageError."""
    out: dict[str, str] = {}
    for text in given:
        there, equal, here = text.rpartition("=")
        if not equal or not there.strip() or not here.strip():
            raise UsageError(f"--name {text}: not NAME IN THE FILE=NAME HERE", todo="such as --name 7=Amal")
        key = clean_name(there)
        if out.setdefault(key, clean_name(here)) != clean_name(here):
            raise UsageError(f"--name: {key} is given two names")
    return out
