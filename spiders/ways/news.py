"""A page of a news site to a headline, a candidate for a true claim. Pure."""

from __future__ import annotations

from dalil.ids import make_id
from dalil.records import Fetch, Headline
from dalil.stages import Drop
from dalil.text.urls import document_id
from dalil.text.wire import strip_dateline, strip_wire
from spiders.sites import Site
from spiders.ways.template import read_claims


def read_headline(site: Site, url: str, markup: str, fetch: Fetch | None = None) -> Headline | Drop:
    """The headline of a page with its text, without dateline and editors' notes, or why there is none."""
    found = read_claims(site, url, markup, fetch)
    if isinstance(found, Drop):
        return found
    claim = found[0]
    title = strip_dateline(claim.raw).strip()
    if not title:
        return Drop("no_claim", f"{site.name}: the headline is a dateline")
    if claim.review_date is None:
        return Drop("no_date", f"{site.name}: no date can be read")
    assert claim.url is not None
    return Headline(
        id=make_id("headline", site.name, claim.url),
        site=site.name,
        document_id=document_id(claim.url),
        url=claim.url,
        title=title,
        text=strip_wire(claim.body or ""),
        published=claim.review_date,
        published_from=claim.review_date_from or "",
        domain=claim.domain,
        language=claim.language,
        archived_url=claim.archived_url,
        snapshot_at=claim.snapshot_at,
        found=claim.found,
        fetch_id=claim.fetch_id,
        origin=claim.origin,
    )
