"""SerpApi over real HTTP: Google's windows, Arabic dates, an empty answer that looks like an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from enginekit import KEYS, WINDOW, corpus_of, engine_of, engines, held, page_of, pages_of, search, toml
from fakeweb.client import FakeWeb

from dalil.errors import DalilError, LimitReached
from dalil.records import Hit, SearchPage
from dalil.stages import Transient
from retrieval.engines import Question
from retrieval.engines.serpapi import window

__all__ = ["engines"]


def test_what_is_sent_and_what_comes(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "serpapi")
    page = page_of(engine, WINDOW)
    [sent] = engines.log()
    assert "tbs=cdr%3A1%2Ccd_min%3A3%2F1%2F2019%2Ccd_max%3A3%2F5%2F2019" in sent["query"]
    assert "lr=lang_ar" in sent["query"]
    hits = engine.hits(page)
    assert [(hit.rank, hit.engine_date) for hit in hits] == [(n, f"2019-03-0{n}") for n in range(1, 6)]
    assert "api_key" not in page.request


def test_paging(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "serpapi")
    pages = pages_of(engine, Question("الجسر"))
    assert [page.request["start"] for page in pages] == [0, 10, 20]
    assert [hit.rank for page in pages for hit in engine.hits(page)] == list(range(1, 25))
    assert engine.request(Question("x"), 11, None) is None


def test_nothing_found_is_an_answer_and_not_an_error(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "serpapi")
    page = page_of(engine, Question("الجسر", "1999-01-01", "1999-02-01"))
    assert "error" in page.answer
    assert engine.hits(page) == []


def test_limits_and_failures_are_told_apart(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "serpapi")
    page_of(engine, Question("كل ساعة"))
    assert len(engines.asked()) == 2
    with pytest.raises(LimitReached, match="run out of searches"):
        page_of(engine, Question("نفدت"))
    with pytest.raises(Transient, match="Google took too long"):
        page_of(engine, Question("عطل"))
    with pytest.raises(DalilError, match="HTTP 400: .*Missing query"):
        page_of(engine, Question(""))


def test_a_wrong_key(engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPAPI_KEY", "serp-wrong-key")
    with pytest.raises(DalilError, match="the key was refused"):
        page_of(engine_of(tmp_path, "serpapi"), WINDOW)


def test_a_key_that_the_service_repeats_is_not_stored(engines: FakeWeb, tmp_path: Path) -> None:
    text = toml("serpapi", variants='["claim"]')
    with corpus_of(tmp_path / "c", text, "الجسر الجديد") as corpus:
        search(corpus)
        assert corpus.store.count(Hit) == 10
        [page] = corpus.store.all(SearchPage)
        assert "api_key=***" in page.answer
    assert KEYS["SERPAPI_KEY"].encode() not in held(tmp_path / "c")


def test_a_failed_search_is_asked_again_by_a_later_run(engines: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", toml("serpapi"), "عطل كبير") as corpus:
        tally = search(corpus)[1]
        assert (tally.failed, corpus.store.count(SearchPage)) == (1, 0)
        assert "Google took too long" in tally.notes[0]


def test_windows_are_googles_own_form() -> None:
    assert window("2018-02-08", "2018-12-31") == "cdr:1,cd_min:2/8/2018,cd_max:12/31/2018"
    assert window("2018-02-08", None) is None
