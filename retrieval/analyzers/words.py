"""Words as they are written, and their clitics: what the embedded models tag and split.

A *written word* is a run of letters, a number or one mark; its tag joins the tags of the words
it is made of («وبالعربية» is CCONJ+ADP+NOUN), as UD Arabic-PUD would split it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.analyzers.base import Token

_MARKS = "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
_WORD = re.compile(
    r"\d+(?:[.,:/٫٬\-]\d+)*"
    rf"|[^\W\d_](?:[\w{_MARKS}]|[-.'’&](?=[A-Za-z\d]))*"
    r"|\.{2,}|[^\w\s\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|_"
)
_PROCLITICS = {
    "CCONJ": "وف",
    "PART": "وفسلأ",
    "SCONJ": "ولف",
    "ADP": "بلكو",
    "ADV": "ل",
}
"""Tag → one-letter words that are written together with the next."""
_ENCLITICS = ("هما", "كما", "هم", "هن", "ها", "كم", "كن", "نا", "ني", "ه", "ك", "ي")
"""Pronouns that are written together with the word before, longest first."""


@dataclass(frozen=True, slots=True)
class Word:
    """A written word and where it lies in the raw text."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The written words of a raw text, in order; white space and direction marks are between them."""
    return [Word(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]


def split(word: Word, tag: str) -> list[Token]:
    """The syntactic words of a written word, by its joined tag.

    Each has its own span as long as its letters can be told apart; a tag that cannot be given
    letters of its own is left out.
    """
    tags = tag.split("+")
    start, end = word.start, word.end
    before: list[Token] = []
    while len(tags) > 1 and end - start > 1:
        letter = word.text[start - word.start]
        if letter not in _PROCLITICS.get(tags[0], ""):
            break
        width = 1 + _marks(word.text[start - word.start + 1 :])
        if start + width >= end:
            break
        before.append(Token(letter, start, start + width, tags.pop(0)))
        start += width
    after: list[Token] = []
    if len(tags) > 1 and tags[-1] == "PRON":
        stem = word.text[start - word.start :]
        for pronoun in _ENCLITICS:
            if stem.endswith(pronoun) and len(stem) > len(pronoun):
                after.append(Token(pronoun, end - len(pronoun), end, tags.pop()))
                end -= len(pronoun)
                break
    main = "VERB" if "VERB" in tags else tags[-1] if tags[-1] != "PRON" else tags[0]
    return [*before, Token(word.text[start - word.start : end - word.start], start, end, main), *after]


def _marks(text: str) -> int:
    match = re.match(f"[{_MARKS}]*", text)
    return match.end() if match else 0
