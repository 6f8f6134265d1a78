"""Search engines, one a file. An engine turns a question into raw answers, and raw answers into hits.

To add one: a file here with a class of this shape, and its name in `ENGINES`
(docs/how-to-add-an-engine.md). What web services have in common lies in `retrieval.engines.web`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Hit, SearchPage
from dalil.resources import entry_point


@dataclass(frozen=True)
class Question:
    """What is asked: text and window (ISO dates, inclusive, or None), and the ids of the claims that ask."""

    text: str
    start: str | None = None
    end: str | None = None
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What came back, raw: replayable by `Engine.hits` alone."""

    status: int
    body: str
    cost: float = 0.0


class NotAnswered(Exception):
    """Raised by `Engine.hits`: the stored answer refuses this question, or is none; in the engine's words."""


class Engine(Protocol):
    """A search service or a local collection."""

    NAME: ClassVar[str]
    DATES: ClassVar[str]
    """what its dates mean: published, estimated, discovered, seen, none"""
    CAP: ClassVar[int]
    """most results it gives for a question"""
    COST: ClassVar[float]
    """dollars a request"""
    POST_FILTERS: ClassVar[bool]
    """whether it cannot restrict to a window itself, so that dalil filters its hits"""

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """What to send for this page (1, 2, …), without secrets; None when there is nothing more."""
        ...

    def ask(self, what: dict[str, Any]) -> Answer:
        """Send it. Raises LimitReached (quota, credits) or dalil.stages.Transient."""
        ...

    def hits(self, page: SearchPage) -> list[Hit]:
        """Parse a stored answer: pure, so that a stored page can be read again by a better parser.

        Raises NotAnswered, which becomes a drop, or InputError, which stops the run.
        """
        ...


@runtime_checkable
class Announces(Protocol):
    """An engine with something to say at every use (a closing date)."""

    def notices(self) -> tuple[str, ...]:
        """One line each."""
        ...


@runtime_checkable
class Chooses(Protocol):
    """An engine that cannot ask some questions: its `request` counts them here, by reason."""

    unasked: Counter[str]


@runtime_checkable
class Rewords(Protocol):
    """An engine whose requests an older dalil wrote down in another form."""

    def reworded(self, what: dict[str, Any]) -> dict[str, Any]:
        """A stored request as it would be made now."""
        ...


ENGINES: dict[str, str] = {
    "collection": "retrieval.engines.collection:CollectionEngine",
    "google": "retrieval.engines.google:GoogleEngine",
    "brave": "retrieval.engines.brave:BraveEngine",
    "serpapi": "retrieval.engines.serpapi:SerpApiEngine",
    "searxng": "retrieval.engines.searxng:SearxngEngine",
    "gdelt": "retrieval.engines.gdelt:GdeltEngine",
}


def check_engine(name: str, file: Path, key: str = "engines") -> None:
    """Raise UsageError where there is no engine of this name, which stands under [search] of `file`."""
    if name not in ENGINES:
        raise UsageError(
            f"unknown engine {name!r}",
            where=f"{file}: search.{key}",
            todo=f"one of {', '.join(ENGINES)}",
        )


def make_engine(name: str, corpus: Corpus) -> Engine:
    """The engine of this name for a corpus. Raises UsageError for an unknown one."""
    check_engine(name, corpus.config.path)
    engine: Engine = entry_point(ENGINES[name])(corpus)
    return engine
