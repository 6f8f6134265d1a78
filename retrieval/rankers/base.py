"""What rankers share: what they are asked, what they compare, and products in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Protocol

from dalil.records import Article, Model

BLOCK = 64
"""claims whose scores are computed at once"""
DIGITS = 6
"""scores are rounded, so that ties are ties on every machine"""
HEAD = 300
"""characters of a text that stand in for a title"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim to rank for: its text, its candidates (article ids), and the engines' own orders.

    Each order is one answer of one engine, best first; articles that are no candidates may be in it.
    """

    text: str
    candidates: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...] = ()


class Ranker(Protocol):
    """Made for the articles of a corpus (id → Article) and the models kept from before (id → Model)."""

    NAME: ClassVar[str]

    @property
    def models(self) -> Sequence[Model]:
        """What was fitted, to be kept: then scores do not move when articles are added."""
        ...

    def scores(self, asked: Sequence[Asked]) -> Iterator[dict[str, float]]:
        """For each claim, the score of each of its candidates: higher is more alike."""
        ...


def head(article: Article) -> str:
    """The title; for an article without one its first 300 characters, to the end of a word.

    A title says what the article claims, and on real search results it ranks better than title with
    snippet (benchmarks/ranking_quality.md).
    """
    if article.title and article.title.strip():
        return article.title
    text = article.text
    if len(text) <= HEAD:
        return text
    cut = text.rfind(" ", HEAD // 2, HEAD + 1)
    return text[: cut if cut > 0 else HEAD]


def terms(text: str) -> list[str]:
    """Folded, stripped and stemmed words, as a local collection has them."""
    return _analyse()(text)


@lru_cache(maxsize=1)
def _analyse() -> Callable[[str], list[str]]:
    from dalil.collection.analysis import prepare
    from dalil.collection.tantivy_index import analyzer

    made = analyzer()

    def analyse(text: str) -> list[str]:
        return list(made.analyze(prepare(text)))

    return analyse


def products(
    asked: Sequence[Asked], place: Mapping[str, int], rows: Callable[[list[str]], Any], columns: Any
) -> Iterator[dict[str, float]]:
    """Scores as the product of claims (`rows` of texts) and articles (`columns`, in the order of `place`)."""
    for start in range(0, len(asked), BLOCK):
        block = asked[start : start + BLOCK]
        values = rows([one.text for one in block]) @ columns
        dense = (values.toarray() if hasattr(values, "toarray") else values).round(DIGITS)
        for row, one in zip(dense, block, strict=True):
            yield {key: float(row[place[key]]) for key in one.candidates}


def places(keys: Iterable[str]) -> dict[str, int]:
    """Article id → its number, in the order of ids."""
    return {key: number for number, key in enumerate(sorted(keys))}
