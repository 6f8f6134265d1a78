"""The order of a crawl, with a web that is a function: what is lasting, what is for now, who is offline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from crawling import TOML, Pages, corpus_of, dropped, fetches, stored

from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.state import ledger, warc
from spiders.crawl.answers import Answer, NoAnswer, media
from spiders.crawl.driver import Driver
from spiders.crawl.keeper import Keeper
from spiders.crawl.settings import CrawlSettings
from spiders.crawl.steps import spelled

Web = Callable[[str], Answer]


def page(url: str, body: bytes = b"<p>x</p>", status: int = 200, **headers: str) -> Answer:
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(url, status, "", fields or (("Content-Type", "text/html"),), body)


def no_such_host(url: str) -> Answer:
    raise NoAnswer("no_such_host", url)


def drive(corpus: Corpus, web: Web, **settings: object) -> list[str]:
    """Crawl a web; returns what was asked, in order."""
    asked: list[str] = []

    async def ask(url: str, domain: str, headers: Mapping[str, str]) -> Answer:
        asked.append(url)
        await asyncio.sleep(0)
        return web(url) if not url.endswith("/robots.txt") else page(url, status=404)

    async def work() -> None:
        keeper = Keeper(corpus, "fetch", "run")
        chosen = CrawlSettings.model_validate(settings)
        await Driver(corpus, Pages(corpus), ask, keeper, chosen, refresh=False, live=True).run()

    asyncio.run(work())
    return [url for url in asked if not url.endswith("/robots.txt")]


def test_a_machine_without_a_network_says_so(tmp_path: Path) -> None:
    urls = [f"http://site{number}.org/" for number in range(12)]
    with (
        corpus_of(tmp_path / "c", urls) as corpus,
        pytest.raises(DalilError, match="none of 8 hosts can be found; check this machine's network"),
    ):
        drive(corpus, no_such_host, retries=0, concurrency=1)
    with Corpus.open(tmp_path / "c") as corpus:
        assert fetches(corpus) == {}


def test_a_host_without_an_address_is_dead_once_somebody_answered(tmp_path: Path) -> None:
    urls = ["http://early.org/", "http://alive.org/", "http://dead.org/"]
    with corpus_of(tmp_path / "c", urls) as corpus:
        drive(
            corpus, lambda url: page(url) if "alive" in url else no_such_host(url), retries=0, concurrency=1
        )
        assert sorted(fetches(corpus)) == ["http://alive.org/", "http://dead.org/"]
        assert fetches(corpus)["http://dead.org/"].error == "no_such_host"
        assert dropped(corpus) == {"http://dead.org/": "no_such_host"}
        outcomes = {row.outcome for row in ledger.entries(corpus.store, "fetch").values()}
        assert outcomes == {"done", "failed"}  # early.org is asked again


def test_a_url_is_sent_in_one_spelling_and_kept_in_its_own(tmp_path: Path) -> None:
    url = "http://a.org/خبر عاجل?q=ب#part"
    sent = "http://a.org/%D8%AE%D8%A8%D8%B1%20%D8%B9%D8%A7%D8%AC%D9%84?q=%D8%A8"
    with corpus_of(tmp_path / "c", [url]) as corpus:
        assert drive(corpus, page) == [sent]
        assert fetches(corpus)[url].final_url == sent
        assert stored(corpus, fetches(corpus)[url]).url == sent


def test_no_url_can_write_a_header_into_the_archive(tmp_path: Path) -> None:
    def answers(url: str) -> Answer:
        if url.endswith("/start"):
            return page(url, status=302, Location="/x\r\nWARC-Type: evil\r\n\r\nHTTP/1.1 200 OK")
        return page(url, Set_Cookie="a=1\r\nX-Evil: 1")

    with corpus_of(tmp_path / "c", ["http://a.org/start"]) as corpus:
        drive(corpus, answers)
        found = [record for path in warc.files(corpus.warc) for record in warc.records(path)]
        assert [record.kind for record in found] == ["response"] * 3
        assert all("\n" not in record.url and "\r" not in record.url for record in found)
        assert all("X-Evil" not in dict(record.response.headers) for record in found if record.response)


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("text/html", b"<p>", None),
        ("application/xhtml+xml", b"<p>", None),
        ("", b"<p>", None),
        (None, b"%PDF-1.4", "pdf"),
        ("text/html", b"%PDF-1.4", "pdf"),
        ("application/pdf", b"", "pdf"),
        ("image/jpeg", b"\xff\xd8", "image"),
        ("audio/mpeg", b"ID3", "audio"),
        ("video/mp4", b"\0", "video"),
        ("application/zip", b"PK", "other_media"),
        ("application/msword", b"\xd0\xcf", "other_media"),
        ("application/octet-stream", b"<html>", None),
        ("application/octet-stream", b"\0\0", "other_media"),
        ("application/rss+xml; charset=utf-8", b"<rss>", None),
        ("application/ld+json", b"{}", None),
        ("TEXT/HTML;charset=windows-1256", b"<p>", None),
    ],
)
def test_what_is_no_page(content_type: str | None, body: bytes, kind: str | None) -> None:
    assert media(content_type, body) == kind


@pytest.mark.parametrize("url", ["", "http://[::1", "نص", "http://a.org:x/"])
def test_what_is_no_url_is_left_to_the_guard(url: str) -> None:
    assert isinstance(spelled(url), str)


def test_settings_cannot_be_made_impolite(tmp_path: Path) -> None:
    from dalil.errors import UsageError

    for line in ("delay = 0.1", "wayback_per_minute = 60", "strikes = 50", "concurrency = 1000"):
        with (
            corpus_of(tmp_path / line[:5], [], f"{TOML}[crawl]\n{line}\n") as corpus,
            pytest.raises(UsageError, match=line.split()[0]),
        ):
            Pages(corpus)


def test_the_wayback_machine_is_asked_slowly_whatever_its_first_url(tmp_path: Path) -> None:
    from spiders.crawl.domains import Domains

    with corpus_of(tmp_path / "c", []) as corpus:
        for first in ("http://archive.org/details/x", "https://web.archive.org/web/2019id_/http://a.org/"):
            domains = Domains(corpus.store, 3.0)
            assert domains.of(first).delay == 3.0
            assert domains.of(first) is domains.of("http://web.archive.org/cdx/search/cdx?url=x")
        assert Domains(corpus.store, 3.0).of("http://a.org/").delay == 0
