"""What an analyzer gives for a claim, whichever backend it is: tokens, tags, trees, entities.

Every offset counts characters of the text that was given to the analyzer, unchanged: a backend
that normalises letters or punctuation maps back before it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable

ENTITY_TYPES = ("PERS", "LOC", "ORG", "MISC")
"""The types of ANERcorp; backends map their own onto these."""


@dataclass(frozen=True, slots=True)
class Token:
    """One syntactic word: a clitic (و، ف، ب، ل، ها …) is a token of its own.

    `text` is the word as the backend spells it, `start` and `end` where it lies in the raw text.
    Words whose letters have merged may share one span. `head` is the index of another token, or
    -1 for the root, and `deprel` a Universal Dependencies relation; both None without a tree.
    """

    text: str
    start: int
    end: int
    upos: str
    head: int | None = None
    deprel: str | None = None


@dataclass(frozen=True, slots=True)
class Constituent:
    """A phrase of a constituency tree: label, first token and the token after the last."""

    label: str
    first: int
    after: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity. `text` is its name without clitics (للسعودية → السعودية)."""

    start: int
    end: int
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """One text, analysed. `constituents` are in pre-order; None where the backend has no phrases.

    `backend`, `model_hash` (weights and lists together) and `version` say what made it, so that
    a query made from it can be traced and is made anew when any of them changes.
    """

    text: str
    tokens: tuple[Token, ...]
    entities: tuple[Entity, ...] = ()
    constituents: tuple[Constituent, ...] | None = None
    backend: str = ""
    model_hash: str = ""
    version: int = 1

    def __post_init__(self) -> None:
        """Refuse offsets outside the text, tokens out of order and heads that do not exist.

        Raises ValueError: a wrong analysis is an error of the backend's adapter, never the user's.
        """
        previous = 0
        for number, token in enumerate(self.tokens):
            _span(self.text, token.start, token.end, f"token {number} {token.text!r}")
            if token.start < previous:
                raise ValueError(f"token {number} {token.text!r} starts before the one it follows")
            previous = token.start
            if token.head is not None and not (-1 <= token.head < len(self.tokens)):
                raise ValueError(f"token {number} {token.text!r} has head {token.head}, which is no token")
        for entity in self.entities:
            _span(self.text, entity.start, entity.end, f"entity {entity.text!r}")
        for phrase in self.constituents or ():
            if not 0 <= phrase.first < phrase.after <= len(self.tokens):
                raise ValueError(
                    f"constituent {phrase.label} covers no tokens: {phrase.first}–{phrase.after}"
                )

    @property
    def has_tree(self) -> bool:
        """Whether every token has a head."""
        return bool(self.tokens) and all(token.head is not None for token in self.tokens)

    def to_dict(self) -> dict[str, Any]:
        """Plain mappings and lists, as JSON has them; `from_dict` reads them back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Analysis:
        """The analysis that `to_dict` wrote."""
        phrases = value.get("constituents")
        return cls(
            text=value["text"],
            tokens=tuple(Token(**token) for token in value["tokens"]),
            entities=tuple(Entity(**entity) for entity in value["entities"]),
            constituents=None if phrases is None else tuple(Constituent(**phrase) for phrase in phrases),
            backend=value["backend"],
            model_hash=value["model_hash"],
            version=value["version"],
        )


@runtime_checkable
class Analyzer(Protocol):
    """A backend. Making one loads its models; a missing model is a DalilError that names the command."""

    name: str
    version: int

    @property
    def model_hash(self) -> str:
        """Hash over everything that decides its answers: weights, name lists, settings."""
        ...

    def analyse(self, text: str) -> Analysis:
        """One text, analysed."""
        ...

    def analyse_all(self, texts: Iterable[str]) -> Iterator[Analysis]:
        """Many texts in order; a backend that is faster on batches makes batches here."""
        ...


def _span(text: str, start: int, end: int, what: str) -> None:
    if not 0 <= start < end <= len(text):
        raise ValueError(f"{what} lies at {start}–{end}, outside a text of {len(text)} characters")
