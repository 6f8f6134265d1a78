"""`tfidf`: cosine of TF-IDF vectors of claim and article (title and body): AraStance's way, the default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from dalil.records import Article, Model
from retrieval.found import MODEL
from retrieval.rank import TfidfRanker
from retrieval.rankers.base import Asked


class TfidfCosine:
    """Scores from 0 to 1 (Alhindi et al. 2021, "Documents")."""

    NAME: ClassVar[str] = "tfidf"

    def __init__(self, articles: Mapping[str, Article], fitted: Mapping[str, Model]):
        self.inner = TfidfRanker(articles, fitted.get(MODEL))

    @property
    def models(self) -> Sequence[Model]:
        """Document frequencies."""
        return (self.inner.model,)

    def scores(self, asked: Sequence[Asked]) -> Iterator[dict[str, float]]:
        """Cosines."""
        return self.inner.scores([one.text for one in asked], [one.candidates for one in asked])
