"""Corpora wherever they lie, whatever they are called, and after an interrupted beginning."""

from __future__ import annotations

from pathlib import Path

import pytest
import toycorpus

from dalil.cli import main
from dalil.corpus import Corpus
from dalil.errors import StateError
from dalil.records import Claim
from dalil.state.store import Store

NAMES = (
    "مجلد عربي", "a b", "a?b", "a#b", "a%20b", "a&b=c", 'a"b', "a'b", "a\\b", "a;b", "a\nb", "a\x7fb", "😀",
    "[bold]x", "[x", ":warning:", "a:b", "a+b",
)  # fmt: skip


def dalil(*words: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0)


@pytest.mark.parametrize("name", NAMES)
def test_a_corpus_may_be_called_anything(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / name
    assert dalil("init", folder) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
    assert sorted(path.name for path in folder.iterdir()) == ["corpus.db", "corpus.toml", "warc"]
    with Corpus.open(folder) as corpus:
        assert corpus.config.corpus.name == name
        toycorpus.add(corpus, toycorpus.claim(1))
    capsys.readouterr()
    assert dalil("status", folder) == 0
    head = capsys.readouterr().out.split("The way of the data")[0]
    assert head.replace("\n", "").startswith(f"{name}  {tmp_path}".replace("\n", ""))
    assert dalil("doctor", folder) == 0
    assert dalil("dump", tmp_path / "d" / name, folder) == 0
    assert dalil("load", tmp_path / "d" / name, tmp_path / "again" / name) == 0
    with Corpus.open(tmp_path / "again" / name, writable=False) as corpus:
        assert corpus.store.count(Claim) == 1


def test_a_corpus_behind_a_link_is_the_same(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))
    (tmp_path / "link").symlink_to(tmp_path / "c")
    with Corpus.open(tmp_path / "link") as corpus:
        assert corpus.store.count(Claim) == 1


@pytest.mark.parametrize("left", [None, b""], ids=["no database", "one of no length"])
def test_a_configuration_without_a_database_is_a_corpus_that_begins(
    left: bytes | None, tmp_path: Path
) -> None:
    """A corpus.toml that was copied there, or what a kill or a full disk left of `dalil init`."""
    (tmp_path / "corpus.toml").write_text(toycorpus.TOML, "utf-8")
    if left is not None:
        (tmp_path / "corpus.db").write_bytes(left)
    with pytest.raises(StateError, match=r"no database yet; run a stage"):
        Corpus.open(tmp_path, writable=False)
    with Corpus.open(tmp_path) as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))
    with Corpus.open(tmp_path, writable=False) as corpus:
        assert corpus.store.count(Claim) == 1


@pytest.mark.parametrize("left", [None, b""], ids=["no database", "one of no length"])
@pytest.mark.parametrize("writable", [True, False])
def test_a_lost_database_is_not_quietly_replaced(left: bytes | None, writable: bool, tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.Ask(corpus).warc.append("http://toy.example/", 200, "OK", [], b"page")
    for file in (tmp_path / "c").glob("corpus.db*"):
        file.unlink()
    if left is not None:
        (tmp_path / "c" / "corpus.db").write_bytes(left)
    with pytest.raises(StateError, match=r"stored pages; bring it back"):
        Corpus.open(tmp_path / "c", writable=writable)


def test_a_database_without_tables_is_finished_by_a_writer_and_named_to_a_reader(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "corpus.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    assert path.stat().st_size > 0
    with pytest.raises(StateError, match="its making was interrupted; run a stage"):
        Store.open(path, writable=False)
    Store.open(path).close()
    Store.open(path, writable=False).close()


def test_the_doctor_finds_damaged_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, *(toycorpus.claim(number, "نص " * 500) for number in range(50)))
    path = tmp_path / "c" / "corpus.db"
    assert dalil("doctor", tmp_path / "c") == 0
    data = bytearray(path.read_bytes())
    data[20_000:60_000] = b"\xa5" * 40_000
    path.write_bytes(data)
    assert dalil("doctor", tmp_path / "c") == 1
    assert "corpus.db" in capsys.readouterr().err
