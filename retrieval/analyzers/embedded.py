"""The analyzer that needs no download: two CRFs and name lists that ship with the project.

A tagger learnt from UD Arabic-PUD and NER learnt from ANERcorp, with clusters of words as
features; weights and model cards lie in data/analyzers/embedded/, the lists in data/names/. It
gives tokens, tags and entities, no trees: the truncation rule ends a phrase at its first stop.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dalil.errors import DalilError
from dalil.resources import content_hash, data
from retrieval.analyzers import clusters, names
from retrieval.analyzers.base import Analysis
from retrieval.analyzers.crf import Crf
from retrieval.analyzers.entities import Span, entity, settle, spans
from retrieval.analyzers.features import Lexicon, name_features, tag_features
from retrieval.analyzers.names import bare
from retrieval.analyzers.words import split, words

TAGGER = "tagger.crfsuite.gz"
NER = "ner.crfsuite.gz"
WEIGHTS = (TAGGER, NER, clusters.FILE, names.PLACES)


class Embedded:
    """Tags and entities from weights in a folder and name lists in another."""

    name = "embedded"
    version = 1

    def __init__(self, weights: Path, lists: Path):
        """Load everything (a second or less). Raises InputError for a file that cannot be read."""
        self.lexicon = Lexicon(
            clusters.load(weights / clusters.FILE), names.load(lists, weights / names.PLACES)
        )
        self._tagger = Crf(weights / TAGGER)
        self._ner = Crf(weights / NER)
        files = [*(weights / file for file in WEIGHTS), *(lists / file for file in names.FILES)]
        joined = "".join(content_hash(file) for file in files)
        self._hash = hashlib.sha256(joined.encode()).hexdigest()[:16]

    @property
    def model_hash(self) -> str:
        """Hash over weights and name lists: an edited list makes new queries."""
        return self._hash

    def tag(self, written: Sequence[str]) -> list[str]:
        """The joined UPOS tag of each written word."""
        return self._tagger.tag(tag_features(written, self.lexicon))

    def recognise(self, written: Sequence[str], tags: Sequence[str]) -> list[Span]:
        """The entities among written words by NER alone."""
        return spans(self._ner.tag(name_features(written, tags, self.lexicon)))

    def find_names(self, written: Sequence[str], tags: Sequence[str]) -> list[Span]:
        """The entities among written words: what NER says, settled by the lists."""
        return self.settle(written, self.recognise(written, tags))

    def settle(self, written: Sequence[str], found: Sequence[Span]) -> list[Span]:
        """What the lists say of spans that NER found."""
        return settle(found, [bare(word) for word in written], self.lexicon.names)

    def analyse(self, text: str) -> Analysis:
        """One text, analysed. Never raises for any text."""
        written = words(text)
        spelled = [word.text for word in written]
        tags = self.tag(spelled)
        pieces = [split(word, tag) for word, tag in zip(written, tags, strict=True)]
        found = (
            entity(text, span, written, pieces, self.lexicon.names) for span in self.find_names(spelled, tags)
        )
        return Analysis(
            text=text,
            tokens=tuple(token for group in pieces for token in group),
            entities=tuple(name for name in found if name is not None),
            backend=self.name,
            model_hash=self.model_hash,
            version=self.version,
        )

    def analyse_all(self, texts: Iterable[str]) -> Iterator[Analysis]:
        """Many texts, one after the other."""
        return map(self.analyse, texts)


def load() -> Embedded:
    """The shipped analyzer. Raises DalilError when the installation lacks its files."""
    return Embedded(data("analyzers", "embedded"), data("names"))


def missing() -> str | None:
    """Why it cannot run here; None when it can."""
    try:
        folder = data("analyzers", "embedded")
    except DalilError as error:
        return error.line()
    absent = [name for name in WEIGHTS if not (folder / name).is_file()]
    return f"no {', '.join(absent)} in {folder}" if absent else None
