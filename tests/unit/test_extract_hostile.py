"""Pages that hang, crash or nest without end cost themselves alone."""

from __future__ import annotations

import os
import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from stored import HTML, corpus_with, extract, store_page

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.parallel import Broken, TimedOut, over_processes
from dalil.records import Article, Dropped, Fetch
from dalil.text.urls import document_id
from retrieval.extract import Extracted, Page, Refused
from retrieval.extract import extract as extract_page
from retrieval.extract.jsonld import parse


def same(item: float) -> float:
    return item


def test_one_that_hangs_is_killed_and_the_others_finish() -> None:
    began = time.monotonic()
    found = dict(over_processes(time.sleep, iter([0.0, 60.0, 0.01, 0.02]), same, seconds=1.0, processes=2))
    assert found == {0.0: None, 60.0: TimedOut(), 0.01: None, 0.02: None}
    assert time.monotonic() - began < 30


def test_one_that_dies_or_raises_is_that_one_alone() -> None:
    found = dict(over_processes(os._exit, iter([3]), int, seconds=20.0, processes=1))
    assert isinstance(found[3], Broken)
    results = dict(over_processes(int, iter(["1", "x", "2"]), str, seconds=20.0, processes=1))
    assert (results["1"], results["2"]) == (1, 2)
    assert isinstance(results["x"], Broken)
    assert "ValueError" in results["x"].detail


def test_results_come_in_order_and_no_process_starts_for_nothing() -> None:
    assert [item for item, _ in over_processes(abs, iter(range(40)), same, 20.0, 2)] == list(range(40))
    assert list(over_processes(abs, iter(()), same, 20.0, 2)) == []


def hang(corpus: Corpus, url: str) -> None:
    """A fetch whose bytes never come: its file is a pipe that nobody writes to."""
    os.mkfifo(corpus.warc / "hangs.warc.gz")
    fetch = Fetch(
        id=make_id("fetch", url), fingerprint=url, document_id=document_id(url), url=url, purpose="article",
        status=200, content_hash="sha256:0", fetched_at="2019-03-05T00:00:00Z",
        warc_file="hangs.warc.gz", warc_offset=0, warc_length=10,
    )  # fmt: skip
    with corpus.store.transaction() as writer:
        writer.put([fetch], stage="fetch", key=fetch.id)


def test_a_page_that_hangs_is_dropped_and_the_batch_goes_on(tmp_path: Path) -> None:
    with corpus_with(tmp_path, "seconds_per_page = 5\n") as corpus:
        for name in "abc":
            store_page(corpus, f"http://nahr.example/{name}", HTML.encode())
        hang(corpus, "http://nahr.example/hangs")
        assert extract(corpus) == (4, 0)
        assert corpus.store.count(Article) == 3
        dropped = list(corpus.store.all(Dropped))
        assert [(drop.reason, drop.detail) for drop in dropped] == [("timed_out", "more than 5 s")]


def test_unclosed_elements_pile_up_without_losing_the_article() -> None:
    body = HTML.replace("<article>", "<font>" * 1_000 + "<article>").encode()
    assert isinstance(extract_page(Page("http://nahr.example/1", body)), Extracted)
    body = HTML.replace("<article>", "<div>" * 60_000 + "<article>").encode()
    too_deep = Refused("parser_failed", "elements nest too deep")
    assert extract_page(Page("http://nahr.example/1", body)) == too_deep


def test_width_and_open_ends_are_no_danger() -> None:
    wide = "<p>" + "<span>ا</span>" * 10_000 + "</p>"
    scripts = "<script>" * 50_000 + "<!--" * 50_000
    objects = '<script type="application/ld+json">' + '{"@type":[' * 20_000 + "</script>"
    for markup in (wide, scripts, objects):
        found = extract_page(Page("http://nahr.example/1", markup.encode()))
        assert isinstance(found, (Extracted, Refused))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='{}[],:"\\/ @type=1ا\n<!-->;', max_size=80))
def test_no_json_ld_breaks_its_reader(text: str) -> None:
    assert isinstance(parse(text), list)


PIECES = (
    "<p>", "</p>", "<h1>", "</body>", "<table><tr>", "<time datetime='", "2019-13-45'>", "<base>", "<title>",
    "<meta name=date content=", "خبر عاجل ", "١٢/٣/٢٠١٩ ", "<a href='", "\x00", "\ufffd", "&#xD800;",
    "<script>", "</script>",
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_markup_breaks_extraction(markup: str) -> None:
    found = extract_page(Page("http://nahr.example/1", markup.encode("utf-8", "surrogatepass")))
    assert isinstance(found, (Extracted, Refused))
