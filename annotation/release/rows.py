"""The rows of a release: one a pair with gold, every one traceable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dalil.records import Article, Claim, CleanedClaim, Gold, Hit, Pair, Query
from dalil.state.store import Store


def rows(store: Store) -> Iterator[dict[str, Any]]:
    """Pairs with gold, ordered by id: claim, article, label, and how the pair was found."""
    claims = {claim.id: claim for claim in store.all(Claim)}
    cleaned = {claim.id: claim.text for claim in store.all(CleanedClaim)}
    articles = {article.id: article for article in store.all(Article)}
    hits = {hit.id: hit for hit in store.all(Hit)}
    variants: dict[tuple[str, str], tuple[str, ...]] = {
        (query.claim_id, query.question): query.variants for query in store.all(Query)
    }
    gold = {label.id: label for label in store.all(Gold)}
    for pair in store.all(Pair):
        if pair.id in gold:
            claim, article = claims[pair.claim_id], articles[pair.article_id]
            yield _row(pair, claim, cleaned.get(claim.id, claim.raw), article, gold[pair.id]) | {
                "found_by": [_found(hits[key], pair, variants) for key in pair.hits if key in hits]
            }


def _row(pair: Pair, claim: Claim, text: str, article: Article, gold: Gold) -> dict[str, Any]:
    return {
        "id": pair.id,
        "claim_id": claim.id,
        "claim": text,
        "claim_raw": claim.raw,
        "claim_url": claim.url,
        "site": claim.site,
        "veracity": claim.veracity,
        "domain": claim.domain,
        "country": claim.country,
        "claim_date": claim.claim_date,
        "review_date": claim.review_date,
        "article_id": article.id,
        "article_title": article.title,
        "article": article.text,
        "article_url": article.url,
        "outlet": article.outlet,
        "published": article.published,
        "published_from": article.published_from,
        "label": gold.label,
        "label_from": gold.how,
        "votes": gold.votes,
        "rank": pair.rank,
        "score": pair.score,
        "marks": list(pair.marks),
    }


def _found(hit: Hit, pair: Pair, variants: dict[tuple[str, str], tuple[str, ...]]) -> dict[str, Any]:
    names = variants.get((pair.claim_id, hit.question), ())
    return {"engine": hit.engine, "rank": hit.rank, "variants": list(names)}
