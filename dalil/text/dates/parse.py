"""Reading a date out of a text.

The text is matched in its search form, so every family of digits and spellings is one. What is read:

- ISO 8601, RFC 2822, `19 فبراير 2021`, `فبراير 19, 2021`, `2021 فبراير 19`, `شباط 2021` and the same
  with any name of `dalil.text.dates.months`, dual (`كانون الأول/ديسمبر`) or fused (`كانون الأولديسمبر2024`)
- numbers with a four-digit year: year first, or day first (`6/7/2019` is 6 July; `12/25/2019`,
  which cannot be, is 25 December)
- Hijri dates, by name or by a year from 1300 to 1500 (`6/12/1437`), through Umm al-Qura (hijridate):
  a local sighting may differ by a day, so `calendar` says so. A Hijri month lies in two Gregorian
  ones: it gives the year, if that is one. Beside a Gregorian date the Hijri one is left.
- of several dates the most precise, then the first

Year-less dates and words such as `اليوم` are unknown, unless the caller gives a `reference`, the day
on which the text was current: a year-less date is then the last such day not after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from dalil.text.dates.clock import time_beside
from dalil.text.dates.forms import Match, stated
from dalil.text.dates.relative import relative
from dalil.text.normal import search_form_with_offsets, span_in_original

_PRECISION = {4: "year", 7: "month", 10: "day"}


@dataclass(frozen=True)
class Found:
    """A date that a text states, as precise as the text is."""

    iso: str
    """`2021`, `2021-02` or `2021-02-19`, always Gregorian"""
    raw: str
    """the words it was read from, as they stand in the text"""
    calendar: str = "gregorian"
    """`gregorian` or `hijri`: the calendar it was written in"""
    time: str | None = None
    """`16:24` or `16:24:05`, local to the page, if stated"""
    zone: str | None = None
    """`Z` or `+03:00`, if stated"""

    @property
    def precision(self) -> str:
        """`year`, `month` or `day`."""
        return _PRECISION[len(self.iso)]


def parse_date(text: str, *, reference: date | datetime | None = None) -> Found | None:
    """The date that `text` states, or None where none is stated or it cannot be. Never raises.

    The first 20,000 characters are looked at.

    `reference` is the day on which the text was current; only with it are year-less dates and
    words such as `أمس` read (`منذ 3 ساعات` needs a datetime).
    """
    form, offsets = search_form_with_offsets(text[:_READ])
    form = form.replace("،", ",")
    match = _chosen(form, stated(form)) if _DIGIT.search(form) else None
    if match is None and reference is not None:
        match = relative(form, reference)
    if match is None:
        return None
    start, end = span_in_original(offsets, match.start, match.end)
    time, zone = time_beside(form, match.start, match.end)
    return Found(match.iso, text[start:end].strip(), match.calendar, time, zone)


def _chosen(form: str, matches: list[Match]) -> Match | None:
    """The most precise, then the first; a Gregorian one that stands beside a Hijri one."""
    if not matches:
        return None
    precise = max(len(match.iso) for match in matches)
    first = next(match for match in matches if len(match.iso) == precise)
    if first.calendar == "gregorian":
        return first
    beside = (
        other
        for other in matches
        if other.calendar == "gregorian"
        and len(other.iso) == precise
        and not _WORD.search(form[min(first.end, other.end) : max(first.start, other.start)])
    )
    return next(beside, first)


_READ = 20_000
_DIGIT = re.compile("[0-9]")
_WORD = re.compile(r"[^\W_]{2}")  # the letter of an era may stand between
