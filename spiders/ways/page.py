"""A page as the ways read it: selectors of its layout, and the furniture that every site has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

from lxml import etree
from parsel import Selector

from dalil.errors import InputError
from dalil.text.urls import host
from spiders.claimreview import Found, read_reviews
from spiders.postlinks import questions_in
from spiders.sites import Css, Selectors, Site

LARGEST = 5_000_000
"""characters of a page that are looked at"""
MOST_SIBLINGS = 1000
"""children of one element that are looked at: a selector like `h2 ~ p` costs the cube of their number"""
_SPACE = re.compile(r"\s+")
_EMBED = (
    "blockquote.twitter-tweet, blockquote.twitter-video, .twitter-tweet, .embed-twitter, [data-tweet-url]"
)


class SitePage:
    """One page of a site: its layout, texts, metadata, structured data. Pure."""

    def __init__(self, site: Site, url: str, markup: str, *, listing: bool = False):
        self.site = site
        self.url = url
        # a lone surrogate would stop the parser
        markup = markup[:LARGEST].encode("utf-8", "replace").decode("utf-8")
        self.asked = questions_in(markup)
        self.whole = Selector(markup or "<html></html>")
        self.reviews: Found = read_reviews(self.whole.root)
        crowded = [each for each in self.whole.root.iter() if len(each) > MOST_SIBLINGS]
        for each in crowded:
            del each[MOST_SIBLINGS:]
        if crowded:
            said = f"{len(crowded)} elements with more than {MOST_SIBLINGS} children: the rest was not read"
            self.reviews = replace(self.reviews, problems=(*self.reviews.problems, said))
        self.layout = layout_of(site, self.whole)
        if self.layout is not None and not listing:
            for selector in self.layout.drop:
                self.whole.css(selector).drop()

    def all(self, selectors: Css) -> list[str]:
        """Texts of the first selector that finds any, in order."""
        for selector in selectors:
            found = [text for each in self.whole.css(selector) if (text := _text(each))]
            if found:
                return found
        return []

    def first(self, selectors: Css) -> str | None:
        """The first text of the first selector that finds one."""
        return next(iter(self.all(selectors)), None)

    def meta(self, *names: str) -> str | None:
        """The content of the first of these metadata, by `property` or by `name`."""
        for name in names:
            for key in ("property", "name", "itemprop"):
                found = self.whole.css(f'meta[{key}="{name}"]::attr(content)').get()
                if found and found.strip():
                    return _SPACE.sub(" ", found).strip()
        return None

    @cached_property
    def window_title(self) -> str | None:
        """The title of the window, without the site's name behind a bar."""
        found = self.whole.css("title::text").get()
        return (
            re.split(r" [|–—-] (?=[^|–—-]*$)", _SPACE.sub(" ", found[:500]).strip())[0].strip() or None
            if found
            else None
        )

    def links(self) -> Iterator[tuple[str, str]]:
        """(url, provenance) of links in the structured data, embeds and the text."""
        for review in self.reviews.reviews:
            yield from ((url, "itemReviewed") for url in review.items)
            yield from ((url, "appearance") for url in review.appearances)
        embeds = {url for each in _outermost(self.whole.css(_EMBED)) for url in self._targets(each)}
        yield from ((url, "embed") for url in sorted(embeds))
        places = self.layout.posts or self.layout.body if self.layout is not None else ()
        for selector in places:
            bare = selector.partition("::")[0]
            for each in _outermost(self.whole.css(bare)):
                yield from ((url, "body") for url in self._targets(each) if url not in embeds)

    def _targets(self, part: Selector) -> Iterator[str]:
        for href in (
            *part.css("a::attr(href)").getall(),
            *part.css("[data-tweet-url]::attr(data-tweet-url)").getall(),
        ):
            try:
                yield urljoin(self.url, href.strip())
            except ValueError:
                continue

    def is_ours(self) -> bool:
        """Whether the page shows what every page of its site has (`ours`)."""
        return not self.site.ours or any(self.whole.css(selector) for selector in self.site.ours)


def _outermost(found: Iterable[Selector]) -> Iterator[Selector]:
    """Of elements in the order of the page, those inside no other of them: what is nested is read once."""
    read: set[object] = set()
    for each in found:
        if read.isdisjoint(each.root.iterancestors()):
            read.add(each.root)
            yield each


def layout_of(site: Site, page: Selector) -> Selectors | None:
    """The layout whose probe finds something; else the one without a probe; None where all have one."""
    for layout in site.all_layouts:
        if not layout.probe or any(page.css(selector) for selector in layout.probe):
            return layout
    return None


def links_of(site: Site, url: str, markup: str) -> tuple[list[str], str | None]:
    """Links to claims on a listing, in order, and the next listing if there is one.

    Of links elsewhere and of those that are not `page_pattern` nothing is followed.
    """
    page = SitePage(site, url, markup, listing=True)
    if page.layout is None:
        return [], None
    found: list[str] = []
    for layout in (page.layout, *(each for each in site.all_layouts if each is not page.layout)):
        hrefs = [href for selector in layout.links for href in page.whole.css(selector).getall()]
        found = list(dict.fromkeys(link for href in hrefs if (link := _link(site, url, href))))
        if found:
            following = page.first(layout.next)
            return found, _link(site, url, following, listing=True) if following else None
    return [], None


def _link(site: Site, base: str, href: str, *, listing: bool = False) -> str | None:
    try:
        url = urljoin(base, href.strip()).partition("#")[0]
        name = host(url)
    except (InputError, ValueError):
        return None
    if site.hosts and not any(name == own or name.endswith(f".{own}") for own in site.hosts):
        return None
    if not listing and site.pattern is not None and not site.pattern.search(url):
        return None
    return url


def _text(found: Selector) -> str:
    """The text of what a selector found: a string as it is; an element's text, its blocks as lines."""
    root = found.root
    if isinstance(root, str):
        return _SPACE.sub(" ", root).strip()
    if not isinstance(root.tag, str):
        return ""
    lines = "".join(_pieces(root)).split("\n")
    return "\n".join(line for each in lines if (line := _SPACE.sub(" ", each).strip()))


def _pieces(root: Any) -> Iterator[str]:
    """Text of an element, with a line break (and no other) around each block inside."""
    for step, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        tag = node.tag if isinstance(node.tag, str) else ""
        if step == "start":
            if tag in _BLOCKS:
                yield "\n"
            if tag and tag not in _SILENT:
                yield _SPACE.sub(" ", node.text or "")
            continue
        if step == "end" and tag in _BLOCKS:
            yield "\n"
        if node is not root:
            yield _SPACE.sub(" ", node.tail or "")


_SILENT = frozenset(("script", "style", "noscript", "template"))
# fmt: off
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p",
    "section", "table", "td", "th", "tr", "ul",
))
# fmt: on
