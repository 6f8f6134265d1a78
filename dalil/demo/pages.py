"""Renders the pages of the demo corpus: an address in, status, headers and bytes out.

Pure and deterministic: the same address gives the same bytes each time, on every machine. The
pages imitate what sites and outlets serve: furniture around the text, dates in their own styles,
an old encoding, a challenge, a wall, a "not found" with status 200.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dalil.demo.content import (
    LISTING,
    SITE_HOST,
    DemoArticle,
    DemoClaim,
    articles,
    claims,
    outlets,
    twins,
)
from dalil.resources import data

PER_PAGE = 8
"""claims on a listing page"""
HTML = "text/html; charset=utf-8"
_SECTIONS = ("سياسة", "اقتصاد", "رياضة", "صحة", "ثقافة")
_LAUNCH = "2019-07-10T08:00"
"""Last-Modified of everything that has no date of its own"""


class Page(NamedTuple):
    """An answer: status, headers (without Date and Server, which are the server's), body."""

    status: int
    headers: dict[str, str]
    body: bytes


def render(url: str) -> Page:
    """The page at an absolute `http` address; status 404 for an address that nothing lies at.

    The host may carry a port; a fragment is ignored, and so is a query except on the listing.
    """
    parts = urlsplit(url)
    host, path = (parts.hostname or ""), unquote(parts.path) or "/"
    if host not in hosts():
        return _text(404, "no such host\n")
    if path == "/robots.txt":
        return _text(200, f"User-agent: *\nDisallow: /search\nSitemap: http://{host}/sitemap.xml\n")
    if path == "/sitemap.xml":
        return _sitemap(host)
    if host == SITE_HOST:
        return _site(path, parse_qs(parts.query))
    article = _by_place().get((host, path))
    if article is not None:
        return _article(article, host)
    return _front(host) if path == "/" else _missing(host)


@cache
def hosts() -> frozenset[str]:
    """Every host that has pages."""
    return frozenset({SITE_HOST, *(o.host for o in outlets().values()), *(host for host, _ in _by_place())})


@cache
def urls() -> tuple[str, ...]:
    """Every address with a page of status 200 (twins, listings, front pages, robots, sitemaps), sorted."""
    listing = [LISTING, *(f"{LISTING}?page={n}" for n in range(2, last_page() + 1))]
    own = [claim.url for claim in claims()]
    articles_and_twins = [url for article in articles() for url in (article.url, *twins(article))]
    furniture = [f"http://{host}/{name}" for host in hosts() for name in ("", "robots.txt", "sitemap.xml")]
    return tuple(sorted({*listing, *own, *articles_and_twins, *furniture}))


def last_page() -> int:
    """Number of the last listing page."""
    return -(-len(claims()) // PER_PAGE)


@cache
def _by_place() -> dict[tuple[str, str], DemoArticle]:
    places: dict[tuple[str, str], DemoArticle] = {}
    for article in articles():
        for url in (article.url, *twins(article)):
            parts = urlsplit(url)
            places[parts.hostname or "", unquote(parts.path)] = article
    return places


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(data("demo", "templates")), autoescape=True, undefined=StrictUndefined
    )
    environment.globals["ld"] = _json_ld
    return environment


def _json_ld(value: Any) -> Markup:
    # "<" is escaped so that no text can close the script element; `Markup` is safe for that reason.
    return Markup(json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c"))  # noqa: S704


def _html(template: str, modified: str = _LAUNCH, *, status: int = 200, **values: Any) -> Page:
    body = _templates().get_template(template).render(**values).encode("utf-8")
    return _page(status, HTML, body, modified)


def _text(status: int, text: str) -> Page:
    return _page(status, "text/plain; charset=utf-8", text.encode("utf-8"), _LAUNCH)


def _page(status: int, content_type: str, body: bytes, modified: str) -> Page:
    headers = {"Content-Type": content_type, "Content-Length": str(len(body))}
    if status == 200:
        headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        when = datetime.fromisoformat(modified).replace(tzinfo=UTC)
        headers["Last-Modified"] = format_datetime(when, usegmt=True)
    return Page(status, headers, body)


def _sitemap(host: str) -> Page:
    if host == SITE_HOST:
        places = [claim.url for claim in claims()]
    else:
        places = [url for a in articles() for url in (a.url, *twins(a)) if urlsplit(url).hostname == host]
    rows = "".join(f"<url><loc>{place}</loc></url>\n" for place in places)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )
    return _page(200, "application/xml; charset=utf-8", text.encode("utf-8"), _LAUNCH)


def _site(path: str, query: dict[str, list[str]]) -> Page:
    if path in ("/", "/list"):
        asked = query.get("page", ["1"])[0]
        number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 0
        if 1 <= number <= last_page():
            shown = claims()[(number - 1) * PER_PAGE : number * PER_PAGE]
            return _html("listing.html", claims=shown, number=number, last=last_page())
    for claim in claims():
        if path == f"/check/{claim.id}":
            modified = f"{claim.reviewed}T12:00" if claim.reviewed else _LAUNCH
            related = [other for other in claims() if other.category == claim.category and other != claim][:2]
            related += [other for other in claims() if other.verdict != claim.verdict][: 3 - len(related)]
            return _html("claim.html", modified, c=claim, related=related, markup=_claim_review(claim))
    return _missing(SITE_HOST)


def _claim_review(claim: DemoClaim) -> Any:
    """ClaimReview markup in one of the two shapes met most: in a `@graph`, or in a top-level list."""
    if not claim.ld:
        return None
    review = {
        "@type": "ClaimReview",
        "url": claim.url,
        "claimReviewed": claim.claim,
        "author": {"@type": "Organization", "name": "حقيقة", "url": f"http://{SITE_HOST}/"},
        "itemReviewed": {"@type": "Claim", "author": {"@type": "Person", "name": "مستخدمون"}},
        "reviewRating": {"@type": "Rating", "alternateName": claim.verdict, "ratingValue": ""},
    }
    if claim.ld_date:
        review["datePublished"] = claim.ld_date
    if claim.ld == "graph":
        return {"@context": "https://schema.org", "@graph": [review]}
    return [{"@context": "https://schema.org", **review}]


def _article(article: DemoArticle, host: str) -> Page:
    outlet = outlets()[article.outlet]
    template = {"challenge": "challenge.html", "soft404": "soft404.html"}.get(article.kind, outlet.template)
    wall = article.kind == "paywall"
    charset = "windows-1256" if article.kind == "cp1256" else "utf-8"
    text = _templates().get_template(template)
    html = text.render(
        a=article.model_copy(update={"text": article.text[:1]}) if wall else article,
        outlet=outlet,
        sections=_SECTIONS,
        related=_related(article),
        charset=charset,
        wall=wall,
        twin=host != outlet.host,
        amp=host == f"amp.{outlet.host}",
    )
    content_type = "text/html" if article.kind == "cp1256" else HTML
    return _page(200, content_type, html.encode(charset), article.published)


def _related(article: DemoArticle) -> list[DemoArticle]:
    """The three articles of the same outlet that follow in the order of addresses, round and round."""
    same = [other for other in articles() if other.outlet == article.outlet]
    at = same.index(article)
    return [same[(at + step) % len(same)] for step in (1, 2, 3)]


def _front(host: str) -> Page:
    outlet = next(o for o in outlets().values() if host in (o.host, f"m.{o.host}", f"amp.{o.host}"))
    own = [article for article in articles() if outlets()[article.outlet] == outlet]
    newest = sorted(own, key=lambda article: article.published, reverse=True)
    return _html("front.html", outlet=outlet, articles=newest)


def _missing(host: str) -> Page:
    body = (
        '<!DOCTYPE html>\n<html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>404</title></head>'
        f"<body><h1>الصفحة غير موجودة</h1><p>{host}</p></body></html>\n"
    )
    return _page(404, HTML, body.encode("utf-8"), _LAUNCH)
