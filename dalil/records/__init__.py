"""The records of a corpus. Their names are the words of the project's docs (docs/words.md).

A record is frozen and plain: text, numbers, ISO dates, tuples, mappings. Text entering one is
rid of NUL and lone surrogates and brought to NFC. Fields marked `VOLATILE` say when or in which
run something happened, or where its bytes lie; a stable dump leaves them out.
"""

from __future__ import annotations

from pydantic import Field

from dalil.records.base import VOLATILE, Mapping, Maps, Record, Text, Words, fit_text, fit_value, utc_now
from dalil.records.claims import ApiPage, Claim, ClaimEdit, CleanedClaim, Headline
from dalil.records.finding import Article, Copy, Document, Fetch, Hit, Query, SearchPage
from dalil.records.judging import Annotation, Assignment, Decision, Gold, Kept, Model, Pair, Superseded
from dalil.records.people import Consent, Notice, Person, Reference, Remark, Round, Skip, Work

__all__ = [
    "RECORDS",
    "VOLATILE",
    "Annotation",
    "ApiPage",
    "Article",
    "Assignment",
    "Claim",
    "ClaimEdit",
    "CleanedClaim",
    "Consent",
    "Copy",
    "Decision",
    "Document",
    "Dropped",
    "Fetch",
    "Gold",
    "Headline",
    "Hit",
    "Kept",
    "Mapping",
    "Maps",
    "Model",
    "Notice",
    "Pair",
    "Person",
    "Query",
    "Record",
    "Reference",
    "Remark",
    "Round",
    "SearchPage",
    "Skip",
    "Superseded",
    "Text",
    "Words",
    "Work",
    "fit_text",
    "fit_value",
    "utc_now",
]


def first_word(text: str) -> str:
    """A text up to its first space."""
    return text.partition(" ")[0]


class Dropped(Record):
    """Nothing disappears without one: stage, key, reason."""

    TABLE = "dropped"
    INDEX = ("stage", "reason", "about")
    stage: str
    key: str
    """ids and names, separated by spaces: what it was dropped of (a claim, an answer, a page) comes first"""
    about: str = Field(default_factory=lambda said: first_word(said.get("key", "")))
    """the first of the key: what `dalil why` looks it up by"""
    reason: str
    detail: Text | None = None


RECORDS: tuple[type[Record], ...] = (
    Claim,
    Headline,
    ApiPage,
    CleanedClaim,
    ClaimEdit,
    Query,
    SearchPage,
    Hit,
    Document,
    Fetch,
    Article,
    Copy,
    Pair,
    Model,
    Superseded,
    Kept,
    Assignment,
    Annotation,
    Decision,
    Gold,
    Person,
    Notice,
    Consent,
    Round,
    Reference,
    Skip,
    Work,
    Remark,
    Dropped,
)
