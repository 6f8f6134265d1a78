"""Real published data sets: Baly and Khouja, figure by figure, and what their files hide."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from realdata import data_dir

from annotation.dataset.checks import Check, facts, figures
from annotation.dataset.options import asked
from annotation.dataset.published import published
from annotation.dataset.reading import read_dataset
from annotation.dataset.rows import DataSet
from annotation.dataset.splitting import mend, split
from annotation.dataset.ties import leaking_rows, leaks, tie_keys
from dalil.cli import main


@pytest.fixture(scope="module")
def baly() -> DataSet:
    return read_dataset(data_dir("baly2018"))


@pytest.fixture(scope="module")
def khouja() -> DataSet:
    return read_dataset(data_dir("ans_khouja2020"))


def named(data: DataSet, key: str) -> dict[str, Check]:
    stated = published(key)
    return {check.name: check for check in [*figures(data, stated), *facts(data, stated)]}


def test_baly_has_its_published_figures(baly: DataSet) -> None:
    checks = named(baly, "baly")
    assert not [check for check in checks.values() if check.status in ("differs", "not checkable")]
    assert (checks["claims"].found, checks["pairs"].found) == (422, 3042)
    assert (checks["claims that are true"].found, checks["claims that are false"].found) == (203, 219)
    assert [checks[f"label {name}"].found for name in baly.labels] == [474, 87, 409, 2072]
    assert [checks[f"{name}, total"].found for name in ("train", "dev", "test")] == [1842, 587, 613]


def test_what_balys_files_hide_is_found(baly: DataSet) -> None:
    checks = named(baly, "baly")
    assert checks["article texts in several splits"].found == 94
    assert checks["pairs given more than once"].found == 2
    assert checks["claims all of whose articles are unrelated"].found == 147
    same = checks["claims in several splits"]
    assert same.found == 1
    assert "V-249 (fold_1) = V-696 (fold_4)" in same.note


def test_khouja_has_its_published_figures(khouja: DataSet) -> None:
    checks = named(khouja, "khouja")
    assert not [check for check in checks.values() if check.status in ("differs", "not checkable")]
    assert [checks[f"{name}, total"].found for name in ("train", "dev", "test")] == [2652, 755, 379]
    assert checks["claims without articles, train"].found == 3185
    assert checks["article texts in several splits"].status == "found"


def test_the_guard_moves_balys_leaking_rows(baly: DataSet) -> None:
    leaking = leaks(tie_keys(baly.rows, "body"), [row.split for row in baly.rows], "body")
    assert (len(leaking), leaking_rows(leaking)) == (
        95,
        226,
    )  # one more than 94: two texts differ in white space alone
    mended = mend(baly, asked(apart=("claim", "body")))
    assert {guard.kind: (guard.rows_before, guard.rows_after) for guard in mended.guards} == {
        "claim": (16, 0),
        "body": (226, 0),
    }
    outcome = split(baly, asked(apart=("claim", "body")))
    assert all(guard.leaks_after == 0 for guard in outcome.guards)
    assert len(outcome.splits) == 3042
    assert abs(Counter(outcome.splits)["test"] - 0.16 * 3042) <= 1
    assert all(abs(cell.points) < 0.5 for cell in outcome.cells)


def test_a_manifest_regenerates_balys_folds_exactly(baly: DataSet, tmp_path: Path) -> None:
    from annotation.dataset.manifest import apply_manifest, write_manifest

    folds = [str(row.split) for row in baly.rows]
    write_manifest(tmp_path / "manifest.csv", baly.rows, folds)
    shuffled = DataSet("b", "baly", baly.rows[::-1], baly.labels)
    assert list(apply_manifest(tmp_path / "manifest.csv", shuffled)) == folds[::-1]


def test_the_command_reports_balys_table(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["dataset", "stats", "--json", str(data_dir("baly2018"))])
    assert stop.value.code == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["claims"], report["pairs"]) == (422, 3042)
    assert report["tables"][1]["rows"][-1] == ["Total", 616, 634, 592, 587, 613]
