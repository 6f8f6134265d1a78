"""A page made to keep a parser busy costs itself alone: it is given up, told, and the run goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from stored import store_page

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.progress import Silent
from dalil.records import Claim, Dropped, Headline
from dalil.runner import run
from spiders.collect import ReadClaims
from spiders.sitecheck import read
from spiders.sites import load_site

PAGE = (
    "<html lang=ar><body><h1 class=check-title>حقيقة إغلاق الجسر</h1><div class=check-body><p>نص</p>{}</div>"
)
NEST = "<div class=twitter-tweet>" * 200 + "<a href='https://x.com/a/status/1'>نص</a>" * 20 + "</div>" * 200
HOSTILE = PAGE.replace("<p>نص</p>", "").format(NEST * 600)
"""embeds in embeds, 4 MB of them and no text: minutes of work for whoever looks for the running text"""


def corpus_of(folder: Path, site: str, seconds: float) -> Corpus:
    toml = f'[corpus]\nname = "t"\n[sites]\nnames = ["{site}"]\nseconds_per_page = {seconds}\n'
    return Corpus.create(folder, toml)


def stored(corpus: Corpus, site: str, url: str, markup: str) -> None:
    fetch = store_page(corpus, url, markup.encode())
    with corpus.store.transaction() as writer:
        writer.put(
            [fetch.model_copy(update={"purpose": "claim", "site": site})], stage="collect", key=fetch.id
        )


def test_a_hostile_page_is_given_up_and_the_run_goes_on(tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", "haqiqa", 8) as corpus:
        for number in (1, 3):
            stored(corpus, "haqiqa", f"http://haqiqa.example/check/{number}", PAGE.format(""))
        stored(corpus, "haqiqa", "http://haqiqa.example/check/2", HOSTILE)
        began = time.monotonic()
        [tally] = run(corpus, ["spiders.collect:ReadClaims"], Silent())
        assert time.monotonic() - began < 60
        assert tally.worked == 3
        assert {claim.url for claim in corpus.store.all(Claim)} == {
            "https://haqiqa.example/check/1", "https://haqiqa.example/check/3",
        }  # fmt: skip
        [drop] = corpus.store.all(Dropped)
        assert (drop.stage, drop.reason, drop.detail) == ("claims", "timed_out", "more than 8 s")
        assert run(corpus, ["spiders.collect:ReadClaims"], Silent())[0].unchanged == 3, "once is enough"


def test_processes_read_what_one_alone_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for number in range(2):
        with corpus_of(tmp_path / str(number), "reuters_ar", 20) as corpus:
            url = "http://ara.reuters.com/article/topNews/idARAKBN0FE2AL20140709"
            stored(
                corpus, "reuters_ar", url, "<div class='article primaryContent'><h1>فتح الجسر</h1><p>نص</p>"
            )
            stored(corpus, "reuters_ar", url.replace("0FE2AL", "0FE2AM"), "<p>لا شيء</p>")
            run(corpus, ["spiders.collect:ReadClaims"], Silent())
            drops = [(drop.key, drop.reason, drop.detail) for drop in corpus.store.all(Dropped)]
            found.append((list(corpus.store.all(Headline)), drops))
        monkeypatch.setattr(ReadClaims, "map", None)
    assert found[0] == found[1]
    assert len(found[0][0]) == len(found[0][1]) == 1


def test_a_time_that_is_none_is_refused(tmp_path: Path) -> None:
    with (
        corpus_of(tmp_path / "c", "haqiqa", 0) as corpus,
        pytest.raises(UsageError, match="seconds_per_page"),
    ):
        ReadClaims(corpus)


@pytest.mark.parametrize("depth", [100, 3000])
def test_links_in_nested_embeds_are_read_once(depth: int) -> None:
    """At the second depth, reading each embed for itself took minutes."""
    nested = "<blockquote class=twitter-tweet><a href='https://x.com/a/status/{}'>نص</a>"
    markup = PAGE.format("".join(nested.format(number) for number in range(depth)))
    found = read(load_site("haqiqa"), "http://haqiqa.example/check/2", markup, None)
    assert isinstance(found, list)
    [claim] = found
    assert isinstance(claim, Claim)
    assert {post["provenance"] for post in claim.posts} == {"embed"}
    assert len(claim.posts) >= min(depth, 100)
