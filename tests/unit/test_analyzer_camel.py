"""CAMeL Tools as an analyzer: its own classes filled by hand, and data that are not here."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dalil.errors import DalilError
from retrieval import analyzers
from retrieval.analyzers import camel as backend
from retrieval.analyzers.truncate import truncate
from retrieval.analyzers.words import words

TEXT = "وقالت وزارة الصحة 🙂 للسعودية ستغلق مدارسها 3 أيام، ولن تعود."
POS = {
    "وقالت": {"prc2": "wa_conj", "pos": "verb"},
    "وزارة": {"pos": "noun"},
    "الصحة": {"prc0": "Al_det", "pos": "noun"},
    "للسعودية": {"prc1": "li_prep", "prc0": "Al_det", "pos": "noun_prop"},
    "ستغلق": {"prc1": "sa_fut", "pos": "verb"},
    "مدارسها": {"pos": "noun", "enc0": "3fs_poss"},
    "3": {"pos": "digit"},
    "أيام": {"pos": "noun"},
    "،": {"pos": "punc"},
    "ولن": {"prc2": "wa_part", "pos": "part_neg"},
    "تعود": {"pos": "verb"},
}
NER = {"وزارة": "B-ORG", "الصحة": "I-ORG", "للسعودية": "B-LOC"}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty catalogue, so that the package can be imported without a network."""
    catalogue = {"version": "1.6.0", "packages": {}, "components": {}}
    (tmp_path / "catalogue.json").write_text(json.dumps(catalogue), "utf-8")
    monkeypatch.setenv("CAMELTOOLS_DATA", str(tmp_path))
    return tmp_path


def disambiguated(spelled: list[str]) -> list[Any]:
    """What `MLEDisambiguator.disambiguate` gives, in its own classes; an unknown word has no analyses."""
    from camel_tools.disambig.common import DisambiguatedWord, ScoredAnalysis

    made = []
    for word in spelled:
        features = {"prc3": "0", "prc2": "0", "prc1": "0", "prc0": "0", "enc0": "0"} | POS.get(word, {})
        values = dict.fromkeys(ScoredAnalysis._fields) | {"score": 1.0, "analysis": features}
        scored = ScoredAnalysis(**values)
        made.append(DisambiguatedWord(word, [scored] if word in POS else []))
    return made


def analysed(text: str) -> analyzers.Analysis:
    written = words(text)
    spelled = [word.text for word in written]
    labels = [NER.get(word, "O") for word in spelled]
    return backend.to_analysis(text, written, disambiguated(spelled), labels, "hash")


def test_synthetic_clitics_are_words_of_their_own(installed: Path) -> None:
    found = analysed(TEXT)
    shown = [(token.text, token.upos) for token in found.tokens]
    assert shown[:5] == [
        ("و", "CCONJ"), ("قالت", "VERB"), ("وزارة", "NOUN"), ("الصحة", "NOUN"), ("🙂", "PUNCT"),
    ]  # fmt: skip
    assert ("ل", "ADP") in shown
    assert ("س", "PART") in shown
    assert shown[shown.index(("لن", "PART")) - 1] == ("و", "CCONJ")
    assert ("ها", "PRON") in shown
    assert ("3", "NUM") in shown
    assert all(TEXT[token.start : token.end] == token.text for token in found.tokens)
    assert not found.has_tree


def test_synthetic_entities(installed: Path) -> None:
    found = analysed(TEXT)
    assert [(entity.type, TEXT[entity.start : entity.end]) for entity in found.entities] == [
        ("ORG", "وزارة الصحة"),
        ("LOC", "لسعودية"),
    ]


def test_synthetic_tags_are_cut_by_the_one_rule(installed: Path) -> None:
    cut = truncate(analysed(TEXT))
    assert (cut.rule, cut.stop) == ("tags", "،")
    assert cut.text == "وقالت وزارة الصحة 🙂 للسعودية ستغلق مدارسها 3 أيام"


def test_synthetic_words_without_analysis_are_guessed(installed: Path) -> None:
    [unknown] = disambiguated(["زقلومة"])
    assert backend.joined_tag("زقلومة", unknown) == "NOUN"
    assert backend.joined_tag("2019", unknown) == "NUM"
    assert backend.joined_tag("؟!", unknown) == "PUNCT"


FEATURES = ("diac", "lex", "bw", "gloss", "pos", "prc3", "prc2", "prc1", "prc0", "enc0", "pos_lex_logprob")
NONE = "prc3:0 prc2:0 prc1:0 prc0:0 enc0:0"


