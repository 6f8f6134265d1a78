"""From a library's words back to the raw text: what stanza, camel and corenlp have in common."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dalil.errors import DalilError
from retrieval.analyzers.base import Entity, Token

CLITIC_TAGS = frozenset({"ADP", "CCONJ", "PART", "SCONJ", "AUX"})


def spread(surface: str, start: int, pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Where the syntactic words of a written word lie: one span each, in order.

    Letters are matched from both ends («و|ب|العربية»); what cannot be matched in the middle shares
    what is left («ل|لرجل» for ل + الرجل, whose alef is merged), or the whole word where nothing is.
    """
    whole = (start, start + len(surface))
    if len(pieces) == 1:
        return [whole]
    front: list[tuple[int, int]] = []
    low, high = 0, len(surface)
    for piece in pieces[:-1]:
        if not piece or not surface.startswith(piece, low) or low + len(piece) >= high:
            break
        front.append((low, low + len(piece)))
        low += len(piece)
    back: list[tuple[int, int]] = []
    for piece in reversed(pieces[len(front) + 1 :]):
        if not piece or not surface.endswith(piece, low, high) or high - len(piece) <= low:
            break
        back.append((high - len(piece), high))
        high -= len(piece)
    middle = len(pieces) - len(front) - len(back)
    spans = [*front, *[(low, high)] * middle, *reversed(back)]
    return [(start + first, start + after) for first, after in spans]


def named(text: str, tokens: Sequence[Token], start: int, end: int, kind: str) -> Entity:
    """An entity over part of a raw text, without the clitics that are written before its first word."""
    inside = [token for token in tokens if start <= token.start and token.end <= end]
    first = 0
    while (
        first + 1 < len(inside)
        and inside[first].upos in CLITIC_TAGS
        and inside[first + 1].start == inside[first].end
    ):
        first += 1
    if first == 0:
        return Entity(start, end, kind, text[start:end])
    name = inside[first]
    return Entity(name.start, end, kind, name.text + text[name.end : end])


def in_order(spans: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Spans as a library gives them, made fit: inside the text, never empty, never before the last."""
    made: list[tuple[int, int]] = []
    low = 0
    for first, after in spans:
        first = min(max(first, low), max(length - 1, 0))
        made.append((first, min(max(after, first + 1), length)))
        low = first
    assert all(one[0] <= other[0] for one, other in pairwise(made))
    return made


def models_missing(name: str, why: str) -> DalilError:
    """The one line for an analyzer whose models are not here."""
    return DalilError(f"the analyzer {name} cannot run: {why}", todo=f"dalil models download {name}")
