"""The template way: a page of a site to its claims, each field with how it was found. Pure.

For each field the most telling place wins, and `found` names it: `selector` (the site's layout),
`claimreview`, `opengraph`, `json-ld`, `window title`, `readable text`, `site` (the definition says so),
`rating` (ClaimReview's numbers). Dates name their source as `dalil.text.dates` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dalil.errors import InputError
from dalil.ids import make_id
from dalil.net.wayback import iso
from dalil.records import Claim, Fetch, fit_text
from dalil.stages import Drop
from dalil.text.dates import Candidate, best_date, parse_date
from dalil.text.normal import search_form
from dalil.text.urls import canonical_url, host, wayback
from dalil.text.verdicts import veracity_of
from spiders.claimreview import Review
from spiders.postlinks import posts_of
from spiders.sites import Site
from spiders.ways.page import SitePage, links_of
from spiders.ways.refuse import refused

links = links_of
_NOTHING: Mapping[str, str] = {}


@dataclass
class _Fields:
    """Values on their way into a Claim, and how each was found."""

    values: dict[str, Any] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)

    def take(self, name: str, *choices: tuple[str, Any]) -> Any:
        """The first (source, value) that has a value."""
        for source, value in choices:
            if value:
                self.values[name], self.found[name] = value, source
                return value
        return None


def read_claims(
    site: Site, url: str, markup: str, fetch: Fetch | None = None, resolved: Mapping[str, str] = _NOTHING
) -> list[Claim] | Drop:
    """The claims that a page is about, or why there is none. Several where its ClaimReview has several.

    `url` is the page's address or that of a replay of it; `resolved` says where short links lead.
    """
    original, at = _original(url, fetch)
    page = SitePage(site, original, markup)
    drop = refused(site, page, markup, fetch)
    if drop is not None:
        return drop
    if page.layout is None:
        return Drop("no_layout", f"{site.name}: no layout's probe finds anything")
    reviews = _of_this_page(page.reviews.reviews, original) or (None,)
    made = [_claim(site, page, review, len(reviews) > 1, fetch, resolved, at) for review in reviews]
    claims = list({claim.id: claim for claim in made if isinstance(claim, Claim)}.values())
    return claims or next(drop for drop in made if isinstance(drop, Drop))


def _original(url: str, fetch: Fetch | None) -> tuple[str, tuple[str, str] | None]:
    """The page's own address, and for a capture the address and time of the replay."""
    if fetch is not None and fetch.snapshot_at is not None and wayback(url) is None:
        return url, (fetch.final_url or url, fetch.snapshot_at)
    replay = wayback(url)
    return (url, None) if replay is None else (replay[1], (url, iso(replay[0])))


def _of_this_page(reviews: tuple[Review, ...], url: str) -> tuple[Review, ...]:
    """The reviews that are this page's: where some name it, those; related ones of other pages go.

    One that names another address may still be it (sites print short links); several that name
    different pages of the same host are those of related claims.
    """
    own = _canonical(url)
    named = [review for review in reviews if review.url and _canonical(review.url) == own]
    if named:
        return tuple(named)
    given = [_canonical(review.url) for review in reviews if review.url]
    elsewhere = {address for address in given if _same_host(address, own)}
    if len(elsewhere) < 2:
        return reviews
    return tuple(each for each in reviews if not each.url or _canonical(each.url) not in elsewhere)


def _claim(
    site: Site,
    page: SitePage,
    review: Review | None,
    several: bool,
    fetch: Fetch | None,
    resolved: Mapping[str, str],
    archived: tuple[str, str] | None,
) -> Claim | Drop:
    layout = page.layout
    assert layout is not None
    fields = _Fields()
    title = fields.take(
        "title",
        ("selector", page.first(layout.title)),
        ("opengraph", page.meta("og:title", "twitter:title")),
        ("claimreview", review.title if review else None),
        ("window title", page.window_title),
    )
    boxed = None if several else page.first(layout.claim)
    places = {
        "claim": ("selector", boxed),
        "claimreview": ("claimreview", review.claim if review else None),
        "title": ("title", title),
    }
    raw = fields.take("raw", *(places[name] for name in site.raw))
    if not raw or not any(char.isalpha() for char in raw):
        return Drop("no_claim", f"{site.name}: no {', '.join(site.raw)} on the page")
    _verdict(site, page, review, several, fields)
    _dates(page, review, fetch, fields)
    printed = page.first(layout.category)
    category = fields.take("domain", ("site category", site.domains.get(printed or "")))
    body = "\n".join(page.all(layout.body))
    fields.take(
        "body",
        ("selector", body),
        ("claimreview", review.body if review else None),
        ("readable text", None if body else _readable(page)),
    )
    address = site.address(_canonical(page.url))
    more: dict[str, Any] = {
        "layout": layout.name,
        "claim_text": boxed,
        "problems": list(page.reviews.problems),
        "asked": list(page.asked),
    }
    if printed:
        more["category"] = printed
    if not site.verified or layout.unverified:
        more["unverified"] = True
    if review is not None and review.claimant:
        more["claimant"] = fit_text(review.claimant)
    key = (site.name, address, search_form(raw)) if several else (site.name, address)
    return Claim(
        id=make_id("claim", *key),
        site=site.name,
        url=address,
        raw=raw,
        title=title,
        body=fields.values.get("body"),
        verdict=fields.values.get("verdict"),
        veracity=fields.values.get("veracity", "unknown"),
        claim_date=fields.values.get("claim_date"),
        claim_date_from=fields.found.get("claim_date"),
        review_date=fields.values.get("review_date"),
        review_date_from=fields.found.get("review_date"),
        country=site.country,
        domain=category,
        domain_from="site category" if category else None,
        language=site.language,
        archived_url=archived[0] if archived else None,
        snapshot_at=archived[1] if archived else None,
        posts=posts_of(page.links(), handles=site.handles, resolved=resolved),
        found={key: value for key, value in (more | fields.found).items() if value},
        fetch_id=fetch.id if fetch is not None else None,
        origin=f"{site.name} v{site.version} {layout.name}",
    )


