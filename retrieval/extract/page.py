"""What goes into extraction and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

REASONS: dict[str, str] = {
    "http_status": "the server answered with an error",
    "empty": "no bytes, or a page without any text of its own",
    "not_html": "a PDF, an image, a feed, …",
    "broken_encoding": "letters were lost before the page was stored, or no encoding makes sense of it",
    "challenge_page": "a bot check or a firewall stands in place of the page",
    "consent_wall": "a consent or sign-in form stands in place of the page",
    "soft_404": "the page says that there is no such page, under status 200",
    "boilerplate": "menus and link lists, no running text",
    "too_short": "less text than the setting min_chars",
    "not_arabic": "Arabic is the corpus's language and the text is not in it",
    "other_language": "the text is in none of the corpus's languages",
    "timed_out": "took longer than the setting seconds_per_page",
    "parser_failed": "the parser broke on this page",
}
"""Every reason for which a page becomes no article, and what it means."""


@dataclass(frozen=True)
class Page:
    """A response as it came. `url` was asked for, `final_url` answered."""

    url: str
    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    final_url: str | None = None
    seen_at: str | None = None
    """ISO time at which the page was as it is: of the fetch, or of the archive's snapshot. A bound
    for dates (nothing is published later), never a published date"""

    def header(self, name: str) -> str | None:
        """The first header of this name, or None."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@dataclass(frozen=True)
class Extracted:
    """An article found in a page."""

    text: str
    title: str | None = None
    language: str | None = None
    published: str | None = None
    """ISO date, year-month or year: as precise as is known"""
    published_from: str | None = None
    """one of dalil.text.dates.ORDER_OF_TRUST"""
    published_raw: str | None = None
    canonical_url: str | None = None
    """as the page gives it, absolute"""
    outlet: str | None = None
    authors: tuple[str, ...] = ()
    charset: str | None = None


@dataclass(frozen=True)
class Refused:
    """Why a page is no article: one of REASONS, and what showed it."""

    reason: str
    detail: str | None = None
