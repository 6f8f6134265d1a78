"""From a question to the articles that were found."""

from __future__ import annotations

from pydantic import Field

from dalil.records.base import VOLATILE, Mapping, Record, Text, Words


class Query(Record):
    """What is asked for a claim: text and window. Equal queries of a claim are merged."""

    TABLE = "queries"
    INDEX = ("claim_id", "question")
    claim_id: str
    variants: Words
    text: Text
    start: str | None = None
    end: str | None = None
    centred_on: str | None = None
    """claim_date or review_date"""
    question: str
    """hash of text and window: what links a Query to SearchPages"""
    analyzer: Mapping = Field(default_factory=dict)


class SearchPage(Record):
    """An engine's raw, replayable answer to one request."""

    TABLE = "search_pages"
    INDEX = ("question", "engine")
    engine: str
    question: str
    text: Text
    start: str | None = None
    end: str | None = None
    page: int = 1
    request: Mapping = Field(default_factory=dict)
    """what was sent, without secrets"""
    status: int | None = None
    answer: Text = ""
    cost: float = 0.0
    origin: str | None = None
    asked_at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Hit(Record):
    """One result on a SearchPage."""

    TABLE = "hits"
    INDEX = ("page_id", "question", "document_id")
    page_id: str
    question: str
    engine: str
    rank: int
    url: str
    document_id: str
    title: Text | None = None
    snippet: Text | None = None
    engine_date: str | None = None
    score: float | None = None
    marks: Words = ()
    """outside_window (by the engine's own date), texts:collection, older_answer (to a request that is not
    made any more: it counts for nothing)"""


class Document(Record):
    """A canonical url."""

    TABLE = "documents"
    INDEX = ("host",)
    url: str
    host: str


class Fetch(Record):
    """One attempt to get a url: status, and where its bytes lie in the WARC."""

    TABLE = "fetches"
    INDEX = ("document_id", "purpose", "fingerprint")
    fingerprint: str
    document_id: str
    url: str
    final_url: str | None = None
    redirects: Words = ()
    purpose: str
    """listing, claim, article, post"""
    site: str | None = None
    status: int | None = None
    content_type: str | None = None
    content_hash: str | None = None
    error: str | None = None
    snapshot_at: str | None = None
    fetched_at: str | None = Field(default=None, json_schema_extra=VOLATILE)
    warc_file: str | None = Field(default=None, json_schema_extra=VOLATILE)
    warc_offset: int | None = Field(default=None, json_schema_extra=VOLATILE)
    warc_length: int | None = Field(default=None, json_schema_extra=VOLATILE)


class Article(Record):
    """Text, title and published date extracted from a Fetch or taken from a collection."""

    TABLE = "articles"
    INDEX = ("document_id", "outlet", "content_hash")
    document_id: str
    url: str | None = None
    fetch_id: str | None = None
    collection: str | None = None
    title: Text | None = None
    text: Text
    outlet: str | None = None
    authors: Words = ()
    language: str | None = None
    published: str | None = None
    """ISO date, or year, or year-month: as precise as is known"""
    published_from: str | None = None
    published_raw: Text | None = None
    canonical_url: str | None = None
    content_hash: str


class Copy(Record):
    """An article that is another one again (same id as the article): canonical link, hash, MinHash."""

    TABLE = "copies"
    INDEX = ("of",)
    of: str
    why: str
    similarity: float | None = None
