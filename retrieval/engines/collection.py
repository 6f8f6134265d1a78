"""A local collection as a search engine: offline, dated, free.

    [engines.collection]
    path = "collection"       # a folder made by `dalil index`, relative to the corpus
    match = "any"             # all, most or any of a query's terms
    results = 10              # a question
    texts = "collection"      # or "web": the pages at the hits' urls are fetched

With `texts = "collection"` the stored text becomes the article (stage `adopt`), and so it does for a
document without url, whatever the setting: there is no page to fetch. Such a document is
`collection:NAME/ID`, NAME being the collection's name.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import Field

from dalil.collection import Collection, StoredDocument
from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.ids import make_id
from dalil.records import Hit, SearchPage
from dalil.text.urls import document_id
from retrieval.engines import Answer, Question

CAP = 100
STORED_TEXT = "texts:collection"
"""mark of a hit whose text is the collection's: its page is not fetched"""


class CollectionSettings(Settings):
    """`[engines.collection]` of corpus.toml."""

    path: str = "collection"
    """a folder made by `dalil index`, relative to the corpus"""
    match: Literal["all", "most", "any"] = "any"
    """how many of a query's terms must occur; `any` finds known items best"""
    texts: Literal["collection", "web"] = "collection"
    """whose text becomes the article: the stored one, or that of the page at the hit's url"""
    results: int = Field(default=10, ge=1, le=CAP)
    """results a question"""


class CollectionEngine:
    """Asks the collection that corpus.toml names."""

    NAME: ClassVar[str] = "collection"
    DATES: ClassVar[str] = "published"
    CAP: ClassVar[int] = CAP
    COST: ClassVar[float] = 0.0
    POST_FILTERS: ClassVar[bool] = False

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("engines.collection", CollectionSettings)
        self.path = corpus.path / self.settings.path

    @cached_property
    def collection(self) -> Collection:
        """Opened when it is first asked, so that stored answers are read without it."""
        return Collection.open(self.path)

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """All results come on one page. A collection built anew from other documents is asked anew."""
        if page > 1:
            return None
        return {
            "collection": self.collection.name,
            "revision": self.collection.manifest.revision,
            "text": question.text,
            "start": question.start,
            "end": question.end,
            "match": self.settings.match,
            "limit": self.settings.results,
        }

    def ask(self, what: dict[str, Any]) -> Answer:
        """Search. Raises StateError (no readable collection) or UsageError (an impossible window)."""
        if what["revision"] != self.collection.manifest.revision:
            raise UsageError(
                "the collection has changed since the question was made", where=self.path, todo="run again"
            )
        results = self.collection.search(
            what["text"], start=what["start"], end=what["end"], match=what["match"], limit=what["limit"]
        )
        rows = [
            {
                "rank": found.rank,
                "score": round(found.score, 6),
                "id": found.document.id,
                "url": address(found.document, what["collection"]),
                "title": found.document.title,
                "snippet": self.collection.snippet(found.document, results.terms),
                "published": found.document.published,
                "outlet": found.document.outlet,
                "content_hash": found.document.content_hash,
            }
            for found in results.found
        ]
        answer = {
            "collection": what["collection"],
            "revision": what["revision"],
            "terms": results.terms,
            "matched": results.matched,
            "undated": results.undated,
            "results": rows,
        }
        return Answer(200, json.dumps(answer, ensure_ascii=False))

    def hits(self, page: SearchPage) -> list[Hit]:
        """Hits of a stored answer, without the collection. Raises InputError where it is none of ours."""
        return [self._hit(page, row) for row in results_of(page)]

    def _hit(self, page: SearchPage, row: dict[str, Any]) -> Hit:
        stored = self.settings.texts == "collection" or without_page(row["url"])
        return Hit(
            id=make_id("hit", page.id, str(row["rank"])),
            page_id=page.id,
            question=page.question,
            engine=self.NAME,
            rank=row["rank"],
            url=row["url"],
            document_id=identity(row["url"]),
            title=row["title"],
            snippet=row["snippet"],
            engine_date=row["published"],
            score=row["score"],
            marks=(STORED_TEXT,) if stored else (),
        )


def results_of(page: SearchPage) -> list[dict[str, Any]]:
    """The results in a stored answer. Raises InputError where it is none of this engine's."""
    try:
        rows: list[dict[str, Any]] = json.loads(page.answer)["results"]
        for row in rows:
            row["rank"], row["url"], row["id"], row["title"], row["snippet"], row["published"], row["score"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"no answer of the collection engine: {error}",
            where=f"search page {page.id}",
            todo="ask again with --refresh",
        ) from error
    return rows


def address(document: StoredDocument, name: str) -> str:
    """The document's url, or `collection:NAME/ID` where it has none that can be one."""
    if document.url is not None:
        try:
            document_id(document.url)
        except InputError:
            pass
        else:
            return document.url
    return f"collection:{name}/{document.id}"


def without_page(url: str) -> bool:
    """Whether this is the address of a document without url."""
    return url.startswith("collection:")


def identity(url: str) -> str:
    """The id of the Document at an address of either kind."""
    return make_id("document", url) if without_page(url) else document_id(url)
