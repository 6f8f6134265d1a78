"""Writing ClaimReview that validators accept: required properties always, unknown ones never.

Properties: https://schema.org/ClaimReview; required are `claimReviewed`, `reviewRating` and `url`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dalil.errors import InputError
from dalil.records import Claim

_NUMBERS = {"false": 1, "mixed": 3, "true": 5}
"""veracity → value on the scale from 1 (false) to 5 (true) that ClaimReview's guidelines use"""
_WORDS = {
    "ar": {"false": "زائف", "mixed": "مضلل", "true": "صحيح"},
    "en": {"false": "False", "mixed": "Misleading", "true": "True"},
}


def claim_review(
    claim: Claim, *, author: str, author_url: str | None = None, text: str | None = None
) -> dict[str, Any]:
    """A claim as ClaimReview. `text` stands in the place of the raw claim (the cleaned one).

    Raises InputError for a claim without the address of its review, or without verdict: a
    ClaimReview cannot be without.
    """
    if not claim.url:
        raise InputError(
            "a ClaimReview needs the address of the review", where=claim.id, todo="leave this claim out"
        )
    words = _WORDS.get(claim.language, _WORDS["en"])
    verdict = claim.verdict or words.get(claim.veracity)
    if not verdict:
        raise InputError("a ClaimReview needs a verdict", where=claim.id, todo="leave this claim out")
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": verdict}
    if claim.veracity in _NUMBERS:
        rating |= {"ratingValue": _NUMBERS[claim.veracity], "bestRating": 5, "worstRating": 1}
    item: dict[str, Any] = {"@type": "Claim"}
    if claim.claim_date:
        item["datePublished"] = claim.claim_date
    appearances = [
        post["url"] for post in claim.posts if post.get("url") and post.get("provenance") in _CLAIMED
    ]
    if appearances:
        item["appearance"] = [{"@type": "CreativeWork", "url": url} for url in dict.fromkeys(appearances)]
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "url": claim.url,
        "claimReviewed": text or claim.raw,
        "inLanguage": claim.language,
        "author": {"@type": "Organization", "name": author} | ({"url": author_url} if author_url else {}),
        "reviewRating": rating,
        "itemReviewed": item,
    }
    if claim.review_date:
        found["datePublished"] = claim.review_date
    return found


_CLAIMED = frozenset(("itemReviewed", "appearance"))
"""provenances that say that the post carries the claim; an embed is often evidence instead"""


def data_feed(reviews: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Many reviews as one feed (schema.org DataFeed)."""
    elements = [{"@type": "DataFeedItem", "item": [review]} for review in reviews]
    return {"@context": "https://schema.org", "@type": "DataFeed", "dataFeedElement": elements}


def script_tag(value: dict[str, Any]) -> str:
    """The element for a page's head. No text inside can end it."""
    inside = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{inside}</script>'
