"""Pairs, who is to judge them, judgements, and labels."""

from __future__ import annotations

from pydantic import Field

from dalil.records.base import VOLATILE, Mapping, Record, Text, Words

IMPORTED = "imported"
"""ranker of a pair, and how of a label, that came from a file"""


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


class Kept(Record):
    """A judged text that stays as it was shown, though its stage would now make another of it, or none."""

    TABLE = "kept"
    INDEX = ("of",)
    kind: str
    """the table that it stands in: claims, cleaned_claims or articles"""
    of: str
    """its id there"""
    why: str
    """changed, or gone"""
    now: Mapping = Field(default_factory=dict)
    """field → what it would be by now, where it was changed"""


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
    origin: str | None = None
    """file:NAME where it was imported"""
    at: str | None = Field(default=None, json_schema_extra=VOLATILE)


class Gold(Record):
    """A pair's final label (same id as the pair) and how it came."""

    TABLE = "gold"
    label: str
    how: str
    """unanimous, majority, adjudicated, or an aggregation method"""
    votes: Mapping = Field(default_factory=dict)
    """label → number of first choices"""
