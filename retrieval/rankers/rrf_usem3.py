"""`rrf-usem3`: the engines' order, BM25 and sentence vectors, fused by their ranks (`rrf` says how)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from dalil.records import Article, Model
from retrieval.rankers.base import Ranker
from retrieval.rankers.bm25 import Bm25
from retrieval.rankers.rrf import Fused
from retrieval.rankers.usem3 import SentenceVectors


class FusedWithVectors(Fused):
    """Words and meaning beside the engines' order; needs the extra `usem3`."""

    NAME: ClassVar[str] = "rrf-usem3"

    def text_rankers(
        self, articles: Mapping[str, Article], fitted: Mapping[str, Model]
    ) -> tuple[Ranker, ...]:
        """BM25 and sentence vectors."""
        return (Bm25(articles, fitted), SentenceVectors(articles, fitted))
