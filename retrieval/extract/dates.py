"""Where a page states its published date: url, JSON-LD, meta, `time@datetime`, printed text, htmldate.

The candidates are gathered here; which to believe is `dalil.text.dates.best_date`'s. Dates of
update are never candidates while a date of publication is there, and a clock in the page's head
(many Arabic sites print today's date above the headline) is none at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from dalil.text.dates import BestDate, Candidate, best_date
from retrieval.extract import html
from retrieval.extract.fields import Fields
from retrieval.extract.page import Page

_META = (
    "article:published_time", "og:article:published_time", "datepublished", "og:published_time", "publishdate",
    "publish-date", "publish_date", "published_time", "pubdate", "publication_date", "published", "article.published",
    "date", "dc.date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dcterms.date", "sailthru.date",
    "parsely-pub-date", "cxenseparse:recs:publishtime", "article:created_time", "datecreated", "created",
    "citation_publication_date", "citation_date",
)  # fmt: skip
_CLASS = re.compile(
    r"(?:^|[-_\s])(?:date|published?|pub-?date|post-?date|entry-?date|date-?time|time-?stamp|posted(?:-?on)?|byline|post-?meta|"
    r"entry-?meta|meta|time|news-?date|article-?date|created?|artdate|postdate|datetime|publish\w*|tarikh)(?:$|[-_\s])",
    re.I,
)
_PUBLISHED = re.compile(
    r"(?:تاريخ|وقت) (?:ال)?(?:نشر|إضافة|اضافة|إنشاء|الخبر|المقال|الإصدار)|(?:نشرت?|كتبت?|أضيفت?|اضيفت?|أرسلت?)\w* (?:في|يوم|بتاريخ|:)|"
    r"(?:تم )?(?:ال)?نشر(?: في|:|\s*\d)|بتاريخ|نُشر|published|posted",
    re.I,
)
_UPDATED = re.compile(r"تحديث|تعديل|حُدّث|updated|modified|حتى تاريخ", re.I)
_NEAR = 25
"""lines behind the headline in which a printed date is looked for"""
_LONG = 160


def published(page: Page, fields: Fields, seen: str) -> BestDate:
    """The date to believe (`.found` is None where there is none); htmldate is asked only if all else is silent."""
    fetched = date.fromisoformat(page.seen_at[:10]) if page.seen_at else None
    stated = [*candidates(page, fields), *(Candidate("text", line) for line in printed(fields, seen))]
    best = best_date(stated, fetched=fetched)
    if best.found is not None:
        return best
    guess = html.guess_date(fields.tree, page.final_url or page.url, latest=fetched)
    return best_date([Candidate("htmldate", guess)], fetched=fetched) if guess else best


def candidates(page: Page, fields: Fields) -> Iterator[Candidate]:
    """What url and markup state, without printed text."""
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
    for element in _times(fields):
        yield Candidate("time", element)


def printed(fields: Fields, seen: str) -> Iterator[str]:
    """Lines that may print the date of publication, the likeliest first."""
    lines = _behind_headline(fields, seen)
    near = [line for line in lines[:_NEAR] if len(line) < _LONG and _has_digits(line)]
    yield from (line for line in near if _PUBLISHED.search(line) and not _UPDATED.search(line))
    yield from _by_class(fields)
    yield from (line for line in near if not _UPDATED.search(line))
    yield from (line for line in lines if len(line) < _LONG and _PUBLISHED.search(line) and _has_digits(line))
    yield from near


def _times(fields: Fields) -> Iterator[str]:
    """datetime of <time> elements: marked as publication first, those of updates and of link lists last."""
    found: list[tuple[int, str]] = []
    for element in fields.tree.iter("time", "abbr", "span"):
        value = element.get("datetime") or (element.get("content") if element.get("itemprop") else None)
        if not value and element.tag == "abbr" and "published" in (element.get("class") or ""):
            value = element.get("title")
        if not value:
            continue
        mark = f"{element.get('itemprop') or ''} {element.get('class') or ''} {element.get('pubdate') or ''}".lower()
        if "modif" in mark or "updat" in mark:
            rank = 2
        elif "publish" in mark or "pubdate" in mark or element.get("pubdate") is not None:
            rank = 0
        else:
            rank = 1
        if any(parent.tag in ("a", "aside", "nav", "footer") for parent in element.iterancestors()):
            rank += 3
        found.append((rank, value))
    yield from (value for _, value in sorted(found, key=lambda each: each[0]))


def _by_class(fields: Fields) -> Iterator[str]:
    for element in html.find(fields.tree, "//*[@itemprop='datePublished' or @class or @id]"):
        named = f"{element.get('class') or ''} {element.get('id') or ''}"
        if element.get("itemprop") != "datePublished" and not _CLASS.search(named):
            continue
        text = html.text_of(element)
        if 5 < len(text) < _LONG and _has_digits(text) and not _UPDATED.search(text):
            yield text


def _behind_headline(fields: Fields, seen: str) -> list[str]:
    """Lines of the page from the headline on; all where no headline is found."""
    lines = seen.split("\n")
    for headline in (fields.title or "", fields.window_title):
        wanted = "".join(headline.split())[:40]
        if len(wanted) > 8:
            places = [n for n, line in enumerate(lines) if wanted in "".join(line.split())]
            if places:
                return lines[places[0] :]
    return lines


def _has_digits(line: str) -> bool:
    return any(character.isdigit() for character in line)
