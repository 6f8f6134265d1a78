"""Getting pages that behave: stored as they came, once, and asked for politely."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path

import pytest
from crawling import TOML, corpus_of, crawl, dropped, fetches, stored, want
from fakeweb.client import FakeWeb

from dalil.errors import UsageError
from dalil.ids import digest
from dalil.records import Fetch
from dalil.state import journal, warc

ARTICLE = "http://a.news.example/article/"


def test_a_page_is_stored_as_it_came_with_its_content_encoding(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", [f"{ARTICLE}1", f"{ARTICLE}2"]) as corpus:
        tally = crawl(corpus)
        assert (tally.worked, tally.records, tally.failed) == (2, 2, 0)
        plain, packed = (stored(corpus, fetches(corpus)[f"{ARTICLE}{n}"]) for n in (1, 2))
        assert plain.header("Content-Encoding") is None
        assert packed.header("Content-Encoding") == "gzip"
        assert packed.body.startswith(b"\x1f\x8b")
        assert "خبر 2".encode() in packed.content()
        assert gzip.decompress(packed.body) == packed.content()
        row = fetches(corpus)[f"{ARTICLE}2"]
        assert row.content_hash == digest(packed.body)
        assert (row.status, row.purpose, row.error) == (200, "article", None)


def test_chunks_are_undone_and_the_header_does_not_lie(web: FakeWeb, tmp_path: Path) -> None:
    url = "http://a.news.example/chunked/7"
    with corpus_of(tmp_path / "c", [url]) as corpus:
        crawl(corpus)
        page = stored(corpus, fetches(corpus)[url])
        assert page.content().decode().startswith("<title>7</title>")
        assert page.header("Transfer-Encoding") is None


def test_what_is_answered_is_not_asked_again(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", [f"{ARTICLE}{n}" for n in range(1, 5)]) as corpus:
        crawl(corpus)
        web.reset()
        assert crawl(corpus).unchanged == 4
        assert web.asked() == []
        want(corpus, [f"{ARTICLE}{n}" for n in range(1, 6)])
        assert crawl(corpus).worked == 1
        assert web.asked() == ["a.news.example/robots.txt", "a.news.example/article/5"]


def test_an_identifying_agent_with_the_contact_is_sent(web: FakeWeb, tmp_path: Path) -> None:
    toml = '[corpus]\nname = "c"\ncontact = "lab@university.example"\n'
    with corpus_of(tmp_path / "c", [f"{ARTICLE}1"], toml) as corpus:
        crawl(corpus)
    agents = {row["headers"]["user-agent"] for row in web.log()}
    assert len(agents) == 1
    assert agents.pop().endswith(" (+lab@university.example)")


@pytest.mark.parametrize("contact", ["", "   ", "جهة اتصال"])
def test_without_a_contact_nobody_is_asked(
    web: FakeWeb, tmp_path: Path, contact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DALIL_LOCAL_WEB")
    with (
        corpus_of(
            tmp_path / "c", ["http://a.invalid/"], f'[corpus]\nname = "c"\ncontact = "{contact}"\n'
        ) as corpus,
        pytest.raises(UsageError, match=r"corpus\.contact"),
    ):
        crawl(corpus)


def test_robots_txt_is_obeyed_and_asked_for_once(web: FakeWeb, tmp_path: Path) -> None:
    urls = [
        f"{ARTICLE}1",
        "http://a.news.example/private/2",
        "http://closed.example/x",
        "http://sick.example/x",
        f"{ARTICLE}2",
    ]
    with corpus_of(tmp_path / "c", urls) as corpus:
        crawl(corpus)
        found = fetches(corpus)
        assert found["http://a.news.example/private/2"].error == "robots"
        assert found["http://closed.example/x"].error == "robots"
        assert "http://sick.example/x" not in found  # asked again when its robots.txt can be read
        assert dropped(corpus)["http://sick.example/x"] == "robots_unreachable"
    asked = web.asked()
    assert asked.count("a.news.example/robots.txt") == 1
    assert "closed.example/x" not in asked
    assert "sick.example/x" not in asked
    assert "a.news.example/private/2" not in asked


def test_a_domain_is_asked_one_request_at_a_time(web: FakeWeb, tmp_path: Path) -> None:
    """Each answer takes 20 ms, and the server notes when each request came: `www.` is the same domain."""
    urls = [f"http://turn.example/{host}/{n}" for host in "ab" for n in range(4)]
    urls += [f"http://www.turn.example/c/{n}" for n in range(4)]
    with corpus_of(tmp_path / "c", urls) as corpus:
        crawl(corpus)
    times = [
        row["at"]
        for row in web.log()
        if row["host"].endswith("turn.example") and row["path"] != "/robots.txt"
    ]
    assert len(times) == 12
    assert (
        min(later - sooner for sooner, later in zip(sorted(times), sorted(times)[1:], strict=False)) >= 0.02
    )


def test_refresh_asks_conditionally_and_keeps_one_fetch(web: FakeWeb, tmp_path: Path) -> None:
    changing = "http://a.news.example/changing"
    with corpus_of(tmp_path / "c", [f"{ARTICLE}1", changing]) as corpus:
        crawl(corpus)
        before = fetches(corpus)
        tally = crawl(corpus, refresh=True)
        assert tally.worked == 2
        conditional = [row for row in web.log() if row["path"] == "/article/1"][1]
        assert conditional["headers"]["if-none-match"] == '"a.news.example-1"'
        same = [
            row.model_copy(update={"fetched_at": None}) for row in corpus.store.all(Fetch, url=f"{ARTICLE}1")
        ]
        assert same == [before[f"{ARTICLE}1"].model_copy(update={"fetched_at": None})]
        assert len(list(corpus.store.all(Fetch, url=changing))) == 2
        kinds = [record.kind for path in warc.files(corpus.warc) for record in warc.records(path)]
        assert kinds.count("revisit") == 1


def test_the_same_bytes_again_are_a_revisit(web: FakeWeb, tmp_path: Path) -> None:
    """A server without validators: the page comes again, and is not stored again."""
    url = "http://a.news.example/chunked/1"
    with corpus_of(tmp_path / "c", [url]) as corpus:
        crawl(corpus)
        before = fetches(corpus)[url]
        crawl(corpus, refresh=True)
        rows = list(corpus.store.all(Fetch, url=url))
        assert [(row.id, row.warc_offset) for row in rows] == [(before.id, before.warc_offset)]
        found = [
            record for path in warc.files(corpus.warc) for record in warc.records(path) if record.url == url
        ]
        assert [record.kind for record in found] == ["response", "revisit"]
        assert stored(corpus, rows[0]).content().startswith(b"<title>1")


def test_every_request_is_in_the_journal(web: FakeWeb, tmp_path: Path) -> None:
    urls = [
        f"{ARTICLE}1",
        "http://loops.example/twice",
        "http://flaky.example/page",
        "http://lost.example/drop",
    ]
    with corpus_of(tmp_path / "c", urls) as corpus:
        crawl(corpus)
        states = journal.states(corpus.store)
        assert sum(states.values()) == len(web.asked())
        assert states["web", "failed"] == 3  # lost.example: once and two retries
        assert ("web", "sent") not in states


def test_a_budget_stops_before_it_is_passed(web: FakeWeb, tmp_path: Path) -> None:
    from dalil.errors import LimitReached

    toml = TOML + "[budgets.web]\nmax_requests_per_day = 4\n"
    with corpus_of(tmp_path / "c", [f"{ARTICLE}{n}" for n in range(1, 9)], toml) as corpus:
        with pytest.raises(LimitReached, match="4 requests were sent to web today"):
            crawl(corpus)
        assert len(web.asked()) == 4
        assert len(fetches(corpus)) == 3  # robots.txt was one of the four


def test_without_a_contact_only_the_local_server_is_asked(web: FakeWeb, tmp_path: Path) -> None:
    with (
        corpus_of(tmp_path / "c", ["http://nobody.invalid/", f"{ARTICLE}1"]) as corpus,
        pytest.raises(UsageError, match=r"corpus\.contact is missing"),
    ):
        crawl(corpus)


def test_a_host_that_is_not_played_is_paced(
    web: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The production path: reached through a proxy of the user's own, with AutoThrottle and delays."""
    import spiders.crawl.download

    monkeypatch.setattr(spiders.crawl.download, "plays", lambda url: False)
    monkeypatch.setenv("http_proxy", f"http://{web.address}")
    toml = '[corpus]\nname = "c"\ncontact = "lab@university.example"\n[crawl]\ndelay = 0.5\n'
    urls = [f"{ARTICLE}1", f"{ARTICLE}2", "http://a.news.example/article/3"]
    with corpus_of(tmp_path / "c", urls, toml) as corpus:
        assert crawl(corpus).records == 3
    at = [row["at"] for row in web.log()]
    assert len(at) == 4
    gaps = [later - sooner for sooner, later in pairwise(at)]
    assert min(gaps) >= 0.2  # half a second, jittered by half
    assert sum(gaps) >= 1.5
