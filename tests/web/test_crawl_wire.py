"""Servers that break HTTP itself, or robots.txt: each ends in a page or a reason, none ends the crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from crawling import QUICK, TOML, corpus_of, crawl, dropped, fetches, stored
from fakeweb.client import FakeWeb

from dalil.corpus import Corpus
from dalil.net import blocked
from dalil.state import journal, warc

FATE: dict[str, tuple[int | None, str | None]] = {
    "early-hints": (200, None),
    "continue": (200, None),
    "too-long": (200, None),
    "no-reason": (200, None),
    "no-length": (200, None),
    "partial": (206, None),
    "old": (200, None),
    "same-length-twice": (200, None),
    "odd-headers": (200, None),
    "nul-header": (200, None),
    "folded": (200, None),
    "many-headers": (200, None),
    "colonless": (200, None),
    "both": (200, None),
    "status-999": (999, None),
    "empty": (200, None),
    "no-content": (204, None),
    "reset-content": (205, None),
    "not-modified": (304, None),
    "moved-nowhere": (302, None),
    "moved-empty": (302, None),
    "bad-chunk": (200, "cut_short"),
    "huge-chunk": (200, "cut_short"),
    "moved-oddly": (None, "bad_url"),
    "moved-to-port": (None, "bad_url"),
    "moved-to-nul": (404, None),
    "moved-in-utf-8": (404, None),
    "moved-in-cp1256": (404, None),
}
"""page → status and error of its Fetch"""
LATER = (
    "not-a-number", "negative", "two-lengths", "unknown-transfer", "long-line", "headers-cut", "no-http",
    "icy", "nameless", "odd-name", "status-word", "status-huge", "status-minus", "switching", "silence",
    "only-newlines", "tls",
)  # fmt: skip
"""pages whose server does not speak HTTP: no Fetch, asked again by a later run"""
URL = "http://wire.example/"


@pytest.fixture(scope="module")
def wired(server: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that asked for all of it in one crawl."""
    folder = tmp_path_factory.mktemp("wire") / "c"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DALIL_LOCAL_WEB", server.address)
        toml = TOML + "[crawl]\nretries = 0\n"
        with corpus_of(folder, [URL + name for name in (*FATE, *LATER)], toml) as corpus:
            tally = crawl(corpus)
            assert (tally.worked, tally.failed) == (len(FATE) + len(LATER), len(LATER))
            assert ("web", "sent") not in journal.states(corpus.store)
    return folder


@pytest.mark.parametrize(("name", "fate"), FATE.items())
def test_odd_answers_are_pages_or_have_a_reason(
    wired: Path, name: str, fate: tuple[int | None, str | None]
) -> None:
    with Corpus.open(wired, writable=False) as corpus:
        fetch = fetches(corpus)[URL + name]
        assert (fetch.status, fetch.error) == fate
        if fate == (200, None) and name not in ("both", "empty"):
            assert stored(corpus, fetch).body.startswith("<p>نص عربي".encode())
        if fetch.warc_file is not None:
            assert stored(corpus, fetch).status == fetch.status


def test_no_answer_is_no_fetch(wired: Path) -> None:
    with Corpus.open(wired, writable=False) as corpus:
        assert {URL + name for name in LATER} & set(fetches(corpus)) == set()


@pytest.mark.parametrize(
    ("name", "leads_to"),
    [
        ("moved-in-utf-8", "%D8%AE%D8%A8%D8%B1?q=%D8%AE"),
        ("moved-in-cp1256", "%CE%C8%D1"),
        ("moved-to-nul", "%00%85%FF"),
    ],
)
def test_redirects_lead_where_a_browser_goes(wired: Path, name: str, leads_to: str) -> None:
    with Corpus.open(wired, writable=False) as corpus:
        assert fetches(corpus)[URL + name].final_url == URL + leads_to


def test_no_header_of_a_server_becomes_one_of_the_record(wired: Path) -> None:
    from warcio.archiveiterator import ArchiveIterator

    with Corpus.open(wired, writable=False) as corpus:
        for path in warc.files(corpus.warc):
            with path.open("rb") as file:
                kinds = {record.rec_headers.get_header("WARC-Type") for record in ArchiveIterator(file)}
            assert kinds == {"response", "metadata"}


def test_a_replay_finds_the_same(wired: Path, tmp_path: Path) -> None:
    import shutil

    from dalil.state.dump import dump, equal

    shutil.copytree(wired, tmp_path / "c")
    with Corpus.open(wired, writable=False) as corpus:
        dump(corpus, tmp_path / "before", stable=True)
    with Corpus.open(tmp_path / "c") as corpus:
        crawl(corpus, replay=True)
        dump(corpus, tmp_path / "after", stable=True)
    assert equal(tmp_path / "before", tmp_path / "after") == []


@pytest.mark.parametrize("name", ["busy-for-ever", "reset-for-ever"])
def test_a_wait_beyond_all_calendars_is_a_month(web: FakeWeb, tmp_path: Path, name: str) -> None:
    with corpus_of(tmp_path / "c", [URL + name, f"{URL}old"], TOML + QUICK) as corpus:
        crawl(corpus)
        assert [row for row in web.asked() if "robots" not in row] == [f"wire.example/{name}"]
        until, _ = blocked.stopped(corpus.store)["wire.example"]
        assert until < "2100"


RULES = {
    "pdf": "robots",
    "octets": "robots",
    "huge": "robots",
    "packed-huge": "robots",
    "bom": "robots",
    "old-macintosh": "robots",
    "nuls": "robots",
    "moved": "robots",
    "bomb": "robots_unreachable",
    "damaged": "robots_unreachable",
    "cut": "robots_unreachable",
    "too-large": "robots_unreachable",
    "sick": "robots_unreachable",
    "crowded": "robots_unreachable",
    "html": None,
    "private": None,
    "circle": None,
    "nothing": None,
    "refused": None,
    "delay": None,
}
"""robots.txt → why the page is not asked for (RFC 9309, 2.3.1)"""


def test_robots_txt_in_all_its_forms(web: FakeWeb, tmp_path: Path) -> None:
    urls = {name: f"http://{name}.rules.example/page" for name in RULES}
    with corpus_of(
        tmp_path / "c", urls.values(), TOML + "[crawl]\nmax_megabytes = 1.0\nretries = 0\n"
    ) as corpus:
        crawl(corpus)
        found = dropped(corpus)
    assert {name: found.get(url) for name, url in urls.items()} == RULES
    asked = {name for name in RULES if f"{name}.rules.example/page" in web.asked()}
    assert asked == {name for name, reason in RULES.items() if reason is None}
