"""What all formats share: tasks with their texts, and what people said of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.schemes import Scheme
from dalil.corpus import Corpus
from dalil.errors import InputError, StateError
from dalil.records import Annotation, Article, Claim, CleanedClaim, Decision, Pair, Skip


@dataclass(frozen=True)
class Vote:
    """What somebody said of a pair: a judgement, a skip (`reason`), or a ruling."""

    pair: str
    annotator: str
    round: str
    label: str | None = None
    confidence: int | None = None
    second: str | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    note: str | None = None
    number: int = 1
    reason: str | None = None
    """of a skip"""
    kind: str = "annotation"
    """annotation, skip or decision"""
    seconds: float | str | None = None
    """as read from a file a text, too; what is brought in is checked"""
    at: str | None = None
    guideline: str | None = None
    shown_hash: str | None = None
    where: str = ""
    """file and place, when it was read"""


@dataclass(frozen=True)
class Task:
    """A pair with its texts."""

    pair: str
    claim_id: str
    claim: str
    title: str | None
    text: str
    url: str | None
    outlet: str | None
    published: str | None
    language: str


@dataclass(frozen=True)
class Export:
    """Everything that a format writes from."""

    scheme: Scheme
    tasks: Mapping[str, Task]
    votes: Sequence[Vote]

    def last(self) -> list[Vote]:
        """Judgements without those that were revised, in order of pairs, rounds and people."""
        best: dict[tuple[str, str, str], Vote] = {}
        for vote in self.votes:
            key = (vote.pair, vote.annotator, vote.round)
            if vote.kind == "annotation" and (key not in best or vote.number > best[key].number):
                best[key] = vote
        return [best[key] for key in sorted(best)]

    def skips(self) -> list[Vote]:
        """Skips that no judgement followed."""
        judged = {(vote.pair, vote.annotator, vote.round) for vote in self.votes if vote.kind == "annotation"}
        return [
            vote
            for vote in self.votes
            if vote.kind == "skip" and (vote.pair, vote.annotator, vote.round) not in judged
        ]


@dataclass(frozen=True)
class Format:
    """How one format is written and read."""

    write: Callable[[Export], str]
    read: Callable[[Path, Scheme], Iterable[Vote]]
    suffix: str
    about: str


def gathered(corpus: Corpus, scheme: Scheme, name: Callable[[str], str], *, notes: bool) -> Export:
    """All judgements, skips and rulings, under the names that `name` gives. Notes only where asked for:
    they may name people.
    """
    store = corpus.store
    votes: list[Vote] = []
    for one in store.all(Annotation):
        votes.append(
            Vote(
                pair=one.pair_id,
                annotator=name(one.annotator),
                round=one.round,
                label=one.label,
                confidence=one.confidence,
                second=one.second,
                answers=one.answers,
                note=one.note if notes else None,
                number=one.number,
                seconds=one.seconds,
                at=one.at,
                guideline=one.guideline,
                shown_hash=one.shown_hash,
            )
        )
    for skip in store.all(Skip):
        votes.append(
            Vote(
                pair=skip.pair_id,
                annotator=name(skip.annotator),
                round=skip.round,
                reason=skip.reason,
                note=skip.note if notes else None,
                number=skip.number,
                kind="skip",
                at=skip.at,
            )
        )
    for ruling in store.all(Decision):
        votes.append(
            Vote(
                pair=ruling.pair_id,
                annotator=name(ruling.adjudicator),
                round="adjudication",
                label=ruling.label,
                note=ruling.note if notes else None,
                number=ruling.number,
                kind="decision",
                at=ruling.at,
            )
        )
    votes.sort(key=lambda vote: (vote.pair, vote.kind, vote.round, vote.annotator, vote.number))
    return Export(scheme, _tasks(corpus), votes)


def _tasks(corpus: Corpus) -> dict[str, Task]:
    store = corpus.store
    claims = {claim.id: claim for claim in store.all(Claim)}
    cleaned = {made.id: made.text for made in store.all(CleanedClaim)}
    articles = {article.id: article for article in store.all(Article)}
    out = {}
    for pair in store.all(Pair):
        claim, article = claims.get(pair.claim_id), articles.get(pair.article_id)
        if claim is None or article is None:
            continue
        out[pair.id] = Task(
            pair=pair.id,
            claim_id=claim.id,
            claim=cleaned.get(claim.id, claim.raw),
            title=article.title,
            text=article.text,
            url=article.url,
            outlet=article.outlet,
            published=article.published,
            language=claim.language,
        )
    return out


def text_of(path: Path) -> str:
    """A file's text, with or without a byte order mark. Raises InputError for what is not UTF-8."""
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError("no such file", where=path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as UTF-8 text ({error})", where=path) from error


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises StateError when it cannot be written."""
    beside = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8", newline="")
        beside.replace(path)
    except OSError as error:
        raise StateError(
            f"cannot be written: {error.strerror}", where=path, todo="check path and permissions"
        ) from error


def whole(value: Any, where: str, what: str) -> int | None:
    """A whole number, or None for nothing. Raises InputError for anything else."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not math.isfinite(number) or number != int(number):
        raise InputError(f"{what} {value!r} is not a whole number", where=where)
    return int(number)


def inside(value: Any, where: str, what: str) -> dict[str, Any]:
    """An object of a JSON file, or an empty one for nothing. Raises InputError for anything else."""
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{what} must be an object", where=where)
    return value


def listed(value: Any, where: str, what: str) -> list[Any]:
    """A list of a JSON file, or an empty one for nothing. Raises InputError for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list", where=where)
    return value
