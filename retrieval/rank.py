"""Rankers: how alike an article is to a claim. TF-IDF is the paper's (AraStance, "Documents")."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from dalil.records import Article, Model
from dalil.text.similar import Tfidf
from retrieval.found import MODEL

BLOCK = 64
"""claims whose similarities are computed at once"""
DIGITS = 6
"""scores are rounded, so that ties are ties on every machine"""


def article_text(article: Article) -> str:
    """What is compared with a claim: title and body."""
    return f"{article.title or ''}\n{article.text}"


class TfidfRanker:
    """Cosine of TF-IDF vectors, fitted on the articles of the corpus, or with a model fitted before."""

    def __init__(self, articles: Mapping[str, Article], fitted: Model | None):
        order = sorted(articles)
        self.place = {key: number for number, key in enumerate(order)}
        texts = [article_text(articles[key]) for key in order]
        if fitted is None:
            self.tfidf = Tfidf.fit(texts)
            matrix = self.tfidf.matrix
            self.model = Model(id=MODEL, kind="tfidf", data=self.tfidf.to_plain())
        else:
            self.tfidf = Tfidf.from_plain(fitted.data)
            matrix = self.tfidf.transform(texts)
            self.model = fitted
        self.by_term = matrix.T.tocsr()

    def scores(
        self, texts: Sequence[str], candidates: Sequence[Collection[str]]
    ) -> Iterator[dict[str, float]]:
        """For each text the similarities (0…1) of its candidates, by article id."""
        for start in range(0, len(texts), BLOCK):
            block = self.tfidf.transform(texts[start : start + BLOCK])
            values = (block @ self.by_term).toarray().round(DIGITS)
            for row, wanted in zip(values, candidates[start : start + BLOCK], strict=True):
                yield {key: float(row[self.place[key]]) for key in wanted}
