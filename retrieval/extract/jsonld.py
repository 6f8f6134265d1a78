"""JSON-LD of a page, script by script, with a repair ladder: one bad script does not lose the others."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

ARTICLES = frozenset((
    "article", "newsarticle", "reportagenewsarticle", "analysisnewsarticle", "opinionnewsarticle",
    "backgroundnewsarticle", "blogposting", "liveblogposting", "report", "scholarlyarticle", "techarticle",
    "satiricalarticle", "socialmediaposting", "discussionforumposting", "claimreview",
))  # fmt: skip
PAGES = frozenset(("webpage", "itempage", "medicalwebpage", "videoobject", "creativework"))

_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|//\s*\]\]>|\]\]>|/\*\s*\]\]>\s*\*/)\s*$"
)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_COMMENT = re.compile(r"^\s*//.*$", re.M)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')


def objects(tree: HtmlElement) -> list[dict[str, Any]]:
    """Every object with a @type, nested ones too, in the order of the page."""
    found: list[dict[str, Any]] = []
    for script in tree.iter("script"):
        if "ld+json" in (script.get("type") or "").lower():
            for value in parse(script.text or ""):
                found.extend(_typed(value))
    return found


def types(value: dict[str, Any]) -> set[str]:
    """Lower-case names of an object's types, without the vocabulary's address."""
    given = value.get("@type")
    names = given if isinstance(given, list) else [given]
    return {name.rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for name in names if isinstance(name, str)}


def parse(text: str) -> list[Any]:
    """The values in one script; [] where no repair helps. Concatenated objects give several."""
    text = _WRAPPING.sub("", _WRAPPING.sub("", text.strip().lstrip("\ufeff"))).strip()
    for repair in (lambda t: t, _mended, lambda t: _mended(html.unescape(t))):
        values = _read(repair(text))
        if values:
            return values
    return []


def _mended(text: str) -> str:
    text = _BAD_ESCAPE.sub(r"\\\\", _COMMENT.sub("", text))
    return _TRAILING_COMMA.sub(r"\1", text).rstrip(" ;\n\t")


def _read(text: str) -> list[Any]:
    decoder = json.JSONDecoder(strict=False)  # raw newlines inside strings
    values: list[Any] = []
    at = 0
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values
        values.append(value)
        at = end
        while at < len(text) and text[at] in " \t\r\n;,":
            at += 1
    return values


def _typed(value: Any) -> Iterator[dict[str, Any]]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if "@type" in item:
                yield item
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            stack.extend(reversed(item))
