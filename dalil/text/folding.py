"""What each character becomes in the search form: one rule, and tables made from it.

The search form is a map over single characters, so that it needs no composition step: the
composed and the decomposed spelling of a letter fold alike (alef + combining madda is alef, as
is the precomposed letter), every result character is its own image (folding twice changes
nothing), and offsets follow from the lengths of the images.

Standalone hamza (ء) stays: it is a letter of its own (جزء is not جز), and no usual spelling
varies by leaving it out. Hamza on a seat falls to the seat, because writers leave it off.
Letters of the Persian and Urdu keyboards that look like an Arabic letter become that letter.
Marks on Latin, Greek and Cyrillic letters fall, in either spelling.
"""

from __future__ import annotations

import unicodedata
from functools import cache

LETTERS = {
    "ى": "ي", "ی": "ي", "ې": "ي", "ۍ": "ي", "ة": "ه", "ۃ": "ه", "ہ": "ه", "ھ": "ه", "ە": "ه",
    "ک": "ك", "ڪ": "ك", "ٱ": "ا", "ٲ": "ا", "ٳ": "ا", "ٵ": "ا", "ٮ": "ب", "ٯ": "ق",
    "\u0674": "", "ـ": "", "\u06e5": "", "\u06e6": "", "٫": ".", "٬": ",", "٪": "%",
    "\u06dd": " ", "\u06de": " ", "\u06e9": " ", "\u08e2": " ",  # signs that stand between verses
    "\u115f": "", "\u1160": "", "\u3164": "", "\x00": "",  # fillers that show nothing
}  # fmt: skip
"""Letter → its image, where Unicode's compatibility decomposition does not say it."""

_MARKS = (
    (0x0300, 0x036F), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06DC),
    (0x06DF, 0x06E4), (0x06E7, 0x06E8), (0x06EA, 0x06ED), (0x0898, 0x089F), (0x08CA, 0x08E1),
    (0x08E3, 0x08FF), (0x10EFA, 0x10EFF), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF),
    (0x180B, 0x180F), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xE0100, 0xE01EF),
    (0xD800, 0xDFFF),
)  # fmt: skip
"""Combining marks, variation selectors and lone surrogates: nothing is left of them."""

_PLAIN = (
    (0x3400, 0xA000),
    (0xAC00, 0xD800),
    (0xE000, 0xF900),
    (0x20000, 0x2F800),
    (0x2FA20, 0xE0000),
    (0xE0200, 0x110000),
)
"""Stretches in which every character is its own image (ideographs, Hangul, private use)."""

_FORMS = (0xFB50, 0xFEFF)
"""Arabic presentation forms: some are a space carrying a mark, and stand for the mark."""


def image(character: str) -> str:
    """The search form of one character (none, one or several characters): the rule itself."""
    code = ord(character)
    result = _step(character)
    while (again := "".join(map(_step, result))) != result:
        result = again
    if _FORMS[0] <= code <= _FORMS[1] and not result.strip():
        return ""
    return result


def _step(character: str) -> str:
    if character in LETTERS:
        return LETTERS[character]
    code = ord(character)
    if any(low <= code <= high for low, high in _MARKS):
        return ""
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    parts = unicodedata.normalize("NFKD", character.casefold())
    return parts if len(parts) == 1 else unicodedata.normalize("NFC", _without_marks(parts))


def _without_marks(text: str) -> str:
    return "".join(c for c in text if not any(low <= ord(c) <= high for low, high in _MARKS))


@cache
def images() -> dict[int, str]:
    """Code point → image, for every character that is not its own image (about 10,000)."""
    found = {code: "" for low, high in _MARKS for code in range(low, high + 1)}
    start = 0
    for low, high in (*_PLAIN, (0x110000, 0x110000)):
        for character in map(chr, range(start, low)):
            if _may_change(character) and (becomes := image(character)) != character:
                found[ord(character)] = becomes
        start = high
    return found


def _may_change(character: str) -> bool:
    """A cheap look that never misses a character with an image of its own."""
    return (
        unicodedata.category(character) in _CHANGING
        or character in LETTERS
        or not unicodedata.is_normalized("NFKD", character)
        or character.casefold() != character
    )


_CHANGING = frozenset(("Cf", "Nd"))
