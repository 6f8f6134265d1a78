"""One stored page to its claims, or to the headline that it is: pure, in any process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dalil.records import Claim, Fetch, Headline
from dalil.stages import Drop, Result
from spiders.pages import bytes_of
from spiders.sites import Site
from spiders.ways import news, refuse, template

STAGE = "claims"
VERSION = "4"
"""raised when something else comes of a page"""


@dataclass(frozen=True)
class Job:
    """A stored page of a site; `resolved` says where its short links lead."""

    site: Site
    fetch: Fetch
    resolved: Mapping[str, str]


def read_page(job: Job, folder: Path) -> Result:
    """Claims, a headline, or why there are none; `folder` holds the WARC."""
    site, fetch = job.site, job.fetch
    if fetch.purpose == "listing":
        return _listing(site, fetch, folder)
    if fetch.status != 200:
        return Result(drops=(Drop("http_status", str(fetch.status)),))
    text = decoded(bytes_of(folder, fetch), fetch.content_type)
    found: Headline | Drop | list[Claim]
    if site.kind == "news":
        found = news.read_headline(site, fetch.url, text, fetch)
    else:
        found = template.read_claims(site, fetch.url, text, fetch, job.resolved)
    if isinstance(found, Drop):
        return Result(drops=(found,))
    return Result(records=tuple(found) if isinstance(found, list) else (found,))


def _listing(site: Site, fetch: Fetch, folder: Path) -> Result:
    """A first listing gives nothing, or the reason why the site is not walked."""
    if fetch.status != 200:
        return Result(drops=(Drop("http_status", f"{fetch.url}: {fetch.status}"),))
    text = decoded(bytes_of(folder, fetch), fetch.content_type)
    drop = refuse.refused_listing(site, fetch.url, text, fetch)
    return Result(drops=(drop,) if drop is not None else ())


def decoded(body: bytes, content_type: str | None) -> str:
    """A page's text: as its header, mark or meta says, else UTF-8 (w3lib follows the WHATWG's rules)."""
    from w3lib.encoding import html_to_unicode

    return str(html_to_unicode(content_type, body, default_encoding="utf-8")[1])
