"""What comes of asking for one url, and what of it becomes a Fetch."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from dalil.records import utc_now
from dalil.state.ledger import Entry
from dalil.state.warc import Location

PERMANENT = {
    "robots": "robots.txt does not allow it",
    "robots_unreachable": "its robots.txt cannot be read now, so nothing is asked",
    "refused_scheme": "neither http nor https",
    "refused_address": "an address on a local network",
    "bad_url": "not a url that can be asked",
    "too_many_redirects": "redirects without end",
    "redirect_loop": "redirects in a circle",
    "left_archive": "an archived redirect that leads out of the archive",
    "pdf": "a PDF, not an article's page",
    "image": "an image",
    "audio": "a sound file",
    "video": "a video",
    "other_media": "a file that is no page",
    "too_large": "larger than the limit of [crawl]",
    "bomb": "a small body that becomes a huge one",
    "no_such_host": "the host has no address",
    "domain_stopped": "its domain refused again and again and is left alone for now",
    "not_stored": "a replay found no stored answer",
}
"""Why a url has no stored page, and what that means."""
DEAD_STATUS = frozenset((404, 410))
BLOCKED_STATUS = frozenset((403, 429))
BUSY_STATUS = frozenset((408, 500, 502, 503, 504, 520, 521, 522, 523, 524))
REDIRECTS = frozenset((301, 302, 303, 307, 308))


@dataclass(frozen=True)
class Answer:
    """A response as it came, or as it was stored (then `location` says where)."""

    url: str
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    address: str | None = None
    truncated: str | None = None
    location: Location | None = None
    at: str = field(default_factory=utc_now)
    """when it came"""

    def header(self, name: str) -> str | None:
        """The first header of this name, or None."""
        return next((value for key, value in self.headers if key.lower() == name), None)


class NoAnswer(Exception):
    """A request that brought no response. `lasting` says that asking again would not help."""

    def __init__(self, reason: str, detail: str = "", *, lasting: bool = False):
        self.reason = reason
        self.detail = detail
        self.lasting = lasting
        super().__init__(f"{reason}: {detail}" if detail else reason)


Ask = Callable[[str, str, Mapping[str, str]], Awaitable[Answer]]
"""url, domain, headers → answer. Raises NoAnswer."""


@dataclass(kw_only=True)
class Settling:
    """Something on its way to the WARC; `location` is known when it is synced, `settled` when committed."""

    location: Location | None = None
    settled: asyncio.Future[None] | None = None


@dataclass
class Kept(Settling):
    """An answer on its way to the WARC."""

    answer: Answer


@dataclass
class Got:
    """What came of one visit: a page (`kept`), or why there is none (`error`)."""

    final_url: str | None = None
    redirects: tuple[str, ...] = ()
    kept: Kept | None = None
    aside: Kept | None = None
    """an answer that is stored and is no page: a file, a bomb"""
    error: str | None = None
    detail: str = ""
    unchanged: bool = False
    """the same bytes as last time"""
    transient: bool = False
    retry_seconds: float = 0.0
    status: int | None = None
    content_type: str | None = None
    domain: tuple[str, str, Entry] | None = None
    """ledger row of the domain, where its refusals in a row changed"""


def media(content_type: str | None, body: bytes) -> str | None:
    """What kind of file this is where it is no page: pdf, image, audio, video, other_media; else None."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if body.startswith(b"%PDF-") or kind in ("application/pdf", "application/x-pdf"):
        return "pdf"
    family = kind.partition("/")[0]
    if family in ("image", "audio", "video") and kind != "image/svg+xml":
        return family
    if not kind or family == "text" or kind in _PAGES or kind.endswith(("+xml", "+json")):
        return None
    if kind in ("application/octet-stream", "binary/octet-stream", "application/force-download") and (
        not body or body[:512].lstrip().startswith((b"<", b"\xef\xbb\xbf<"))
    ):
        return None if body else "other_media"
    return "other_media"


_PAGES = frozenset(
    (
        "application/xhtml+xml",
        "application/xml",
        "application/json",
        "application/rss+xml",
        "application/javascript",
        "image/svg+xml",
    )
)
