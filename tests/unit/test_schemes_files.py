"""Schemes: what is shipped, what a file may say, and how a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.ratings_scheme import read_scheme, shipped_scheme
from annotation.schemes import HIGHLY_UNCERTAIN, scheme_of, shipped_names
from dalil.errors import InputError, UsageError

MINIMAL = '[[labels]]\nname = "yes"\n[[labels]]\nname = "no"\n'


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
    assert scheme.names == ("confirming", "rejecting", "questioning", "comment"), (
        "the image label is out of scope"
    )
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
        (MINIMAL.replace('"yes"', '"yes"\nhotkey = "1"') + 'hotkey = "1"\n', "same hotkey"),
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
