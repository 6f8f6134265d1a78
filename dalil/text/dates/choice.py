"""Which of a page's dates to trust, and the date in a url."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from dalil.text.dates.forms import gregorian
from dalil.text.dates.parse import Found, parse_date
from dalil.text.urls import wayback

ORDER_OF_TRUST = ("url", "jsonld", "meta", "time", "text", "htmldate")
"""Sources, most trusted first: url, JSON-LD, meta, `time@datetime`, page text, htmldate's guess."""

EARLIEST = date(1990, 1, 1)
"""News on the web is not older."""
_AHEAD = timedelta(days=1)
"""A page east of the fetching clock may be dated a day ahead."""


class Candidate(NamedTuple):
    """A date as one source of a page has it: `source` is one of `ORDER_OF_TRUST`, `raw` its text."""

    source: str
    raw: str


class Refused(NamedTuple):
    """A candidate that was not believed, and why."""

    candidate: Candidate
    reason: str


@dataclass(frozen=True)
class BestDate:
    """The date that won, from which source and raw text; `found` is None where none was believed."""

    found: Found | None
    source: str | None
    raw: str | None
    refused: tuple[Refused, ...] = ()


def best_date(
    candidates: Iterable[Candidate | tuple[str, str]],
    *,
    fetched: date | datetime | None = None,
    reference: date | datetime | None = None,
) -> BestDate:
    """The date of the most trusted source that has a possible one (see `ORDER_OF_TRUST`).

    A less trusted source wins only where it says the same more precisely (a url with year and
    month, JSON-LD with the day). Refused, each with its reason: what cannot be read; dates before
    1990; dates later than a day after `fetched`. `reference` is handed to `parse_date` for page
    text alone. The raw text of the source `url` is the url. Raises ValueError for an unknown source.
    """
    refused: list[Refused] = []
    believed: list[tuple[Candidate, Found]] = []
    for candidate in sorted((Candidate(*each) for each in candidates), key=_trust):
        found = _read(candidate, reference)
        reason = _why_not(found, fetched)
        if found is None or reason:
            refused.append(Refused(candidate, reason or "no date"))
        else:
            believed.append((candidate, found))
    if not believed:
        return BestDate(None, None, None, tuple(refused))
    winner, best = believed[0]
    for candidate, found in believed[1:]:
        if len(found.iso) > len(best.iso) and found.iso.startswith(best.iso):
            winner, best = candidate, found
    return BestDate(best, winner.source, winner.raw, tuple(refused))


def url_date(url: str) -> Found | None:
    """The date in the path of a url, or None. Never raises.

    `…/2019/06/07/…`, `…/2019/6/7/…`, `…/2019/06/…` (year and month), `…-2019-06-07/`, `/20190607-…`,
    and the ids of legacy Reuters pages, which end in YYYYMMDD. A replay url has the date of its
    original, never that of the capture.
    """
    while replay := wayback(url):
        url = replay[1]
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return None
    for pattern in _IN_PATH:
        for match in pattern.finditer(path):
            parts = match.groupdict()
            value = gregorian(int(match["y"]), int(match["m"]), int(parts["d"]) if parts.get("d") else None)
            if value and int(match["y"]) >= EARLIEST.year:
                return Found(value[0], match[0].strip("/-"))
    return None


_YEAR = r"(?P<y>(?:19|20)[0-9]{2})"
_IN_PATH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"/{_YEAR}/(?P<m>[0-9]{{1,2}})/(?P<d>[0-9]{{1,2}})(?=/|$)",
        rf"(?<![0-9]){_YEAR}-(?P<m>[0-9]{{2}})-(?P<d>[0-9]{{2}})(?![0-9])",
        rf"/{_YEAR}(?P<m>[0-9]{{2}})(?P<d>[0-9]{{2}})(?=/|-)",
        rf"/id[A-Z]{{2}}[A-Z0-9]*?{_YEAR}(?P<m>[0-9]{{2}})(?P<d>[0-9]{{2}})(?=$|/)",
        rf"/{_YEAR}/(?P<m>[0-9]{{2}})(?=/|$)(?!/[0-9]{{1,2}}(?:/|$))",
    )
)


def _trust(candidate: Candidate) -> int:
    if candidate.source not in ORDER_OF_TRUST:
        raise ValueError(f"no source of dates is called {candidate.source!r}: {', '.join(ORDER_OF_TRUST)}")
    return ORDER_OF_TRUST.index(candidate.source)


def _read(candidate: Candidate, reference: date | datetime | None) -> Found | None:
    if candidate.source == "url":
        return url_date(candidate.raw)
    found = parse_date(candidate.raw, reference=reference if candidate.source == "text" else None)
    if found and candidate.source == "htmldate" and found.iso.endswith("-01-01"):
        return Found(found.iso[:4], found.raw)  # its way of writing a bare year
    return found


def _why_not(found: Found | None, fetched: date | datetime | None) -> str | None:
    if found is None:
        return "no date"
    if found.iso < EARLIEST.isoformat()[: len(found.iso)]:
        return f"{found.iso} is before {EARLIEST.year}"
    if fetched is not None:
        last = (date(fetched.year, fetched.month, fetched.day) + _AHEAD).isoformat()
        if found.iso > last[: len(found.iso)]:
            return f"{found.iso} is after the page was fetched"
    return None
