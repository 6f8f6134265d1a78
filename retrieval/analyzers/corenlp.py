"""Stanford CoreNLP for Arabic: segmenter, tags and constituents, as AraStance's verb phrases were cut.

It runs in Java (through stanza's client). `dalil models download corenlp` brings it; a server of
one's own is named by DALIL_CORENLP_SERVER (http://localhost:9000). It has no NER for Arabic: the
entities are the embedded analyzer's, which learnt from ANERcorp as AraStance's did.

Its offsets count UTF-16 units, its words are normalised (؟ becomes ?): both are mapped back.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

from dalil.errors import DalilError
from dalil.ids import value_hash
from dalil.resources import content_hash
from retrieval.analyzers import embedded
from retrieval.analyzers.align import in_order, models_missing
from retrieval.analyzers.base import Analysis, Analyzer, Constituent, Entity, Token
from retrieval.analyzers.stanza import cache

SERVER = "DALIL_CORENLP_SERVER"
ANNOTATORS = "tokenize,ssplit,pos,parse"
ABOUT = "GPL-3.0; needs Java"
MEMORY = "4G"
TAGS = {
    "CC": "CCONJ", "CD": "NUM", "DT": "DET", "IN": "ADP", "NOUN": "NOUN", "NOUN_QUANT": "NOUN", "NN": "NOUN",
    "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "JJ": "ADJ", "JJR": "ADJ", "ADJ_NUM": "ADJ",
    "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "RB": "ADV", "WRB": "ADV", "RP": "PART", "UH": "INTJ",
    "VB": "VERB", "VBD": "VERB", "VBG": "NOUN", "VBN": "VERB", "VBP": "VERB", "VN": "NOUN", "PUNC": "PUNCT",
}  # fmt: skip
"""Tags of the Penn Arabic Treebank, without DT before them → UPOS"""
_BRACKETS = re.compile(r"\(|\)|[^\s()]+")


class Corenlp:
    """A server for Arabic, with the embedded analyzer's names."""

    name = "corenlp"
    version = 1

    def __init__(self, client: Any, names: Analyzer, models: str):
        self._client = client
        self._names = names
        self._models = models

    @property
    def model_hash(self) -> str:
        """Hash over the server's models and the embedded analyzer's."""
        return value_hash([self._models, self._names.version, self._names.model_hash])[:16]

    def analyse(self, text: str) -> Analysis:
        """One text, analysed. Raises DalilError where the server does not answer, or not so."""
        if not text.strip():
            return Analysis(text, (), (), (), self.name, self.model_hash, self.version)
        try:
            answer = self._client.annotate(text)
        except Exception as error:  # the client's own kinds, requests' and Java's
            raise DalilError(
                f"the CoreNLP server does not answer: {error}",
                where=os.environ.get(SERVER, "corenlp"),
                todo="is Java installed, and has it 4 GB of memory? dalil models list",
            ) from error
        entities = self._names.analyse(text).entities
        try:
            return to_analysis(text, answer, entities, self.model_hash)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise DalilError(
                f"the CoreNLP server's answer cannot be read ({type(error).__name__}: {error})",
                where=os.environ.get(SERVER, "corenlp"),
                todo=f"does it run the annotators {ANNOTATORS} for Arabic?",
            ) from error

    def analyse_all(self, texts: Iterable[str]) -> Iterator[Analysis]:
        """Many texts in order."""
        for text in texts:
            yield self.analyse(text)


def to_analysis(
    text: str, answer: Mapping[str, Any], entities: tuple[Entity, ...], model_hash: str
) -> Analysis:
    """CoreNLP's JSON as an Analysis of the raw text: every token, every phrase in pre-order."""
    places = code_points(text)
    found: list[tuple[str, str, tuple[int, int]]] = []
    phrases: list[Constituent] = []
    for sentence in answer["sentences"]:
        base = len(found)
        for token in sentence["tokens"]:
            ends = token["characterOffsetBegin"], token["characterOffsetEnd"]
            first, after = (places[min(max(end, 0), len(places) - 1)] for end in ends)
            found.append((spelled(text, token, first, after), upos(token["pos"]), (first, after)))
        if sentence.get("parse"):
            phrases += constituents(sentence["parse"], base, len(found))
    spans = in_order([span for *_, span in found], len(text))
    tokens = tuple(
        Token(word, start, end, tag) for (word, tag, _), (start, end) in zip(found, spans, strict=True)
    )
    return Analysis(text, tokens, entities, tuple(phrases), Corenlp.name, model_hash, Corenlp.version)


def spelled(text: str, token: Mapping[str, Any], first: int, after: int) -> str:
    """A token as the raw text has it where it is a mark (؟, not ?), else as CoreNLP spells it."""
    raw = text[first:after]
    return raw if raw and not any(letter.isalnum() for letter in raw) else str(token["word"])


