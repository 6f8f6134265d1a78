"""The same lack has the same exit status whichever command meets it (1: failed; 2: wrong arguments)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil.cli import main
from dalil.corpus import Corpus


@pytest.mark.parametrize(
    "words",
    [
        ["agreement"],
        ["gold"],
        ["gold", "--method", "dawid-skene"],
        ["gold", "--method", "all"],
        ["release", "OUT"],
        ["ablate"],
    ],
    ids=" ".join,
)
def test_a_corpus_in_which_nothing_is_judged_is_status_1(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Corpus.create(tmp_path / "c", "").close()
    given = [str(tmp_path / "out") if word == "OUT" else word for word in words]
    with pytest.raises(SystemExit) as stop:
        main([*given, str(tmp_path / "c")])
    assert stop.value.code == 1
    said = capsys.readouterr().err
    assert "annotate" in said or "dalil gold" in said  # what to do about it
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["gold", "--method", "mw"], ["agreement", "--alpha-level", "x"], ["release", "--folds", "1", "OUT"]],
)
def test_a_wrong_argument_is_status_2(tmp_path: Path, words: list[str]) -> None:
    Corpus.create(tmp_path / "c", "").close()
    with pytest.raises(SystemExit) as stop:
        main([*words, str(tmp_path / "c")])
    assert stop.value.code == 2
