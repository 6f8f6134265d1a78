"""Sentences of Arabic (and mixed) text, with their offsets.

A sentence ends at a line break, at `؟ ؛ ! ? …` and at a full stop, with the quotes and brackets
that close behind it. A full stop does not end one inside a number, an url or an address, after an
initial or a dotted abbreviation (`د. أحمد`, `ص.ب`, `U.S.`), or after the number of a list item.
Writers leave out the space behind a stop: between two Arabic words of three letters it still ends one.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a text: `text[start:end]`, offsets in characters."""

    start: int
    end: int
    text: str


_END = re.compile("[\n\r\x0b\x0c\x85\u2028\u2029]+|[.!?؟؛…。]+[\"'»”’)\\]}\u200e\u200f\u061c\u202c\u2069]*")
_BREAKS = "\n\r\x0b\x0c\x85\u2028\u2029"
_WORD = re.compile(r"\w")
_LAST_TOKEN = re.compile(r"[^\s.،؛:()«»\"“”\[\]]*\Z")
_ARABIC_BEFORE = re.compile(r"[\u0620-\u0652]{3}\Z")
_ARABIC_AFTER = re.compile(r"[\u0620-\u064a]{3}")
_ERA_BEFORE = re.compile(r"\d\s*(?:م|ه|هـ|ق\.م)\Z")
_TITLES = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "st", "vs", "inc", "ltd", "jr", "sr", "gen", "sen", "rep", "gov")
)
_NEAR = 32
"""Characters looked at on either side of a full stop."""


def sentences(text: str) -> list[Span]:
    """The sentences of a text, in order, without white space around them. Never raises.

    Every letter and digit of the text is in exactly one of them; stretches without any are left out.
    """
    found = []
    start = 0
    for match in _END.finditer(text):
        if _ends(text, start, match):
            found.append((start, match.end()))
            start = match.end()
    found.append((start, len(text)))
    return [span for low, high in found if (span := _trimmed(text, low, high))]


def _trimmed(text: str, low: int, high: int) -> Span | None:
    piece = text[low:high]
    if not _WORD.search(piece):
        return None
    start = low + len(piece) - len(piece.lstrip())
    stripped = piece.strip()
    return Span(start, start + len(stripped), stripped)


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match[0]
    if mark[0] in _BREAKS or mark[0] in "؟؛…。":
        return True
    before = text[max(start, match.start() - _NEAR) : match.start()]
    after = text[match.end() : match.end() + _NEAR]
    if after and not after[0].isspace():
        if mark[0] == "." and len(mark) == 1:
            return bool(_ARABIC_BEFORE.search(before) and _ARABIC_AFTER.match(after))
        return bool(_ARABIC_AFTER.match(after))
    return mark != "." or not _is_abbreviation(before)


def _is_abbreviation(before: str) -> bool:
    """Whether the stop behind `before` belongs to an initial, an abbreviation or a list number."""
    if _ERA_BEFORE.search(before):
        return False
    token = _LAST_TOKEN.search(before)
    word = token[0].replace("ـ", "") if token else ""
    if word.isdigit():
        return not before[: len(before) - len(word)].strip()  # the number of a list item
    return (len(word) == 1 and word.isalpha()) or word.casefold() in _TITLES
