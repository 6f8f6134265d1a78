"""robots.txt (RFC 9309): what a site allows, and how slowly it wants to be asked."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

AGENT = "dalil"
"""the product token that robots.txt files can name"""
LARGEST = 500 * 1024
"""bytes that are read of it (RFC 9309, 2.5)"""
SLOWEST = 60.0
"""seconds: a longer Crawl-delay is taken as this"""


def robots_url(url: str) -> str:
    """Where the robots.txt for a url lies."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"


class Rules:
    """What one origin allows."""

    def __init__(self, text: str):
        from protego import Protego

        self._parsed = Protego.parse(text)

    def allows(self, url: str) -> bool:
        """Whether dalil may ask for a url."""
        return self._parsed.can_fetch(url, AGENT)

    @property
    def delay(self) -> float:
        """Seconds between two requests that the site asks for (0: none)."""
        said = self._parsed.crawl_delay(AGENT)
        return min(max(float(said or 0.0), 0.0), SLOWEST)


@dataclass(frozen=True)
class AllOrNothing:
    """Rules of an origin without a readable robots.txt."""

    everything: bool
    delay: float = 0.0

    def allows(self, url: str) -> bool:
        """The same for every url."""
        return self.everything


EVERYTHING = AllOrNothing(True)
"""there is no robots.txt"""
NOTHING_NOW = AllOrNothing(False)
"""it could not be read: nothing may be asked until it can"""


def rules(status: int | None, body: bytes) -> Rules | AllOrNothing:
    """The rules that follow from the answer to a request for robots.txt.

    RFC 9309, 2.3.1: 2xx is parsed; 4xx means that there are none; 5xx and no answer at all mean that
    nothing may be asked for now. 429 counts with the latter.
    """
    if status is not None and 200 <= status < 300:
        return Rules(body[:LARGEST].decode("utf-8-sig", "replace"))
    if status is not None and 300 <= status < 500 and status != 429:
        return EVERYTHING
    return NOTHING_NOW
