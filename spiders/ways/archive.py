"""The archive way: captures of a site in the Wayback Machine, read by the same parsers.

The CDX listing of a host or prefix gives the pages that were captured (200, HTML, each address once);
those whose address is a claim's (`page_pattern`) are got by raw replay (`id_`). The identity of a claim
is always the original address.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dalil.errors import DalilError, InputError
from dalil.net import wayback
from dalil.stages import Request
from dalil.text.urls import canonical_url
from spiders.pages import Context
from spiders.sites import ArchivePart, Site

FILTERS = ("statuscode:200", "mimetype:text/html")


def starts(site: Site) -> Iterator[Request]:
    """The first page of the listing of captures."""
    if site.archive is not None:
        yield listing(site, site.archive)


def listing(site: Site, part: ArchivePart, resume: str | None = None, depth: int = 0) -> Request:
    """The request for one page of captures."""
    url = wayback.cdx_url(
        part.url,
        match=part.match,
        start=part.start,
        end=part.until,
        filters=FILTERS,
        collapse="urlkey",
        resume=resume,
        base=part.service.rstrip("/"),
    )
    return Request("wayback", {"url": url, "purpose": "listing"}, context=Context(site.name, depth))


def follow(site: Site, body: str, depth: int) -> Iterator[Request]:
    """The captures of claims on a page of the listing, newest first, and the next page of it."""
    assert site.archive is not None
    try:
        page = wayback.read_cdx(body)
    except DalilError:
        return
    kept: dict[str, wayback.Capture] = {}
    for capture in sorted(page.captures, key=lambda one: (one.timestamp, one.original), reverse=True):
        if site.pattern is not None and not site.pattern.search(capture.original):
            continue
        try:
            kept.setdefault(canonical_url(capture.original), capture)
        except InputError:
            continue
    for capture in kept.values():
        yield replay(site, capture)
    if page.resume is not None:
        yield listing(site, site.archive, page.resume, depth + 1)


def replay(site: Site, capture: wayback.Capture) -> Request:
    """The request for a capture's own bytes."""
    base = site.archive.service.rstrip("/") if site.archive is not None else wayback.ARCHIVE
    what: dict[str, Any] = {
        "url": wayback.replay_url(capture.timestamp, capture.original, base=base),
        "purpose": "claim",
        "original": capture.original,
        "timestamp": capture.timestamp,
    }
    return Request("wayback", what, context=Context(site.name))
