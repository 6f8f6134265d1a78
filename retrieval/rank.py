"""Rankers: how alike an article is to a claim. TF-IDF is the paper's (AraStance, "Documents")."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.records import Article
from dalil.text.similar import Tfidf


def article_text(article: Article) -> str:
    """What is compared with a claim: title and body."""
    return f"{article.title or ''}\n{article.text}"


def fit(articles: Sequence[Article]) -> Tfidf:
    """TF-IDF fitted on the articles of the corpus."""
    return Tfidf.fit([article_text(article) for article in articles])
