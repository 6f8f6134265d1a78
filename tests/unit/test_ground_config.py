"""corpus.toml: what is wrong is named by file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil.config import Config, Settings
from dalil.errors import UsageError


class PairSettings(Settings):
    keep: int = 10


def read(folder: Path, text: str) -> Config:
    (folder / "corpus.toml").write_text(text, "utf-8")
    return Config.read(folder / "corpus.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[corpus\n", r"corpus\.toml: not valid TOML.*line 1"),
        ("[corpus]\nnmae = 'x'\n", r"unknown key corpus\.nmae \(known: contact, languages, name\)"),
        ("[budgets.google]\nmax_cost = 'ten'\n", r"budgets\.google\.max_cost = 'ten'"),
        ("corpus = 3\n", r"\[corpus\] must be a section"),
        ("budgets = 3\n", r"\[budgets\] must be a section"),
        ("[budgets.google]\nmax_cost = -1\n", r"budgets\.google\.max_cost = -1"),
        ("[budgets.google]\nmax_cost = nan\n", r"budgets\.google\.max_cost = nan"),
        ("[budgets.google]\nmax_requests_per_day = -1\n", r"budgets\.google\.max_requests_per_day = -1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(tmp_path, text)


def test_a_stage_brings_its_own_section(tmp_path: Path) -> None:
    config = read(tmp_path, "[pair]\nkeep = 5\n")
    assert config.section("pair", PairSettings).keep == 5
    assert config.section("absent", PairSettings).keep == 10
    with pytest.raises(UsageError, match=r"unknown key pair\.kept"):
        read(tmp_path, "[pair]\nkept = 5\n").section("pair", PairSettings)


def test_a_section_of_no_stage_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown section \[pairs\]; one of corpus, pair"):
        read(tmp_path, "[pairs]\nkeep = 5\n").check_sections({"corpus", "pair"})


@pytest.mark.parametrize("text", ["[engines.nope]\nx = 1\n", "[engines]\nnope = 1\n"])
def test_a_section_within_a_group_is_refused_as_well(tmp_path: Path, text: str) -> None:
    known = {"corpus", "engines.google", "budgets.SERVICE"}
    with pytest.raises(
        UsageError, match=r"unknown section \[engines\.nope\]; one of budgets\.SERVICE, corpus"
    ):
        read(tmp_path, text).check_sections(known)
    read(tmp_path, "[engines.google]\nx = 1\n[budgets.mine]\nmax_cost = 1\n").check_sections(known)


def test_an_editors_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeff[corpus]\nname = 'x'\n").corpus.name == "x"


def test_no_corpus_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="dalil init"):
        Config.read(tmp_path / "corpus.toml")
