"""Rankers, one a file: how alike an article is to a claim. `[pair] ranker` of corpus.toml chooses one.

To add one: a file here with a class of the shape of `Ranker`, and its name in `RANKERS`. What each
reaches on real data: benchmarks/ranking_quality.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from dalil.errors import UsageError
from dalil.records import Article, Model
from dalil.resources import entry_point
from retrieval.rankers.base import Asked, Ranker

__all__ = ["DEFAULT", "FROZEN", "RANKERS", "Asked", "Ranker", "make_ranker"]

RANKERS: dict[str, str] = {
    "tfidf": "retrieval.rankers.tfidf:TfidfCosine",
    "bm25": "retrieval.rankers.bm25:Bm25",
    "chars": "retrieval.rankers.chars:CharacterNgrams",
    "usem3": "retrieval.rankers.usem3:SentenceVectors",
    "rrf": "retrieval.rankers.rrf:Fused",
    "rrf-usem3": "retrieval.rankers.rrf_usem3:FusedWithVectors",
}
"""Name → class."""
DEFAULT = "tfidf"
"""The paper's."""
FROZEN = "rrf-usem3"
"""The one that was chosen on public data, without training, and is not tuned since."""


def make_ranker(name: str, articles: Mapping[str, Article], fitted: Mapping[str, Model]) -> Ranker:
    """The ranker of this name for the articles (by id) of a corpus; `fitted`: models kept, by id.

    Raises UsageError for an unknown name, and for a ranker whose library is not installed.
    """
    if name not in RANKERS:
        raise UsageError(f"unknown ranker {name!r}", where="pair.ranker", todo=f"one of {', '.join(RANKERS)}")
    made: Ranker = entry_point(RANKERS[name])(articles, fitted)
    return made
