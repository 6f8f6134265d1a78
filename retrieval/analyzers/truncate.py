"""The first verb phrase and all that precedes it: one rule for trees, tags and constituents.

AraStance's queries (iv) and (v) keep a claim up to the end of its first verb phrase, after
Chakrabarty et al. (2018), who keep what stands before the first verb. As a rule:

1. V is the first token tagged VERB that is not a name. Without one the whole claim is kept.
2. The phrase ends where V's subtree ends (a tree), where the first VP ends (constituents), or
   is left open (tags alone). Of the subtree, what trails at its end is left out when it is V's own
   `conj` or `advcl`, or, anywhere inside, a verbal `conj`, `parataxis`, `cc`, `discourse`,
   `vocative` or `dislocated`. A piece of that kind in the middle stays: the cut is a prefix.
3. It ends earlier at the first stop after V: clause punctuation, a free-standing coordinator, or
   a clitic و or ف on a verb. A clitic و on a noun, quotes and brackets are no stops.

Guards: a colon among the first four tokens («وزير الصحة: …») is no stop; neither is one that
would leave fewer than three words; what lies inside a named entity is never V.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from retrieval.analyzers.base import Analysis, Token

PUNCTUATION = frozenset("،,؛;:.!؟?…")
COORDINATORS = frozenset({"و", "أو", "او", "ثم", "لكن", "ولكن", "بل"})
CLITICS = frozenset({"و", "ف"})
VERB_PARTICLES = frozenset({"س", "لا", "لم", "لن", "قد", "لقد", "سوف"})
"""What may stand between a clitic و and its verb (وسيعود، ولم يعد) without freeing it of the verb."""
EARLY_COLON = 4
MIN_WORDS = 3
LEFT_OUT_OF_V = frozenset({"conj", "advcl"})
LEFT_OUT = frozenset({"parataxis", "cc", "discourse", "vocative", "dislocated"})


@dataclass(frozen=True, slots=True)
class Cut:
    """A claim cut to its first verb phrase: `text` is the raw text up to `end`.

    `rule` is what the phrase's end came from (tree, constituents, tags), `stop` what ended it
    (the stopping token, `phrase` for the phrase's own end, `end` for the text's), `fallback`
    is `no_verb` where the whole claim was kept for want of a verb, and `verb` V's index.
    """

    text: str
    end: int
    rule: str
    stop: str
    verb: int | None = None
    fallback: str | None = None


def truncate(analysis: Analysis) -> Cut:
    """Cut a claim after its first verb phrase.

    The result is a prefix of `analysis.text`, white space at its end stripped; it is the whole
    text where there is no verb. Rule and guards: see the module.
    """
    tokens = analysis.tokens
    rule, verb, after = _verb_phrase(analysis)
    if verb is None:
        text = analysis.text.rstrip()
        return Cut(text, len(text), rule, "end", fallback="no_verb")
    limit = max(after, verb + 1)
    for number in range(verb + 1, limit):
        if _stops(tokens, number) and _words(analysis.text[: tokens[number].start]) >= MIN_WORDS:
            return _cut(analysis, number, rule, tokens[number].text, verb)
    while limit < len(tokens) and _words(analysis.text[: tokens[limit].start]) < MIN_WORDS:
        limit += 1
    return _cut(analysis, limit, rule, "phrase" if limit < len(tokens) else "end", verb)


def _verb_phrase(analysis: Analysis) -> tuple[str, int | None, int]:
    """Which rule holds, V, and the index after the last token of its phrase."""
    tokens = analysis.tokens
    if analysis.constituents is not None:
        for phrase in analysis.constituents:
            if phrase.label.split("-")[0] == "VP":
                verb = _first_verb(analysis, phrase.first, phrase.after)
                if verb is not None:
                    return "constituents", verb, phrase.after
        return "constituents", None, len(tokens)
    verb = _first_verb(analysis, 0, len(tokens))
    if analysis.has_tree:
        return "tree", verb, len(tokens) if verb is None else _subtree_end(tokens, verb)
    return "tags", verb, len(tokens)


def _first_verb(analysis: Analysis, first: int, after: int) -> int | None:
    named = [(entity.start, entity.end) for entity in analysis.entities]
    for number in range(first, after):
        token = analysis.tokens[number]
        if token.upos == "VERB" and not any(a <= token.start and token.end <= b for a, b in named):
            return number
    return None


def _subtree_end(tokens: tuple[Token, ...], verb: int) -> int:
    """The index after the last token of V's subtree, what is left out not counted."""
    children: dict[int, list[int]] = {}
    for number, token in enumerate(tokens):
        if token.head is not None and token.head >= 0:
            children.setdefault(token.head, []).append(number)
    last, seen, pending = verb, {verb}, [verb]
    while pending:
        parent = pending.pop()
        for child in children.get(parent, ()):
            if child in seen or _left_out(tokens[child], of_verb=parent == verb):
                continue
            seen.add(child)
            last = max(last, child)
            pending.append(child)
    return last + 1


def _left_out(token: Token, *, of_verb: bool) -> bool:
    relation = (token.deprel or "").split(":")[0]
    if of_verb and relation in LEFT_OUT_OF_V:
        return True
    return relation in LEFT_OUT or (relation == "conj" and token.upos == "VERB")


def _stops(tokens: tuple[Token, ...], number: int) -> bool:
    token = tokens[number]
    if token.text and all(letter in PUNCTUATION for letter in token.text):
        return not (token.text == ":" and number < EARLY_COLON)
    if token.text in COORDINATORS and not _attached(tokens, number):
        return True
    return token.text in CLITICS and _attached(tokens, number) and _on_verb(tokens, number + 1)


def _attached(tokens: tuple[Token, ...], number: int) -> bool:
    """Whether the token is written together with the next one."""
    return number + 1 < len(tokens) and tokens[number + 1].start <= tokens[number].end


def _on_verb(tokens: tuple[Token, ...], number: int) -> bool:
    while number < len(tokens) and tokens[number].text in VERB_PARTICLES and tokens[number].upos != "VERB":
        number += 1
    return number < len(tokens) and tokens[number].upos in ("VERB", "AUX")


def _words(text: str) -> int:
    """Words as they are written: runs between white space that hold a letter or a digit."""
    return sum(any(unicodedata.category(c)[0] in "LN" for c in word) for word in text.split())


def _cut(analysis: Analysis, limit: int, rule: str, stop: str, verb: int) -> Cut:
    tokens = analysis.tokens
    end = tokens[limit].start if limit < len(tokens) else len(analysis.text)
    if limit < len(tokens) and limit and tokens[limit].start <= tokens[limit - 1].start:
        end = tokens[limit - 1].end  # words that share a span are kept together
    text = analysis.text[:end].rstrip()
    return Cut(text, len(text), rule, stop, verb)