def database() -> str:
    """A morphology of three stems, three prefixes and two suffixes, in the form of CALIMA's."""
    parts = ("verb", "noun", "noun_prop", "punc", "digit", "foreign", "latin")
    empty = "diac:* lex:* bw:* gloss:* pos_lex_logprob:*"
    prefixes, suffixes, stems = ("P0", "Pw", "Pl"), ("S0", "Sha"), ("V0", "N0")
    lines = [
        "###DEFINES###",
        *(f"DEFINE {name} {name}:*open*" for name in FEATURES),
        "###DEFAULTS###",
        *(f"DEFAULT pos:{part} {NONE} {empty}" for part in parts),
        "###ORDER###",
        f"ORDER {' '.join(FEATURES)}",
        "###TOKENIZATIONS###",
        "TOKENIZATION bw",
        "###STEMBACKOFF###",
        "STEMBACKOFF NOAN_PROP N0",
        "###PREFIXES###",
        "\tP0\tdiac: bw:",
        "و\tPw\tdiac:وَ bw:wa prc2:wa_conj",
        "ل\tPl\tdiac:لِ bw:li prc1:li_prep",
        "###SUFFIXES###",
        "\tS0\tdiac: bw:",
        "ها\tSha\tdiac:ها bw:hA enc0:3fs_poss",
        "###STEMS###",
        f"قالت\tV0\tdiac:قالَت bw:qAlat lex:قال pos:verb gloss:say {NONE} pos_lex_logprob:-2",
        f"مدارس\tN0\tdiac:مَدارِس bw:madAris lex:مدرسة pos:noun gloss:school {NONE} pos_lex_logprob:-3",
        f"مصر\tN0\tdiac:مِصر bw:miSr lex:مصر pos:noun_prop gloss:Egypt {NONE} pos_lex_logprob:-3",
        "###TABLE AB###",
        *(f"{prefix} {stem}" for prefix in prefixes for stem in stems),
        "###TABLE BC###",
        *("V0 S0", "N0 S0", "N0 Sha"),
        "###TABLE AC###",
        *(f"{prefix} {suffix}" for prefix in prefixes for suffix in suffixes),
    ]
    return "\n".join(lines) + "\n"


def test_synthetic_database_through_the_real_disambiguator(installed: Path) -> None:
    from camel_tools.disambig.mle import MLEDisambiguator
    from camel_tools.morphology.analyzer import Analyzer
    from camel_tools.morphology.database import MorphologyDB

    (installed / "morphology.db").write_text(database(), "utf-8")
    real = MLEDisambiguator(Analyzer(MorphologyDB(str(installed / "morphology.db"), "a")))
    text = "وقالت BBC لمصر: مدارسها ٣ زقلومة 🙂؟"
    written = words(text)
    found = backend.to_analysis(
        text, written, real.disambiguate([word.text for word in written]), ["O"] * len(written), ""
    )
    assert [(token.text, token.upos) for token in found.tokens] == [
        ("و", "CCONJ"), ("قالت", "VERB"), ("BBC", "X"), ("ل", "ADP"), ("مصر", "PROPN"), (":", "PUNCT"),
        ("مدارس", "NOUN"), ("ها", "PRON"), ("٣", "NUM"), ("زقلومة", "NOUN"), ("🙂", "PUNCT"), ("؟", "PUNCT"),
    ]  # fmt: skip


def test_missing_data_are_one_line_with_the_command_and_nothing_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAMELTOOLS_DATA", str(tmp_path / "nowhere"))
    before = set(sys.modules)
    with pytest.raises(DalilError) as caught:
        analyzers.load("camel")
    assert "\n" not in caught.value.line()
    assert "no catalogue.json, data/disambig_mle" in caught.value.line()
    assert "dalil models download camel" in caught.value.line()
    assert not {name for name in set(sys.modules) - before if name.startswith("camel_tools")}


def test_damaged_data_are_one_line_too(installed: Path) -> None:
    for part in backend.PARTS[1:]:
        (installed / part).mkdir(parents=True)
    assert backend.missing() is None
    with pytest.raises(DalilError, match="its data cannot be read") as caught:
        analyzers.load("camel")
    assert "\n" not in caught.value.line()


def test_what_the_real_package_does_without_data(installed: Path) -> None:
    """The parts of CAMeL Tools that need no data agree with the words that are given to it."""
    from camel_tools.tokenizers.word import simple_word_tokenize

    text = "قالت وزارة الصحة، اليوم: أغلقت 3 مدارس؟"
    assert simple_word_tokenize(text) == [word.text for word in words(text)]


class Recognizer:
    def predict_sentence(self, spelled: list[str]) -> list[str]:
        return [NER.get(word, "O") for word in spelled]


class Disambiguator:
    def disambiguate(self, spelled: list[str]) -> list[Any]:
        return disambiguated(spelled)


def test_synthetic_parts_are_an_analyzer(installed: Path) -> None:
    for part in backend.PARTS[1:]:
        (installed / part).mkdir(parents=True)
        (installed / part / "data").write_text(part, "utf-8")
    made = backend.Camel(Disambiguator(), Recognizer(), installed)
    assert isinstance(made, analyzers.Analyzer)
    empty, full = made.analyse_all([" ", TEXT])
    assert empty.tokens == ()
    assert full.entities == analysed(TEXT).entities
    assert len(full.model_hash) == 24
