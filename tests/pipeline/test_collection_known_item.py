"""The floors of known-item search over the whole of ANT, with the data they were measured on."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from realdata import data_dir

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "collection_known_item.py"


def test_search_quality_does_not_fall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = data_dir()
    spec = importlib.util.spec_from_file_location("collection_known_item", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, benchmark)  # where its dataclasses look
    spec.loader.exec_module(benchmark)
    assert benchmark.failures(data, tmp_path / "ant") == []
