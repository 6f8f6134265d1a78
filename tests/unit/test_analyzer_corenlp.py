"""CoreNLP as an analyzer: its JSON written by hand, asked through stanza's real client over HTTP."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dalil.errors import DalilError
from retrieval import analyzers
from retrieval.analyzers import corenlp as backend
from retrieval.analyzers.truncate import truncate

TEXT = "🙂 وزارة الصحة أغلقت مدرسة وقالت: هل ينجح؟"
WORDS = [
    ("🙂", "PUNC"), ("وزارة", "NN"), ("الصحة", "DTNN"), ("أغلقت", "VBD"), ("مدرسة", "NN"), ("و", "CC"),
    ("قالت", "VBD"), (":", "PUNC"), ("هل", "RP"), ("ينجح", "VBP"), ("?", "PUNC"),
]  # fmt: skip
TREE = (
    "(ROOT\n  (S (PUNC 🙂)\n    (NP (NN وزارة) (NP (DTNN الصحة)))\n"
    "    (VP\n      (VP (VBD أغلقت) (NP (NN مدرسة)))\n"
    "      (CC و)\n      (VP (VBD قالت) (PUNC :) (S (RP هل) (VP (VBP ينجح)))))\n    (PUNC ?)))"
)


def answer(text: str = TEXT) -> dict[str, Any]:
    """CoreNLP's JSON: offsets in UTF-16 units, ؟ as ?, a conjunction cut off its verb."""
    tokens, place = [], 0
    for number, (word, tag) in enumerate(WORDS, 1):
        raw = "؟" if word == "?" else word
        start = text.index(raw, place)
        place = start + len(raw)
        begin = len(text[:start].encode("utf-16-le")) // 2
        end = len(text[:place].encode("utf-16-le")) // 2
        tokens.append(
            {
                "index": number, "word": word, "originalText": raw, "lemma": word, "pos": tag,
                "characterOffsetBegin": begin, "characterOffsetEnd": end,
            }
        )  # fmt: skip
    return {"sentences": [{"index": 0, "parse": TREE, "tokens": tokens}]}


def test_synthetic_answer_maps_to_the_raw_claim() -> None:
    found = backend.to_analysis(TEXT, answer(), (), "hash")
    assert [TEXT[token.start : token.end] for token in found.tokens] == [
        "🙂", "وزارة", "الصحة", "أغلقت", "مدرسة", "و", "قالت", ":", "هل", "ينجح", "؟",
    ]  # fmt: skip
    assert found.tokens[-1].text == "؟"
    assert [token.upos for token in found.tokens][1:7] == ["NOUN", "NOUN", "VERB", "NOUN", "CCONJ", "VERB"]


def test_synthetic_phrases_are_in_pre_order() -> None:
    found = backend.to_analysis(TEXT, answer(), (), "")
    assert found.constituents is not None
    assert [(phrase.label, phrase.first, phrase.after) for phrase in found.constituents] == [
        ("S", 0, 11), ("NP", 1, 3), ("NP", 2, 3), ("VP", 3, 10), ("VP", 3, 5), ("NP", 4, 5), ("VP", 6, 10),
        ("S", 8, 10), ("VP", 9, 10),
    ]  # fmt: skip


def test_synthetic_constituents_are_cut_by_the_one_rule() -> None:
    cut = truncate(backend.to_analysis(TEXT, answer(), (), ""))
    assert (cut.rule, cut.text) == ("constituents", "🙂 وزارة الصحة أغلقت مدرسة")


def test_synthetic_second_sentence_goes_on_counting() -> None:
    first = answer()["sentences"][0]
    text = f"{TEXT} {TEXT}"
    shift = len(f"{TEXT} ".encode("utf-16-le")) // 2
    moved = [
        token | {name: token[name] + shift for name in ("characterOffsetBegin", "characterOffsetEnd")}
        for token in first["tokens"]
    ]
    both = {"sentences": [first, first | {"tokens": moved}]}
    found = backend.to_analysis(text, both, (), "")
    assert len(found.tokens) == 22
    assert text[found.tokens[12].start : found.tokens[12].end] == "وزارة"
    assert found.constituents is not None
    assert max(phrase.after for phrase in found.constituents) == 22


