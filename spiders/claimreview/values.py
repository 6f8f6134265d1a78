"""Values of properties as they are found: texts, urls, names, ratings, in whatever wrapping."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from dalil.errors import InputError
from dalil.records import fit_text
from dalil.text.urls import host
from spiders.claimreview.nodes import Node, flat

_SPACE = re.compile(r"\s+")
_BLOCK = re.compile(r"</?(?:p|div|br|li|ul|ol|h[1-6]|tr|td|section|blockquote)\b[^<>]{0,300}>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{1,300}>")
_SPLIT = re.compile(r"(?:\s*[,;|]\s*|\s+and\s+|\s+)(?=https?:|www\.|//)", re.IGNORECASE)
_ENCODED = re.compile(r"https?%(?:25)*3A", re.IGNORECASE)
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|bmp)(?:[?#].*)?$", re.IGNORECASE)
_BARE = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)


def text_of(value: Any, *keys: str) -> str | None:
    """The first text in a value: a string, a list, `{"@value"}`, or an object with one of `keys`."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        plain = html.unescape(html.unescape(value))
        if "<" in plain:
            plain = _TAG.sub("", _BLOCK.sub(" ", plain))
        plain = _SPACE.sub(" ", plain).strip()
        return fit_text(plain) or None
    if isinstance(value, list):
        return next((text for each in value[:50] if (text := text_of(each, *keys))), None)
    if isinstance(value, dict):
        node = flat(value)
        return next((text for key in ("@value", *keys) if (text := text_of(node.get(key), *keys))), None)
    return None


def urls_of(value: Any) -> tuple[str, ...]:
    """All urls in a value, each once: strings with several, lists, objects with `url` or `@id`."""
    return tuple(dict.fromkeys(_urls(value, 0)))


def _urls(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        for part in _SPLIT.split(_SPACE.sub(" ", html.unescape(value[:20_000])).strip()):
            found = one_url(part)
            if found:
                yield found
    elif isinstance(value, list) and depth < 6:
        for each in value[:200]:
            yield from _urls(each, depth + 1)
    elif isinstance(value, dict) and depth < 6:
        node = flat(value)
        for key in ("url", "@id", "contentUrl", "sameAs"):
            yield from _urls(node.get(key), depth + 1)


def one_url(text: str) -> str | None:
    """The url that a text is, with known damage mended, or None.

    `http%253A%252F%252F…` is decoded until it has a scheme; `…comundefined` loses its ending.
    """
    url = text.strip().strip("\"'<>()[]،").rstrip(".,;")
    for _ in range(4):
        if not _ENCODED.match(url):
            break
        url = unquote(url)
    url = re.sub(r"(?<=[a-z])undefined$", "", url)
    if url.startswith("www."):
        url = f"https://{url}"
    if not url.lower().startswith(("http://", "https://", "//")) or re.search(r"\s", url):
        return None
    try:
        host(url)
    except InputError:
        return None
    return f"https:{url}" if url.startswith("//") else url


def address_of(value: Any) -> str | None:
    """The first url of a value; a bare domain is one too."""
    found = urls_of(value)
    if found:
        return found[0]
    text = text_of(value, "url", "@id")
    return one_url(f"https://{text}") if text and _BARE.fullmatch(text) else None


def is_image(url: str) -> bool:
    """Whether a url is that of an image."""
    return bool(_IMAGE.search(url))


def number_of(value: Any) -> float | None:
    """A number, given as one or as text, or None."""
    text = text_of(value)
    if text is None:
        return None
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return None
    return found if abs(found) < 1e6 else None


def rating_of(rating: Any) -> str | None:
    """What numbers of a Rating say: `false` at the worst, `true` at the best, `mixed` between; None else.

    Empty numbers, triples of −1 and values out of their range say nothing.
    """
    first = rating[0] if isinstance(rating, list) and rating else rating
    if not isinstance(first, dict):
        return None
    node: Node = flat(first)
    value, best, worst = (number_of(node.get(name)) for name in ("ratingValue", "bestRating", "worstRating"))
    if value is None or best is None or worst is None or not 0 <= worst <= value <= best or worst == best:
        return None
    return "false" if value == worst else "true" if value == best else "mixed"
