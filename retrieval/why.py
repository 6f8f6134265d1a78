"""Everything that led to one pair: claim, queries, engines, ranks, pages, dates; and what stood beside it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import (
    Article,
    Claim,
    CleanedClaim,
    Copy,
    Document,
    Dropped,
    Fetch,
    Gold,
    Hit,
    Kept,
    Pair,
    Query,
    SearchPage,
    Superseded,
)  # fmt: skip
from dalil.state.store import CHUNK, Store
from dalil.state.tables import TABLES
from dalil.wording import counted, fitting
from retrieval.answers import OLDER


@dataclass
class Finding:
    """One hit behind a pair."""

    engine: str
    variants: list[str]
    query: str
    window: str
    rank: int
    asked_at: str | None
    url: str
    engine_date: str | None
    older: bool = False
    """by an answer that is stored and does not count any more"""


@dataclass
class Why:
    """The report of `dalil why`."""

    pair: dict[str, Any]
    claim: dict[str, Any]
    article: dict[str, Any]
    found_by: list[Finding] = field(default_factory=list)
    copies: list[dict[str, Any]] = field(default_factory=list)
    beside: list[dict[str, Any]] = field(default_factory=list)
    dropped: list[dict[str, Any]] = field(default_factory=list)
    gold: dict[str, Any] | None = None
    superseded: str | None = None
    kept: list[dict[str, Any]] = field(default_factory=list)
    """texts of the pair that were judged and stay so, and what they would be now"""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)


def why(corpus: Corpus, key: str) -> Why:
    """The report for a pair's id, or the beginning of one.

    Raises UsageError when no pair, or more than one, begins so.
    """
    store = corpus.store
    pair = _pair(store, key)
    claim, cleaned = store.get(Claim, pair.claim_id), store.get(CleanedClaim, pair.claim_id)
    article = store.get(Article, pair.article_id)
    report = Why(pair.model_dump(), _claim(claim, cleaned), _article(store, article))
    report.found_by = _found_by(store, pair)
    report.copies = [_copy(store, copy) for copy in store.all(Copy, of=pair.article_id)]
    report.beside = [
        {"pair": other.id, "rank": other.rank, "score": other.score, "title": _title(store, other.article_id)}
        for other in sorted(store.all(Pair, claim_id=pair.claim_id), key=lambda item: item.rank)
        if other.id != pair.id
    ]
    report.dropped = [_drop(store, drop) for drop in _beside(store, pair)]
    gold, gone = store.get(Gold, pair.id), store.get(Superseded, pair.id)
    report.gold = gold.model_dump() if gold else None
    report.superseded = gone.why if gone else None
    texts = [pair.claim_id, pair.article_id]
    report.kept = [one.model_dump(include={"kind", "why", "now"}) for one in store.all(Kept, of=texts)]
    return report


def _pair(store: Store, key: str) -> Pair:
    exact = store.get(Pair, key)
    if exact is not None:
        return exact
    begins = sorted(found for found in store.ids(Pair) if found.startswith((key, f"pair-{key}")))
    pair = store.get(Pair, begins[0]) if len(begins) == 1 else None
    if pair is None:
        todo = f"one of {', '.join(begins[:5])} …" if begins else "ids stand in the release and in dalil dump"
        raise UsageError(
            f"{counted(len(begins), 'pair')} {fitting(len(begins), 'begins', 'begin')} with {key!r}",
            where=store.path,
            todo=todo,
        )
    return pair


def _claim(claim: Claim | None, cleaned: CleanedClaim | None) -> dict[str, Any]:
    if claim is None:
        return {}
    names = (
        "id",
        "site",
        "url",
        "raw",
        "verdict",
        "veracity",
        "claim_date",
        "review_date",
        "review_date_from",
        "origin",
    )
    found = {name: getattr(claim, name) for name in names}
    if cleaned is not None:
        found |= {
            "text": cleaned.text,
            "rules": list(cleaned.rules),
            "flags": list(cleaned.flags),
            "by": cleaned.by,
        }
    return found


def _article(store: Store, article: Article | None) -> dict[str, Any]:
    if article is None:
        return {}
    names = (
        "id",
        "url",
        "outlet",
        "title",
        "published",
        "published_from",
        "published_raw",
        "collection",
        "fetch_id",
    )
    found = {name: getattr(article, name) for name in names}
    fetch = store.get(Fetch, article.fetch_id) if article.fetch_id else None
    if fetch is not None:
        place = f"{fetch.warc_file}:{fetch.warc_offset}" if fetch.warc_file else None
        found |= {
            "status": fetch.status,
            "fetched_at": fetch.fetched_at,
            "warc": place,
            "redirects": list(fetch.redirects),
        }
    return found


def _found_by(store: Store, pair: Pair) -> list[Finding]:
    queries = {query.question: query for query in store.all(Query, claim_id=pair.claim_id)}
    found = []
    for hit in store.all(Hit, id=list(pair.hits)):
        query, page = queries.get(hit.question), store.get(SearchPage, hit.page_id)
        # what is asked no more: its answer still says what it was an answer to
        asked = query or (page if page is not None and page.question == hit.question else None)
        found.append(
            Finding(
                engine=hit.engine,
                variants=list(query.variants) if query else [],
                query=asked.text if asked else "",
                window=_window(asked),
                rank=hit.rank,
                asked_at=page.asked_at if page else None,
                url=hit.url,
                engine_date=hit.engine_date,
                older=OLDER in hit.marks,
            )
        )
    return sorted(found, key=lambda item: (item.engine, item.rank, item.query))


def _window(asked: Query | SearchPage | None) -> str:
    if asked is None:
        return "–"
    return f"{asked.start} … {asked.end}" if asked.start else "any time"


def _copy(store: Store, copy: Copy) -> dict[str, Any]:
    article = store.get(Article, copy.id)
    return {
        "article": copy.id,
        "url": article.url if article else None,
        "why": copy.why,
        "similarity": copy.similarity,
    }


def _beside(store: Store, pair: Pair) -> list[Dropped]:
    """What was dropped of the pair and its claim: variants, answers and their hits, pages found, articles."""
    questions = sorted({query.question for query in store.all(Query, claim_id=pair.claim_id)})
    page, hit = TABLES[SearchPage], TABLES[Hit]
    with store.snapshot() as reader:  # only the ids: an answer is long
        pages = {row.id for row in reader.rows(sa.select(page.c.id).where(page.c.question.in_(questions)))}
        shared = sa.select(hit.c.page_id).distinct().where(hit.c.question.in_(questions))
        pages.update(row.page_id for row in reader.rows(shared))
        found = sa.select(hit.c.document_id).distinct().where(hit.c.question.in_(questions))
        about = [pair.id, pair.claim_id, *pages, *(row.document_id for row in reader.rows(found))]
    drops = (
        drop
        for some in (about[at : at + CHUNK] for at in range(0, len(about), CHUNK))
        for drop in store.all(Dropped, about=some)
    )
    return sorted(drops, key=lambda drop: drop.id)


def _drop(store: Store, drop: Dropped) -> dict[str, Any]:
    parts = drop.key.split(" ")
    other = next((part for part in parts if part.startswith("article-")), None)
    page = next((store.get(Document, part) for part in parts if part.startswith("document-")), None)
    return {
        "stage": drop.stage,
        "reason": drop.reason,
        "detail": drop.detail,
        "article": other,
        "title": _title(store, other) if other else page.url if page else None,
    }


def _title(store: Store, key: str) -> str | None:
    article = store.get(Article, key)
    if article is None:
        return None
    document = store.get(Document, article.document_id)
    return article.title or (document.url if document else None)
