"""Schemes: what is shipped, what a file may say, and how a wrong one is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotation.gold import GoldSettings, corpus_labels
from annotation.ratings_scheme import read_scheme, shipped_scheme
from annotation.rounds.settings import AnnotateSettings
from annotation.schemes import HIGHLY_UNCERTAIN, PAGE_KEYS, scheme_of, shipped_names
from dalil.cli.ground import init
from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError

MINIMAL = '[[labels]]\nname = "yes"\n[[labels]]\nname = "no"\n'
CONFIDENCE = MINIMAL + '[[questions]]\nname = "confidence"\nkind = "scale"\n'
SECOND = MINIMAL + '[[questions]]\nname = "second"\nkind = "label"\n'
ROOT = Path(__file__).resolve().parents[2]


def write(folder: Path, text: str) -> str:
    path = folder / "own.toml"
    path.write_text(text, "utf-8")
    return str(path)


def test_arastance_has_the_papers_labels() -> None:
    scheme = scheme_of("arastance")
    assert scheme.names == ("agree", "disagree", "discuss", "unrelated")
    assert scheme.shows == "article"
    assert scheme.questions == ()


def test_scrum9_has_four_labels_five_anchors_and_a_second_choice() -> None:
    scheme = scheme_of("scrum9")
    assert scheme.names == ("confirming", "rejecting", "questioning", "comment", "image")
    assert scheme.out_of_scope == {"image"}, "it can be chosen, and is none of K"
    assert len(set(scheme.names) - scheme.out_of_scope) == 4
    assert scheme.levels == 5
    assert scheme.shows == "thread"
    confidence, second = scheme.questions
    assert sorted(option.value for option in confidence.options) == ["1", "2", "3", "4", "5"]
    assert all(option.ar and option.en for option in confidence.options)
    assert second.when == {"confidence": ("1", "2", "3")}
    assert second.required
    assert [option.value for option in second.options] == [HIGHLY_UNCERTAIN]
    assert scheme.qualification.experts == 3
    assert scheme.qualification.items == 60


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_scheme_speaks_both_languages(name: str) -> None:
    scheme = scheme_of(name)
    assert scheme.guidelines.ar
    assert scheme.guidelines.en
    for label in scheme.labels:
        assert label.ar
        assert label.en
        assert label.definition.ar
        assert label.definition.en
        assert label.hotkey
    for question in scheme.questions:
        assert question.text.ar
        assert question.text.en


def test_one_reader_serves_the_page_and_agreement(tmp_path: Path) -> None:
    found = read_scheme("scrum9")
    assert found.names == scheme_of("scrum9").names
    assert found.origin == "scheme scrum9"
    assert shipped_scheme("nothing") is None
    marked = MINIMAL + '[[labels]]\nname = "only image"\nout_of_scope = true\n'
    own = read_scheme(write(tmp_path, marked))
    assert own.names == ("yes", "no", "only image")
    assert own.out_of_scope == {"only image"}


def test_labels_alone_make_a_scheme(tmp_path: Path) -> None:
    scheme = scheme_of(write(tmp_path, MINIMAL))
    assert scheme.name == "own"
    assert scheme.called("yes", "ar") == "yes"
    assert scheme.question.within("ar") == ""


def test_a_file_beside_the_corpus_is_found_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, MINIMAL)
    assert scheme_of("own.toml", tmp_path).names == ("yes", "no")
    with pytest.raises(UsageError, match="no such scheme file"):
        scheme_of("other.toml", tmp_path)
    with pytest.raises(UsageError, match="schemes are: arastance, scrum9"):
        scheme_of("other")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("labels = 3", r"no \[\[labels\]\]"),
        ("", r"no \[\[labels\]\]"),
        ("[[labels]\n", "not TOML"),
        (MINIMAL + '[[labels]]\nname = "no"\n', "named twice"),
        (MINIMAL + '[[labels]]\nname = " "\n', "a name needs letters"),
        (MINIMAL + 'color = "#ffffff"\n', "labels.1.color: no such key"),
        (MINIMAL + 'colour = "red; } body {"\n', "not #rrggbb"),
        (MINIMAL + 'hotkey = "10"\n', "hotkey"),
        (MINIMAL + 'hotkey = "١"\n', "hotkey '١' is not a digit or a small Latin letter"),
        (MINIMAL.replace('"yes"', '"yes"\nhotkey = "1"') + 'hotkey = "1"\n', "same hotkey '1': yes, no"),
        (MINIMAL + '[[labels]]\nname = "No"\n', "named twice"),
        (MINIMAL + '[[labels]]\nname = "Highly uncertain"\n', "that of a second choice"),
        (MINIMAL.replace("name", "out_of_scope = true\nname"), "every label is out of scope"),
        (CONFIDENCE + "options = [{ value = 0 }, { value = 1 }]\n", "values begin at 1"),
        (CONFIDENCE + 'options = [{ value = 1 }, { value = "²" }]\n', "whole numbers"),
        (CONFIDENCE + 'options = [{ value = 1 }, { value = "01" }]\n', "whole numbers"),
        (
            SECOND + 'options = [{ value = "neither" }]\n',
            "beside the labels only highly_uncertain, not neither",
        ),
        (SECOND + 'options = [{ value = "no" }]\n', "no is a label"),
        (SECOND + "when = { label = [] }\n", "when.label names no answer"),
        (MINIMAL + '[guidelines]\nversion = " "\n', "the version is empty"),
        (MINIMAL + '[[questions]]\nname = "confidence"\nkind = "text"\n', "must be a scale"),
        (MINIMAL + '[[questions]]\nname = "why"\nkind = "choice"\n', "two options"),
        (MINIMAL + '[[questions]]\nname = "label"\nkind = "text"\n', "the name is taken"),
        (MINIMAL + '[[questions]]\nname = "a b"\nkind = "text"\n', "letters, digits"),
        (
            MINIMAL + '[[questions]]\nname = "why"\nkind = "text"\nwhen = { other = "x" }\n',
            "no earlier question",
        ),
        (
            MINIMAL + '[[questions]]\nname = "why"\nkind = "text"\nwhen = { label = "maybe" }\n',
            "no answer to label",
        ),
        (MINIMAL + "[qualification]\nexperts = 2\n", "qualification.experts"),
        (MINIMAL + "[qualification]\npass = 70\n", "qualification.pass"),
    ],
)
def test_a_wrong_file_is_refused_by_its_key(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        scheme_of(write(tmp_path, text))
    assert "own.toml" in str(error.value)


@pytest.mark.parametrize("key", PAGE_KEYS)
def test_a_hotkey_never_takes_over_a_key_of_the_page(tmp_path: Path, key: str) -> None:
    with pytest.raises(InputError) as error:
        scheme_of(write(tmp_path, MINIMAL + f'hotkey = "{key}"\n'))
    said = str(error.value)
    assert f"label no: hotkey {key!r} is a key of the page itself" in said
    assert "n (note), k (skip), z (undo), h (shading)" in said
    for other in "abgmx09":
        scheme_of(write(tmp_path, MINIMAL + f'hotkey = "{other}"\n'))


def test_the_keys_of_the_page_are_those_that_schemes_may_not_use() -> None:
    script = (ROOT / "annotation" / "app" / "static" / "app.js").read_text("utf-8")
    own = set(re.findall(r"(?:\bkey|pressed\(event\)) === \"([a-z0-9])\"", script))
    assert own == set(PAGE_KEYS)
    page = (ROOT / "docs" / "how-to-add-a-scheme.md").read_text("utf-8")
    assert all(f"`{key}`" in page for key in PAGE_KEYS), "and the guide names them"


@pytest.mark.parametrize("name", shipped_names())
def test_labels_of_a_shipped_scheme_are_told_apart(name: str) -> None:
    labels = scheme_of(name).labels
    for told in ([one.hotkey for one in labels], [one.colour for one in labels], [one.ar for one in labels]):
        assert len(set(told)) == len(labels)


def test_k_and_levels_come_from_the_scheme(tmp_path: Path) -> None:
    three = CONFIDENCE + "options = [{ value = 3 }, { value = 2 }, { value = 1 }]\n"
    found = read_scheme(write(tmp_path, three))
    assert (len(found.names), found.levels) == (2, 3)
    assert read_scheme("arastance").levels is None
    assert read_scheme("own.toml", tmp_path) == found, "a corpus's own file is found beside it"


@pytest.mark.parametrize("name", shipped_names())
def test_a_corpus_made_from_a_template_is_judged_by_its_scheme(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "mine"
    done = CliRunner().invoke(init, ["--template", name, str(folder)], catch_exceptions=False)
    assert done.exit_code == 0
    with Corpus.open(folder) as corpus:
        own = corpus.section("annotate", AnnotateSettings)
        assert own.read_scheme(corpus.path).name == name
        labels = corpus_labels(corpus, GoldSettings())
        assert labels is not None
        assert len(set(labels.names) - labels.out_of_scope) == 4, "K of both papers"
