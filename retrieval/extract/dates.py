"""Where a page states its published date: url, JSON-LD, meta, `time@datetime`, printed text, htmldate.

The candidates are gathered here; which to believe is `dalil.text.dates.best_date`'s. Dates of
update are never candidates while a date of publication is there, and a clock in the page's head
(many Arabic sites print today's date above the headline) is none at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from dalil.text.dates import BestDate, Candidate, best_date
from retrieval.extract import html
from retrieval.extract.fields import Fields
from retrieval.extract.page import Page
from retrieval.extract.printed import printed_dates

_META = (
    "article:published_time", "og:article:published_time", "datepublished", "og:published_time",
    "publishdate", "publish-date", "publish_date", "published_time", "pubdate", "publication_date",
    "published", "article.published", "date", "dc.date", "dc.date.issued", "dcterms.issued",
    "dcterms.created", "dcterms.date", "sailthru.date", "parsely-pub-date", "cxenseparse:recs:publishtime",
    "article:created_time", "datecreated", "created", "citation_publication_date", "citation_date",
)  # fmt: skip
_CLOSE = (-40, 150)
"""elements before and behind the headline within which a <time> is the article's"""


def published(page: Page, fields: Fields, seen: str, text: str) -> BestDate:
    """The date to believe (`.found` is None where there is none).

    htmldate is asked only if all else is silent, and its guess is not believed when it is the day
    of the fetch or the day before: that is the page's clock.
    """
    fetched = date.fromisoformat(page.seen_at[:10]) if page.seen_at else None
    lines = printed_dates(
        seen, text, tuple(filter(None, (fields.title, fields.heading, fields.window_title)))
    )
    stated = [*candidates(page, fields), *(Candidate("text", line) for line in lines)]
    # what stands printed by the headline is surer than a <time> that says nothing of publication
    stated.extend(Candidate("time", value) for marked, value in _times(fields) if marked or not lines)
    best = best_date(stated, fetched=fetched)
    if best.found is not None:
        return best
    guess = html.guess_date(fields.tree, page.final_url or page.url, latest=fetched)
    if guess is None or (fetched is not None and guess >= (fetched - timedelta(days=1)).isoformat()):
        return best
    return best_date([Candidate("htmldate", guess)], fetched=fetched)


def candidates(page: Page, fields: Fields) -> Iterator[Candidate]:
    """What url, JSON-LD and meta elements state."""
    for url in dict.fromkeys((page.url, page.final_url or page.url, fields.canonical or page.url)):
        yield Candidate("url", url)
    for name in ("datePublished", "dateCreated", "uploadDate"):
        for item in fields.articles:
            value: Any = item.get(name)
            if isinstance(value, str) and value.strip():
                yield Candidate("jsonld", value)
    for name in _META:
        for value in fields.metas.get(name, ()):
            yield Candidate("meta", value)


def _times(fields: Fields) -> Iterator[tuple[bool, str]]:
    """(marked as publication, datetime) of <time> elements that are the article's; updates never."""
    found: list[tuple[int, int, bool, str]] = []
    head = fields.heading_place
    for at, element in enumerate(fields.tree.iter()):
        if element.tag not in ("time", "abbr", "span", "div", "p"):
            continue
        value = element.get("datetime") or (element.get("content") if element.get("itemprop") else None)
        if not value and element.tag == "abbr" and "published" in (element.get("class") or ""):
            value = element.get("title")
        if not value:
            continue
        mark = f"{element.get('itemprop') or ''} {element.get('class') or ''}".lower()
        if "modif" in mark or ("updat" in mark and "publish" not in mark):
            continue
        marked = "datepublished" in mark or "entry-date" in mark or element.get("pubdate") is not None
        listed = any(
            parent.tag in ("a", "aside", "nav", "footer", "header") for parent in element.iterancestors()
        )
        near = head is None or _CLOSE[0] <= at - head <= _CLOSE[1]
        if marked or (near and not listed):
            found.append((0 if marked and near else 1 if near else 2, abs(at - (head or 0)), marked, value))
    yield from ((marked, value) for _, _, marked, value in sorted(found))
