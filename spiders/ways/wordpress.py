"""The wordpress way: the REST interface where it answers, else the feed, else paged HTML.

`start` names the site's front page. First `/wp-json/wp/v2/posts` is asked, newest first, then its
further pages while they are full; the addresses of the posts (`link`) are got as pages and read by the
site's layouts. Where the interface does not answer with JSON, the feed (`feed`, else `/feed/`) is
asked, with `?paged=N`; where that is no feed either, the listings of `start` are walked.
REST: https://developer.wordpress.org/rest-api/reference/posts/
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from lxml import etree

from spiders.sites import Site
from spiders.ways.page import links_of

PER_PAGE = 100
REST = "/wp-json/wp/v2/posts"


@dataclass(frozen=True)
class Step:
    """What an answer leads to: addresses of claims, and the next listings to ask."""

    pages: tuple[str, ...] = ()
    listings: tuple[str, ...] = ()


def starts(site: Site) -> Iterator[str]:
    """The first listing: page 1 of the REST interface."""
    for url in site.start[:1]:
        yield rest_url(url, 1)


def rest_url(base: str, page: int) -> str:
    """A page of the REST interface, newest first, only what is needed."""
    asked = {
        "per_page": PER_PAGE,
        "page": page,
        "orderby": "date",
        "order": "desc",
        "_fields": "id,date,link",
    }
    return f"{urljoin(base, REST)}?{urlencode(asked)}"


def is_rest(url: str) -> bool:
    """Whether an address is one of the REST interface."""
    return urlsplit(url).path.endswith(REST)


def is_feed(site: Site, url: str) -> bool:
    """Whether an address is one of the feed."""
    return _page(url, "paged", "1")[0] == _page(feed_url(site, 1), "paged", "1")[0]


def is_data(site: Site, url: str) -> bool:
    """Whether an address answers with data instead of a page."""
    return is_rest(url) or is_feed(site, url)


def feed_url(site: Site, page: int) -> str:
    """A page of the feed."""
    base = site.feed or urljoin(site.start[0], "/feed/")
    return _page(base, "paged", str(page))[0] if page > 1 else base


def follow(site: Site, url: str, status: int | None, body: str) -> Step:
    """What an answer to a listing leads to. An answer that is no listing leads to the next rung."""
    if is_rest(url):
        return _rest(site, url, status, body)
    if is_feed(site, url):
        return _feed(site, url, status, body)
    if status != 200:
        return Step()
    pages, following = links_of(site, url, body)
    return Step(tuple(pages), (following,) if following else ())


def _rest(site: Site, url: str, status: int | None, body: str) -> Step:
    _, page = _page(url, "page", "1")
    first = page == 1
    try:
        rows = json.loads(body) if status == 200 else None
    except (ValueError, RecursionError):
        rows = None
    if not isinstance(rows, list):
        return Step(listings=(feed_url(site, 1),)) if first else Step()  # after the last page it answers 400
    links = [row["link"] for row in rows if isinstance(row, dict) and isinstance(row.get("link"), str)]
    if not links:
        return Step(listings=(feed_url(site, 1),)) if first else Step()
    kept = tuple(link for link in links if site.pattern is None or site.pattern.search(link))
    return Step(kept, (rest_url(url, page + 1),) if len(rows) >= PER_PAGE else ())


def _feed(site: Site, url: str, status: int | None, body: str) -> Step:
    _, page = _page(url, "paged", "1")
    links = feed_links(body) if status == 200 else []
    if not links:
        return Step(listings=site.start) if page == 1 else Step()
    kept = tuple(link for link in links if site.pattern is None or site.pattern.search(link))
    return Step(kept, (feed_url(site, page + 1),))


def feed_links(body: str) -> list[str]:
    """Links of the items of an RSS or Atom feed; [] for what is none."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(body.strip().encode("utf-8", "replace"), parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        return []
    if (
        root is None
        or not isinstance(root.tag, str)
        or etree.QName(root).localname.lower() not in ("rss", "feed", "rdf")
    ):
        return []
    found: list[str] = []
    for item in root.iter("{*}item", "{*}entry"):
        for link in item.iter("{*}link"):
            target = (link.text or link.get("href") or "").strip()
            if target.startswith(("http://", "https://")) and link.get("rel") in (None, "alternate"):
                found.append(target)
                break
    return list(dict.fromkeys(found))


def _page(url: str, key: str, default: str) -> tuple[str, int]:
    """An address with its page number `default` in the query, and the number that it has."""
    parts = urlsplit(url)
    pairs = dict(parse_qsl(parts.query, keep_blank_values=True))
    number = pairs.get(key, "1")
    pairs[key] = default
    if default == "1" and key == "paged":
        del pairs[key]
    again = urlunsplit(parts._replace(query=urlencode(pairs)))
    return again, int(number) if number.isdigit() else 1
