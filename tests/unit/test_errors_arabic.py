"""Names and texts read as they are written in every error; what turns text around stands as its code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import annotationkit as kit
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.exchange.effiara import _tellable
from annotation.rounds.people import change, clean_languages, clean_name, known_person
from annotation.rounds.writing import writing
from dalil.corpus import Corpus
from dalil.errors import DalilError

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("annotation", "baselines", "dalil", "retrieval", "spiders")
NAME = "فلانة بنت فلان"


def _changed(corpus: Corpus) -> None:
    with writing(corpus.store) as writer:
        change(writer, NAME, left=True)


@pytest.mark.parametrize(
    "fail",
    [
        lambda corpus: known_person(corpus.store, NAME),
        _changed,
        lambda corpus: clean_languages(["عربي"]),
        lambda corpus: kit.judging(corpus).rule("pair-0000", "salma", "مؤيد", None, 0),
        lambda corpus: _tellable(("أمل", "re_أمل")),
    ],
)
def test_an_error_writes_arabic_as_arabic(tmp_path: Path, fail: Callable[[Corpus], object]) -> None:
    with kit.make(tmp_path / "c", 4) as corpus, pytest.raises(DalilError) as error:
        fail(corpus)
    assert "\\u" not in error.value.line()
    assert any("\u0621" <= letter <= "\u064a" for letter in error.value.line())


def test_what_turns_text_around_is_seen_in_an_error() -> None:
    with pytest.raises(DalilError, match=r"أمل\\u202e") as error:
        clean_name("أمل\u202e")
    assert "\u202e" not in error.value.line()


@pytest.mark.parametrize("how", ["--leave", "--revoke"])
def test_an_unknown_name_is_told_where_names_are_listed(tmp_path: Path, how: str) -> None:
    kit.make(tmp_path / "c", 4).close()
    done = CliRunner().invoke(annotate, ["invite", how, NAME, str(tmp_path / "c")])
    assert isinstance(done.exception, DalilError)
    assert NAME in done.exception.line()
    assert "dalil annotate people" in done.exception.line()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_escapes_what_is_not_english(package: str) -> None:
    """`{name!a}` and its like write Arabic as numbers; `{name!r}` escapes only what cannot be seen."""
    found = []
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            escaped = isinstance(node, ast.FormattedValue) and node.conversion == ord("a")
            if escaped or (isinstance(node, ast.Call) and ast.unparse(node.func) == "ascii"):
                found.append(f"{path.relative_to(ROOT)}: {ast.unparse(node)}")
    assert found == []
