"""Links to posts on X in a review: which post, where on the page the link stands, through which archive.

Provenances, most telling first: `itemReviewed` and `appearance` (the structured data says that the
claim stands there), `body` (a link in the text), `embed` (often evidence instead of the claim). `via`
names the archive or shortener that a link went through: web.archive.org is parsed; t.co, perma.cc
and the like must be asked (`dalil collect` does) and are kept unresolved until then; archive.is
wants a captcha and stays unresolved.

Left out: share links, profiles, searches, and posts of the site's own handles.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from dalil.errors import InputError
from dalil.text.urls import host, wayback

PROVENANCES = ("itemReviewed", "appearance", "body", "embed")
ENDPOINTS = {"t.co": "https://t.co/", "perma.cc": "https://perma.cc/api/v1/public/archives/"}
"""hosts that say where a link leads, and whom to ask"""
CLOSED = frozenset(
    ("archive.is", "archive.ph", "archive.today", "archive.fo", "archive.li", "archive.md", "archive.vn")
)
_X = frozenset(
    (
        "twitter.com",
        "x.com",
        "mobile.twitter.com",
        "m.twitter.com",
        "mobile.x.com",
        "www.twitter.com",
        "www.x.com",
        "nitter.net",
        "fxtwitter.com",
        "vxtwitter.com",
    )
)
_ASKABLE = re.compile(r"https?://(?:t\.co/[A-Za-z0-9]{4,20}|perma\.cc/[A-Za-z0-9-]{9,11})(?![\w-])")
_SLASH = re.compile(r"\\(?:/|u002f)", re.IGNORECASE)
MOST_ASKED = 100
"""links of one page that are asked, at most"""
_STATUS = re.compile(
    r"/(?:#!/)?(?P<handle>i/web|i|[A-Za-z0-9_]{1,20})/status(?:es)?/(?P<id>\d{1,20})(?:\D|$)"
)
_PERMA = re.compile(
    r"/(?:api/v1/public/archives/)?(?P<id>[A-Z0-9]{4}-[A-Z0-9]{4}|[A-Z0-9]{9,11})/?$", re.IGNORECASE
)


def post_of(url: str) -> dict[str, str] | None:
    """The post that a url leads to (`url`, `id`, `handle`, `via` an archive), or None."""
    inner, via = url, ""
    while (replay := wayback(inner)) is not None:
        inner, via = replay[1], "web.archive.org"
    try:
        name = host(inner)
        parts = urlsplit(unquote(inner) if "%2Fstatus" in inner else inner)
    except (InputError, ValueError):
        return None
    if name not in _X:
        return None
    match = _STATUS.match(parts.path) or _STATUS.match(f"/{parts.fragment.lstrip('!/')}")
    if match is None:
        return None
    handle = match["handle"]
    found = {
        "url": f"https://x.com/{'i' if handle.startswith('i/') else handle}/status/{match['id']}",
        "id": match["id"],
    }
    if handle not in ("i", "i/web"):
        found["handle"] = handle
    return found | ({"via": via} if via else {})


def question_for(url: str) -> str | None:
    """The address that is asked where a short or archived link leads; None for other links."""
    try:
        name = host(url)
    except InputError:
        return None
    if name not in ENDPOINTS:
        return None
    if name == "perma.cc":
        match = _PERMA.search(urlsplit(url).path)
        return f"{ENDPOINTS[name]}{match['id'].upper()}/" if match else None
    path = urlsplit(url).path.strip("/")
    return f"{ENDPOINTS[name]}{path}" if path else None


def questions_in(markup: str) -> tuple[str, ...]:
    """All that a page's short and archived links would be asked, wherever on it they stand.

    JSON may escape the slashes of an address.
    """
    plain = _SLASH.sub("/", markup)
    found = (question_for(match[0]) for match in _ASKABLE.finditer(plain))
    return tuple(dict.fromkeys(question for question in found if question))[:MOST_ASKED]


def posts_of(
    links: Iterable[tuple[str, str]],
    *,
    handles: Collection[str] = (),
    resolved: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any], ...]:
    """The posts among (url, provenance) links, each once, with the most telling provenance.

    `resolved` says where asked links lead (by their `question_for`). A link through an archive or
    shortener carries `link`; one that is not resolved has no `url`.
    """
    own = {handle.lstrip("@").lower() for handle in handles}
    found: dict[str, dict[str, Any]] = {}
    for link, provenance in sorted(links, key=lambda each: PROVENANCES.index(each[1])):
        made = _one(link, resolved or {})
        if made is None or str(made.get("handle", "")).lower() in own:
            continue
        found.setdefault(made.get("id") or made["link"], {**made, "provenance": provenance})
    return tuple(found.values())


def _one(link: str, resolved: Mapping[str, str]) -> dict[str, Any] | None:
    post = post_of(link)
    if post is not None:
        return {**post, **({"link": link} if "via" in post else {})}
    try:
        name = host(link)
    except InputError:
        return None
    if name in CLOSED:
        return {"link": link, "via": name}
    question = question_for(link)
    if question is None:
        return None
    if question not in resolved:
        return {"link": link, "via": name}
    target = post_of(resolved[question])
    return {**target, "link": link, "via": name} if target else None
