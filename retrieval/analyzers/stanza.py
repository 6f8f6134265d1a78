"""Stanza: dependency trees (UD Arabic-PADT) and entities (AQMAR) by neural models.

Its models are not shipped: `dalil models download stanza` brings them (once, into stanza's own
folder, or that of STANZA_RESOURCES_DIR). Nothing else here ever downloads. Clitics are words of
their own; their offsets are those of the raw text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dalil.errors import DalilError
from dalil.resources import content_hash
from retrieval.analyzers.align import in_order, models_missing, named, spread
from retrieval.analyzers.base import Analysis, Entity, Token

PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse", "ner")
PACKAGE = "default_fast"
ABOUT = "Apache-2.0; the models were trained on UD Arabic-PADT and AQMAR, under whose licences they stand"
TYPES = {"PER": "PERS", "LOC": "LOC", "ORG": "ORG", "MIS": "MISC", "MISC": "MISC"}


class Stanza:
    """A pipeline whose models are on this machine."""

    name = "stanza"
    version = 1

    def __init__(self, pipeline: Any, models: Path):
        self._pipeline = pipeline
        self._models = models

    @cached_property
    def model_hash(self) -> str:
        """Hash over the model files."""
        return content_hash(self._models)

    def analyse(self, text: str) -> Analysis:
        """One text, analysed."""
        if not text.strip():
            return Analysis(text, (), backend=self.name, model_hash=self.model_hash, version=self.version)
        return to_analysis(text, self._pipeline(text), self.model_hash)

    def analyse_all(self, texts: Iterable[str]) -> Iterator[Analysis]:
        """Many texts in order."""
        for text in texts:
            yield self.analyse(text)


def to_analysis(text: str, document: Any, model_hash: str) -> Analysis:
    """A stanza Document as an Analysis of the raw text that it was made from."""
    words: list[tuple[str, tuple[int, int], str, int, str]] = []
    for sentence in document.sentences:
        base = len(words)
        for token in sentence.tokens:
            surface = text[token.start_char : token.end_char]
            spans = spread(surface, token.start_char, [word.text for word in token.words])
            for word, span in zip(token.words, spans, strict=True):
                head = base + word.head - 1 if word.head else -1
                words.append((word.text, span, word.upos or "X", head, word.deprel or "dep"))
    spans = in_order([word[1] for word in words], len(text))
    tokens = tuple(
        Token(word, start, end, upos, head, relation)
        for (word, _, upos, head, relation), (start, end) in zip(words, spans, strict=True)
    )
    entities = tuple(_entities(text, tokens, document))
    return Analysis(text, tokens, entities, None, Stanza.name, model_hash, Stanza.version)


def _entities(text: str, tokens: tuple[Token, ...], document: Any) -> Iterator[Entity]:
    for found in document.ents:
        kind = TYPES.get(found.type, "MISC")
        yield named(text, tokens, found.start_char, found.end_char, kind)


def cache() -> Path | None:
    """Stanza's folder in the user's cache, found without importing stanza; None where it is not installed."""
    spec = find_spec("stanza")
    if spec is None or spec.origin is None:
        return None
    from platformdirs import user_cache_dir

    about = (Path(spec.origin).parent / "_version.py").read_text("utf-8")
    version = re.search(r"__resources_version__\s*=\s*[\"']([^\"']+)", about)
    return Path(user_cache_dir("stanza", "StanfordNLP", version[1] if version else None))


def folder() -> Path | None:
    """Stanza's folder of models: STANZA_RESOURCES_DIR, else one in the user's cache."""
    found, given = cache(), os.environ.get("STANZA_RESOURCES_DIR")
    if found is None:
        return None
    return Path(given) if given else found / "resources"


def missing() -> str | None:
    """Why it cannot run here; None when it can."""
    root = folder()
    if root is None:
        return "stanza is not installed"
    absent = [name for name in PROCESSORS if not any((root / "ar" / name).glob("*.pt"))]
    if absent or not (root / "resources.json").is_file():
        return f"no models for Arabic ({', '.join(absent) or 'resources.json'}) in {root}"
    return None


def load() -> Stanza:
    """The pipeline. Raises DalilError where models are missing or cannot be read; never downloads."""
    why, root = missing(), folder()
    if why is not None or root is None:
        raise models_missing(Stanza.name, why or "stanza is not installed")
    from stanza import Pipeline

    try:
        pipeline = Pipeline(
            "ar",
            dir=str(root),
            package=PACKAGE,
            processors=",".join(PROCESSORS),
            download_method=None,
            use_gpu=False,
            verbose=False,
        )
    except Exception as error:  # whatever stanza or torch make of a damaged file
        raise models_missing(
            Stanza.name, f"its models cannot be read ({type(error).__name__}: {error})"
        ) from error
    return Stanza(pipeline, root / "ar")


def download() -> None:
    """Bring the models, by stanza's own installer. Raises DalilError where they cannot be had."""
    import stanza

    try:
        stanza.download("ar", model_dir=str(folder()), package=PACKAGE, processors=",".join(PROCESSORS))
    except (OSError, ValueError) as error:
        raise DalilError(
            f"the models of stanza cannot be had: {error}", todo="check the connection and run again"
        ) from error
