"""The Wayback Machine: which captures there are (CDX), and where a capture's own bytes are (`id_`).

At most 20 requests a minute; repeated 429 end the run: the archive blocks addresses that go on. A
capture's identity is the original url; its time says when it was captured, never when the article
was written. CDX server API: https://archive.org/developers/wayback-cdx-server.html
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

from dalil.errors import DalilError
from dalil.net.session import Service, Session

ARCHIVE = "http://web.archive.org"
HOST = "web.archive.org"
RATE = 20 / 60
FIELDS = ("timestamp", "original", "statuscode", "mimetype", "digest")
SERVICE = Service("wayback", rate=RATE, timeout=60.0, attempts=3, patience=90.0)


@dataclass(frozen=True)
class Capture:
    """One capture: its time (YYYYMMDDhhmmss, UTC) and the url as the archive spells it."""

    timestamp: str
    original: str
    status: int | None
    mimetype: str
    digest: str

    @property
    def at(self) -> str:
        """The time as ISO."""
        return iso(self.timestamp)

    @property
    def replay_url(self) -> str:
        """Where its own bytes are, without the archive's banner and rewritten links."""
        return replay_url(self.timestamp, self.original)


@dataclass(frozen=True)
class Page:
    """One answer of the CDX server: captures, and the key of the next page if there is one."""

    captures: tuple[Capture, ...]
    resume: str | None


@dataclass
class Listing:
    """Captures of a url, a host or a prefix, page by page; each page is a request of its own.

    `resume` in the middle of a long listing is all that is needed to go on after a stop.
    """

    url: str
    match: str = "exact"
    """exact, prefix, host or domain"""
    start: str | None = None
    end: str | None = None
    """YYYY[MM[DD…]]"""
    filters: tuple[str, ...] = ("statuscode:200",)
    collapse: str | None = "urlkey"
    limit: int = 5000
    base: str = ARCHIVE
    session: Session = field(default_factory=lambda: Session(SERVICE))

    def query(self, resume: str | None = None) -> str:
        """The address of one page."""
        return cdx_url(
            self.url, match=self.match, start=self.start, end=self.end, filters=self.filters,
            collapse=self.collapse, limit=self.limit, resume=resume, base=self.base,
        )  # fmt: skip

    def pages(self, resume: str | None = None) -> Iterator[Page]:
        """Pages from the beginning or a resume key. Raises LimitReached when the archive says stop."""
        while True:
            reply = self.session.get(self.query(resume))
            page = read_cdx(reply.text, where=reply.url)
            yield page
            if page.resume is None or page.resume == resume:
                return
            resume = page.resume

    def captures(self) -> Iterator[Capture]:
        """All captures, each once."""
        seen: set[tuple[str, str]] = set()
        for page in self.pages():
            for capture in page.captures:
                if (capture.timestamp, capture.original) not in seen:
                    seen.add((capture.timestamp, capture.original))
                    yield capture


def cdx_url(
    url: str,
    *,
    match: str = "exact",
    start: str | None = None,
    end: str | None = None,
    filters: Iterable[str] = ("statuscode:200",),
    collapse: str | None = None,
    limit: int = 5000,
    resume: str | None = None,
    base: str = ARCHIVE,
) -> str:
    """The address of one page of a listing."""
    pairs: list[tuple[str, str]] = [
        ("url", url),
        ("matchType", match),
        ("output", "json"),
        ("fl", ",".join(FIELDS)),
    ]
    pairs += [("filter", rule) for rule in filters]
    optional: Mapping[str, str | None] = {"from": start, "to": end, "collapse": collapse, "resumeKey": resume}
    pairs += [(name, value) for name, value in optional.items() if value]
    pairs += [("limit", str(limit)), ("showResumeKey", "true")]
    return f"{base}/cdx/search/cdx?{urlencode(pairs)}"


def read_cdx(text: str, *, where: str | None = None) -> Page:
    """Parse an answer in JSON: a row of names, rows, and at the end an empty row and the resume key.

    Raises DalilError for anything else (the server sends errors as text under HTTP 200).
    """
    if not text.strip():
        return Page((), None)
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = " ".join(text[:120].split())
        raise DalilError(
            f"the archive's listing is not JSON: {shown}", where=where, todo="run again later"
        ) from error
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise DalilError("the archive's listing is not a table", where=where, todo="run again later")
    resume = None
    if len(rows) >= 2 and rows[-2] == [] and len(rows[-1]) == 1:
        resume = str(rows[-1][0])
        rows = rows[:-2]
    if not rows:
        return Page((), resume)
    names = [str(name) for name in rows[0]]
    found = [_capture(dict(zip(names, row, strict=False))) for row in rows[1:]]
    return Page(tuple(capture for capture in found if capture is not None), resume)


def nearest(captures: Iterable[Capture], day: str | None) -> Capture | None:
    """The capture nearest to an ISO day, on either side (of two the earlier); without a day the last.

    Captures that are no pages (redirects, errors, media) are passed over.
    """
    fit = [
        one
        for one in captures
        if one.status in (200, None)
        and (one.mimetype or "text/html").startswith(("text/", "application/xhtml", "warc/revisit", "unk"))
    ]
    if not fit:
        return None
    if day is None:
        return max(fit, key=lambda one: (one.timestamp, one.original))
    aim = _moment(day.replace("-", ""))
    return min(
        fit,
        key=lambda one: (abs((_moment(one.timestamp) - aim).total_seconds()), one.timestamp, one.original),
    )


def replay_url(timestamp: str, original: str, *, base: str = ARCHIVE) -> str:
    """The `id_` address of a capture."""
    return f"{base}/web/{timestamp}id_/{quote(original, safe=':/?#[]@!$&()*+,;=%~-._' + chr(39))}"


def iso(timestamp: str) -> str:
    """YYYYMMDDhhmmss as ISO UTC time."""
    return _moment(timestamp).strftime("%Y-%m-%dT%H:%M:%SZ")


def _moment(timestamp: str) -> datetime:
    digits = (timestamp[:14] + "00000101000000"[len(timestamp[:14]) :])[:14]
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime(int(digits[:4]) or 1, 1, 1, tzinfo=UTC)


def _capture(row: Mapping[str, Any]) -> Capture | None:
    stamp, original = str(row.get("timestamp", "")), str(row.get("original", ""))
    if not (stamp.isdigit() and 4 <= len(stamp) <= 14 and original):
        return None
    status = str(row.get("statuscode", ""))
    return Capture(
        stamp,
        original,
        int(status) if status.isdigit() else None,
        str(row.get("mimetype", "")),
        str(row.get("digest", "")),
    )
