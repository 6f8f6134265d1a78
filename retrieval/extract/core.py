"""The pure function: a page to an article, or the reason why it is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dalil.errors import InputError
from dalil.text.urls import outlet
from retrieval.extract import html, refuse
from retrieval.extract.body import other_format, undo_codings
from retrieval.extract.charset import decode
from retrieval.extract.dates import published
from retrieval.extract.fields import Fields
from retrieval.extract.language import guess_language
from retrieval.extract.page import Extracted, Page, Refused

MIN_CHARS = 150
ENOUGH = 400
"""characters from which the first extraction is not doubted"""


@dataclass(frozen=True)
class Rules:
    """What counts as an article."""

    min_chars: int = MIN_CHARS
    languages: tuple[str, ...] = ("ar",)


def extract(page: Page, rules: Rules = Rules()) -> Extracted | Refused:
    """An article or a reason (page.REASONS). Pure: the same page and rules, the same answer.

    The text comes from trafilatura; where it finds less than ENOUGH, the page's own JSON-LD
    articleBody, trafilatura in recall mode and the block with most running text are tried, and the
    longest running text wins. A date later than the day after `page.seen_at` is never believed.
    """
    body = undo_codings(page.body, page.header("content-encoding"))
    if not body.strip():
        return (
            Refused("http_status", str(page.status)) if page.status >= 300 else Refused("empty", "no bytes")
        )
    kind = other_format(body, page.header("content-type"))
    if kind is not None:
        return Refused("http_status", str(page.status)) if page.status >= 300 else Refused("not_html", kind)
    decoded = decode(body, page.header("content-type"))
    try:
        tree = html.parse(decoded.text)
    except html.TooDeep:
        return Refused("parser_failed", "elements nest too deep")
    if tree is None:
        return Refused("empty", "no markup")
    fields = Fields(tree, page.final_url or page.url)
    seen = html.visible_text(tree)
    stand_in = _stand_in(page, decoded.text, fields, seen)
    if stand_in is not None:
        return stand_in
    text = _text(fields)
    if not text:
        return Refused("boilerplate", "no running text") if seen else Refused("empty", "no visible text")
    unfit = refuse.by_text(text, fields.window_title, rules.min_chars)
    if unfit is not None:
        return unfit
    language = guess_language(text, fields.language)
    if language not in rules.languages:
        reason = "not_arabic" if rules.languages == ("ar",) else "other_language"
        return Refused(reason, language or "no letters")
    date = published(page, fields, seen, text)
    title = fields.title
    return Extracted(
        text=_without_headline(text, title),
        title=title,
        language=language,
        published=date.found.iso if date.found else None,
        published_from=date.source,
        published_raw=date.raw,
        canonical_url=fields.canonical,
        outlet=_outlet(page),
        authors=fields.authors,
        charset=decoded.charset,
    )


def _stand_in(page: Page, markup: str, fields: Fields, seen: str) -> Refused | None:
    """A page in the article's place: a bot check first, since it comes under 403 and 503 as well."""
    heading = next((html.text_of(e) for e in fields.tree.iter("h1")), "")
    found = refuse.by_code(markup, seen)
    if found is None:
        found = refuse.by_words(page, fields.window_title, heading, seen)
    if page.status >= 300:
        challenge = found is not None and found.reason == "challenge_page"
        return found if challenge else Refused("http_status", str(page.status))
    if found is None and not seen and not fields.body:
        return Refused("empty", "no visible text")
    return found


def _text(fields: Fields) -> str:
    best = html.main_text(fields.tree)
    if _running(best) >= ENOUGH:
        return best
    others: tuple[Callable[[], str], ...] = (
        lambda: fields.body,
        partial(html.main_text, fields.tree, recall=True),
        partial(html.largest_block, fields.tree),
    )
    for other in others:
        candidate = other()
        if _running(candidate) > 1.5 * _running(best) and _running(candidate) > _running(best) + 80:
            best = candidate
    return best


def _without_headline(text: str, title: str | None) -> str:
    """The text without the headline as its first line, where more follows."""
    first, _, rest = text.partition("\n")
    same = title is not None and "".join(first.split()) == "".join(title.split())
    return rest if same and rest else text


def _running(text: str) -> int:
    return sum(len(line) for line in text.split("\n") if refuse.is_running(line))


def _outlet(page: Page) -> str | None:
    try:
        return outlet(page.final_url or page.url)
    except InputError:
        return None