def _verdict(site: Site, page: SitePage, review: Review | None, several: bool, fields: _Fields) -> None:
    """The verdict as printed: the first place whose words are a known verdict, else the first with words."""
    layout = page.layout
    assert layout is not None
    places = [
        ("selector", None if several else page.first(layout.verdict)),
        ("claimreview", review.verdict if review else None),
        ("site", site.verdict),
    ]
    known = [
        (source, text) for source, text in places if text and veracity_of(text, site.verdicts) != "unknown"
    ]
    verdict = fields.take("verdict", *known, *places)
    fields.take(
        "veracity",
        ("verdict", veracity_of(verdict, site.verdicts) if known else None),
        ("rating", review.rating if review else None),
    )


def _dates(page: SitePage, review: Review | None, fetch: Fetch | None, fields: _Fields) -> None:
    """Review date: url, JSON-LD, meta, time@datetime, printed, in this order; claim date."""
    layout = page.layout
    assert layout is not None
    article = page.reviews.article or {}
    given = [
        Candidate("url", page.url),
        *(
            Candidate("jsonld", raw)
            for raw in (review.date if review else None, _string(article.get("datePublished")))
            if raw
        ),
        *(Candidate("meta", raw) for raw in (page.meta(*_META),) if raw),
        *(Candidate("time", raw) for raw in (page.first(layout.date_attribute),) if raw),
        *(Candidate("text", raw) for raw in page.all(layout.date)[:5]),
    ]
    seen = parse_date((fetch.snapshot_at or fetch.fetched_at or "") if fetch is not None else "")
    best = best_date(given, fetched=_day(seen.iso) if seen is not None and seen.precision == "day" else None)
    if best.found is not None:
        fields.values["review_date"], fields.found["review_date"] = best.found.iso, best.source
        if best.raw and best.source != "url":
            fields.found["review_date_raw"] = best.raw[:200]
        others = {
            found.iso for source, raw in given if source in ("jsonld", "meta") and (found := parse_date(raw))
        }
        if different := sorted(other for other in others if not _same(other, best.found.iso)):
            fields.found["review_date_also"] = different
    claimed = parse_date(review.claim_date) if review is not None and review.claim_date else None
    printed = parse_date(page.first(layout.claim_date) or "")
    fields.take(
        "claim_date",
        ("claimreview", claimed.iso if claimed else None),
        ("selector", printed.iso if printed else None),
    )


_META = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "sailthru.date",
    "date",
    "datePublished",
    "DC.date.issued",
)


def _readable(page: SitePage) -> str | None:
    """The page's running text, by trafilatura: only where no selector and no markup has the body."""
    from lxml.etree import LxmlError, tostring
    from trafilatura import extract

    try:
        text = extract(
            tostring(page.whole.root, encoding="unicode", method="html"),
            include_comments=False,
            include_tables=False,
        )
    except (LxmlError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # a broken tree has no readable text
    return fit_text(text) if text else None


def _day(iso: str) -> Any:
    from datetime import date

    return date.fromisoformat(iso)


def _same(one: str, other: str) -> bool:
    known = min(len(one), len(other))
    return one[:known] == other[:known]


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _same_host(one: str, other: str) -> bool:
    try:
        return host(one) == host(other)
    except InputError:
        return False


def _canonical(url: str) -> str:
    try:
        return canonical_url(url)
    except InputError:
        return url
