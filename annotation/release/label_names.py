"""What the labels of a release are called and mean, from the scheme that they were given by."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

from annotation.gold import GoldSettings
from annotation.rounds.settings import AnnotateSettings
from annotation.schemes import Scheme, scheme_of, shipped_names
from dalil.corpus import Corpus
from dalil.errors import DalilError


def scheme_at_hand(corpus: Corpus, labels: Collection[str]) -> Scheme | None:
    """The first scheme that has all these labels: of `[gold]`, of `[annotate]`, else a shipped one."""
    return next((found for found in _schemes(corpus) if set(labels) <= set(found.names)), None)


def _schemes(corpus: Corpus) -> Iterator[Scheme]:
    gold = corpus.section("gold", GoldSettings).scheme
    with suppress(DalilError):  # imported labels need no scheme: one that cannot be read names nothing
        if gold:
            yield scheme_of(gold, corpus.path)
    with suppress(DalilError):
        yield corpus.section("annotate", AnnotateSettings).read_scheme(corpus.path)
    yield from map(scheme_of, shipped_names())


def called(scheme: Scheme | None, language: str) -> Mapping[str, str]:
    """Label → what the scheme calls it in a language; nothing where it does not say."""
    if scheme is None:
        return {}
    said = {label.name: _within(label.ar, label.en, language) for label in scheme.labels}
    return {name: title for name, title in said.items() if title}


def meanings(scheme: Scheme | None, language: str) -> Mapping[str, str]:
    """Label → its definition in a language; nothing where the scheme gives none."""
    if scheme is None:
        return {}
    said = {one.name: _within(one.definition.ar, one.definition.en, language) for one in scheme.labels}
    return {name: text for name, text in said.items() if text}


def _within(arabic: str, english: str, language: str) -> str:
    """A text in this language alone: the other half of the card has the other."""
    return " ".join((arabic if language == "ar" else english).split())
