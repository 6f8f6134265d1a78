"""What led to a pair: which query on which engine found it, on which day, and who judged it how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from annotation.release.material import Released
from dalil.records import ClaimEdit, Hit, Query, SearchPage
from dalil.state.store import Store
from dalil.state.tables import TABLES

SHORT = ("engine", "rank", "variants")
"""what a row of the release itself says of each hit"""


def hits_of(store: Store, released: Iterable[Released]) -> dict[str, list[dict[str, Any]]]:
    """Pair → the hits that found its document: engine, rank, query and window, day."""
    released = list(released)
    wanted = {key for one in released for key in one.pair.hits}
    hits = {hit.id: hit for hit in store.all(Hit) if hit.id in wanted}
    questions = {hit.question for hit in hits.values()}
    queries: dict[tuple[str, str], Query] = {
        (query.claim_id, query.question): query for query in store.all(Query) if query.question in questions
    }
    asked = _asked(store, {hit.page_id for hit in hits.values()})
    return {
        one.pair.id: [
            _hit(hits[key], queries.get((one.claim.id, hits[key].question)), asked)
            for key in one.pair.hits
            if key in hits
        ]
        for one in released
    }


def short(hits: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The part that stands in the rows."""
    return {pair: [{name: hit[name] for name in SHORT} for hit in found] for pair, found in hits.items()}


def provenance(
    store: Store,
    released: Iterable[Released],
    hits: Mapping[str, Sequence[Mapping[str, Any]]],
    judged: Iterable[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """One record a pair, in the order of the rows."""
    edits: dict[str, int] = {}
    for edit in store.all(ClaimEdit):
        edits[edit.claim_id] = edits.get(edit.claim_id, 0) + 1
    by_pair: dict[str, list[dict[str, Any]]] = {}
    for line in judged:
        said = {name: line[name] for name in ("annotator", "round", "label", "number", "day")}
        by_pair.setdefault(line["pair_id"], []).append(said)
    return [
        _record(one, edits.get(one.claim.id, 0), hits[one.pair.id], by_pair.get(one.pair.id, []))
        for one in released
    ]


def _asked(store: Store, wanted: set[str]) -> dict[str, Mapping[str, Any]]:
    """Answer → what was asked and when. (Without the answers themselves: they are long.)"""
    page = TABLES[SearchPage]
    query = sa.select(page.c.id, page.c.text, page.c.start, page.c.end, page.c.asked_at)
    return {row.id: dict(row._mapping) for row in store.rows(query) if row.id in wanted}


def _hit(hit: Hit, query: Query | None, asked: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A hit. Where its query is asked no more, the answer still says what it was an answer to."""
    page = asked.get(hit.page_id, {})
    day = page.get("asked_at")
    return {
        "engine": hit.engine,
        "rank": hit.rank,
        "variants": list(query.variants) if query else [],
        "query": query.text if query else page.get("text"),
        "start": query.start if query else page.get("start"),
        "end": query.end if query else page.get("end"),
        "url": hit.url,
        "day": day[:10] if day else None,
        "marks": list(hit.marks),
    }


def _record(
    one: Released, edits: int, hits: Sequence[Mapping[str, Any]], judged: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    claim, article, fetch = one.claim, one.article, one.fetch
    return {
        "id": one.pair.id,
        "claim": {
            "id": claim.id,
            "site": claim.site,
            "url": claim.url,
            "archived_url": claim.archived_url,
            "origin": claim.origin.rsplit("/", 1)[-1] if claim.origin else None,
            "domain_from": claim.domain_from,
            "claim_date_from": claim.claim_date_from,
            "review_date_from": claim.review_date_from,
            "rules": list(one.cleaned.rules) if one.cleaned else [],
            "cleaned_by": one.cleaned.by if one.cleaned else None,
            "edits": edits,
        },
        "found_by": [dict(hit) for hit in hits],
        "document": {
            "url": one.url,
            "archive_url": one.archive_url,
            "status": fetch.status if fetch else None,
            "fetched_on": fetch.fetched_at[:10] if fetch and fetch.fetched_at else None,
            "snapshot_at": fetch.snapshot_at if fetch else None,
            "page_hash": fetch.content_hash if fetch else None,
            "collection": article.collection.rsplit("/", 1)[-1] if article.collection else None,
        },
        "article": {
            "id": article.id,
            "hash": one.article_hash,
            "published": article.published,
            "published_from": article.published_from,
            "published_raw": article.published_raw,
        },
        "pairing": {
            "rank": one.pair.rank,
            "score": one.pair.score,
            "ranker": one.pair.ranker,
            "marks": list(one.pair.marks),
        },
        "label": {
            "gold": one.gold.label,
            "how": one.gold.how,
            "votes": one.gold.votes,
            "judgements": list(judged),
        },
        "since_judged": dict(one.since_judged),
    }
