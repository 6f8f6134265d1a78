"""The records of a corpus. Their names are the words of the project's docs (docs/words.md).

A record is frozen and plain: text, numbers, ISO dates, tuples, mappings. Text entering one is
rid of NUL and lone surrogates and brought to NFC. Fields marked `VOLATILE` say when or in which
run something happened, or where its bytes lie; a stable dump leaves them out.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

VOLATILE: dict[str, Any] = {"volatile": True}
_UNFIT = {0: None} | dict.fromkeys(range(55296, 57344))


def fit_text(text: str) -> str:
    """Text fit to be kept: NFC, without NUL and lone surrogates."""
    # most texts need nothing, and finding that out costs a hundredth of doing it
    if "\0" not in text and unicodedata.is_normalized("NFC", text):
        try:
            text.encode("utf-16-le")
        except UnicodeEncodeError:
            pass
        else:
            return text
    return unicodedata.normalize("NFC", text.translate(_UNFIT))


def fit_value(value: Any) -> Any:
    """`fit_text` over every string inside a value."""
    if isinstance(value, str):
        return fit_text(value)
    if isinstance(value, dict):
        return {fit_value(key): fit_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(fit_value(item) for item in value)
    return value


def utc_now() -> str:
    """Now, as UTC ISO time with seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


Words = Annotated[tuple[str, ...], BeforeValidator(fit_value)]
Mapping = Annotated[dict[str, Any], BeforeValidator(fit_value)]
Maps = Annotated[tuple[dict[str, Any], ...], BeforeValidator(fit_value)]
Text = Annotated[str, BeforeValidator(fit_value)]


class Record(BaseModel):
    """One row of the store. `TABLE` is its table; `id` its key; `INDEX` what is looked up by."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    TABLE: ClassVar[str]
    INDEX: ClassVar[tuple[str, ...]] = ()
    id: str

    @classmethod
    def volatile(cls) -> frozenset[str]:
        """Names of the fields that a stable dump leaves out."""
        return frozenset(
            name
            for name, field in cls.model_fields.items()
            if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("volatile")
        )


class Claim(Record):
    """A claim as a site states it: raw. What cleaning makes of it is a CleanedClaim."""

    TABLE = "claims"
    INDEX = ("site",)
    site: str
    url: str | None = None
    raw: Text
    title: Text | None = None
    body: Text | None = None
    verdict: Text | None = None
    """as printed"""
    veracity: str = "unknown"
    """true, false, mixed or unknown"""
    claim_date: str | None = None
    claim_date_from: str | None = None
    review_date: str | None = None
    review_date_from: str | None = None
    country: str | None = None
    domain: str | None = None
    domain_from: str | None = None
    """site category, rule or hand"""
    cluster: str | None = None
    """the same rumour on two sites; the true claims of one seed"""
    language: str = "ar"
    english: Words = ()
    """search terms in English, for engines that know no Arabic (gdelt)"""
    own_pages: Words = ()
    """canonical urls of pages that the claim itself came from (leakage mark `own_site`)"""
    archived_url: str | None = None
    snapshot_at: str | None = None
    posts: Maps = ()
    """links to posts on X: url, provenance"""
    found: Mapping = Field(default_factory=dict)
    """field → how it was found"""
    fetch_id: str | None = None
    origin: str | None = None
    """file:line of an import, or the site definition and layout"""


class Headline(Record):
    """A dated headline of a news site: a candidate for a true claim."""

    TABLE = "headlines"
    INDEX = ("site",)
    site: str
    document_id: str
    url: str
    title: Text
    text: Text = ""
    """the article, without dateline and editors' notes"""
    published: str
    published_from: str
    domain: str | None = None
    language: str = "ar"
    archived_url: str | None = None
    snapshot_at: str | None = None
    found: Mapping = Field(default_factory=dict)
    """field → how it was found"""
    fetch_id: str | None = None
    origin: str | None = None


class ApiPage(Record):
    """An API's raw, replayable answer to a request for claims."""

    TABLE = "api_pages"
    INDEX = ("site",)
    site: str
    number: int
    """1, 2, … within the site"""
    request: Mapping
    """what was sent, without secrets"""
    status: int
    answer: Text
    asked_at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class CleanedClaim(Record):
    """A claim as it is searched for (same id as the Claim): text, rules that made it, flags."""

    TABLE = "cleaned_claims"
    raw: Text
    text: Text
    rules: Words = ()
    flags: Words = ()
    """needs_edit:<why>"""
    by: str = "rules"
    """rules, or hand where a ClaimEdit decided"""


class ClaimEdit(Record):
    """A hand edit of a claim: who made what of it, and when. Append-only."""

    TABLE = "claim_edits"
    INDEX = ("claim_id",)
    claim_id: str
    before: Text
    after: Text
    note: Text | None = None
    editor: str
    number: int
    """1, 2, … for each claim: the highest counts"""
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


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
    """outside_window (by the engine's own date), bad_url, texts:collection"""


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


