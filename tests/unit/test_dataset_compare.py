"""Differences between data sets, manifests, and what a split command writes."""

from __future__ import annotations

import copy
import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from standin import stand_in, write, write_numbered

from annotation.dataset.diff import diff
from annotation.dataset.manifest import apply_manifest, write_manifest
from annotation.dataset.reading import read_dataset
from annotation.dataset.rows import DataSet, Row, pair_hash, text_hash
from dalil.cli import main
from dalil.errors import InputError

LABELS = ("agree", "disagree", "discuss", "unrelated")


def row(number: int, **more: str) -> Row:
    text = more.pop("article", f"مقال {number}")
    given = {"label": "agree", "split": "train", "veracity": "true"} | more
    return Row(
        id=str(number),
        claim_id=f"c{number}",
        claim=f"ادعاء {number}",
        article=text,
        article_hash=text_hash(text),
        **given,
    )


def data(*rows: Row) -> DataSet:
    return DataSet("d", "rows", rows, LABELS)


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["dataset", *words])
    return int(stop.value.code or 0)


def test_a_pair_is_the_same_whatever_its_white_space_and_composition() -> None:
    assert text_hash("  أخبار\n\tاليوم ") == text_hash("أخبار اليوم") == text_hash("\u0627\u0654خبار اليوم")
    assert text_hash("أخبار") != text_hash("اخبار")
    assert pair_hash("a", text_hash("b")) != pair_hash("b", text_hash("a"))
    assert re.fullmatch(r"[0-9a-f]{32}", pair_hash("a", text_hash("b")))


def test_each_kind_of_difference_is_told() -> None:
    old = data(row(1), row(2), row(3), row(4))
    new = data(row(1), row(2, label="discuss"), row(3, split="test", veracity="false"), row(5))
    found = diff(old, new)
    assert (found.same, len(found.added), len(found.removed), len(found.changed)) == (1, 1, 1, 2)
    assert found.by_field() == {"label": 1, "split": 1, "veracity": 1}
    assert found.label_moves() == {("agree", "discuss"): 1}
    assert (found.claims_added, found.claims_removed) == (("ادعاء 5",), ("ادعاء 4",))
    assert not found.equal


def test_ids_order_and_missing_columns_are_no_difference() -> None:
    old = data(row(1), row(2))
    new = data(replace(row(2), id="x", veracity=None), replace(row(1), id="y", veracity=None))
    assert diff(old, new).equal
    doubled = diff(old, data(*old.rows, old.rows[0]))
    assert len(doubled.added) == 1


def test_two_forms_of_one_data_set_are_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = stand_in()[:60]
    first = write(claims, tmp_path / "objects")
    second = write_numbered(claims, tmp_path / "rows", LABELS)
    assert run("diff", "--label-order", ",".join(LABELS), str(first), str(second)) == 0
    assert "equal" in capsys.readouterr().out
    changed = copy.deepcopy(claims)
    changed[5].stance[0] = "Discuss" if changed[5].stance[0] != "Discuss" else "Agree"
    assert run("diff", str(first), str(write(changed, tmp_path / "changed"))) == 1
    assert "0 added, 0 removed" in capsys.readouterr().out


def test_split_writes_a_manifest_that_makes_the_same_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write(stand_in()[::10], tmp_path / "files")
    assert run("split", "--folds", "3", "--seed", "5", "--out", str(tmp_path / "out"), str(files)) == 0
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert (report["seed"], list(report["sizes"])) == (5, ["fold_1", "fold_2", "fold_3"])
    capsys.readouterr()
    manifest = str(tmp_path / "out" / "manifest.csv")
    assert run("split", "--manifest", manifest, "--json", "--out", str(tmp_path / "again"), str(files)) == 0
    assert json.loads(capsys.readouterr().out)["sizes"] == report["sizes"]
    for name in ("fold_1", "fold_2", "fold_3"):
        assert (tmp_path / "again" / f"{name}.jsonl").read_bytes() == (
            tmp_path / "out" / f"{name}.jsonl"
        ).read_bytes()
    assert run("split", "--out", str(tmp_path / "again"), str(files)) == 2
    assert "not empty" in capsys.readouterr().err


def test_a_manifest_for_other_texts_or_one_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "manifest.csv"
    write_manifest(path, [row(1)], ["train"])
    with pytest.raises(InputError, match="1 of 2 pairs is not in the manifest"):
        apply_manifest(path, data(row(1), row(2)))
    with path.open(encoding="utf-8", newline="") as file:
        head, line = list(csv.reader(file))
    path.write_text("\n".join(",".join(cells) for cells in (head, line, [*line[:2], "test"])) + "\n", "utf-8")
    with pytest.raises(InputError, match=r"manifest\.csv:3.*two splits"):
        apply_manifest(path, data(row(1)))
    path.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(InputError, match="no columns pair_hash, split; .*add columns pair_hash, split"):
        apply_manifest(path, data(row(1)))


def test_nothing_recognised_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert run("stats", str(tmp_path / "empty")) == 1
    assert "no data set is recognised here" in capsys.readouterr().err
    assert run("stats", str(tmp_path / "absent")) == 1
    assert "no such file" in capsys.readouterr().err
    with pytest.raises(InputError, match="is not readable"):
        (tmp_path / "empty" / "release.json").write_text("{", "utf-8")
        read_dataset(tmp_path / "empty")
