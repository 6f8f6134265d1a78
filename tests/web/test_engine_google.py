"""Google's Custom Search: its client over real HTTP, paging to a hundred, its limits, its end."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from enginekit import KEYS, WINDOW, corpus_of, engine_of, engines, held, page_of, pages_of, search, toml
from fakeweb.client import FakeWeb

from dalil.cli import cli
from dalil.errors import DalilError, LimitReached, UsageError
from dalil.net import secrets
from dalil.records import Hit, SearchPage
from dalil.state import journal
from retrieval.engines import Question
from retrieval.engines.google import closing, snippet_date, window

__all__ = ["engines"]


def test_what_is_sent(engines: FakeWeb, tmp_path: Path) -> None:
    page = page_of(engine_of(tmp_path, "google"), WINDOW)
    [sent] = engines.log()
    assert sent["method"] == "GET"
    for part in ("sort=date%3Ar%3A20190301%3A20190305", "lr=lang_ar", "cx=engine-1", "num=10", "start=1"):
        assert part in sent["query"]
    assert page.request == {
        "q": "الجسر", "cx": "engine-1", "lr": "lang_ar", "num": 10, "start": 1,
        "sort": "date:r:20190301:20190305",
    }  # fmt: skip
    assert page.cost == 0.005


def test_hits_have_googles_own_date_and_not_the_pages(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "google")
    hits = engine.hits(page_of(engine, WINDOW))
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5, 6]
    dates = {hit.url.rsplit("/", 1)[1]: hit.engine_date for hit in hits}
    assert dates["0"] == "2019-03-01"
    assert dates["9"] == "2019-03-02"  # the page itself says 2019-03-10
    assert hits[0].title == "افتتحت الحكومة الجسر في النهر"
    assert (hits[0].engine, hits[0].question, hits[0].page_id) == ("google", "q", "page-1")


@pytest.mark.parametrize(
    ("snippet", "date"),
    [
        ("Feb 18, 2018 ... نص", "2018-02-18"),
        ("18 كانون الثاني 2018 … نص", "2018-01-18"),
        ("منذ 3 أيام ... نص", "2019-03-07"),
        ("قال الرئيس في 5 يناير 2015 ... نص", None),
        ("في 5 يناير 2015 ... نص", None),
        ("بدون تاريخ ... نص", None),
        ("5 يناير 2015 نص", None),
        (None, None),
    ],
)
def test_a_date_within_a_sentence_is_not_googles(snippet: str | None, date: str | None) -> None:
    page = SearchPage(
        id="p", engine="google", question="q", text="t", status=200, asked_at="2019-03-10T00:00:00+00:00"
    )
    assert snippet_date(snippet, page) == date


def test_paging_ends_at_a_hundred_or_where_google_says(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "google")
    pages = pages_of(engine, Question("كثير"))
    assert len(pages) == 10
    ranks = [hit.rank for page in pages for hit in engine.hits(page)]
    assert ranks == list(range(1, engine.CAP + 1))
    assert "sort" not in pages[0].request
    assert len(pages_of(engine, WINDOW)) == 1
    [empty] = pages_of(engine, Question("نادر"))
    assert engine.hits(empty) == []


def test_a_long_query_goes_as_post(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "google")
    long = "كلمة " * 200
    page = page_of(engine, Question(long, WINDOW.start, WINDOW.end))
    [sent] = engines.log()
    assert (sent["method"], sent["headers"]["x-http-method-override"]) == ("POST", "GET")
    assert len(engine.hits(page)) == 6


def test_the_daily_quota_stops_the_run_and_a_rate_does_not(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "google")
    page_of(engine, Question("سؤال كل دقيقة"))
    assert len(engines.asked()) == 2
    with pytest.raises(LimitReached, match="the quota is spent"):
        page_of(engine, Question("حد يومي"))
    assert len(engines.asked()) == 3


def test_a_limit_keeps_what_came_before_it(engines: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", toml("google"), "الجسر الجديد", "حد يومي") as corpus:
        with pytest.raises(LimitReached):
            search(corpus)
        assert corpus.store.count(SearchPage) == 1
        states = journal.states(corpus.store)
        assert states == {("google", "answered"): 1, ("google", "failed"): 1}


@pytest.mark.parametrize(
    ("settings", "key", "said"),
    [
        ('cx = "engine-1"', "AIza-wrong-key", "the key was refused"),
        ('cx = "engine-1"\ngl = "eg"', None, None),
    ],
)
def test_a_wrong_key_is_an_error_that_does_not_show_it(
    engines: FakeWeb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: str,
    key: str | None,
    said: str | None,
) -> None:
    if key is not None:
        monkeypatch.setenv("GOOGLE_API_KEY", key)
    engine = engine_of(tmp_path, "google", settings)
    if said is None:
        page_of(engine, WINDOW)
        assert "gl=eg" in engines.log()[0]["query"]
        return
    with pytest.raises(DalilError, match=said) as caught:
        page_of(engine, WINDOW)
    assert not isinstance(caught.value, LimitReached)
    assert str(key) not in str(caught.value)


def test_what_google_refuses_is_said_without_the_key(
    engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import traceback

    engine = engine_of(tmp_path, "google")
    what = engine.request(WINDOW, 1, None)
    assert what is not None
    with pytest.raises(DalilError, match=r"HTTP 400: .*invalid argument") as caught:
        engine.ask(what | {"num": 11})
    assert KEYS["GOOGLE_API_KEY"] not in "".join(traceback.format_exception(caught.value))


def test_without_key_or_engine_it_says_what_to_set(
    engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY")
    with pytest.raises(UsageError, match="GOOGLE_API_KEY"):
        page_of(engine_of(tmp_path, "google"), WINDOW)
    with pytest.raises(UsageError, match=r"engines\.google\.cx"):
        engine_of(tmp_path / "b", "google", 'cx = ""').request(WINDOW, 1, None)
    assert engines.asked() == []


def test_what_was_not_sent_for_want_of_a_key_costs_nothing(
    engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY")
    with corpus_of(tmp_path / "c", toml("google"), "الجسر الجديد") as corpus:
        with pytest.raises(UsageError, match="GOOGLE_API_KEY"):
            search(corpus)
        assert journal.spent(corpus.store, "google").cost == 0
        assert journal.states(corpus.store) == {}


def test_the_key_stays_out_of_the_corpus(engines: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", toml("google"), "الجسر الجديد") as corpus:
        search(corpus)
        assert corpus.store.count(Hit) == 6
    assert KEYS["GOOGLE_API_KEY"].encode() not in held(tmp_path / "c")


def test_a_key_that_google_repeats_is_not_kept_and_its_client_does_not_retry(
    engines: FakeWeb, tmp_path: Path
) -> None:
    """The client's own retries ignore Retry-After, and spend a spent quota again."""
    key = secrets.secret("GOOGLE_API_KEY", what="key")
    seen: list[int] = []

    class Asking:
        postproc = None

        def execute(self, num_retries: int) -> str:
            seen.append(num_retries)
            return f'{{"queries": {{"request": [{{"key": "{key}"}}]}}, "items": []}}'

    class Client:
        def cse(self) -> Client:
            return self

        def list(self, **what: object) -> Asking:
            return Asking()

    engine = engine_of(tmp_path, "google")
    engine.__dict__["_client"] = Client()
    what = engine.request(WINDOW, 1, None)
    assert what is not None
    assert key not in engine.ask(what).body
    assert seen == [0]


def test_the_closing_date_is_said_at_every_use(engines: FakeWeb, tmp_path: Path) -> None:
    corpus_of(tmp_path / "c", toml("google"), "الجسر الجديد").close()
    for words in (["--dry-run"], [], [], ["--replay"]):
        done = CliRunner().invoke(cli, ["search", *words, str(tmp_path / "c")], catch_exceptions=False)
        assert "2027-01-01" in done.output, words
    assert len(engines.asked()) == 1


def test_the_words_before_and_after_the_end() -> None:
    assert "closes on 2027-01-01 (2 days from now)" in closing(date(2026, 12, 30))
    assert "was closed on 2027-01-01" in closing(date(2027, 1, 1))
    assert "[search] retired" in closing(date(2027, 1, 1)), "what to do about it"
    assert window("2018-02-18", "2018-04-01") == "date:r:20180218:20180401"
    assert window(None, None) is None
