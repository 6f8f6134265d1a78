"""Releases of others: damaged, of wrong types, lying about their texts, naming splits that are paths."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from toyrelease import toy

from annotation.dataset.commands import dataset
from annotation.dataset.rehydrate import rehydrate
from annotation.release import ReleaseSettings
from annotation.release.write import write_release
from dalil.corpus import Corpus
from dalil.errors import DalilError, InputError

VALUES = (None, 5, ["x"], {"a": 1}, "")
BYTES = (b"\xff\xfe\x00\x01", b"\xff\xd8\xff", b"", b"{", b"[]\n", b"[[1]]\n", b"null")
COLUMNS = (
    "id",
    "claim_id",
    "claim",
    "label",
    "split",
    "article_hash",
    "article",
    "site",
    "veracity",
    "cluster",
)
FILES = (
    "release.json",
    "pairs.jsonl",
    "pairs.csv",
    "pairs.parquet",
    "manifest.csv",
    "SHA256SUMS",
    "croissant.json",
)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damage")
    with toy(folder / "toy", 6, 3) as corpus:
        write_release(corpus, folder / "v1", ReleaseSettings(apart=("claim",)))
        write_release(corpus, folder / "bare", ReleaseSettings(apart=("claim",), texts=False))
    return folder / "v1"


@pytest.fixture
def copy(released: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(released, tmp_path / "copy"))


def change_rows(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    path = folder / "pairs.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8", newline="\n")


def told(*words: object) -> list[str]:
    """What each command on a data set says; anything but a result or a clear error fails."""
    found = CliRunner().invoke(dataset, [str(word) for word in words])
    error = found.exception
    assert error is None or isinstance(error, (DalilError, SystemExit)), (words, error)
    return [str(error)] if isinstance(error, DalilError) else []


def every_command(folder: Path, whole: Path) -> list[str]:
    errors = told("verify", folder) + told("stats", folder) + told("diff", whole, folder)
    errors += told("split", "--apart", "claim", folder) + told("split", "--mend", "--apart", "claim", folder)
    return errors + told("rehydrate", "--offline", folder, folder.with_name("out"))


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_of_any_type_is_read_or_named(column: str, released: Path, copy: Path) -> None:
    for value in VALUES:
        change_rows(copy, lambda rows, value=value: rows[0].update({column: value}))
        shutil.rmtree(copy.with_name("out"), ignore_errors=True)
        errors = every_command(copy, released)
        assert errors, (column, value)
        if isinstance(value, (int, list, dict)):
            assert all("pairs.jsonl:1" in error and column in error for error in errors)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_any_bytes_is_named(name: str, released: Path, copy: Path) -> None:
    for content in BYTES:
        (copy / name).write_bytes(content)
        shutil.rmtree(copy.with_name("out"), ignore_errors=True)
        errors = every_command(copy, released)
        assert errors, content
        assert any(name in error or name.partition(".")[0] in error or "checks" in error for error in errors)
    (copy / name).unlink()
    assert told("verify", copy) or name == "SHA256SUMS"


@pytest.mark.parametrize("field", ["title", "pairs", "claims", "labels", "splits", "split"])
def test_a_summary_of_other_types_is_named(field: str, released: Path, copy: Path) -> None:
    for value in (None, "x", [1], {"a": {"b": "c"}}):
        said = json.loads((released / "release.json").read_text("utf-8")) | {field: value}
        if field == "title" and value == "x":
            continue
        (copy / "release.json").write_text(json.dumps(said), "utf-8")
        errors = every_command(copy, released)
        assert field == "split" or all("release.json" in error for error in errors)


def test_a_release_without_pairs_counts_nothing_and_cannot_be_split(released: Path, copy: Path) -> None:
    change_rows(copy, lambda rows: rows.clear())
    errors = every_command(copy, released)
    assert sum("no pairs to split" in error for error in errors) == 2
    assert "release without pairs" in errors[-1]


@pytest.mark.parametrize(
    "name", ["../out", "a/b", "..", "/tmp/x", "a\\b", "a\x00b", "a\nb", " ", "x" * 300, "c:d"]
)
def test_no_file_is_written_outside_for_a_split_that_is_a_path(name: str, copy: Path, tmp_path: Path) -> None:
    manifest = (copy / "manifest.csv").read_text("utf-8")
    evil = tmp_path / "evil.csv"
    evil.write_text(manifest.replace(",train\n", f',"{name}"\n'), "utf-8", newline="\n")
    before = sorted(tmp_path.rglob("*"))
    out = tmp_path / "made" / "split"
    assert "evil.csv" in told("split", "--manifest", evil, "--out", out, copy)[0]
    assert told("split", "--share", f"{name}=1", "--share", "b=1", "--out", out, copy)
    change_rows(copy, lambda rows: [row.update(split=name) for row in rows[:5]])
    assert "pairs.jsonl:1" in told("split", "--mend", "--out", out, copy)[0]
    assert "pairs.jsonl:1" in told("rehydrate", "--offline", copy, out)[0]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_text_with_another_hash_is_never_the_same(released: Path, copy: Path, tmp_path: Path) -> None:
    bare = released.with_name("bare")
    change_rows(copy, lambda rows: [row.update(article="نص آخر") for row in rows])
    report = rehydrate(bare, tmp_path / "full", sources=[copy], offline=True)
    assert report["texts"] == {"same": 0, "changed": 0, "missing": report["pairs"]}
    own = rehydrate(copy, tmp_path / "own", sources=[released], offline=True)
    assert own["texts"]["same"] == own["pairs"]
    assert "نص آخر" not in (tmp_path / "own" / "pairs.jsonl").read_text("utf-8")


def test_pairs_of_a_manifest_that_are_not_there_are_counted(copy: Path, tmp_path: Path) -> None:
    with (copy / "manifest.csv").open("a", encoding="utf-8") as file:
        file.write("0" * 32 + ",claim-x,train\n" + "1" * 32 + ",claim-y,test\n")
    found = CliRunner().invoke(
        dataset, ["split", "--json", "--manifest", str(copy / "manifest.csv"), str(copy)]
    )
    assert "2 pairs of the manifest are not in this data set" in json.loads(found.output)["notes"]


@pytest.mark.parametrize(
    "words",
    [
        ("--mend", "--manifest", "m.csv"),
        ("--mend", "--folds", "3"),
        ("--manifest", "m.csv", "--share", "a=1"),
        ("--manifest", "m.csv", "--like", "baly"),
        ("--mend", "--by", "time"),
    ],
)
def test_ways_to_split_exclude_each_other(words: tuple[str, ...], released: Path) -> None:
    assert "exclude each other" in told("split", *words, released)[0]


def test_no_place_of_the_machine_is_in_a_release_made_from_a_manifest(released: Path, tmp_path: Path) -> None:
    with Corpus.open(released.with_name("toy")) as corpus:
        own = ReleaseSettings(manifest=str((released / "manifest.csv").resolve()))
        write_release(corpus, tmp_path / "v2", own)
        with pytest.raises(InputError, match="cannot be read"):
            write_release(corpus, tmp_path / "v3", ReleaseSettings(manifest="absent.csv"))
    for path in (tmp_path / "v2").rglob("*"):
        if path.is_file():
            assert str(released.parent).encode() not in path.read_bytes(), path.name
