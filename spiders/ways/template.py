"""The template way: selectors of a site definition over the site's pages. Pure."""

from __future__ import annotations

from urllib.parse import urljoin

from parsel import Selector

from dalil.ids import make_id
from dalil.records import Claim
from dalil.stages import Drop
from dalil.text.dates import parse_date
from dalil.text.urls import canonical_url
from spiders.sites import Site


def links(site: Site, url: str, html: str) -> tuple[list[str], str | None]:
    """Links to claims on a listing, in order, and the next listing if there is one."""
    page = Selector(html)
    found = [urljoin(url, href) for href in page.css(site.selectors.links).getall()]
    following = page.css(site.selectors.next).get() if site.selectors.next else None
    return list(dict.fromkeys(found)), urljoin(url, following) if following else None


def read_claim(site: Site, url: str, html: str, fetch_id: str) -> Claim | Drop:
    """The claim that a page is about, or why there is none."""
    page = Selector(html)
    title = _first(page, site.selectors.title)
    if not title:
        return Drop("no_title", f"{site.name}: nothing at {site.selectors.title}")
    boxed = _first(page, site.selectors.claim)
    verdict = _first(page, site.selectors.verdict)
    category = _first(page, site.selectors.category)
    review_date, date_from = _date(page, site)
    found = {
        "raw": "claim box" if boxed else "title", "verdict": "selector" if verdict else None,
        "review_date": date_from, "domain": "site category" if category else None,
    }  # fmt: skip
    return Claim(
        id=make_id("claim", site.name, canonical_url(url)),
        site=site.name,
        url=canonical_url(url),
        raw=title,
        title=title,
        body="\n".join(_all(page, site.selectors.body)) or None,
        verdict=verdict,
        veracity=site.verdicts.get(verdict or "", "unknown"),
        review_date=review_date,
        review_date_from=date_from,
        country=site.country,
        domain=site.domains.get(category or ""),
        domain_from="site category" if category in site.domains else None,
        language=site.language,
        found={"claim_text": boxed} | {key: value for key, value in found.items() if value},
        fetch_id=fetch_id,
        origin=f"{site.name} v{site.version}",
    )


def _date(page: Selector, site: Site) -> tuple[str | None, str | None]:
    """The printed date: an attribute is trusted before text. Unknown stays unknown."""
    for selector, source in (
        (site.selectors.date_attribute, "time@datetime"),
        (site.selectors.date, "page text"),
    ):
        text = _first(page, selector)
        found = parse_date(text) if text else None
        if found is not None:
            return found.iso, source
    return None, None


def _all(page: Selector, selector: str | None) -> list[str]:
    return [text.strip() for text in page.css(selector).getall() if text.strip()] if selector else []


def _first(page: Selector, selector: str | None) -> str | None:
    return next(iter(_all(page, selector)), None)
