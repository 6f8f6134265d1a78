"""Who says what a quotation says, where that is part of the claim: «speaker: quotation»."""

from __future__ import annotations

import re

from dalil.text.normal import search_form
from retrieval.clean import shape
from retrieval.clean.rules import Folded, Rules

EDGES = " \t\n\r-–—•*،,:؛;.…|/\\_"
_SPEAKER_END = re.compile(r"[،,:\n(\"«“]|\s[-–—]\s")
SPEAKER_WORDS = 6
"""a name is no longer, with title"""


def speaker_of(text: str, match: re.Match[str], before: Folded, rules: Rules) -> str:
    """The speaker before a quotation: the one that the introduction names, else the text's beginning.

    `match` is the introduction, in the search form of `before`. "" where there is no name that can be one.
    """
    if "speaker" in match.re.groupindex:
        return _attributed(before, match, rules)
    name = trim(_SPEAKER_END.split(text.lstrip(EDGES), maxsplit=1)[0])
    folded = Folded(name)
    verb = rules.shape["says_first"].match(folded.form)
    if verb is not None:
        name = trim(name[folded.span(*verb.span())[1] :])
        folded = Folded(name)
    verb = rules.shape["says_after"].search(folded.form)
    if verb is not None:
        name = trim(name[: folded.span(*verb.span())[0]])
    if rules.shape["no_speaker"].match(search_form(name)) or not 1 < len(name.split()) <= SPEAKER_WORDS:
        return ""
    return name


def _attributed(before: Folded, match: re.Match[str], rules: Rules) -> str:
    """The speaker that a «منسوب لـ» names, with the name that follows a title: «رئيس النادي، فلان»."""
    name = trim(before.of(match, "speaker"))
    form = search_form(name)
    if rules.shape["no_speaker"].match(form.removeprefix("ل")) or rules.shape["no_name"].search(form):
        return ""
    if match["more"]:
        second = trim(re.split(r"[،,:\"«“]", before.of(match, "more").strip("،, "), maxsplit=1)[0])
        if 1 < len(second.split()) <= 4 and not rules.shape["says_after"].search(f" {search_form(second)} "):
            name = f"{name} {second}"
    return with_article(name, rules.words["lam"])


def signature(after: str, rules: Rules) -> str:
    """Who said it, from what follows a quotation: «محمد منير - مطرب - مساء»."""
    name = trim(re.split(r"\s*[-–—]\s|[،,:\n]", after.strip(EDGES), maxsplit=1)[0])
    if rules.shape["no_speaker"].match(search_form(name)):
        return ""
    return name if 1 < len(name.split()) <= SPEAKER_WORDS else ""


def is_named(speaker: str, text: str) -> bool:
    """Whether the quotation itself names its speaker."""
    head = shape.words(text)[:8]
    return any(word in head for word in shape.words(speaker)[-1:])


def with_article(text: str, lam: frozenset[str]) -> str:
    """The noun after a ل that has been taken off: «لخبر» is «الخبر», and «لجنة» «اللجنة»."""
    text = text.lstrip("ـ ")
    if search_form(text.split(" ", 1)[0]) in lam:
        return f"ال{text}"
    return f"ا{text}" if text.startswith("ل") and len(text) > 2 and text[1] != " " else text


def trim(text: str) -> str:
    """Without punctuation and white space at the ends; line breaks inside stay until the end."""
    lines = (" ".join(line.split()) for line in text.strip(EDGES).split("\n"))
    return "\n".join(line for line in lines if line)
