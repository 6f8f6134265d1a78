"""What all formats share: tasks with their texts, and what people said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.schemes import Scheme

ANNOTATION, SKIP, DECISION = "annotation", "skip", "decision"


@dataclass(frozen=True)
class Vote:
    """What somebody said of a pair: a judgement, a skip (`reason`), or a ruling.

    As read from a file nothing of it is checked yet, and what the file does not say is None or "".
    """

    pair: str
    annotator: str
    round: str
    label: str | None = None
    confidence: int | None = None
    second: str | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    note: str | None = None
    number: int | None = None
    """which revision"""
    reason: str | None = None
    """of a skip"""
    kind: str = ANNOTATION
    seconds: float | str | None = None
    at: str | None = None
    guideline: str | None = None
    shown_hash: str | None = None
    scheme: str | None = None
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
    plain: bool = False
    """EffiARA's table is for a program: nothing stands before cells that look like formulas"""

    def last(self) -> list[Vote]:
        """Judgements without those that were revised, in order of pairs, people and rounds."""
        best: dict[tuple[str, str, str], Vote] = {}
        for vote in self.votes:
            key = (vote.pair, vote.annotator, vote.round)
            if vote.kind == ANNOTATION and (key not in best or (vote.number or 1) > (best[key].number or 1)):
                best[key] = vote
        return [best[key] for key in sorted(best)]

    def skips(self) -> list[Vote]:
        """Skips that no judgement followed."""
        judged = {(vote.pair, vote.annotator, vote.round) for vote in self.votes if vote.kind == ANNOTATION}
        return [
            vote
            for vote in self.votes
            if vote.kind == SKIP and (vote.pair, vote.annotator, vote.round) not in judged
        ]

    def judged_or_skipped(self) -> list[Vote]:
        """Last revisions, and skips: what tools have that know no adjudication."""
        return [*self.last(), *self.skips()]

    def rulings(self) -> list[Vote]:
        """The last ruling on each pair that has one."""
        best: dict[str, Vote] = {}
        for vote in self.votes:
            if vote.kind == DECISION and (
                vote.pair not in best or (vote.number or 1) > (best[vote.pair].number or 1)
            ):
                best[vote.pair] = vote
        return [best[pair] for pair in sorted(best)]


@dataclass(frozen=True)
class Format:
    """How one format is written and read."""

    write: Callable[[Export], str]
    holds: Callable[[Export], Sequence[Vote]]
    """what of all that `write` puts down"""
    read: Callable[[Path, Scheme], Iterable[Vote]]
    suffix: str
    about: str
