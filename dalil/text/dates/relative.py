"""Dates that say no year, or only how long ago: read against the day on which the text was current."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import cache

from dalil.text.dates.forms import DAY, DAY_NUMBER, LINK, NO_LETTER_BEFORE, Match, months, one_month
from dalil.text.dates.months import GREGORIAN_NAME, GREGORIAN_NUMBERS

_BEFORE = (
    r"\W*(?:(?:تم|تاريخ|النشر|نشر|نشرت|نشره|اخر|تحديث|التحديث|بتاريخ|في|عند"
    r"|published|updated|posted|on)\b\W*)*"
)
_AFTER = (
    r"\W*(?:(?:في|تمام|عند|على|الساعه|بتوقيت|غرينتش|جرينتش|صباحا|مساء|ظهرا|ص|م|at|am|pm|gmt|utc"
    r"|\d{1,2}:\d{2}(?::\d{2})?)\b\W*)*"
)
_DAYS_BACK = {"اليوم": 0, "today": 0, "امس": 1, "البارحه": 1, "yesterday": 1, "اول امس": 2}
_WORD = re.compile(rf"{_BEFORE}(?P<word>اول امس|{'|'.join(w for w in _DAYS_BACK if ' ' not in w)})\b{_AFTER}")
_UNITS = {
    "minutes": "دقيقتين دقيقه دقائق minutes minute",
    "hours": "ساعتين ساعه ساعات hours hour",
    "days": "يومين يوما يوم ايام days day",
}
_UNIT = {name: unit for unit, names in _UNITS.items() for name in names.split()}
_AGO = re.compile(
    rf"{_BEFORE}(?:(?:منذ|قبل)\s+(?:(?P<n>\d{{1,3}})\s*)?(?P<unit>{'|'.join(_UNIT)})|"
    rf"(?P<en>\d{{1,3}}|an?)\s+(?P<enunit>{'|'.join(_UNIT)})\s+ago)\b{_AFTER}"
)
_LONGEST = 200
"""Characters of a text that may be nothing but a relative date."""


def relative(form: str, reference: date | datetime) -> Match | None:
    """The day that a year-less or relative date means on `reference`; None where it is neither.

    A year-less date is the last such day not after the reference. Words (`اليوم`, `أمس`, `منذ 3
    أيام`) count only where the text is nothing but a date line; minutes and hours need a datetime.
    """
    return _yearless(form, reference) or _words(form, reference)


def _yearless(form: str, reference: date) -> Match | None:
    for pattern in _patterns():
        if match := pattern.search(form):
            month = one_month(match["m"], GREGORIAN_NAME, GREGORIAN_NUMBERS)
            day = _last(month, int(match["d"]), reference)
            return Match(day.isoformat(), "gregorian", *match.span()) if day else None
    return None


@cache
def _patterns() -> list[re.Pattern[str]]:
    month = months(GREGORIAN_NAME)
    # a number after the month may be a year that was refused; a second name belongs to a dual form
    refused = rf"(?!\s{{0,3}}[-/.,]?\s{{0,3}}\d{{2,4}}(?![\d:]))(?![\s/(|,–-]{{0,6}}{GREGORIAN_NAME})"
    return [
        re.compile(rf"{DAY}{LINK}{month}{refused}"),
        re.compile(
            rf"{NO_LETTER_BEFORE}{month}\s{{0,3}}{DAY_NUMBER}(?![\d:])(?!\s{{0,3}},?\s{{0,3}}\d{{4}}(?!\d))"
        ),
    ]


def _last(month: int, day: int, reference: date) -> date | None:
    today = date(reference.year, reference.month, reference.day)
    for year in range(today.year, max(today.year - 9, 1) - 1, -1):  # a leap day may be eight years back
        try:
            candidate = date(year, month, day)
        except ValueError:
            continue
        if candidate <= today:
            return candidate
    return None


def _words(form: str, reference: date | datetime) -> Match | None:
    if len(form) > _LONGEST:
        return None
    if match := _WORD.fullmatch(form):
        back, span = timedelta(days=_DAYS_BACK[match["word"]]), match.span("word")
    elif match := _AGO.fullmatch(form):
        unit = _UNIT[match["unit"] or match["enunit"]]
        if unit != "days" and not isinstance(reference, datetime):
            return None
        back, span = timedelta(**{unit: _count(match)}), (len(form) - len(form.lstrip()), len(form.rstrip()))
    else:
        return None
    try:
        then = reference - back
    except OverflowError:
        return None
    return Match(then.isoformat()[:10], "gregorian", *span)


def _count(match: re.Match[str]) -> int:
    number = match["n"] or match["en"]
    if number and number.isdigit():
        return int(number)
    return 2 if (match["unit"] or "").endswith("ين") else 1
