"""How good the embedded models are on the test parts of their corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.analyzers.base import Analysis, Token
from retrieval.analyzers.corpora import Named, Tree
from retrieval.analyzers.embedded import Embedded
from retrieval.analyzers.entities import Span, spans
from retrieval.analyzers.truncate import truncate


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F of a set of things found against those there are (0 … 1)."""

    precision: float
    recall: float
    f: float

    @classmethod
    def of(cls, right: int, found: int, there: int) -> Score:
        """From counts; an empty denominator gives 0."""
        total = found + there
        return cls(
            right / found if found else 0.0,
            right / there if there else 0.0,
            2 * right / total if total else 0.0,
        )


@dataclass(frozen=True, slots=True)
class TaggerFigures:
    """The tagger on trees: written words with a verb, joined tags, and the cut."""

    verb: Score
    accuracy: float
    cut: float
    """share of sentences cut at the same character as the rule cuts their gold tree"""
    cut_near: float
    """the same within one token"""
    cut_gold_tags: float
    """what the rule would reach on gold tags without a tree: the most that tags alone can"""
    sentences: int


def tagger(model: Embedded, trees: Sequence[Tree]) -> TaggerFigures:
    """Verbs, tags and cuts of a treebank's sentences, from their raw text."""
    right = found = there = same = words = cut = near = reach = 0
    for tree in trees:
        text = tree.analysis.text
        tags = model.tag([word.text for word in tree.words])
        for gold, tag in zip(tree.tags, tags, strict=True):
            is_verb, said = "VERB" in gold.split("+"), "VERB" in tag.split("+")
            right += is_verb and said
            found += said
            there += is_verb
            same += gold == tag
            words += 1
        gold_end = truncate(tree.analysis).end
        end = truncate(model.analyse(text)).end
        flat = tuple(Token(token.text, token.start, token.end, token.upos) for token in tree.analysis.tokens)
        cut += end == gold_end
        near += abs(_tokens_before(tree.analysis, end) - _tokens_before(tree.analysis, gold_end)) <= 1
        reach += truncate(Analysis(text, flat)).end == gold_end
    count = len(trees)
    return TaggerFigures(
        Score.of(right, found, there), same / words, cut / count, near / count, reach / count, count
    )


def ner(gold: Iterable[Sequence[str]], found: Iterable[Sequence[Span]]) -> dict[str, Score]:
    """Exact entities (span and type) by type and together (`all`), as CoNLL 2003 counts them."""
    right: Counter[str] = Counter()
    said: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for tags, entities in zip(gold, found, strict=True):
        true, told = set(spans(tags)), set(entities)
        for counter, members in ((there, true), (said, told), (right, true & told)):
            counter.update(span.type for span in members)
            counter["all"] += len(members)
    return {kind: Score.of(right[kind], said[kind], there[kind]) for kind in sorted(there)}


@dataclass(frozen=True, slots=True)
class NerFigures:
    """NER by type and together (`all`): the model alone, and settled by the name lists."""

    alone: dict[str, Score]
    settled: dict[str, Score]


def names(model: Embedded, sentences: Sequence[Named]) -> NerFigures:
    """The entities of each sentence, from its own tokens, against its tags."""
    gold = [sentence.tags for sentence in sentences]
    alone = [model.recognise(sentence.tokens, model.tag(sentence.tokens)) for sentence in sentences]
    settled = [model.settle(sentence.tokens, found) for sentence, found in zip(sentences, alone, strict=True)]
    return NerFigures(ner(gold, alone), ner(gold, settled))


def _tokens_before(analysis: Analysis, end: int) -> int:
    return sum(token.end <= end for token in analysis.tokens)
