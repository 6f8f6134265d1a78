"""A page's own statements about itself: title, authors, canonical link, language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from lxml.html import HtmlElement

from retrieval.extract import html, jsonld

_BY = re.compile(r"^(?:بقلم|كتبه?ا?|كتبت|تحرير|إعداد|اعداد|by)\s*[:：/\-]*\s*", re.I)
_SEPARATOR = re.compile(r"\s+[-–—|·•:»«]+\s+|\s*\|\s*")
_NO_AUTHOR = re.compile(
    r"https?:|@|^\W*$|\d{3}|^(?:admin|administrator|editor\d*|user\d*|root|webmaster|أدمن|المدير)$", re.I
)


@dataclass
class Fields:
    """A parsed page, asked for its fields. `url` is the address that answered."""

    tree: HtmlElement
    url: str

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        """Contents of meta elements by name."""
        return html.metas(self.tree)

    @cached_property
    def articles(self) -> list[dict[str, Any]]:
        """JSON-LD objects that are articles; where there are none, those that are pages."""
        objects = [item for item in jsonld.objects(self.tree) if not self._is_of_front(item)]
        articles = [item for item in objects if jsonld.types(item) & jsonld.ARTICLES]
        return articles or [item for item in objects if jsonld.types(item) & jsonld.PAGES]

    def meta(self, *names: str) -> str | None:
        """The first content among several names, in the order of the names."""
        return next((value for name in names for value in self.metas.get(name, ())), None)

    @cached_property
    def window_title(self) -> str:
        """The text of <title>."""
        found = self.tree.find(".//title")
        return "" if found is None else html.text_of(found)

    @cached_property
    def heading_place(self) -> int | None:
        """Which element, counted in the order of the page, holds the headline."""
        wanted = "".join((self.heading or self.title or "").split())[:40]
        if len(wanted) < 8:
            return None
        for place, element in enumerate(self.tree.iter()):
            if element.tag in ("h1", "h2", "h3", "h4", "div", "span", "a", "p", "td", "strong"):
                own = "".join((element.text or "").split())
                if own and own.startswith(wanted):
                    return place
        return None

    @cached_property
    def title(self) -> str | None:
        """The headline: JSON-LD, og:title, h1, <title>, without the name of the site."""
        for found in (
            self._ld_text("headline"),
            self.meta("og:title", "twitter:title", "title", "dc.title"),
            self.heading,
            self.window_title,
        ):
            if found and (clean := " ".join(unescape(found).split())):
                return self._without_site(clean)
        return None

    @property
    def canonical(self) -> str | None:
        """The canonical link, or og:url: absolute. A link to the front page from a page below is none."""
        links = html.find(
            self.tree,
            "//link[contains(concat(' ', translate(@rel,'CANOIL','canoil'), ' '), ' canonical ')]/@href",
        )
        for found in (*links, self.meta("og:url", "twitter:url")):
            if not found or not (found := found.strip()):
                continue
            try:
                absolute: str = urljoin(self.url, found)
                parts = urlsplit(absolute)
            except ValueError:
                continue
            front = _is_front(parts) and not _is_front(urlsplit(self.url))
            if parts.scheme in ("http", "https") and parts.hostname and "." in parts.hostname and not front:
                return absolute
        return None

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of authors, each once."""
        found: list[str] = []
        for item in self.articles:
            found.extend(_names(item.get("author")))
        if not found:
            found = [
                value
                for name in ("author", "article:author", "dc.creator", "byl")
                for value in self.metas.get(name, ())
            ]
        if not found:
            found = [
                html.text_of(e) for e in html.find(self.tree, "//*[@rel='author' or @itemprop='author']")[:3]
            ]
        names = (" ".join(_BY.sub("", unescape(name)).split()) for name in found)
        return tuple(
            dict.fromkeys(name for name in names if 2 < len(name) < 80 and not _NO_AUTHOR.search(name))
        )

    @property
    def language(self) -> str | None:
        """What the page says its language is."""
        return self.tree.get("lang") or self.meta("og:locale", "language", "content-language")

    @property
    def body(self) -> str:
        """articleBody of the JSON-LD, which some sites give in full."""
        return html.tidy(re.sub(r"<[^>]{1,200}>", "\n", unescape(self._ld_text("articleBody") or "")))

    def _is_of_front(self, item: dict[str, Any]) -> bool:
        """Whether an object is the front page's, on a page below it."""
        try:
            named = urlsplit(str(item.get("url") or ""))
            own = urlsplit(self.url)
        except ValueError:
            return False
        return bool(named.hostname) and _is_front(named) and not _is_front(own)

    def _ld_text(self, name: str) -> str | None:
        for item in self.articles:
            value = item.get(name)
            if isinstance(value, str) and value.strip():
                return value
        return None

    @cached_property
    def heading(self) -> str | None:
        """The h1 that is the headline: the only one, or the one that the window's title repeats."""
        headings = [text for e in self.tree.iter("h1") if (text := html.text_of(e))]
        return (
            headings[0] if len(headings) == 1 else next((h for h in headings if h in self.window_title), None)
        )

    def _without_site(self, title: str) -> str:
        """The title without the site's name before or behind it (og:site_name, or the host's)."""
        parts = _SEPARATOR.split(title)
        if len(parts) < 2:
            return title
        site = " ".join((self.meta("og:site_name", "application-name") or "").split()).casefold()
        host = (urlsplit(self.url).hostname or "").removeprefix("www.")
        for part, kept in ((parts[-1], title[: title.rfind(parts[-1])]), (parts[0], title[len(parts[0]) :])):
            name = part.casefold().strip()
            if name and (name == site or name.replace(" ", "") in (host, host.partition(".")[0])):
                return kept.strip(" -–—|·•:»«") or title
        heading = self.heading
        if heading and heading in title and 15 < len(heading) < len(title):
            return heading
        return title


def _is_front(parts: SplitResult) -> bool:
    return parts.path in ("", "/") and not parts.query


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return _names(value.get("name"))
    return [name for item in value for name in _names(item)] if isinstance(value, list) else []