def test_synthetic_tree_of_other_words_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 leaves for 3 tokens"):
        backend.constituents("(ROOT (S (VBD a) (NN b)))", 0, 3)
    assert backend.constituents("(ROOT (FRAG (NN a)))", 4, 5) == [analyzers.Constituent("FRAG", 4, 5)]


@pytest.mark.parametrize(
    ("tag", "upos"),
    [("DTNNS", "NOUN"), ("DTJJ", "ADJ"), ("DT", "DET"), ("VBP", "VERB"), ("NNP", "PROPN"), ("??", "X")],
)
def test_treebank_tags(tag: str, upos: str) -> None:
    assert backend.upos(tag) == upos


def test_utf16_places() -> None:
    assert backend.code_points("a🙂b") == [0, 1, 1, 2, 3]
    assert backend.code_points("") == [0]


def test_synthetic_server_is_asked_by_the_real_client(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entities are the embedded analyzer's: CoreNLP has none for Arabic."""
    httpserver.expect_request("/", method="POST").respond_with_json(answer())
    for path in ("/live", "/ready", "/ping"):
        httpserver.expect_request(path).respond_with_data(path[1:])
    monkeypatch.setenv(backend.SERVER, httpserver.url_for("").rstrip("/"))
    made = analyzers.load("corenlp")
    assert isinstance(made, analyzers.Analyzer)
    found = made.analyse(TEXT)
    assert found.backend == "corenlp"
    assert len(found.tokens) == 11
    assert [entity.text for entity in found.entities] == [
        entity.text for entity in analyzers.load("embedded").analyse(TEXT).entities
    ]
    [request] = [request for request, _ in httpserver.log if request.method == "POST"]
    sent = ast.literal_eval(request.args["properties"])
    assert (sent["annotators"], sent["outputFormat"]) == ("tokenize,ssplit,pos,parse", "json")
    assert sent["pipelineLanguage"] == "arabic"
    assert request.get_data().decode() == TEXT
    assert next(iter(made.analyse_all([" "]))).tokens == ()
    httpserver.stop()  # type: ignore[no-untyped-call]
    with pytest.raises(DalilError, match="the CoreNLP server does not answer"):
        made.analyse(TEXT)


def _without(field: str) -> dict[str, Any]:
    made = answer()
    for token in made["sentences"][0]["tokens"]:
        del token[field]
    return made


@pytest.mark.parametrize(
    "found",
    [
        {}, {"sentences": None}, {"sentences": [{}]}, _without("pos"), _without("characterOffsetEnd"), "text",
        {"sentences": [answer()["sentences"][0] | {"parse": "(ROOT (X (NN كلمة)))"}]},
        {"sentences": [answer()["sentences"][0] | {"parse": ")"}]},
        {"sentences": [answer()["sentences"][0] | {"parse": "word"}]},
    ],
)  # fmt: skip
def test_synthetic_answer_of_another_server_is_one_line(found: Any) -> None:
    class Client:
        def annotate(self, text: str) -> Any:
            return found

    made = backend.Corenlp(Client(), analyzers.load("embedded"), "models")
    with pytest.raises(DalilError, match=r"answer cannot be read .*does it run the annotators") as caught:
        made.analyse(TEXT)
    assert "\n" not in str(caught.value)


def test_what_is_missing_is_one_line_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(backend.SERVER, raising=False)
    monkeypatch.setenv("CORENLP_HOME", str(tmp_path))
    monkeypatch.setattr(backend.shutil, "which", lambda name: "/usr/bin/java")
    (tmp_path / "stanford-corenlp-4.5.10.jar").write_bytes(b"x")
    with pytest.raises(DalilError) as caught:
        analyzers.load("corenlp")
    assert "\n" not in caught.value.line()
    assert "no CoreNLP with its Arabic models" in caught.value.line()
    assert "dalil models download corenlp" in caught.value.line()
    (tmp_path / "stanford-corenlp-models-arabic.jar").write_bytes(b"x")
    assert backend.missing() is None
    monkeypatch.setattr(backend.shutil, "which", lambda name: None)
    assert backend.missing() == "there is no Java on the path"
