"""Pages that are none of the site's: a hijacked domain, spam, a parked one, a bot wall."""

from __future__ import annotations

import re

from dalil.net import challenge
from dalil.records import Fetch
from dalil.stages import Drop
from dalil.text.normal import search_form
from dalil.text.verdicts import veracity_of
from spiders.sites import Site
from spiders.ways.page import SitePage

_SPAM = re.compile(
    r"\b(?:casino|slots?|slot ?gacor|judi|togel|betting|sportsbook|poker|roulette|baccarat|bandar|maxwin"
    r"|pragmatic play|viagra|cialis|payday loans?|escorts?|crypto ?airdrop|replica watches|essay writing)\b"
    r"|كازينو|مراهنات|العاب قمار|سلوتس",
    re.IGNORECASE,
)
_PARKED = re.compile(
    r"domain (?:is|may be) for sale|buy this domain|this domain (?:has expired|is parked)|sedoparking"
    r"|parkingcrew|hugedomains|النطاق معروض للبيع",
    re.IGNORECASE,
)
_ARABIC = re.compile("[\u0620-\u064a]")
_LATIN = re.compile("[A-Za-z]")
MANY = 5
"""different words of spam in title, description and links that make a page spam"""


def refused(site: Site, page: SitePage, markup: str, fetch: Fetch | None = None) -> Drop | None:
    """Why a page is not the site's own, or None."""
    late = _too_late(site, fetch)
    if late is not None:
        return late
    wall = challenge.challenge(
        fetch.status or 200 if fetch else 200, {}, markup[:100_000].encode("utf-8", "replace")
    )
    if wall is not None:
        return Drop("challenge_page", f"{site.name}: {wall}")
    head = " ".join(
        filter(
            None,
            (
                page.whole.css("title::text").get(),
                page.meta("description", "og:description"),
                page.meta("keywords"),
            ),
        )
    )
    body = " ".join(page.whole.css("body ::text").getall())[:20_000]
    if _PARKED.search(head) or (_PARKED.search(body) and len(body) < 5_000):
        return Drop("hijacked_domain", f"{site.name}: a parked domain")
    spam = _spam(page, head)
    if spam:
        return Drop("hijacked_domain", f"{site.name}: spam ({', '.join(spam[:5])})")
    if site.language == "ar" and len(_LATIN.findall(body)) > 400 and len(_ARABIC.findall(body)) < 20:
        return Drop("other_language", f"{site.name}: no Arabic on the page")
    if not page.is_ours():
        return Drop("not_this_site", f"{site.name}: nothing at {' or '.join(site.ours)}")
    return None


def _spam(page: SitePage, head: str) -> list[str]:
    """Different words of spam, where there are too many for a claim about such things.

    Two in title and description of a page without a review, one in a title without a letter of
    Arabic on a site in Arabic, or MANY in links: a debunk of a casino's advertisement says such words.
    """
    title = page.whole.css("title::text").get() or ""
    anchors = " ".join(page.whole.css("a::text").getall())[:20_000]
    in_head = {search_form(word) for word in _SPAM.findall(head)}
    everywhere = in_head | {search_form(word) for word in _SPAM.findall(anchors)}
    foreign = page.site.language == "ar" and not _ARABIC.search(title) and bool(_SPAM.search(title))
    told = len(in_head) >= 2 and not _reviewed(page)
    return sorted(everywhere) if told or foreign or len(everywhere) >= MANY else []


def _reviewed(page: SitePage) -> bool:
    """Whether a page carries a ClaimReview, or a known verdict where its layout prints one."""
    printed = page.first(page.layout.verdict) if page.layout is not None else None
    return bool(page.reviews.reviews) or veracity_of(printed, page.site.verdicts) != "unknown"


def refused_listing(site: Site, url: str, markup: str, fetch: Fetch | None = None) -> Drop | None:
    """Why a listing is not the site's own, or None: nothing of it is followed then."""
    return refused(site, SitePage(site, url, markup, listing=True), markup, fetch)


def _too_late(site: Site, fetch: Fetch | None) -> Drop | None:
    """A capture, or a living page, of a domain that by then belonged to somebody else."""
    until = site.archive.until if site.archive is not None else None
    if fetch is None or not until:
        return None
    seen = "".join(filter(str.isdigit, fetch.snapshot_at or fetch.fetched_at or ""))
    if seen[: len(until)] > until:
        return Drop("hijacked_domain", f"{site.name}: seen on {seen[:8]}, its own until {until}")
    return None
