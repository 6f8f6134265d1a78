"""From stored answers alone: the same pairs, with the network off; and pairs outside their window."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result
from enginekit import CLAIM_DATE, engines, toml
from fakeweb.client import FakeWeb
from forked import forked_crawls

from dalil.cli import cli
from dalil.corpus import Corpus
from dalil.records import RECORDS, Article, Claim, Dropped, Hit, Pair, SearchPage
from dalil.state.tables import LEDGER, TABLES

__all__ = ["engines"]
RAW = "افتتحت الحكومة الجسر الجديد في النهر صباح اليوم"
KEPT = (Claim, SearchPage)


def made(folder: Path, text: str) -> Path:
    with Corpus.create(folder, text) as corpus, corpus.store.transaction() as writer:
        writer.put([Claim(id="claim-1", site="s", raw=RAW, claim_date=CLAIM_DATE)])
    return folder


def dalil(*words: str) -> Result:
    with forked_crawls():
        return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def pairs(folder: Path) -> list[dict[str, Any]]:
    with Corpus.open(folder, writable=False) as corpus:
        return sorted((pair.model_dump() for pair in corpus.store.all(Pair)), key=lambda row: row["id"])


def bare(folder: Path, copy: Path) -> Path:
    """A copy that has claims, stored answers and WARC files, and nothing that was made of them."""
    shutil.copytree(folder, copy)
    with Corpus.open(copy) as corpus, corpus.store.transaction() as writer:
        for record in RECORDS:
            if record not in KEPT:
                writer.connection.execute(sa.delete(TABLES[record]))
        writer.connection.execute(sa.delete(LEDGER).where(LEDGER.c.stage != "search"))
    return copy


@pytest.fixture
def run_once(engines: FakeWeb, tmp_path: Path) -> Path:
    text = toml("google", variants='["claim", "claim+date"]', more="pages = 2\n[pair]\nkeep = 30\n")
    folder = made(tmp_path / "corpus", text)
    done = dalil("run", "--quiet", str(folder))
    assert done.exit_code == 0, done.output
    assert len(engines.asked("google-api.example")) == 3
    return folder


def off(monkeypatch: pytest.MonkeyPatch) -> None:
    """No keys and no network."""

    connect = socket.socket.connect

    def between_processes_only(own: socket.socket, address: Any) -> None:
        assert own.family == socket.AF_UNIX, f"a replay connected to {address}"
        connect(own, address)

    def no_names(*arguments: object, **more: object) -> None:
        raise AssertionError(f"a replay asked for a name: {arguments}")

    monkeypatch.setattr(socket.socket, "connect", between_processes_only)
    monkeypatch.setattr(socket, "getaddrinfo", no_names)
    for name in ("GOOGLE_API_KEY", "DALIL_LOCAL_WEB"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("DALIL_LOCAL_WEB", "127.0.0.1:9")


def test_a_run_replayed_gives_the_same_pairs(
    run_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pairs(run_once)
    assert len(before) > 10
    copy = bare(run_once, tmp_path / "copy")
    assert pairs(copy) == []
    off(monkeypatch)
    done = dalil("run", "--replay", str(copy))
    assert done.exit_code == 0, done.output
    assert pairs(copy) == before
    assert "no stored answer" not in done.output


def test_a_search_replayed_gives_the_same_hits(
    run_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = bare(run_once, tmp_path / "copy")
    off(monkeypatch)
    assert dalil("clean", str(copy)).exit_code == 0
    assert dalil("search", "--replay", str(copy)).exit_code == 0
    with Corpus.open(run_once) as one, Corpus.open(copy) as other:
        assert other.store.count(Hit) == 26
        assert list(one.store.all(Hit)) == list(other.store.all(Hit))
    done = dalil("search", "--replay", "--refresh", str(copy))
    assert done.exit_code == 2
    assert "choose one" in done.output


def test_what_was_never_asked_is_named(
    run_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml_file = run_once / "corpus.toml"
    toml_file.write_text(toml_file.read_text("utf-8").replace("engine-1", "engine-2"), "utf-8")
    off(monkeypatch)
    done = dalil("search", "--replay", str(run_once))
    assert done.exit_code == 0
    assert "2 requests have no stored answer; run without --replay to ask" in done.output


def numbers(folder: Path, *, marked: bool) -> set[str]:
    with Corpus.open(folder, writable=False) as corpus:
        urls = {article.id: str(article.url) for article in corpus.store.all(Article)}
        return {
            urls[pair.article_id].rsplit("/", 1)[1]
            for pair in corpus.store.all(Pair)
            if ("outside_window" in pair.marks) == marked
        }


def test_a_pair_outside_its_window_is_marked_or_dropped(engines: FakeWeb, tmp_path: Path) -> None:
    """Google thinks article 9 a week older than it is, and gives it for a window that it lies outside."""
    folder = made(tmp_path / "corpus", toml("google"))
    assert dalil("run", "--quiet", str(folder)).exit_code == 0
    assert numbers(folder, marked=False) == {"0", "1", "2", "3", "4"}
    assert numbers(folder, marked=True) == {"9"}
    with Corpus.open(folder) as corpus:
        assert all("outside_window" not in hit.marks for hit in corpus.store.all(Hit))
        [late] = [pair.id for pair in corpus.store.all(Pair) if "outside_window" in pair.marks]
    why = json.loads(dalil("why", "--json", late, str(folder)).output)
    assert [found["engine_date"] for found in why["found_by"]] == ["2019-03-02"]
    assert why["article"]["published"].startswith("2019-03-10")
    assert "2019-03-02" in dalil("why", late, str(folder)).output
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write('[pair]\noutside_window = "drop"\n')
    assert dalil("pair", "--quiet", str(folder)).exit_code == 0
    assert numbers(folder, marked=True) == set()
    with Corpus.open(folder) as corpus:
        assert [drop.detail for drop in corpus.store.all(Dropped, reason="outside_window")] == ["2019-03-10"]


def test_what_a_query_without_window_found_too_is_inside(run_once: Path) -> None:
    """Article 9 is also among the answers of the query that asks for any time."""
    assert numbers(run_once, marked=True) == set()
