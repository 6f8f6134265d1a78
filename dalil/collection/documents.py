"""What a collection is made of, and how a row of JSONL becomes it.

A row has a body or a title, and an id or a url. Names that other corpora use are known (`text` or
`content` for the body, `source` for the outlet, `date` for `published`); a field that is not known is
left out, and the manifest lists it.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, fields
from email.utils import parsedate_to_datetime
from typing import Any

from dalil.ids import value_hash
from dalil.text.normal import keep
from dalil.wording import counted

NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id",),
    "url": ("url", "link"),
    "title": ("title", "headline"),
    "lead": ("lead", "summary"),
    "body": ("body", "text", "content"),
    "outlet": ("outlet", "source"),
    "published": ("published", "date", "published_at"),
    "published_from": ("published_from",),
    "language": ("language", "lang"),
    "authors": ("authors", "author"),
}
"""Field → the keys it is looked for under; the first that has a value counts."""
LONGEST_ID = 8000
"""bytes; an index silently leaves out a term of 64 kB"""
KNOWN = frozenset(key for keys in NAMES.values() for key in keys)

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?", re.DOTALL | re.ASCII)


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One document of a collection."""

    id: str
    body: str
    url: str | None = None
    title: str | None = None
    lead: str | None = None
    """None: the head of the body"""
    outlet: str | None = None
    published: str | None = None
    """ISO date as printed on the page, or year-month, or year"""
    published_from: str | None = None
    """where on its page the date was found, where that is known"""
    published_raw: str | None = None
    """the date as it was given, where it was not ISO already or could not be read"""
    language: str | None = None
    authors: tuple[str, ...] = ()

    @property
    def content_hash(self) -> str:
        """Hash over title and text, as an Article's: the same article under another url has the same."""
        return value_hash([self.title, self.body])

    def to_json(self) -> str:
        """As it is stored: fields that have a value."""
        return json.dumps(
            {key: value for key in _FIELDS if (value := getattr(self, key))}, ensure_ascii=False
        )

    @classmethod
    def from_json(cls, text: str) -> StoredDocument:
        """Back from `to_json`."""
        values = json.loads(text)
        values["authors"] = tuple(values.get("authors", ()))
        values.setdefault("body", "")
        return cls(**values)


_FIELDS = tuple(field.name for field in fields(StoredDocument))


@dataclass(frozen=True, slots=True)
class Placed:
    """A document and where in its source it stands.

    `revisit`: the source may well hold a document more than once (captures of a page), and the
    first counts.
    """

    document: StoredDocument
    where: str
    revisit: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something of a source is not in the collection.

    `bad`: it is not what the file claims to be, and stops the build unless bad rows are skipped.
    """

    where: str
    reason: str
    detail: str
    bad: bool = True


Item = Placed | Problem


class BadRow(ValueError):
    """A row that is no document: which field, and why."""

    def __init__(self, reason: str, detail: str):
        self.reason = reason
        self.detail = detail
        super().__init__(detail)


def document_from(row: Any) -> StoredDocument:
    """A document from a parsed row. Raises BadRow."""
    if not isinstance(row, Mapping):
        raise BadRow("not_an_object", f"expected an object with fields, got {_kind(row)}")
    url = _text(row, "url")
    key = _text(row, "id") or url
    if key is None:
        raise BadRow("no_id", "neither id nor url: one of them must tell documents apart")
    if len(key.encode()) > LONGEST_ID:
        raise BadRow("long_id", f"id of {counted(len(key.encode()), 'byte')}: the most is {LONGEST_ID:,}")
    given = _text(row, "published")
    published = read_date(given) if given else None
    return StoredDocument(
        id=key,
        body=_text(row, "body") or "",
        url=url,
        title=_text(row, "title"),
        lead=_text(row, "lead"),
        outlet=_text(row, "outlet"),
        published=published,
        published_from=_text(row, "published_from") if published else None,
        published_raw=given if given != published else None,
        language=_text(row, "language"),
        authors=_authors(row),
    )


def read_date(text: str) -> str | None:
    """ISO date (or year-month, or year) that a text states, or None where it states none.

    The day is the one that is printed, whatever the time zone: `Sun, 18 Feb 2018 21:35:43 +0400`
    → `2018-02-18`. What is neither ISO nor RFC 2822 is read by `dalil.text.dates`.
    """
    text = text.strip()
    if match := _ISO.fullmatch(text):
        parts = [part for part in match.groups() if part]
        try:
            dt.date(*(int(part) for part in [*parts, "1", "1"][:3]))
        except ValueError:
            return None
        return "-".join(parts)
    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (ValueError, OverflowError):  # a time zone of thirty digits
        from dalil.text.dates import parse_date

        found = parse_date(text)
        return found.iso if found else None


def days_of(published: str) -> tuple[int, int]:
    """First and last day (proleptic ordinals) of an ISO date, year-month or year."""
    year, month, day = [*(int(part) for part in published.split("-")), 0, 0][:3]
    first = dt.date(year, month or 1, day or 1)
    last = dt.date(year, month or 12, day or monthrange(year, month or 12)[1])
    return first.toordinal(), last.toordinal()


def _text(row: Mapping[str, Any], field: str) -> str | None:
    """A field's text, or None where it is absent, null or blank. A number is taken for an id only."""
    for name in NAMES[field]:
        value = row.get(name)
        if value is None:
            continue
        if field == "id" and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise BadRow("wrong_type", f"field {name!r} must be text, got {_kind(value)}")
        if value.strip():
            return keep(value if field == "body" else value.strip())
    return None


def _authors(row: Mapping[str, Any]) -> tuple[str, ...]:
    for name in NAMES["authors"]:
        value = row.get(name)
        if value is None or value == "":
            continue
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise BadRow("wrong_type", f"field {name!r} must be text or a list of texts, got {_kind(value)}")
        return tuple(keep(one.strip()) for one in names if one.strip())
    return ()


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
