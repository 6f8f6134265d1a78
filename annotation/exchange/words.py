"""Words that forms for other tools have beside the scheme's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

NOTE_CALLED = {"ar": "ملاحظة (إن شئت)", "en": "Note (optional)"}
SENTENCE_CALLED = {"ar": "جملة تحمل الموقف", "en": "Sentence that carries the stance"}


def most_frequent(languages: Iterable[str]) -> str:
    """The language of most texts: a project of another tool shows all of them in one direction."""
    counted = Counter(languages)
    return max(counted, key=lambda name: (counted[name], name)) if counted else "ar"
