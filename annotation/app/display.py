"""Texts of strangers as safe, readable HTML: escaped, the other script isolated, controls made visible."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from dalil.text.sentences import Span, sentences

_MARKS = r"[.\-/:&'’+%?=~@#]+"
_LATIN_WORD = rf"[@#]?[A-Za-zÀ-ɏ0-9_]+(?:{_MARKS}[A-Za-zÀ-ɏ0-9_]+)*"
_LATIN = re.compile(rf"{_LATIN_WORD}(?: +{_LATIN_WORD})*")
_RTL_LETTERS = "\u0590-\u06ff\u0700-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_RTL = re.compile(rf"[{_RTL_LETTERS}]+(?: +[{_RTL_LETTERS}]+)*")
_LETTER = re.compile(r"[A-Za-zÀ-ɏ]")
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What changes direction or is invisible. LRM, RLM, ALM and joiners are part of ordinary writing."""
_LINK = re.compile(r"https?://|mailto:|/(?![/\\])|(?![/\\])[^:/?#\\]*(?:[/?#]|$)", re.IGNORECASE)
MOST_SENTENCES = 2_000
"""A text with more is shown without marks on its sentences."""
MOST_COMPARED = 60_000
"""words of one text × words of another, of which a difference is made word by word"""


def shown(text: str | None, direction: str, most: int | None = None) -> Markup:
    """One stretch of text: what runs the other way stands in `<bdi>`, so that it moves nothing around it.

    Of a longer text than `most` letters the beginning: a list of many must stay a list.
    """
    if not text:
        return Markup()
    if most is not None and len(text) > most:
        text = text[:most] + "…"
    other = _LATIN if direction == "rtl" else _RTL
    parts: list[str] = []
    end = 0
    for match in other.finditer(text):
        if direction == "rtl" and not _LETTER.search(match[0]):
            continue
        parts.append(_plain(text[end : match.start()]))
        parts.append(f"<bdi>{_plain(match[0])}</bdi>")
        end = match.end()
    parts.append(_plain(text[end:]))
    return Markup("".join(parts))  # noqa: S704 (every part is escaped)


def _plain(text: str) -> str:
    return _CONTROLS.sub(
        lambda match: f'<span class="control" title="U+{ord(match[0]):04X}">U+{ord(match[0]):04X}</span>',
        str(escape(text)),
    )


def paragraphs(
    text: str, direction: str, marked: Collection[int] = (), boxes: Collection[int] | None = None
) -> Markup:
    """A text as paragraphs. `marked` are places of sentences to shade; with `boxes` (those chosen)
    every sentence can be chosen, too.
    """
    found = sentences(text) if marked or boxes is not None else []
    if len(found) > MOST_SENTENCES:
        found, boxes = [], None
    out: list[str] = []
    start = 0
    spans = iter(enumerate(found))
    waiting = next(spans, None)
    for line in text.split("\n"):
        end = start + len(line)
        parts: list[str] = []
        at = start
        while waiting is not None and waiting[1].end <= end:
            place, span = waiting
            parts.append(str(shown(text[at : span.start], direction)))
            parts.append(_sentence(place, span, direction, place in marked, boxes))
            at = span.end
            waiting = next(spans, None)
        parts.append(str(shown(text[at:end], direction)))
        joined = "".join(parts)
        if joined.strip():
            out.append(f"<p>{joined}</p>")
        start = end + 1
    return Markup("".join(out))  # noqa: S704 (every part is escaped)


def _sentence(place: int, span: Span, direction: str, marked: bool, boxes: Collection[int] | None) -> str:
    inner = str(shown(span.text, direction))
    if marked:
        inner = f'<mark class="like">{inner}</mark>'
    if boxes is None:
        return inner
    checked = " checked" if place in boxes else ""
    return (
        f'<label class="sentence"><input type="checkbox" name="sentence" form="answer" value="{place}"'
        f"{checked}><span>{inner}</span></label>"
    )


@lru_cache(maxsize=512)
def like_claim(claim: str, text: str, number: int) -> tuple[int, ...]:
    """Places of the sentences most like the claim (TF-IDF cosine within the article), at most `number`."""
    found = sentences(text)
    if not number or not 2 <= len(found) <= MOST_SENTENCES:
        return ()
    from dalil.text.similar import Tfidf

    scores = Tfidf.fit([span.text for span in found]).similarities(claim)
    best = sorted(range(len(found)), key=lambda place: (-round(float(scores[place]), 9), place))[:number]
    return tuple(sorted(place for place in best if scores[place] > 0))


def warm() -> None:
    """Load what the first item needs, so that nobody waits for it."""
    like_claim("", "\n".join(["واحد اثنان.", "ثلاثة أربعة."]), 1)


def chosen_sentences(text: str, places: Sequence[str]) -> list[tuple[int, int]]:
    """Offsets of the sentences with these places in a form; what is no place is left out."""
    found = sentences(text)
    wanted = sorted({int(place) for place in places if place.isdecimal() and len(place) < 7})
    return [(found[place].start, found[place].end) for place in wanted if place < len(found)]


def places_of(text: str, offsets: Sequence[Sequence[int]]) -> set[int]:
    """Places of sentences from stored offsets."""
    wanted = {(int(start), int(end)) for start, end in offsets}
    return {place for place, span in enumerate(sentences(text)) if (span.start, span.end) in wanted}


def markdown(text: str, direction: str) -> Markup:
    """Guidelines and information sheets: Markdown of the team's own, without HTML and images.

    Links lead to pages (http, https), to mail, or to places of this site.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).disable(["image"])
    parser.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]
    return Markup(f'<div class="prose" dir="{direction}">{parser.render(text)}</div>')  # noqa: S704


def difference(before: str, after: str, direction: str) -> Markup:
    """Words taken out and put in."""
    import difflib

    old, new = before.split(), after.split()
    same = next(
        (at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    parts = [str(shown(" ".join(old[:same]), direction))] if same else []
    old, new = old[same:], new[same:]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    # it takes the cube of their length where words repeat: texts that long are another text
    short = len(old) * len(new) <= MOST_COMPARED
    whole = [("replace", 0, len(old), 0, len(new))]
    for kind, a, b, c, d in matcher.get_opcodes() if short else whole:
        if kind in ("delete", "replace"):
            parts.append(f"<del>{shown(' '.join(old[a:b]), direction)}</del>")
        if kind in ("insert", "replace"):
            parts.append(f"<ins>{shown(' '.join(new[c:d]), direction)}</ins>")
        if kind == "equal":
            parts.append(str(shown(" ".join(old[a:b]), direction)))
    return Markup(" ".join(parts))  # noqa: S704 (every part is escaped)
