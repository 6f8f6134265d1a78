"""Leakage marks: an article that gives the claim's verdict away, or that the claim was made from.

`own_site`      the page that the claim itself came from, or a copy of it
`fact_checker`  a page of a fact-checker, or a copy of one: a debunk of the claim
`after_review`  published after the review: it may repeat the verdict

What a mark does is the corpus's choice: `[pair.leakage]` in corpus.toml, "mark" or "drop".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from dalil.config import Settings
from dalil.records import Article, Claim
from dalil.text.urls import document_id
from retrieval.outlets import Outlets

Policy = Literal["mark", "drop"]


class LeakagePolicy(Settings):
    """`[pair.leakage]`: what becomes of a pair with a mark."""

    own_site: Policy = "drop"
    fact_checker: Policy = "mark"
    after_review: Policy = "mark"


def own_documents(claim: Claim) -> frozenset[str]:
    """Ids of the documents that a claim came from."""
    return frozenset(document_id(url) for url in (claim.url, *claim.own_pages) if url)


def marks(
    claim: Claim,
    article: Article,
    documents: Collection[str],
    outlets: Collection[str],
    checkers: Outlets,
    own: frozenset[str],
) -> tuple[str, ...]:
    """The leakage marks of a pair.

    `documents` and `outlets` are the article's and its copies'; `own` are the claim's documents.
    """
    found = []
    if own and not own.isdisjoint(documents):
        found.append("own_site")
    if any(outlet in checkers for outlet in outlets):
        found.append("fact_checker")
    if claim.review_date and article.published and _later(article.published, claim.review_date):
        found.append("after_review")
    return tuple(found)


def dropped(found: Collection[str], policy: LeakagePolicy) -> str | None:
    """The mark for which a pair is dropped under a policy, or None."""
    return next((mark for mark in found if getattr(policy, mark) == "drop"), None)


def _later(published: str, review: str) -> bool:
    """Whether a date lies after another, as far as both are known (a month is not after its own day)."""
    known = min(len(published), len(review), 10)
    return published[:known] > review[:known]
