"""Stanza as an analyzer: its own Document made by hand, offsets of clitics, models that are not here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import DalilError
from retrieval import analyzers
from retrieval.analyzers import stanza as backend
from retrieval.analyzers.align import in_order, named, spread
from retrieval.analyzers.base import Token
from retrieval.analyzers.truncate import truncate

TEXT = "وقالت وزارة الصحة للسعودية إنها أغلقت مدرستها، ونفت الخبر."
Row = dict[str, Any]


def word(number: int, text: str, upos: str, head: int, deprel: str, **more: Any) -> Row:
    return {"id": number, "text": text, "lemma": text, "upos": upos, "head": head, "deprel": deprel} | more


def whole(text: str, number: int, form: str, upos: str, head: int, deprel: str, ner: str = "O") -> Row:
    """A token of one word, where it lies in TEXT."""
    start = text.index(form)
    return word(number, form, upos, head, deprel, start_char=start, end_char=start + len(form), ner=ner)


def several(text: str, first: int, last: int, form: str, ner: str = "O") -> Row:
    """A token of several words, as stanza lists it before them."""
    start = text.index(form)
    return {"id": (first, last), "text": form, "start_char": start, "end_char": start + len(form), "ner": ner}


SENTENCE = [
    several(TEXT, 1, 2, "وقالت"),
    word(1, "و", "CCONJ", 2, "cc"), word(2, "قالت", "VERB", 0, "root"),
    whole(TEXT, 3, "وزارة", "NOUN", 2, "nsubj", "B-ORG"), whole(TEXT, 4, "الصحة", "NOUN", 3, "nmod", "E-ORG"),
    several(TEXT, 5, 6, "للسعودية", "S-LOC"),
    word(5, "ل", "ADP", 6, "case"), word(6, "السعودية", "PROPN", 2, "obl"),
    several(TEXT, 7, 8, "إنها"),
    word(7, "إن", "SCONJ", 9, "mark"), word(8, "ها", "PRON", 9, "nsubj"),
    whole(TEXT, 9, "أغلقت", "VERB", 2, "ccomp"),
    several(TEXT, 10, 11, "مدرستها"),
    word(10, "مدرسة", "NOUN", 9, "obj"), word(11, "ها", "PRON", 10, "nmod"),
    whole(TEXT, 12, "،", "PUNCT", 14, "punct"),
    several(TEXT, 13, 14, "ونفت"),
    word(13, "و", "CCONJ", 14, "cc"), word(14, "نفت", "VERB", 2, "conj"),
    whole(TEXT, 15, "الخبر", "NOUN", 14, "obj"), whole(TEXT, 16, ".", "PUNCT", 2, "punct"),
]  # fmt: skip


@pytest.fixture(scope="module")
def document() -> Any:
    from stanza.models.common.doc import Document

    made = Document([SENTENCE], text=TEXT)
    made.build_ents()
    return made


def test_the_file_does_not_hide_the_library() -> None:
    """`retrieval/analyzers/stanza.py` is no `import stanza`, whichever is imported first."""
    code = (
        "import retrieval.analyzers.stanza, retrieval.analyzers.camel, importlib.util as u;"
        "print(u.find_spec('stanza').origin)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "site-packages" in done.stdout


def test_synthetic_document_maps_to_the_raw_claim(document: Any) -> None:
    found = backend.to_analysis(TEXT, document, "hash")
    assert [token.text for token in found.tokens][:8] == [
        "و",
        "قالت",
        "وزارة",
        "الصحة",
        "ل",
        "السعودية",
        "إن",
        "ها",
    ]
    spans = {token.text: TEXT[token.start : token.end] for token in found.tokens}
    assert (spans["قالت"], spans["السعودية"], spans["مدرسة"], spans["نفت"]) == (
        "قالت",
        "لسعودية",
        "مدرست",
        "نفت",
    )
    assert found.has_tree
    assert found.tokens[0].head == 1
    assert found.tokens[1].head == -1
    assert (found.backend, found.model_hash) == ("stanza", "hash")


def test_synthetic_entities_lose_their_clitics_and_change_their_types(document: Any) -> None:
    found = backend.to_analysis(TEXT, document, "")
    assert [(entity.type, entity.text) for entity in found.entities] == [
        ("ORG", "وزارة الصحة"),
        ("LOC", "السعودية"),
    ]
    assert TEXT[found.entities[1].start : found.entities[1].end] == "لسعودية"


def test_synthetic_tree_is_cut_by_the_one_rule(document: Any) -> None:
    cut = truncate(backend.to_analysis(TEXT, document, ""))
    assert (cut.rule, cut.text) == ("tree", "وقالت وزارة الصحة للسعودية إنها أغلقت مدرستها")


def test_synthetic_sentences_follow_each_other() -> None:
    from stanza.models.common.doc import Document

    text = "نام علي. 🙂 نام عمر."
    rows = []
    for start in (0, 11):
        name = text[start + 4 : start + 7]
        rows.append(
            [
                word(1, "نام", "VERB", 0, "root", start_char=start, end_char=start + 3, ner="O"),
                word(2, name, "PROPN", 1, "nsubj", start_char=start + 4, end_char=start + 7, ner="S-PER"),
                word(3, ".", "PUNCT", 1, "punct", start_char=start + 7, end_char=start + 8, ner="O"),
            ]
        )
    made = Document(rows, text=text)
    made.build_ents()
    found = backend.to_analysis(text, made, "")
    assert [token.head for token in found.tokens] == [-1, 0, 0, -1, 3, 3]
    assert [text[token.start : token.end] for token in found.tokens][4] == "عمر"
    assert {entity.type for entity in found.entities} == {"PERS"}


@pytest.mark.parametrize(
    ("surface", "pieces", "spans"),
    [
        ("كتاب", ["كتاب"], [(0, 4)]),
        ("وبالعربية", ["و", "ب", "العربية"], [(0, 1), (1, 2), (2, 9)]),
        ("للرجل", ["ل", "الرجل"], [(0, 1), (1, 5)]),
        ("مدرستها", ["مدرسة", "ها"], [(0, 5), (5, 7)]),
        ("فسيكتبونها", ["ف", "س", "يكتبون", "ها"], [(0, 1), (1, 2), (2, 8), (8, 10)]),
        ("مما", ["من", "ما"], [(0, 1), (1, 3)]),
        ("عما", ["xx", "yy"], [(0, 3), (0, 3)]),
        ("و", ["و", "و"], [(0, 1), (0, 1)]),
    ],
)
def test_words_of_a_word_lie_where_their_letters_are(
    surface: str, pieces: list[str], spans: list[tuple[int, int]]
) -> None:
    assert spread(surface, 0, pieces) == spans
    assert spread(surface, 7, pieces) == [(a + 7, b + 7) for a, b in spans]


@given(
    st.text("وبلاكهم", min_size=1, max_size=8),
    st.lists(st.text("وبلاكهم", max_size=4), min_size=1, max_size=5),
)
def test_spans_are_in_order_inside_and_never_empty(surface: str, pieces: list[str]) -> None:
    spans = spread(surface, 3, pieces)
    assert len(spans) == len(pieces)
    assert all(3 <= start < end <= 3 + len(surface) for start, end in spans)
    assert spans == sorted(spans)


@given(st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 30)), max_size=8), st.integers(1, 20))
def test_what_a_library_gives_is_made_fit(spans: list[tuple[int, int]], length: int) -> None:
    made = in_order(spans, length)
    assert all(0 <= start < end <= length for start, end in made)
    assert [start for start, _ in made] == sorted(start for start, _ in made)


def test_a_name_that_is_only_a_clitic_stays() -> None:
    tokens = (Token("ل", 0, 1, "ADP"), Token("مصر", 2, 5, "PROPN"))
    assert named("ل مصر", tokens, 0, 5, "LOC").text == "ل مصر"
    assert named("ل مصر", tokens, 0, 1, "LOC").text == "ل"


def test_missing_models_are_one_line_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    with pytest.raises(DalilError) as caught:
        analyzers.load("stanza")
    assert "\n" not in caught.value.line()
    assert "dalil models download stanza" in caught.value.line()
    assert analyzers.resolve("auto") == "embedded"
    (tmp_path / "resources.json").write_text("{}")
    for name in backend.PROCESSORS:
        (tmp_path / "ar" / name).mkdir(parents=True)
        (tmp_path / "ar" / name / "padt.pt").write_bytes(b"damaged")
    assert backend.missing() is None
    assert analyzers.resolve("auto") == "stanza"
    with pytest.raises(DalilError, match="its models cannot be read") as caught:
        analyzers.load("stanza")
    assert "dalil models download stanza" in caught.value.line()


def test_the_folder_is_stanzas_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STANZA_RESOURCES_DIR", raising=False)
    code = "from stanza.resources.common import DEFAULT_MODEL_DIR as d; print(d)"
    environment = {name: value for name, value in os.environ.items() if name != "STANZA_RESOURCES_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert str(backend.folder()) == done.stdout.strip()


class Pipeline:
    """Stands in for a pipeline: the document made by hand."""

    def __init__(self, document: Any):
        self.document = document

    def __call__(self, text: str) -> Any:
        assert text == TEXT
        return self.document


def test_synthetic_pipeline_is_an_analyzer(document: Any, tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_bytes(b"weights")
    made = backend.Stanza(Pipeline(document), tmp_path)
    assert isinstance(made, analyzers.Analyzer)
    empty, full = made.analyse_all(["  ", TEXT])
    assert empty.tokens == ()
    assert full.model_hash == empty.model_hash != ""
    (tmp_path / "model.pt").write_bytes(b"others")
    assert backend.Stanza(Pipeline(document), tmp_path).model_hash != full.model_hash
