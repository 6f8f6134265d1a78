"""The people who judge, and what their rounds need."""

from __future__ import annotations

from pydantic import Field

from dalil.records.base import VOLATILE, Mapping, Record, Text, Words


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
    origin: str | None = None
    """file:NAME where it was imported"""
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
