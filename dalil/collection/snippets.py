"""Snippets: the words around a match, as they stand in the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

WORDS = 30
"""words of a snippet"""
LOOK = 3000
"""words of a body that are looked at"""
_WORD = re.compile(r"\S+")


def snippet(body: str, terms: frozenset[str], stems: Callable[[str], Iterable[str]]) -> str:
    """The first stretch of 30 words that has most distinct terms; the head of the body where none has any.

    `stems` gives the terms of a word. Ellipses mark what is left out.
    """
    spans = []
    for match in _WORD.finditer(body):
        spans.append(match.span())
        if len(spans) == LOOK:
            break
    if not spans:
        return ""
    first = _densest([terms.intersection(stems(body[start:end])) for start, end in spans])
    last = min(first + WORDS, len(spans)) - 1
    text = " ".join(body[spans[first][0] : spans[last][1]].split())
    return f"{'… ' if first else ''}{text}{' …' if spans[last][1] < len(body.rstrip()) else ''}"


def _densest(words: list[set[str] | frozenset[str]]) -> int:
    """Where the stretch begins that has most distinct terms: a little before the first of them."""
    inside: Counter[str] = Counter()
    best, best_at = 0, 0
    for at, found in enumerate(words):
        inside.update(found)
        if at >= WORDS:
            inside.subtract(words[at - WORDS])
        have = sum(count > 0 for count in inside.values())
        if have > best:
            best, best_at = have, max(0, at - WORDS + 1)
    hits = [at for at in range(best_at, min(best_at + WORDS, len(words))) if words[at]]
    if not hits:
        return 0
    # the stretch is centred on its matches, within the body
    middle = (hits[0] + hits[-1]) // 2
    start = min(hits[0], max(0, middle - WORDS // 2))
    return max(0, min(start, len(words) - WORDS))
