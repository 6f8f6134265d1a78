"""What a file says of a record that is there already: the same, more, or something else."""

from __future__ import annotations

from dalil.records import Annotation, Article, Claim, Gold, Record, SearchPage

STATED: dict[type[Record], tuple[str, ...]] = {
    Claim: (
        "site", "url", "raw", "title", "body", "verdict", "veracity", "claim_date", "review_date", "country",
        "domain", "language", "english",
    ),
    Article: ("title", "outlet", "authors", "language", "published"),
    Annotation: ("scheme", "label", "confidence", "second", "note"),
    Gold: ("label",),
    SearchPage: ("text", "start", "end", "answer"),
}  # fmt: skip
"""The fields in which a file can contradict a record. Ids hold what others say (a document's address);
ranks, scores and where something was found are dalil's own, and not the file's to say."""
_NOTHING: tuple[object, ...] = (None, "", (), {}, "unknown")
_DATES = ("claim_date", "review_date", "published")


def compare(stored: Record, given: Record) -> tuple[list[str], list[str]]:
    """Fields in which `given` contradicts `stored`, and those that it has and `stored` lacks.

    A field that the file leaves out says nothing, and neither does a default, nor a date that is only
    less precise.
    """
    other, more = [], []
    for name in STATED.get(type(stored), ()):
        there, here = getattr(stored, name), getattr(given, name)
        if there == here or silent(given, name):
            continue
        if there in _NOTHING or (name in _DATES and str(here).startswith(f"{there}-")):
            more.append(name)
        elif not (name in _DATES and str(there).startswith(f"{here}-")):
            other.append(name)
    return other, more


def silent(record: Record, name: str) -> bool:
    """Whether a record, as a file gave it, says nothing in this field."""
    value = getattr(record, name)
    return value in _NOTHING or value == type(record).model_fields[name].get_default(
        call_default_factory=True
    )
