"""Forms of dates that state their year, as patterns over the search form (`،` as `,`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import NamedTuple

from dalil.text.dates.months import (
    GREGORIAN_NAME,
    GREGORIAN_NUMBERS,
    HIJRI_NAME,
    HIJRI_NUMBERS,
    month_number,
)

YEARS = range(1900, 2101)
"""Gregorian years that are believed."""
HIJRI_YEARS = range(1300, 1501)
"""Years that are Hijri, whatever the form says."""

# white space is bounded everywhere, so that matching stays linear in hostile texts
DAY_NUMBER = r"(?P<d>0?[1-9]|[12]\d|3[01])"
DAY = rf"(?<!\d)(?<!\d[.,:/+-]){DAY_NUMBER}(?!\d)(?:st|nd|rd|th|er|o|\.)?"
LINK = r"\s{0,3}(?:[-/.,]|de|of|من\s{1,3}شهر|من|شهر)?\s{0,3}"
NO_LETTER_BEFORE = r"(?<![^\W\d_])"
NO_LETTER_AFTER = r"(?![^\W\d_])"
_YEAR_LINK = r"[\s)]{0,4}(?:[-/.,]|de|del|of|من\s{1,3}عام|من\s{1,3}سنه|لعام|لسنه|عام|سنه)?\s{0,3}"
_YEAR = r"(?P<y>\d{4})(?!\d)"
_ERA = r"(?:\s{0,3}(?:م|ه|ميلادي\w*|هجري\w*)(?!\w))?"


class Match(NamedTuple):
    """A date in a search form: ISO as precise as is known, its calendar, and where it stands."""

    iso: str
    calendar: str
    start: int
    end: int


Value = tuple[str, str] | None
"""ISO and calendar; None for what cannot be"""


def stated(form: str) -> list[Match]:
    """Every date with a year, in the order of the text. What is impossible gives nothing."""
    taken: list[tuple[int, int]] = []
    found = []
    for pattern, read in _readers():
        for match in pattern.finditer(form):
            start, end = match.span()
            if any(start < high and low < end for low, high in taken):
                continue
            taken.append((start, end))  # also where impossible: no part of it is a date
            if (value := read(match)) is not None:
                found.append(Match(*value, start, end))
    return sorted(found, key=lambda match: match.start)


def months(name: str) -> str:
    """Pattern of a month's name, or of two: a dual form, joined by a mark, a space or nothing."""
    return rf"(?P<m>{name}(?:[\s/(|,–-]{{0,6}}{name})?){NO_LETTER_AFTER}\.?"


def one_month(names: str, name: str, numbers: dict[str, int]) -> int:
    """The month of a name or a dual form; 0 (impossible) where its two names disagree."""
    found = {month_number(each, numbers) for each in re.findall(name, names)}
    return found.pop() if len(found) == 1 else 0


def gregorian(year: int, month: int | None, day: int | None) -> Value:
    """The Gregorian date if it can be; years outside `YEARS` cannot."""
    if year not in YEARS:
        return None
    if month is None:
        return f"{year:04}", "gregorian"
    try:
        whole = date(year, month, 1 if day is None else day).isoformat()
    except ValueError:
        return None
    return (whole[:7] if day is None else whole), "gregorian"


def hijri(year: int, month: int | None, day: int | None) -> Value:
    """A Hijri date in the Gregorian calendar (Umm al-Qura, 1343 to 1500 AH).

    Without a day it gives the Gregorian year, where the whole span lies within one.
    """
    from hijridate import Hijri

    try:
        if day is not None:
            return Hijri(year, month or 0, day).to_gregorian().isoformat(), "hijri"
        first = Hijri(year, month or 1, 1)
        last = Hijri(year, month or 12, 1)
        years = {first.to_gregorian().year, Hijri(year, last.month, last.month_length()).to_gregorian().year}
    except (ValueError, OverflowError):
        return None
    return (f"{years.pop():04}", "hijri") if len(years) == 1 else None


@cache
def _readers() -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], Value]]]:
    western = [(re.compile(pattern), _read_gregorian) for pattern in _named(GREGORIAN_NAME)]
    islamic = [(re.compile(pattern), _read_hijri) for pattern in _named(HIJRI_NAME)]
    # forms with a day come before month with year, which is part of them
    return [
        *((re.compile(rf"\A\s*{pattern}\s*\Z"), _read_numbers) for pattern in _WHOLE),
        *((re.compile(pattern), _read_numbers) for pattern in _NUMBERS),
        *western[:-1],
        *islamic[:-1],
        western[-1],
        islamic[-1],
    ]


def _named(name: str) -> list[str]:
    month = months(name)
    return [
        rf"{DAY}{LINK}{month}{_YEAR_LINK}{_YEAR}{_ERA}",
        rf"{NO_LETTER_BEFORE}{month},?\s{{0,3}}{DAY_NUMBER}(?!\d)(?:st|nd|rd|th)?\s{{0,3}}(?:,\s{{0,3}}|\s){_YEAR}{_ERA}",
        rf"(?<!\d)(?P<y>\d{{4}})\s{{0,3}}[-/.,]?\s{{0,3}}{month}\s{{0,3}}[-/.,]?\s{{0,3}}{DAY_NUMBER}(?![\d:])",
        rf"{NO_LETTER_BEFORE}{month}{_YEAR_LINK}{_YEAR}{_ERA}",
    ]


# y: year, f and g: first and second number after a leading year, a and b: before a closing one
_NUMBERS = (
    rf"(?<!\d)(?<!\d[./-])(?P<y>\d{{4}})(?P<s>[-/.])(?P<f>\d{{1,2}})(?P=s)(?P<g>\d{{1,2}})(?!\d|[-/.]\d){_ERA}",
    rf"(?<!\d)(?<!\d[./-])(?P<a>\d{{1,2}})\s?(?P<s>[-/.])\s?(?P<b>\d{{1,2}})\s?(?P=s)\s?{_YEAR}(?![-/.]\d){_ERA}",
)
_WHOLE = (
    r"(?P<y>\d{4})(?P<f>\d{2})(?P<g>\d{2})(?:t?\d{4}(?:\d{2})?z?)?",
    r"(?P<y>\d{4})[-/](?P<f>\d{1,2})",
    r"(?P<b>\d{1,2})/(?P<y>\d{4})",
    r"(?P<y>\d{4})",
)


def _read_gregorian(match: re.Match[str]) -> Value:
    month = one_month(match["m"], GREGORIAN_NAME, GREGORIAN_NUMBERS)
    return gregorian(int(match["y"]), month, _number(match, "d"))


def _read_hijri(match: re.Match[str]) -> Value:
    year = int(match["y"])
    month = one_month(match["m"], HIJRI_NAME, HIJRI_NUMBERS)
    return hijri(year, month, _number(match, "d")) if month and year in HIJRI_YEARS else None


def _read_numbers(match: re.Match[str]) -> Value:
    year = int(match["y"])
    month, day = _number(match, "f"), _number(match, "g")
    if month is None:
        day, month = _number(match, "a"), _number(match, "b")
        if day is not None and month is not None and day <= 12 < month:
            day, month = month, day
    return (hijri if year in HIJRI_YEARS else gregorian)(year, month, day)


def _number(match: re.Match[str], group: str) -> int | None:
    text = match.groupdict().get(group)
    return int(text) if text else None
