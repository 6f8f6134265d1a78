"""An output may not change behind an unchanged VERSION: ledgers of users would keep the old one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from demosnapshot import FILE, snapshot

from dalil.demo.walk import walk
from dalil.progress import Silent


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("snapshot") / "demo"
    walk(folder, Silent())
    return snapshot(folder)


def test_no_output_changes_behind_an_unchanged_version(now: dict[str, dict[str, str]]) -> None:
    before = json.loads(FILE.read_text("utf-8"))
    for stage, found in now.items():
        same_input = before[stage]["inputs"] == found["inputs"]
        if same_input and before[stage]["VERSION"] == found["VERSION"]:
            assert found["outputs"] == before[stage]["outputs"], (
                f"stage {stage} makes something else of the same inputs: raise its VERSION, "
                "then write the snapshot anew: python tests/demosnapshot.py"
            )


def test_the_snapshot_is_of_today(now: dict[str, dict[str, str]]) -> None:
    assert json.loads(FILE.read_text("utf-8")) == now, "write it anew: python tests/demosnapshot.py"
