"""What readers give: typed rows that know where they stand, and what is wrong with those that are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dalil.collection.documents import read_date
from dalil.formats.columns import nearest
from dalil.text.verdicts import VERACITIES
from dalil.wording import counted

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Options:
    """What a user says beside the file."""

    site: str | None = None
    label_order: tuple[str, ...] = ()
    """the label that each integer stands for, from 0"""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim as a file has it. `key` tells claims of one `collection` apart; None: url or text does."""

    where: str
    raw: str
    collection: str | None = None
    key: str | None = None
    site: str | None = None
    url: str | None = None
    title: str | None = None
    body: str | None = None
    verdict: str | None = None
    veracity: str | None = None
    """None: what the verdict says, where there is one"""
    claim_date: str | None = None
    review_date: str | None = None
    country: str | None = None
    domain: str | None = None
    language: str = "ar"
    english: tuple[str, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """An article. Without a url it is known as `collection:COLLECTION/KEY`."""

    where: str
    text: str
    collection: str
    key: str
    url: str | None = None
    title: str | None = None
    outlet: str | None = None
    published: str | None = None
    published_raw: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label of an article towards a claim. With an annotator it is a judgement, else the final label."""

    where: str
    claim: ClaimRow
    article: ArticleRow
    label: str
    scheme: str
    annotator: str | None = None
    round: str = "main"
    confidence: int | None = None
    second: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One result of a search."""

    rank: int
    url: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A search's results: what was asked, for which claim, and what came."""

    where: str
    text: str
    results: tuple[Found, ...]
    claim: ClaimRow | None = None
    start: str | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Bad:
    """A record that is not what the format says: the field, and why."""

    where: str
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """A good record that holds no row, and the reason under which it is dropped."""

    where: str
    reason: str
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Unused:
    """Columns of a file that nothing is read from, and those that it could have had in their place."""

    where: str
    columns: tuple[str, ...]
    free: tuple[str, ...] = ()


Row = ClaimRow | ArticleRow | LabelRow | ResultRow
Item = Row | Bad | Nothing | Unused
Record = Mapping[str, Any]


class BadField(ValueError):
    """A field that is missing or wrong."""

    def __init__(self, name: str, reason: str):
        self.name = name
        self.reason = reason
        super().__init__(f"{name}: {reason}")


def rows_of(
    records: Iterable[tuple[str, Record] | Bad], make: Callable[[str, Record], Iterable[Item]]
) -> Iterator[Item]:
    """Rows of records: all of a record's, or one Bad in their place."""
    for record in records:
        if isinstance(record, Bad):
            yield record
            continue
        where, values = record
        try:
            made = list(make(where, values))
        except BadField as error:
            yield Bad(where, error.name, error.reason)
        else:
            yield from made


def text_of(row: Record, *names: str) -> str | None:
    """The first of these fields that has text, or None. Raises BadField for what is no text."""
    for name in names:
        value = row.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise BadField(name, f"must be text, not {kind_of(value)}")
        if str(value).strip():
            return str(value)
    return None


def needed(row: Record, *names: str) -> str:
    """As `text_of`. Raises BadField where none has text."""
    found = text_of(row, *names)
    if found is None:
        present = [name for name in names if name in row]
        raise BadField(names[0], "is empty" if present else f"is missing{_instead(row, names)}")
    return found


def _instead(row: Record, names: tuple[str, ...]) -> str:
    """The field that may be meant, or those that there are."""
    near = nearest(names[0], list(row), names[1:])
    if near is not None:
        return f" (is {near[:40]!r} meant?)"
    return f" (fields here: {', '.join(name[:40] for name in list(row)[:_SHOWN])})" if row else ""


def list_of(row: Record, name: str) -> list[Any]:
    """A list field. Raises BadField."""
    value = row.get(name)
    if not isinstance(value, list):
        raise BadField(name, "is missing" if value is None else f"must be a list, not {kind_of(value)}")
    return value


def whole_number(row: Record, name: str, *, least: int = 1, most: int = 2**31 - 1) -> int | None:
    """An integer field, as a number or as digits. Raises BadField."""
    value = row.get(name)
    if value is None or value == "":
        return None
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise BadField(name, f"must be a whole number from {least}, not {value!r}")
    if number > most:
        raise BadField(name, f"must be at most {most}")
    return number


def date_of(row: Record, name: str) -> str | None:
    """A date as ISO (a year, a month or a day). Raises BadField for what cannot be read as one."""
    given = text_of(row, name)
    if given is None:
        return None
    found = read_date(given)
    if found is None:
        raise BadField(name, f"is no date that can be read: {given[:40]!r}")
    return found


def veracity_of(row: Record, name: str = "veracity") -> str | None:
    """true, false, mixed or unknown; None where nothing is said. Raises BadField for any other word."""
    given = text_of(row, name)
    if given is None:
        return None
    word = given.strip().lower()
    if word not in VERACITIES:
        raise BadField(
            name,
            f"must be one of {', '.join(VERACITIES)}, not {given[:40]!r} (what a site prints goes into the "
            "column verdict)",
        )
    return word


def label_of(value: Any, labels: tuple[str, ...], options: Options, name: str = "stance") -> str:
    """A label by its name, in any case; an integer only where its order was declared. Raises BadField.

    Published versions of one data set number its labels differently, so a bare number means nothing.
    """
    if isinstance(value, bool) or value is None or isinstance(value, (list, dict)):
        raise BadField(name, "is missing" if value is None else f"must be a label, not {kind_of(value)}")
    word = str(value).strip().lower()
    digits = word.removesuffix(".0")
    if digits.lstrip("-").isdecimal():  # Arabic digits are numbers, too
        order = options.label_order
        if not order:
            raise BadField(
                name,
                f"is the bare number {digits}, and publishers number these labels differently: declare "
                f"the order, as --label-order {','.join(labels) or 'agree,disagree,discuss,unrelated'}",
            )
        if not 0 <= int(digits) < len(order):
            raise BadField(
                name,
                f"is {digits}, but --label-order has {counted(len(order), 'label')} (0 to {len(order) - 1})",
            )
        word = order[int(digits)]
    if not word:
        raise BadField(name, "is empty")
    if labels and word not in labels:
        raise BadField(name, f"must be one of {', '.join(labels)}, not {str(value)[:40]!r}")
    return word


def kind_of(value: Any) -> str:
    """What a value is, in words."""
    names = {
        dict: "an object",
        list: "a list",
        bool: "true or false",
        str: "text",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "null")


def terms_of(row: Record, name: str) -> tuple[str, ...]:
    """A field of several terms: a list, or a text with `;` between them. Raises BadField."""
    value = row.get(name)
    if isinstance(value, list) and all(isinstance(term, str) for term in value):
        terms = value
    else:
        terms = (text_of(row, name) or "").split(";")
    return tuple(term.strip() for term in terms if term.strip())
