"""TREC run and qrels files: there and back, and what is refused, with its line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import InputError
from dalil.formats.trec import read_qrels, read_runs, write_qrels, write_run

IDS = (
    st.text(min_size=1, max_size=8)
    .filter(lambda text: text.split() == [text] and "\ufeff" not in text)
    .filter(lambda text: text.isprintable())
)


@given(st.dictionaries(IDS, st.lists(IDS, unique=True, min_size=1, max_size=5), max_size=4))
def test_a_run_comes_back_in_its_order(run: dict[str, list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write_run(Path(folder) / "a.run", run, "claim@engine")
        found = read_runs(path)
    assert found == ({"claim@engine": {query: tuple(keys) for query, keys in run.items()}} if run else {})


@given(st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-1, 3), min_size=1, max_size=4), max_size=4))
def test_grades_come_back(qrels: dict[str, dict[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert read_qrels(write_qrels(Path(folder) / "qrels.txt", qrels)) == qrels


def test_a_run_is_ordered_by_score_as_trec_eval_does(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q Q0 low 1 0.5 t\nq Q0 high 2 1.5 t\n\nq Q0 equal 3 0.5 t\n", "utf-8")
    assert read_runs(path) == {"t": {"q": ("high", "low", "equal")}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q Q0 d 1 0.5\n", r"a.run:1: has 5 fields, not 6"),
        ("q Q0 d 1 0.5 t\nq Q0 d 2 0.4 t\n", r"a.run:2: d stands twice for q"),
        ("q Q0 d 1 high t\n", r"a.run:1: the score 'high' is no number"),
        ("q Q0 d 1 nan t\n", r"a.run:1: the score 'nan' is no number"),
    ],
)
def test_a_bad_run_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.run"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_runs(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [("q 0 d\n", "qrels:1: has 3 fields, not 4"), ("q 0 d 1\nq 0 d 0\n", "qrels:2: d has two grades for q"),
     ("q 0 d 0.5\n", "the grade '0.5' is no whole number")],
)  # fmt: skip
def test_bad_qrels_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "qrels"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_qrels(path)


def test_an_id_with_white_space_would_move_the_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="white space"):
        write_run(tmp_path / "a.run", {"q": ["two words"]}, "t")
    with pytest.raises(InputError, match="white space"):
        write_qrels(tmp_path / "qrels", {"q": {"": 1}})
