"""Getting pages from a hostile web: each fault ends in a page or a reason, and nobody is pestered."""

from __future__ import annotations

from pathlib import Path

import pytest
from crawling import QUICK, TOML, corpus_of, crawl, dropped, fetches, stored, want
from fakeweb.client import FakeWeb

from dalil.net import blocked
from dalil.state import warc
from dalil.status import status

FATE = {
    "http://loops.example/endless/1": "too_many_redirects",
    "http://loops.example/circle/a": "redirect_loop",
    "http://inward.example/metadata": "refused_address",
    "http://inward.example/loopback": "refused_address",
    "http://inward.example/decimal": "refused_address",
    "http://inward.example/mapped": "refused_address",
    "http://inward.example/router": "refused_address",
    "http://inward.example/name": "refused_address",
    "http://inward.example/file": "refused_scheme",
    "http://10.0.0.7/": "refused_address",
    "http://[::1]:8080/": "refused_address",
    "http://0x7f.1/": "refused_address",
    "http://localhost:22/": "refused_address",
    "http://files.example/report": "pdf",
    "http://files.example/unnamed": "pdf",
    "http://files.example/clip.mp4": "video",
    "http://files.example/huge": "too_large",
    "http://files.example/huge-chunks": "too_large",
    "http://bombs.example/gzip": "bomb",
    "http://bombs.example/nested": "bomb",
    "http://closed.example/story": "robots",
}
"""url → why it has no page"""
LATER = (
    "http://slow.example/page",
    "http://slow.example/drip",
    "http://lost.example/drop",
)
"""urls that bring nothing for now, and are asked again by a later run"""


@pytest.fixture(scope="module")
def faults(server: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that asked for every fault at once."""
    folder = tmp_path_factory.mktemp("faults") / "c"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DALIL_LOCAL_WEB", server.address)
        with corpus_of(folder, [*FATE, *LATER], TOML + QUICK + "retries = 1\n") as corpus:
            tally = crawl(corpus)
            assert tally.worked == len(FATE) + len(LATER)
            assert tally.failed == len(LATER)
    return folder


@pytest.mark.parametrize(("url", "reason"), FATE.items())
def test_what_is_no_page_has_a_reason(faults: Path, url: str, reason: str) -> None:
    from dalil.corpus import Corpus

    with Corpus.open(faults, writable=False) as corpus:
        fetch = fetches(corpus)[url]
        assert (fetch.error, fetch.warc_file) == (reason, None)
        assert dropped(corpus)[url] == reason


@pytest.mark.parametrize("url", LATER)
def test_what_fails_for_now_is_no_fetch(faults: Path, url: str) -> None:
    from dalil.corpus import Corpus

    with Corpus.open(faults, writable=False) as corpus:
        assert url not in fetches(corpus)


def test_redirects_are_recorded_and_end_at_the_page(web: FakeWeb, tmp_path: Path) -> None:
    url = "http://loops.example/twice"
    with corpus_of(tmp_path / "c", [url]) as corpus:
        crawl(corpus)
        fetch = fetches(corpus)[url]
        assert fetch.redirects == (url, "http://loops.example/once")
        assert fetch.final_url == "http://a.news.example/article/1?utm_source=x"
        assert (fetch.status, fetch.error) == (200, None)
        hops = [record.url for path in warc.files(corpus.warc) for record in warc.records(path)]
        assert {url, "http://loops.example/once"} <= set(hops)


def test_a_page_cut_short_is_kept_and_marked(web: FakeWeb, tmp_path: Path) -> None:
    urls = ["http://lost.example/cut", "http://lost.example/chunks"]
    with corpus_of(tmp_path / "c", urls) as corpus:
        crawl(corpus)
        for url in urls:
            fetch = fetches(corpus)[url]
            assert (fetch.status, fetch.error) == (200, "cut_short")
            assert stored(corpus, fetch).body.startswith("<p>نص عربي".encode())


def test_a_damaged_encoding_is_stored_as_it_came(web: FakeWeb, tmp_path: Path) -> None:
    from dalil.net.encoding import Undecodable

    url = "http://bombs.example/damaged"
    with corpus_of(tmp_path / "c", [url]) as corpus:
        crawl(corpus)
        page = stored(corpus, fetches(corpus)[url])
        with pytest.raises(Undecodable, match="invalid"):
            page.content()


def test_a_busy_server_is_asked_again_when_it_says(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", ["http://busy.example/page", "http://flaky.example/page"]) as corpus:
        tally = crawl(corpus)
        assert (tally.records, tally.failed) == (2, 0)
    at = [row["at"] for row in web.log() if row["path"] == "/page" and row["host"] == "busy.example"]
    assert len(at) == 2
    assert at[1] - at[0] >= 1.0


@pytest.mark.parametrize(
    ("host", "asked", "sign"),
    [
        ("forbidden.example", 3, "HTTP 403"),
        ("walls.example", 3, "<title>Just a moment"),
        ("jammed.example", 3, "HTTP 429"),
    ],
)
def test_a_domain_that_refuses_is_left_alone_and_named(
    web: FakeWeb, tmp_path: Path, host: str, asked: int, sign: str
) -> None:
    urls = [f"http://{host}/{n}" for n in range(8)]
    with corpus_of(tmp_path / "c", urls) as corpus:
        tally = crawl(corpus)
        assert len([row for row in web.asked(host) if "robots" not in row]) == asked
        until, why = blocked.stopped(corpus.store)[host]
        assert why == sign
        assert any(host in note for note in tally.notes)
        assert status(corpus).stopped_domains[host] == f"until {until}: {sign}"
        web.reset()
        want(corpus, [*urls, f"http://{host}/new", "http://a.news.example/article/1"])
        crawl(corpus)
        assert web.asked(host) == []
        assert fetches(corpus)["http://a.news.example/article/1"].status == 200
        assert set(dropped(corpus).values()) <= {"domain_stopped"}


def test_a_wait_that_is_too_long_ends_the_visits(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", [f"http://sleepy.example/{n}" for n in range(5)]) as corpus:
        crawl(corpus)
        assert web.asked("sleepy.example") == ["sleepy.example/robots.txt", "sleepy.example/0"]
        assert "sleepy.example" in blocked.stopped(corpus.store)


def test_refusals_in_a_row_are_counted_over_runs(web: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", ["http://forbidden.example/1", "http://forbidden.example/2"]) as corpus:
        crawl(corpus)
        assert blocked.stopped(corpus.store) == {}
        want(corpus, [f"http://forbidden.example/{n}" for n in range(1, 6)])
        crawl(corpus)
        assert "forbidden.example" in blocked.stopped(corpus.store)
        assert len([row for row in web.asked("forbidden.example") if "robots" not in row]) == 3
