"""The runner: what is new or changed, and nothing else; each request once; budgets; locks."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
import toycorpus
from toycorpus import Ask, Upper

from dalil.corpus import Corpus
from dalil.errors import LimitReached, StateError
from dalil.progress import Silent
from dalil.records import CleanedClaim, Document, Dropped, Fetch, SearchPage
from dalil.runner import Tally, run_stage
from dalil.state import journal
from dalil.state.lock import stage_lock
from dalil.state.tables import RUNS
from dalil.state.warc import Location, WarcWriter, read
from dalil.status import status


def derive(corpus: Corpus, stage: Upper | None = None) -> tuple[Tally, list[str]]:
    found = stage or Upper(corpus)
    return run_stage(corpus, found, Silent()), found.worked


def test_only_what_is_new_or_changed_is_worked_on(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1), toycorpus.claim(2))
        assert derive(corpus)[1] == ["claim-001", "claim-002"]
        assert derive(corpus)[1] == []
        toycorpus.add(corpus, toycorpus.claim(2, "نص آخر"), toycorpus.claim(3))
        tally, worked = derive(corpus)
        assert worked == ["claim-002", "claim-003"]
        assert (tally.worked, tally.unchanged) == (2, 1)
        assert [found.text for found in corpus.store.all(CleanedClaim)] == [
            "ادعاء رقم 1!",
            "نص آخر!",
            "ادعاء رقم 3!",
        ]


def test_a_rerun_replaces_what_its_unit_made_and_the_drop_goes_with_it(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1, ""))
        derive(corpus)
        assert [(drop.stage, drop.key, drop.reason) for drop in corpus.store.all(Dropped)] == [
            ("clean", "claim-001", "no_text")
        ]
        toycorpus.add(corpus, toycorpus.claim(1, "نص"))
        derive(corpus)
        assert corpus.store.count(Dropped) == 0
        assert corpus.store.count(CleanedClaim) == 1


def test_what_lost_its_input_is_swept(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1), toycorpus.claim(2))
        derive(corpus)
        with corpus.store.transaction() as writer:
            writer.delete(toycorpus.Claim, ["claim-001"])
        assert derive(corpus)[0].swept == 1
        assert [found.id for found in corpus.store.all(CleanedClaim)] == ["claim-002"]


def test_a_new_version_or_another_configuration_works_again(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))
        derive(corpus)
        newer = Upper(corpus)
        newer.VERSION = "2"  # type: ignore[misc]
        assert derive(corpus, newer)[1] == ["claim-001"]
    (tmp_path / "c" / "corpus.toml").write_text(toycorpus.TOML + "[clean]\nx = 1\n", "utf-8")
    with Corpus.open(tmp_path / "c") as corpus:
        assert derive(corpus)[1] == ["claim-001"]


def test_a_request_is_sent_once(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        first, second = Ask(corpus), Ask(corpus)
        run_stage(corpus, first, Silent())
        run_stage(corpus, second, Silent())
        assert (first.sent, second.sent) == ([0, 1, 2], [])
        again = Ask(corpus)
        run_stage(corpus, again, Silent(), refresh=True)
        assert again.sent == [0, 1, 2]
        assert corpus.store.count(SearchPage) == corpus.store.count(Document) == 3


def test_a_busy_service_is_asked_again_later_and_stops_nothing(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        busy = Ask(corpus)
        busy.failing = {1}
        tally = run_stage(corpus, busy, Silent())
        assert (tally.failed, tally.notes) == (1, ["busy"])
        assert status(corpus).ledger["search"] == {"done": 2, "failed": 1}
        again = Ask(corpus)
        run_stage(corpus, again, Silent())
        assert again.sent == [1]


def test_a_budget_stops_before_it_is_passed(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c", toycorpus.TOML + "[budgets.toy]\nmax_cost = 1.0\n") as corpus:
        stage = Ask(corpus)
        with pytest.raises(LimitReached, match=r"budgets\.toy\.max_cost.*raise the limit"):
            run_stage(corpus, stage, Silent())
        assert stage.sent == [0, 1]
        assert journal.spent(corpus.store, "toy").cost == 1.0
        outcomes = [row[0] for row in corpus.store.rows(sa.select(RUNS.c.outcome))]
        assert outcomes == ["limit"]


def test_requests_a_day_are_limited(tmp_path: Path) -> None:
    with toycorpus.make(
        tmp_path / "c", toycorpus.TOML + "[budgets.toy]\nmax_requests_per_day = 2\n"
    ) as corpus:
        stage = Ask(corpus)
        with pytest.raises(LimitReached, match="tomorrow"):
            run_stage(corpus, stage, Silent())
        assert stage.sent == [0, 1]


def test_two_stages_at_once_are_refused_with_the_name_of_the_first(tmp_path: Path) -> None:
    toycorpus.make(tmp_path / "c").close()
    with (
        stage_lock(tmp_path / "c", "search"),
        pytest.raises(StateError, match=r"at work: dalil search \(process \d+\)"),
        stage_lock(tmp_path / "c", "clean"),
    ):
        pass
    with stage_lock(tmp_path / "c", "clean"):
        pass


def test_a_stored_page_can_be_read_back(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        run_stage(corpus, Ask(corpus), Silent())
        bodies = []
        for fetch in corpus.store.all(Fetch):
            assert fetch.warc_file is not None
            assert fetch.warc_offset is not None
            assert fetch.warc_length is not None
            found = read(corpus.warc, Location(fetch.warc_file, fetch.warc_offset, fetch.warc_length))
            bodies.append((found.url, found.status, found.header("x"), found.body))
        assert sorted(bodies) == [
            (f"http://toy.example/{n}", 200, "1", f"page {n}".encode()) for n in range(3)
        ]


def test_a_torn_tail_is_cut_off_and_a_shortened_file_refused(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        run_stage(corpus, Ask(corpus), Silent())
        path = corpus.warc / "dalil-00001.warc.gz"
        good = path.read_bytes()
        path.write_bytes(good + b"\x1f\x8b half a record")
        WarcWriter(corpus.warc, corpus.store)
        assert path.read_bytes() == good
        path.write_bytes(good[:-3])
        with pytest.raises(StateError, match="3 bytes .* missing"):
            WarcWriter(corpus.warc, corpus.store)
