"""`--refresh` and `--replay` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from crawling import TOML, corpus_of

from dalil.cli.common import stage_command
from dalil.net import blocked
from dalil.records import Document, Hit
from dalil.state.ledger import Entry, write
from dalil.status import status
from dalil.text.urls import document_id


def test_refresh_and_replay_exclude_each_other(tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", (), TOML):
        pass
    done = CliRunner().invoke(
        stage_command("fetch", "Help.", ("fetch",)), ["--refresh", "--replay", str(tmp_path / "c")]
    )
    assert done.exit_code == 2
    assert "choose one" in done.output


def test_a_replay_names_what_has_no_stored_answer(tmp_path: Path) -> None:
    url = "http://a.org/1"
    with corpus_of(tmp_path / "c", (), TOML) as corpus, corpus.store.transaction() as writer:
        key = document_id(url)
        writer.put([
            Document(id=key, url=url, host="a.org"),
            Hit(id="h", page_id="p", question="q", engine="e", rank=1, url=url, document_id=key),
        ])  # fmt: skip
    command = stage_command("fetch", "Help.", ("fetch",))
    done = CliRunner().invoke(command, ["--replay", "--json", str(tmp_path / "c")], catch_exceptions=False)
    assert done.exit_code == 0
    assert '"failed": 1' in done.output


@pytest.mark.parametrize(
    ("until", "shown"), [("2999-01-01T00:00:00Z", True), ("2000-01-01T00:00:00Z", False)]
)
def test_the_status_names_domains_that_are_left_alone_now(tmp_path: Path, until: str, shown: bool) -> None:
    with corpus_of(tmp_path / "c", (), TOML) as corpus:
        with corpus.store.transaction() as writer:
            write(writer, blocked.STAGE, "walls.example", Entry("", "3 HTTP 403", "failed", until), "run")
        assert blocked.STAGE not in status(corpus).ledger
        found = status(corpus).stopped_domains
        assert found == ({"walls.example": f"until {until}: HTTP 403"} if shown else {})
