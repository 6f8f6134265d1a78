"""What sites state, and what becomes of it."""

from __future__ import annotations

from pydantic import Field

from dalil.records.base import VOLATILE, Mapping, Maps, Record, Text, Words


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
