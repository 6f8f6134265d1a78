"""A page's ClaimReviews, whatever is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import lxml.html

from spiders.claimreview.nodes import Node, flat, json_ld, microdata, types
from spiders.claimreview.values import address_of, is_image, rating_of, text_of, urls_of


@dataclass(frozen=True)
class Review:
    """One ClaimReview as it is marked up. Dates are raw texts; nothing in it is filled in."""

    claim: str | None = None
    verdict: str | None = None
    """`alternateName` as printed"""
    rating: str | None = None
    """what the numbers say: true, false, mixed"""
    title: str | None = None
    url: str | None = None
    date: str | None = None
    claim_date: str | None = None
    author: str | None = None
    author_url: str | None = None
    claimant: str | None = None
    items: tuple[str, ...] = ()
    """urls of `itemReviewed`"""
    appearances: tuple[str, ...] = ()
    """urls of `appearance` and `firstAppearance`"""
    language: str | None = None
    body: str | None = None
    syntax: str = "json-ld"
    """json-ld or microdata"""


@dataclass(frozen=True)
class Found:
    """The reviews of a page, what else its structured data says, and what could not be read."""

    reviews: tuple[Review, ...]
    problems: tuple[str, ...]
    article: Node | None = None
    """the page's own article: headline, dates, section"""


def read_reviews(page: str | Any) -> Found:
    """The ClaimReviews of a page, each once, in order. `page` is markup or an lxml tree. Never raises."""
    tree = _tree(page) if isinstance(page, str) else page
    if tree is None:
        return Found((), ("no markup",))
    nodes, problems = json_ld(tree)
    named = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 2}
    reviews = [review_of(node, named) for node in nodes if is_review(node)]
    markup = page if isinstance(page, str) else lxml.html.tostring(tree, encoding="unicode")
    reviews += [review_of(node, {}, "microdata") for node in microdata(markup) if is_review(node)]
    article = next((node for node in nodes if types(node) & _ARTICLES), None)
    return Found(_merged(review for review in reviews if review is not None), tuple(problems), article)


_ARTICLES = frozenset(("newsarticle", "article", "reportagenewsarticle", "blogposting"))


def is_review(node: Node) -> bool:
    """Whether an object is a ClaimReview, or a Review of what is a claim."""
    kinds = types(node)
    if "claimreview" in kinds:
        return True
    item = _first(node.get("itemReviewed"))
    about_claim = isinstance(item, dict) and "claim" in types(flat(item))
    return "review" in kinds and ("claimReviewed" in node or about_claim)


def review_of(node: Node, named: Mapping[str, Node] | None = None, syntax: str = "json-ld") -> Review | None:
    """One review, or None for an empty one. `named` resolves references to other objects (`@id`)."""
    known = named or {}
    item = _resolved(_first(node.get("itemReviewed")), known)
    rating = _resolved(_first(node.get("reviewRating")), known)
    author = _resolved(_first(node.get("author") or node.get("publisher")), known)
    claimed = node.get("claimReviewed")
    claim = text_of(claimed, "text", "claimReviewed", "name") or text_of(
        item, "claimReviewed", "text", "headline", "name"
    )
    items, appearances = _places(node, item)
    if isinstance(claimed, dict):
        more = flat(claimed)
        appearances += urls_of(more.get("appearance")) + urls_of(more.get("firstAppearance"))
    own = [url for url in urls_of(node.get("url")) if not is_image(url)]
    verdict = text_of(rating, "alternateName", "name", "ratingExplanation")
    if claim is None and verdict is None:
        return None
    return Review(
        claim=claim, verdict=verdict, rating=rating_of(rating),
        title=text_of(node.get("headline")) or text_of(node.get("name")),
        url=own[0] if own else None,
        date=text_of(node.get("datePublished")) or text_of(node.get("dateCreated")),
        claim_date=_get(item, "datePublished") or _get(item, "dateCreated"),
        author=text_of(author, "name"),
        author_url=_address(author),
        claimant=text_of(_of(item, "author"), "name"),
        items=items,
        appearances=tuple(dict.fromkeys(appearances)),
        language=text_of(node.get("inLanguage"), "name", "alternateName"),
        body=text_of(node.get("reviewBody")) or text_of(node.get("articleBody")),
        syntax=syntax,
    )  # fmt: skip


def _tree(markup: str) -> Any:
    from lxml.etree import LxmlError

    try:
        return lxml.html.document_fromstring(
            markup.encode("utf-8", "replace"), parser=lxml.html.HTMLParser(encoding="utf-8")
        )
    except (LxmlError, ValueError, AssertionError):
        return None


def _places(node: Node, item: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Urls of what was reviewed, and of where it appeared."""
    inner = flat(item) if isinstance(item, dict) else {}
    items = urls_of(inner.get("url")) + urls_of(inner.get("sameAs"))
    if isinstance(item, str):
        items += urls_of(item)
    appearances: tuple[str, ...] = ()
    for holder in (inner, node):
        appearances += urls_of(holder.get("appearance")) + urls_of(holder.get("firstAppearance"))
    return tuple(dict.fromkeys(items)), appearances


def _address(author: Any) -> str | None:
    if not isinstance(author, dict):
        return None
    node = flat(author)
    return address_of(node.get("url")) or address_of(node.get("sameAs"))


def _first(value: Any) -> Any:
    return next((each for each in value if each), None) if isinstance(value, list) else value


def _resolved(value: Any, named: Mapping[str, Node]) -> Any:
    """An object in the place of a bare reference to it."""
    if isinstance(value, dict) and set(value) <= {"@id", "@type"} and isinstance(value.get("@id"), str):
        return named.get(value["@id"], value)
    return value


def _of(item: Any, key: str) -> Any:
    return flat(item).get(key) if isinstance(item, dict) else None


def _get(item: Any, key: str) -> str | None:
    return text_of(_of(item, key))


def _merged(reviews: Iterable[Review]) -> tuple[Review, ...]:
    """Each claim once: a copy of a review in another script or syntax brings what the first lacks."""
    from dataclasses import fields, replace

    found: dict[tuple[str | None, str | None], Review] = {}
    for review in reviews:
        key = (review.claim, None if review.claim else review.verdict)
        first = found.get(key)
        if first is None:
            found[key] = review
            continue
        missing = {
            field.name: getattr(review, field.name)
            for field in fields(Review)
            if not getattr(first, field.name) and getattr(review, field.name)
        }
        found[key] = replace(first, **missing)
    return tuple(found.values())
