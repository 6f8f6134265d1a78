"""What the two CRFs see of a word. Weights hold only for these features: a change means training anew.

Both see the folded word, its ends, its clusters (`retrieval.analyzers.clusters`) with those of the
word without a clitic, and its neighbours. The tagger adds the raw spelling and the word's pattern;
NER adds the tagger's tags and the name lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalil.text.normal import search_form
from retrieval.analyzers.clusters import NUMBER, Clusters
from retrieval.analyzers.names import Names, bare, without_clitics

_PUNCTUATION = str.maketrans("،؛؟", ",;?")
_PATTERN = frozenset("اويتنسملأ")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the features look words up in."""

    clusters: Clusters
    names: Names

    def of(self, word: str) -> tuple[int, ...] | None:
        """The clusters of a folded word; every number is one word."""
        return self.clusters.get(NUMBER if word.isdigit() else word)

    def stem(self, word: str) -> str | None:
        """A folded word without its clitics, when that is a known word."""
        return next((rest for rest in list(without_clitics(word))[1:] if rest in self.clusters), None)


def tag_features(words: Sequence[str], lexicon: Lexicon) -> list[list[str]]:
    """Features of each written word for the tagger."""
    folded = [search_form(word).translate(_PUNCTUATION).strip() or "_" for word in words]
    clusters = [lexicon.of(word) for word in folded]
    made = []
    for i, (raw, word) in enumerate(zip(words, folded, strict=True)):
        size = min(len(word), 8)
        row = ["b", f"w={word}", f"s={_shape(word)}", f"len={size}", *_ends(word)]
        row += [f"r2={raw[:2]}", f"rx1={raw[-1]}", f"rx2={raw[-2:]}", f"pat={_pattern(word)}"]
        if len(word) > 2:
            row += [f"p1x1={word[0]}{word[-1]}", f"p1x2={word[0]}{word[-2:]}"]
            row += [f"p1l={word[0]}{size}", f"p2x1={word[:2]}{word[-1]}"]
        row += [f"c{grain}={number}" for grain, number in enumerate(clusters[i] or ())] or ["c?"]
        if len(word) > 3 and word[0] in "وفبلكس" and (rest := lexicon.clusters.get(word[1:])):
            row += [f"sc={word[0]}{rest[0]}", f"sd={word[0]}{rest[1]}"]
        for step in (-2, -1, 1, 2):
            j = i + step
            if not 0 <= j < len(folded):
                row.append(f"e{step}")
                continue
            near = folded[j]
            if abs(step) == 1:
                row += [
                    f"w{step}={near}",
                    f"P{step}={near[:2]}",
                    f"X{step}={near[-2:]}",
                    f"X{step}1={near[-1]}",
                ]
            elif len(near) <= 4:
                row.append(f"w{step}={near}")
            row += [f"c{step}{grain}={number}" for grain, number in enumerate((clusters[j] or ())[:2])]
        if i and len(word) > 1:
            row += [f"w-1p={folded[i - 1]}|{word[0]}", f"w-1x={folded[i - 1]}|{word[-1]}"]
        made.append(row)
    return made


def name_features(words: Sequence[str], tags: Sequence[str], lexicon: Lexicon) -> list[list[str]]:
    """Features of each word for NER; `tags` are the tagger's."""
    folded = [bare(word) for word in words]
    clusters = [lexicon.of(word) for word in folded]
    listed = _listed(folded, lexicon.names)
    own = []
    for i, word in enumerate(folded):
        row = [f"w={word}"]
        row += [f"c{grain}={number}" for grain, number in enumerate(clusters[i] or ())] or ["c?"]
        row += [f"g={mark}" for mark in listed[i]]
        if word in lexicon.names.first_names:
            row.append("fn")
        elif any(rest in lexicon.names.first_names for rest in without_clitics(word)):
            row.append("fn~")
        row.append(f"t={tags[i]}")
        own.append(row)
    made = []
    for i, word in enumerate(folded):
        row = [
            "b",
            f"s={_shape(word)}",
            f"len={min(len(word), 8)}",
            *(f"0:{mark}" for mark in own[i]),
            *_ends(word),
        ]
        stem = lexicon.stem(word)
        if stem:
            clitic = word[: -len(stem)] if word.endswith(stem) else "ll"
            row += [f"st={stem}", f"sp={clitic}"]
            row += [f"sc{grain}={number}" for grain, number in enumerate(lexicon.clusters[stem])]
        elif not clusters[i]:
            row.append("unk")
        for step in (-2, -1, 1, 2):
            j = i + step
            if not 0 <= j < len(folded):
                row.append(f"e{step}")
                continue
            row += [f"{step}:{mark}" for mark in own[j]]
            if abs(step) == 1:
                row += [f"{step}x2={folded[j][-2:]}", f"{step}p2={folded[j][:2]}"]
        here = clusters[i]
        if here and i and (before := clusters[i - 1]):
            row.append(f"cc-={before[0]}|{here[0]}")
        if here and i + 1 < len(folded) and (behind := clusters[i + 1]):
            row.append(f"cc+={here[0]}|{behind[0]}")
        if i:
            row.append(f"ww-={folded[i - 1]}|{word}")
        made.append(row)
    return made


def _listed(folded: Sequence[str], names: Names) -> list[list[str]]:
    marks: list[list[str]] = [[] for _ in folded]
    for match in names.matches(folded):
        alone = "1" if match.after == match.first + 1 else "+"
        for kind in match.kinds:
            marks[match.first].append(f"B{kind}{alone}")
            for inside in range(match.first + 1, match.after):
                marks[inside].append(f"I{kind}")
    return marks


def _ends(word: str) -> list[str]:
    row = []
    for size in (1, 2, 3, 4):
        if len(word) > size:
            row += [f"p{size}={word[:size]}", f"x{size}={word[-size:]}"]
    return row


def _pattern(word: str) -> str:
    core = word[1:] if word[0] in "وف" and len(word) > 3 else word
    return "".join(letter if letter in _PATTERN else "-" for letter in core)[:9]


def _shape(word: str) -> str:
    first = word[0]
    if first.isdigit():
        return "0"
    if first.isascii() and first.isalpha():
        return "L"
    return "A" if first.isalnum() else "P"
