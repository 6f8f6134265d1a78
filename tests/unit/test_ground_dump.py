"""dump → load → dump is the identity; a damaged dump is named by file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import toycorpus
from toycorpus import Ask, Upper

from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.progress import Silent
from dalil.runner import run_stage
from dalil.state import dump as dumping
from dalil.state.dump import dump, equal, load


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """A corpus with claims whose texts are hard to keep in lines, drops, requests and a WARC."""
    made = toycorpus.make(tmp_path / "corpus")
    texts = ("سطر\u2028آخر", "سطر\x0bآخر\x85\r\nثم", '"quoted", \\ and 😀', "")
    toycorpus.add(made, *(toycorpus.claim(number, text) for number, text in enumerate(texts)))
    run_stage(made, Upper(made), Silent())
    run_stage(made, Ask(made), Silent())
    return made


def test_dump_load_dump_is_the_identity(corpus: Corpus, tmp_path: Path) -> None:
    dump(corpus, tmp_path / "first")
    load(tmp_path / "first", tmp_path / "again")
    with Corpus.open(tmp_path / "again") as loaded:
        dump(loaded, tmp_path / "second")
        assert run_stage(loaded, Upper(loaded), Silent()).worked == 0
        assert run_stage(loaded, Ask(loaded), Silent()).worked == 0
    assert equal(tmp_path / "first", tmp_path / "second") == []
    names = {path.relative_to(tmp_path / "first") for path in (tmp_path / "first").rglob("*")}
    assert names == {path.relative_to(tmp_path / "second") for path in (tmp_path / "second").rglob("*")}


def test_two_runs_over_the_same_inputs_give_equal_stable_dumps(corpus: Corpus, tmp_path: Path) -> None:
    other = toycorpus.make(tmp_path / "other")
    toycorpus.add(other, *(reversed(list(corpus.store.all(toycorpus.Claim)))))
    run_stage(other, Ask(other), Silent())
    run_stage(other, Upper(other), Silent())
    dump(corpus, tmp_path / "a", stable=True)
    dump(other, tmp_path / "b", stable=True)
    assert equal(tmp_path / "a", tmp_path / "b") == []
    toycorpus.add(other, toycorpus.claim(77))
    dump(other, tmp_path / "c", stable=True)
    assert equal(tmp_path / "a", tmp_path / "c") == ["claims.jsonl"]


def test_the_corpuss_own_files_come_along(corpus: Corpus, tmp_path: Path) -> None:
    (corpus.path / "annotators.key").write_bytes(b"secret")
    (corpus.path / "annotators.key").chmod(0o600)
    (corpus.path / "sites").mkdir()
    (corpus.path / "sites" / "mine.toml").write_text("start = []", "utf-8")
    for hidden in (".lock", ".crawl.lock", ".env"):
        (corpus.path / hidden).write_text("not for a dump", "utf-8")
    dump(corpus, tmp_path / "d")
    assert not list((tmp_path / "d").glob(".*"))
    load(tmp_path / "d", tmp_path / "again")
    assert (tmp_path / "again" / "sites" / "mine.toml").read_text("utf-8") == "start = []"
    assert (tmp_path / "again" / "annotators.key").read_bytes() == b"secret"
    assert (tmp_path / "again" / "annotators.key").stat().st_mode & 0o777 == 0o600


def test_a_dump_beside_a_running_stage_is_of_one_moment(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the ledger would know of records that the dump does not hold, and they would be lost."""

    write = dumping._write

    def busy(path: Path, *more: Any) -> int:
        if path.name == "hits.jsonl":
            toycorpus.add(corpus, toycorpus.claim(90))
            run_stage(corpus, Upper(corpus), Silent())
        return write(path, *more)

    monkeypatch.setattr(dumping, "_write", busy)
    dump(corpus, tmp_path / "d")
    assert corpus.store.count(toycorpus.Claim) == 5
    assert load(tmp_path / "d", tmp_path / "again")["ledger"] == 7
    with Corpus.open(tmp_path / "again") as loaded:
        assert run_stage(loaded, Upper(loaded), Silent()).swept == 0


def test_the_first_line_says_that_a_dump_is_private(corpus: Corpus, tmp_path: Path) -> None:
    dump(corpus, tmp_path / "d")
    for path in (tmp_path / "d").glob("*.jsonl"):
        assert "private" in path.read_text("utf-8").split("\n", 1)[0]


def test_a_stable_dump_cannot_be_loaded(corpus: Corpus, tmp_path: Path) -> None:
    dump(corpus, tmp_path / "d", stable=True)
    (tmp_path / "d" / "corpus.toml").write_text(toycorpus.TOML, "utf-8")
    for name in ("journal", "runs", "warc_files"):
        (tmp_path / "d" / f"{name}.jsonl").write_text("", "utf-8")
    with pytest.raises(InputError, match=r"claims\.jsonl:1.*stable"):
        load(tmp_path / "d", tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace("\n{", "\n{{", 1), r"claims\.jsonl:2: not JSON"),
        (lambda text: text.replace('"raw"', '"row"', 1), r"claims\.jsonl:2: the fields are not those"),
        (lambda text: text.replace('"dalil_dump":1', '"x":1'), r"claims\.jsonl:1: the first line is not"),
        (
            lambda text: text.replace('"revision":"', '"revision":"x', 1),
            r"claims\.jsonl:1: the dump is of revision x",
        ),
        (lambda text: text[: text.rstrip("\n").rindex("\n") + 1], r"claims\.jsonl: 3 rows of 4 are there"),
        (lambda text: "", r"claims\.jsonl: 0 rows of unknown are there"),
        (lambda text: text.replace('"raw":"', '"raw":"\udcff', 1), r"claims\.jsonl:2: not JSON"),
        (lambda text: text.split("\n", 1)[0] + "\n" + "[" * 200_000, r"claims\.jsonl:2: not JSON"),
    ],
)
def test_a_damaged_dump_is_named_by_file_and_line_and_nothing_is_left(
    corpus: Corpus, tmp_path: Path, damage: object, message: str
) -> None:
    dump(corpus, tmp_path / "d")
    path = tmp_path / "d" / "claims.jsonl"
    text = damage(path.read_text("utf-8"))  # type: ignore[operator]
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=message):
        load(tmp_path / "d", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_missing_table_is_named(corpus: Corpus, tmp_path: Path) -> None:
    dump(corpus, tmp_path / "d")
    (tmp_path / "d" / "hits.jsonl").unlink()
    with pytest.raises(InputError, match=r"hits\.jsonl: this file of the dump is missing"):
        load(tmp_path / "d", tmp_path / "again")


def test_nothing_is_overwritten(corpus: Corpus, tmp_path: Path) -> None:
    dump(corpus, tmp_path / "d")
    with pytest.raises(UsageError, match="not empty"):
        dump(corpus, tmp_path / "d")
    with pytest.raises(UsageError, match="not empty"):
        load(tmp_path / "d", tmp_path / "corpus")
