"""CAMeL Tools: morphology (MLE disambiguation over CALIMA-MSA) and entities (AraBERT, on ANERcorp).

Its data are not shipped: `dalil models download camel` brings them, into ~/.camel_tools or
CAMELTOOLS_DATA. Importing `camel_tools.{ner,morphology,disambig}` downloads a catalogue where there
is none: they are imported here only once it is there. Tags and entities, no trees.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dalil.errors import DalilError
from dalil.resources import content_hash
from retrieval.analyzers.align import models_missing, named
from retrieval.analyzers.base import Analysis, Token
from retrieval.analyzers.entities import spans
from retrieval.analyzers.words import Word, split, words

PACKAGES = ("disambig-mle-calima-msa-r13", "ner-arabert")
ABOUT = "129 MB (GPL-2.0) for morphology, 542 MB for entities"
PARTS = (
    "catalogue.json",
    "data/disambig_mle/calima-msa-r13",
    "data/morphology_db/calima-msa-r13",
    "data/ner/arabert",
)
TAGS = {
    "noun": "NOUN", "noun_prop": "PROPN", "noun_num": "NUM", "noun_quant": "NOUN", "adj": "ADJ",
    "adj_comp": "ADJ", "adj_num": "ADJ", "adv": "ADV", "adv_interrog": "ADV", "adv_rel": "ADV",
    "pron": "PRON", "pron_dem": "DET",
    "pron_exclam": "PRON", "pron_interrog": "PRON", "pron_rel": "PRON", "verb": "VERB", "verb_pseudo": "PART",
    "verb_nom": "NOUN", "part": "PART", "part_connect": "PART", "part_det": "DET", "part_emphac": "PART",
    "part_focus": "PART", "part_fut": "PART", "part_interrog": "PART", "part_neg": "PART", "part_rc": "PART",
    "part_restrict": "PART", "part_verb": "PART", "part_voc": "PART", "prep": "ADP", "conj": "CCONJ",
    "conj_sub": "SCONJ", "interj": "INTJ", "abbrev": "X", "digit": "NUM", "latin": "X", "foreign": "X",
    "punc": "PUNCT",
}  # fmt: skip
"""CAMeL's part of speech → UPOS"""
PROCLITICS = {
    "wa": "CCONJ", "fa": "CCONJ", "prep": "ADP", "sub": "SCONJ", "jus": "PART", "fut": "PART", "ques": "PART",
    "emph": "PART", "rc": "PART",
}  # fmt: skip
"""A conjunction (`wa_conj`, `wa_part`), else the function in `bi_prep`, `sa_fut` … → UPOS. What has no letter
of its own (the article) has none."""


class Camel:
    """Disambiguation and NER whose data are on this machine."""

    name = "camel"
    version = 1

    def __init__(self, disambiguator: Any, recognizer: Any, data: Path):
        self._disambiguator = disambiguator
        self._recognizer = recognizer
        self._data = data

    @cached_property
    def model_hash(self) -> str:
        """Hash over the data files."""
        return "".join(content_hash(self._data / part)[:8] for part in PARTS[1:])

    def analyse(self, text: str) -> Analysis:
        """One text, analysed."""
        written = words(text)
        if not written:
            return Analysis(text, (), backend=self.name, model_hash=self.model_hash, version=self.version)
        spelled = [word.text for word in written]
        labels = self._recognizer.predict_sentence(spelled)
        return to_analysis(text, written, self._disambiguator.disambiguate(spelled), labels, self.model_hash)

    def analyse_all(self, texts: Iterable[str]) -> Iterator[Analysis]:
        """Many texts in order."""
        for text in texts:
            yield self.analyse(text)


def to_analysis(
    text: str, written: Sequence[Word], disambiguated: Sequence[Any], labels: Sequence[str], model_hash: str
) -> Analysis:
    """CAMeL's answers for written words as an Analysis.

    `disambiguated` has a DisambiguatedWord a word, `labels` a B-/I-/O tag a word.
    """
    pieces = [
        split(word, joined_tag(word.text, found)) for word, found in zip(written, disambiguated, strict=True)
    ]
    tokens: tuple[Token, ...] = tuple(token for group in pieces for token in group)
    entities = tuple(
        named(text, tokens, written[span.first].start, written[span.after - 1].end, span.type)
        for span in spans(labels)
    )
    return Analysis(text, tokens, entities, None, Camel.name, model_hash, Camel.version)


def joined_tag(word: str, found: Any) -> str:
    """The tags of the words that a written word is made of, `CCONJ+ADP+NOUN+PRON`, by its best analysis."""
    if not found.analyses:
        return _guess(word)
    best: Mapping[str, str] = found.analyses[0].analysis
    tags = []
    for slot in ("prc3", "prc2", "prc1", "prc0"):
        letters, _, function = best.get(slot, "0").partition("_")
        tag = PROCLITICS.get(letters) or PROCLITICS.get(function)
        if tag is not None:
            tags.append(tag)
    tags.append(TAGS.get(best.get("pos", ""), "X"))
    if best.get("enc0", "0") not in ("0", "na", ""):
        tags.append("PRON")
    return "+".join(tags)


def _guess(word: str) -> str:
    """The tag of a word without any analysis."""
    if any(letter.isdigit() for letter in word):
        return "NUM"
    return "NOUN" if any(letter.isalpha() for letter in word) else "PUNCT"


def folder() -> Path:
    """CAMeL's folder of data, found without importing it."""
    given = os.environ.get("CAMELTOOLS_DATA")
    return Path(given).expanduser().absolute() if given else Path.home() / ".camel_tools"


def missing() -> str | None:
    """Why it cannot run here; None when it can."""
    if find_spec("camel_tools") is None:
        return "camel-tools is not installed"
    absent = [part for part in PARTS if not (folder() / part).exists()]
    return f"no {', '.join(absent)} in {folder()}" if absent else None


def load() -> Camel:
    """Disambiguator and recognizer. Raises DalilError where data are missing or damaged; never downloads."""
    why = missing()
    if why is not None:
        raise models_missing(Camel.name, why)
    try:
        from camel_tools.disambig.mle import MLEDisambiguator
        from camel_tools.ner import NERecognizer

        disambiguator = MLEDisambiguator.pretrained("calima-msa-r13")
        recognizer = NERecognizer.pretrained("arabert", use_gpu=False)
    except Exception as error:  # whatever camel, torch or the catalogue make of damaged files
        raise models_missing(
            Camel.name, f"its data cannot be read ({type(error).__name__}: {error})"
        ) from error
    return Camel(disambiguator, recognizer, folder())


def download() -> None:
    """Bring the data, by CAMeL's own installer. Raises DalilError where they cannot be had."""
    # importing its data package fetches the catalogue, and ends in a traceback where it cannot
    catalogue = [sys.executable, "-c", "import camel_tools.data"]
    done = subprocess.run(catalogue, capture_output=True, text=True, check=False)
    if done.returncode:
        raise _not_had("the catalogue", (done.stderr.strip() or "no reason given").splitlines()[-1])
    for package in PACKAGES:
        command = [sys.executable, "-m", "camel_tools.cli.camel_data", "-i", package]
        if subprocess.run(command, check=False).returncode:
            raise _not_had(package, "see above")


def _not_had(what: str, why: str) -> DalilError:
    return DalilError(
        f"the data of camel ({what}) cannot be had: {why}", todo="check the connection and run again"
    )
