"""From NER tags to entities: spans of words, the verdicts of the name lists, names without clitics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.analyzers.base import Entity, Token
from retrieval.analyzers.names import EDGES, VERDICTS, Names, bare, without_clitics
from retrieval.analyzers.words import Word

_CLITIC_TAGS = frozenset({"ADP", "CCONJ", "PART", "SCONJ"})


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words `first` … `after`-1 as an entity of a type."""

    first: int
    after: int
    type: str


def spans(tags: Sequence[str]) -> list[Span]:
    """Entities of a sentence's B-/I-/O tags. An I- that continues nothing begins an entity."""
    found: list[Span] = []
    first: int | None = None
    kind = ""
    for number, tag in enumerate([*tags, "O"]):
        if first is not None and (tag == "O" or tag[0] == "B" or tag[2:] != kind):
            found.append(Span(first, number, kind))
            first = None
        if tag != "O" and first is None:
            first, kind = number, tag[2:]
    return found


def settle(found: Sequence[Span], folded: Sequence[str], names: Names) -> list[Span]:
    """What the lists say of a model's spans: listed names that it missed added, stopped ones taken out.

    A listed name that touches a span is left to the model, whose bounds follow its corpus.
    """
    kept = list(found)
    for match in names.matches(folded):
        verdict = next((VERDICTS[kind] for kind in match.kinds if kind in VERDICTS), None)
        if verdict and not any(span.first < match.after and match.first < span.after for span in kept):
            kept.append(Span(match.first, match.after, verdict))
    return sorted(span for span in kept if not names.is_stopped(folded[span.first : span.after]))


def entity(
    text: str, span: Span, words: Sequence[Word], pieces: Sequence[Sequence[Token]], names: Names
) -> Entity | None:
    """A span of words as an entity of the raw text; None when only marks are left of it.

    `pieces` are the syntactic words of each written word. A clitic at the beginning goes when the
    tagger split it off, unless the whole word is a listed name (بيروت is not ب + يروت), or when the
    lists know the rest and not the whole. للسعودية becomes السعودية.
    """
    first, after = span.first, span.after
    while first < after and not words[first].text.strip(EDGES):
        first += 1
    while first < after and not words[after - 1].text.strip(EDGES):
        after -= 1
    if first == after:
        return None
    start, end = words[first].start, words[after - 1].end
    width = _clitics(words[first], pieces[first], names)
    name = text[start + width : end]
    if width and text[start + width - 1 : start + width + 1] == "لل":
        name = "ا" + name
    return Entity(start + width, end, span.type, name)


def _clitics(word: Word, pieces: Sequence[Token], names: Names) -> int:
    """How many characters at the beginning of a word are clitics."""
    folded = bare(word.text)
    if names.is_name(folded):
        return 0
    for rest in list(without_clitics(folded))[1:]:
        if names.is_name(rest):
            # «لل» hides an alef: the name keeps its second lam
            return (
                len(folded)
                - len(rest)
                + (1 if folded.endswith(rest[1:]) and not folded.endswith(rest) else 0)
            )
    width = 0
    for piece in pieces[:-1]:
        if piece.upos not in _CLITIC_TAGS or piece.end - word.start >= len(word.text) - 1:
            break
        width = piece.end - word.start
    return width
