"""`rrf`: the engines' order, words (BM25) and letters (n-grams), fused by their ranks.

Reciprocal rank fusion (Cormack, Clarke & Büttcher 2009, SIGIR): 1 / (60 + rank), summed. An engine knows
what dalil does not see (links, clicks, the whole page); the text ranker knows the claim. So there are
two voices of equal weight: the order of the engines' answers, all fused into one, and the mean of the
text rankers. Scores are scaled so that 1 is the first rank everywhere. Of equals each has the
mean of their ranks. A claim without any engine's order is ranked by the text rankers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from dalil.records import Article, Model
from retrieval.rankers.base import DIGITS, Asked, Ranker
from retrieval.rankers.bm25 import Bm25
from retrieval.rankers.chars import CharacterNgrams

K = 60


class Fused:
    """Scores above 0, up to 1."""

    NAME: ClassVar[str] = "rrf"

    def __init__(self, articles: Mapping[str, Article], fitted: Mapping[str, Model]):
        self.members = self.text_rankers(articles, fitted)

    def text_rankers(
        self, articles: Mapping[str, Article], fitted: Mapping[str, Model]
    ) -> tuple[Ranker, ...]:
        """The voices beside the engines' order."""
        return (Bm25(articles, fitted), CharacterNgrams(articles, fitted))

    @property
    def models(self) -> Sequence[Model]:
        """What the text rankers fitted."""
        return tuple(model for member in self.members for model in member.models)

    def scores(self, asked: Sequence[Asked]) -> Iterator[dict[str, float]]:
        """Fused scores."""
        voices = zip(*(member.scores(asked) for member in self.members), strict=True)
        for one, texts in zip(asked, voices, strict=True):
            yield fuse(one, texts)


def fuse(asked: Asked, texts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The fused score of each candidate, from the engines' orders and the text rankers' scores."""
    text = [reciprocal(scores) for scores in texts]
    weight = {key: sum(part[key] for part in text) / len(text) for key in asked.candidates}
    if asked.orders:
        order = reciprocal(consensus(asked))
        weight = {key: (value + order[key]) / 2 for key, value in weight.items()}
    return {key: round(value * (K + 1), DIGITS) for key, value in weight.items()}


def consensus(asked: Asked) -> dict[str, float]:
    """The engines' orders as one score: 1 / (60 + rank) summed over the answers that have the article."""
    total = dict.fromkeys(asked.candidates, 0.0)
    for order in asked.orders:
        for rank, key in enumerate(dict.fromkeys(order), 1):
            if key in total:
                total[key] += 1 / (K + rank)
    return {key: round(value, 12) for key, value in total.items()}


def reciprocal(scores: Mapping[str, float]) -> dict[str, float]:
    """1 / (60 + rank) by falling score; equals share the mean of their ranks."""
    ordered = sorted(scores, key=lambda key: (-scores[key], key))
    found: dict[str, float] = {}
    start = 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and scores[ordered[end]] == scores[ordered[start]]:
            end += 1
        rank = (start + 1 + end) / 2
        found |= dict.fromkeys(ordered[start:end], 1 / (K + rank))
        start = end
    return found