def upos(tag: str) -> str:
    """The UPOS of a treebank tag: DTNN is NN with its article."""
    bare = tag.removeprefix("DT") or tag
    return TAGS.get(tag) or TAGS.get(bare) or ("VERB" if tag.startswith("VB") else "X")


def constituents(parse: str, base: int, after: int) -> list[Constituent]:
    """The phrases of a bracketed tree in pre-order; its leaves are the tokens base … after-1.

    Labels of single words (tags) are no phrases. Raises ValueError where tree and tokens differ.
    """
    opened: list[tuple[str, int, int]] = []
    made: dict[int, Constituent] = {}
    leaf, number, label = base, 0, False
    for part in _BRACKETS.findall(parse):
        if part == "(":
            opened.append(("", leaf, number))
            number += 1
            label = True
        elif part == ")":
            name, first, order = opened.pop()
            if name and leaf > first:
                made[order] = Constituent(name, first, leaf)
        elif label:
            opened[-1] = (part, opened[-1][1], opened[-1][2])
            label = False
        else:
            opened[-1] = ("", opened[-1][1], opened[-1][2])  # it holds a word: a tag
            leaf += 1
    if leaf != after:
        raise ValueError(f"the tree has {leaf - base} leaves for {after - base} tokens")
    return [made[order] for order in sorted(made) if made[order].label != "ROOT"]


def code_points(text: str) -> list[int]:
    """UTF-16 offset → offset in characters: they differ after an emoji."""
    units = [2 if ord(letter) > 0xFFFF else 1 for letter in text]
    places = []
    for number, width in enumerate(units):
        places += [number] * width
    assert len(places) == (list(accumulate(units)) or [0])[-1]
    return [*places, len(text)]


def folder() -> Path | None:
    """CoreNLP's folder: CORENLP_HOME, else where stanza installs it."""
    given, found = os.environ.get("CORENLP_HOME"), cache()
    if given:
        return Path(given)
    return found / "corenlp" if found else None


def missing() -> str | None:
    """Why it cannot run here; None when it can."""
    if find_spec("stanza") is None:
        return "stanza, whose client it is asked by, is not installed"
    if os.environ.get(SERVER):
        return None
    if shutil.which("java") is None:
        return "there is no Java on the path"
    root = folder()
    if root is None or not jars(root):
        return f"no CoreNLP with its Arabic models in {root}"
    return None


def jars(root: Path) -> list[Path]:
    """The server's jars, where both the program and the models for Arabic are there."""
    found = sorted(root.glob("*.jar"))
    program = [path for path in found if re.fullmatch(r"stanford-corenlp-[\d.]+\.jar", path.name)]
    arabic = [path for path in found if "models" in path.name and "arabic" in path.name]
    return [*program, *arabic] if program and arabic else []


def load() -> Corenlp:
    """The client; the server starts when it is first asked. Raises DalilError where something is missing."""
    why = missing()
    if why is not None:
        raise models_missing(Corenlp.name, why)
    own = os.environ.get(SERVER)
    root = folder()
    models = own or "".join(content_hash(path) for path in jars(root or Path()))
    return Corenlp(Server(own, root), embedded.load(), models)


class Server:
    """Stanza's client, and the server it starts when it is first asked; it ends with this process."""

    def __init__(self, address: str | None, root: Path | None):
        self.address = address
        self.root = root

    @cached_property
    def _client(self) -> Any:
        from stanza.server import CoreNLPClient, StartServer

        common = {"annotators": ANNOTATORS, "output_format": "json", "properties": "arabic", "be_quiet": True}
        if self.address:
            return CoreNLPClient(start_server=StartServer.DONT_START, endpoint=self.address, **common)
        classpath = str((self.root or Path()) / "*")
        client = CoreNLPClient(classpath=classpath, memory=MEMORY, timeout=120_000, **common)
        atexit.register(client.stop)
        return client

    def annotate(self, text: str) -> dict[str, Any]:
        """The server's JSON for a text."""
        answer: dict[str, Any] = self._client.annotate(text, properties="arabic")
        return answer


def download() -> None:
    """Bring CoreNLP and its Arabic models, by stanza's installer. Raises DalilError where it cannot."""
    import stanza

    root = folder()
    try:
        if root is None or not any(root.glob("stanford-corenlp-*.jar")):
            stanza.install_corenlp(dir=str(root))
        stanza.download_corenlp_models(model="arabic", dir=str(root))
    except Exception as error:  # the hub's client has kinds of its own
        raise DalilError(
            f"CoreNLP cannot be had: {error}", todo="check the connection and run again"
        ) from error