class Pair(Record):
    """A claim and an article that go to annotators."""

    TABLE = "pairs"
    INDEX = ("claim_id", "article_id")
    claim_id: str
    article_id: str
    rank: int
    score: float
    hits: Words = ()
    marks: Words = ()
    """leakage: own_site, fact_checker, after_review; outside_window"""
    ranker: str = "tfidf"


class Model(Record):
    """What a stage fitted and keeps: refitted only when it is asked to."""

    TABLE = "models"
    kind: str
    data: Mapping


class Superseded(Record):
    """A judged pair (same id) that pairing would no longer make: kept, out of new rounds."""

    TABLE = "superseded"
    why: str


class Assignment(Record):
    """Who is to judge which pair in which round."""

    TABLE = "assignments"
    INDEX = ("pair_id", "annotator")
    pair_id: str
    annotator: str
    round: str
    place: int = 0
    """order in the annotator's queue"""
    withdrawn: str | None = None
    """why it is no longer asked for"""


class Annotation(Record):
    """A judgement. Append-only: a revision is a new row with the next number."""

    TABLE = "annotations"
    INDEX = ("pair_id", "annotator")
    pair_id: str
    annotator: str
    round: str
    scheme: str
    label: str
    confidence: int | None = None
    second: str | None = None
    answers: Mapping = Field(default_factory=dict)
    note: Text | None = None
    number: int = 1
    shown_hash: str | None = None
    guideline: str | None = None
    origin: str | None = None
    seconds: float | None = Field(default=None, json_schema_extra=VOLATILE)
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Decision(Record):
    """An adjudicator's ruling on a pair. Append-only, as Annotation."""

    TABLE = "decisions"
    INDEX = ("pair_id",)
    pair_id: str
    adjudicator: str
    label: str
    note: Text | None = None
    number: int = 1
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Gold(Record):
    """A pair's final label (same id as the pair) and how it came."""

    TABLE = "gold"
    label: str
    how: str
    """unanimous, majority, adjudicated, or an aggregation method"""
    votes: Mapping = Field(default_factory=dict)
    """label → number of first choices"""


class Person(Record):
    """Somebody who judges, adjudicates or leads; the id is the name that judgements carry."""

    TABLE = "people"
    role: str = "annotator"
    """annotator, adjudicator or lead"""
    expert: bool = False
    """judges items that others are trained and tested with"""
    languages: Words = ()
    """languages of the pairs they may judge; empty: all"""
    capacity: int | None = None
    """pairs at most, over main and third round"""
    excluded: Words = ()
    """sites, outlets or claim ids whose pairs they must not judge"""
    cleared: bool = False
    """the lead lets them work whatever the qualification said"""
    left: bool = False
    invitation: str | None = Field(default=None, json_schema_extra=VOLATILE)
    """hash of the secret in their personal link; None: revoked or never made"""
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Notice(Record):
    """A version of a text that people accept before work: information sheet or guidelines."""

    TABLE = "notices"
    kind: str
    version: str
    texts: Mapping
    """language → Markdown"""


class Consent(Record):
    """Somebody accepted a version of a notice."""

    TABLE = "consents"
    INDEX = ("person",)
    person: str
    kind: str
    version: str
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Round(Record):
    """A round of annotation (the id is its name): how it was dealt out, and whether it is closed."""

    TABLE = "rounds"
    scheme: str
    design: Mapping = Field(default_factory=dict)
    closed: bool = False
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Reference(Record):
    """What at least three experts say of a pair (same id): for training, qualification or hidden gold."""

    TABLE = "reference_labels"
    INDEX = ("purpose",)
    purpose: str
    label: str
    votes: Mapping
    """label → number of experts"""
    why: Text | None = None
    """shown as feedback"""


class Skip(Record):
    """An annotator could not judge a pair, and why. Append-only, as Annotation."""

    TABLE = "skips"
    INDEX = ("pair_id", "annotator")
    pair_id: str
    annotator: str
    round: str
    reason: str
    note: Text | None = None
    number: int = 1
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Work(Record):
    """Paid time: what somebody spent it on. One row a judgement, skip, ruling or reading."""

    TABLE = "work"
    INDEX = ("person",)
    person: str
    what: str
    round: str | None = None
    seconds: float = Field(default=0.0, json_schema_extra=VOLATILE)
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Remark(Record):
    """A contribution to the discussion of a pair that people judged differently."""

    TABLE = "remarks"
    INDEX = ("pair_id",)
    pair_id: str
    person: str
    text: Text
    number: int = 1
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Dropped(Record):
    """Nothing disappears without one: stage, key, reason."""

    TABLE = "dropped"
    INDEX = ("stage", "reason")
    stage: str
    key: str
    reason: str
    detail: Text | None = None


RECORDS: tuple[type[Record], ...] = (
    Claim, Headline, ApiPage, CleanedClaim, ClaimEdit, Query, SearchPage, Hit, Document, Fetch, Article, Copy,
    Pair, Model, Superseded, Assignment, Annotation, Decision, Gold, Person, Notice, Consent, Round, Reference, Skip,
    Work, Remark, Dropped,
)  # fmt: skip
