"""Folders that dalil makes are checked as what they are, never as the data set whose form they are in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from standin import stand_in, write
from toyrelease import toy

from annotation.release import ReleaseSettings
from annotation.release.write import write_release
from dalil.cli import main

APART = ("claim", "cluster", "related")
Run = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    with toy(folder / "toy", 8, 3) as corpus:
        write_release(corpus, folder / "v1", ReleaseSettings(apart=APART))
        write_release(corpus, folder / "links", ReleaseSettings(apart=APART, texts=False))
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def made(*words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stop:
            main(["dataset", *map(str, words)])
        found = capsys.readouterr()
        return int(stop.value.code or 0), found.out + found.err

    return made


@pytest.fixture
def full(folders: Path, tmp_path: Path, run: Run) -> Path:
    out = tmp_path / "full"
    assert run("rehydrate", "--offline", "--texts", folders / "v1", folders / "links", out)[0] == 0
    return out


def checks(run: Run, folder: Path, *words: str) -> tuple[int, str | None, dict[str, str]]:
    status, out = run("verify", "--json", *words, folder)
    report = json.JSONDecoder().raw_decode(out)[0]
    return status, report["against"], {check["name"]: check["status"] for check in report["checks"]}


def change(folder: Path, edit: Callable[[list[dict[str, Any]]], object]) -> None:
    path = folder / "pairs.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    edit(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_a_rehydrated_release_is_checked_as_one(full: Path, run: Run) -> None:
    status, against, found = checks(run, full)
    assert (status, against) == (0, "rehydrated")
    assert {"ok"} == set(found.values()) - {"found"}
    assert {
        "pairs",
        "train, agree",
        "texts that are same",
        "text states and hashes",
        "pairs.parquet agrees with pairs.jsonl",
        "missing.csv lists what is missing",
        "no related in two splits",
    } <= found.keys()
    status, said = run("stats", full)
    assert status == 0
    assert "(rehydrated): 7 claims" in said


@pytest.mark.parametrize(
    ("edit", "name"),
    [
        (lambda rows: rows[0].update(article="نص آخر"), "text states and hashes"),
        (lambda rows: rows[0].update(article=None), "text states and hashes"),
        (lambda rows: rows[0].update(text_state="changed"), "texts that are same"),
        (
            lambda rows: rows[0].update(text_state="missing", article=None),
            "missing.csv lists what is missing",
        ),
        (lambda rows: rows.pop(), "pairs"),
        (lambda rows: rows[0].update(label="unrelated2"), "labels outside the stated ones"),
        (lambda rows: rows[0].update(claim="ادعاء آخر"), "pairs.csv agrees with pairs.jsonl"),
    ],
)
def test_whatever_changed_since_it_was_filled_is_named(
    edit: Callable[[list[dict[str, Any]]], object], name: str, full: Path, run: Run
) -> None:
    change(full, edit)
    status, _, found = checks(run, full)
    assert status == 1
    assert found[name] == "differs"


def test_what_cannot_be_had_is_stated_and_no_difference(folders: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "nothing"
    assert run("rehydrate", "--offline", folders / "links", out)[0] == 0
    status, against, found = checks(run, out)
    assert (status, against) == (0, "rehydrated")
    assert found["texts that are missing"] == "ok"
    assert found["no near-duplicate articles in two splits"] == "not checkable"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"pairs": 3}', '{"pairs": "3", "texts": {}, "release": {}}']
)
def test_a_damaged_report_is_named(content: str, full: Path, run: Run) -> None:
    (full / "rehydrated.json").write_text(content, "utf-8")
    status, said = run("verify", full)
    assert status == 1
    assert "rehydrated.json" in said
    assert "rehydrate it again" in said


@pytest.mark.parametrize("inside", ["arastance", "huggingface", "."])
def test_files_with_arastances_names_are_not_taken_for_arastance(
    inside: str, folders: Path, full: Path, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "copy" if inside == "." else full / inside
    if inside == ".":  # a folder that merely holds arastance/
        folder.mkdir()
        (full / "arastance").rename(folder / "arastance")
    order = ("--label-order", "agree,disagree,discuss,unrelated")
    status, against, found = checks(run, folder, *order)
    assert (status, against) == (0, "rows")
    assert "differs" not in found.values()
    status, against, found = checks(run, folder, *order, "--as", "arastance")
    assert (status, against, found["pairs"]) == (1, "AraStance", "differs")


@pytest.mark.parametrize(
    ("part", "urls", "taken"),
    [
        (lambda claims: claims, True, True),
        (lambda claims: claims[1:], False, True),
        (lambda claims: claims[:600], True, True),
        (lambda claims: claims[:100], True, False),
        (lambda claims: claims[:100], False, False),
        (lambda claims: [*claims, *claims, *claims], False, False),
    ],
)
def test_files_in_arastances_form_are_its_data_where_they_are_about_as_many(
    part: Callable[[list[Any]], list[Any]], urls: bool, taken: bool, tmp_path: Path, run: Run
) -> None:
    folder = write(part(stand_in()), tmp_path / "a", urls=urls)
    status, against, found = checks(run, folder)
    assert against == ("AraStance" if taken else None)
    assert ("figures of AraStance" in found) is not taken
    assert taken or (status, found["figures of AraStance"]) == (0, "not checkable")


def test_claims_of_other_sites_are_not_arastances_however_many(tmp_path: Path, run: Run) -> None:
    folder = write(stand_in(), tmp_path / "a")
    for file in folder.rglob("*.jsonl"):
        file.write_text(
            re.sub(r"https?://[^/\"]+/", "https://haqiqa.example/", file.read_text("utf-8")), "utf-8"
        )
    status, against, found = checks(run, folder)
    assert (status, against, found["figures of AraStance"]) == (0, None, "not checkable")


@pytest.mark.parametrize("how", [(), ("--folds", "3"), ("--share", "latest=0.5", "--share", "train 2=0.5")])
def test_a_split_that_dalil_wrote_is_read_as_one(
    how: tuple[str, ...], folders: Path, tmp_path: Path, run: Run
) -> None:
    out = tmp_path / "split"
    assert run("split", *how, "--apart", "claim", "--out", out, folders / "v1")[0] == 0
    status, against, found = checks(run, out)
    assert (status, against) == (0, "split")
    names = list(json.loads((out / "report.json").read_text("utf-8"))["sizes"])
    assert [found[f"{name}, pairs"] for name in names] == ["ok"] * len(names)
    path = out / f"{names[0]}.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    status, _, found = checks(run, out)
    assert status == 1
    assert found[f"{names[0]}, pairs"] == "differs"
    (out / "report.json").write_text("[1]", "utf-8")
    assert "report of a split" in run("verify", out)[1]
