"""Which links of a review lead to posts on X, and what is known of how they were found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stored import store_page

from dalil.corpus import Corpus
from dalil.progress import Silent
from dalil.records import Claim
from dalil.runner import run_stage
from spiders.collect import ReadClaims
from spiders.postlinks import post_of, posts_of, question_for, questions_in
from spiders.resolve import ResolveLinks


@pytest.mark.parametrize(
    ("url", "post"),
    [
        ("https://twitter.com/somebody/status/1401", "https://x.com/somebody/status/1401"),
        ("https://x.com/somebody/status/1401?s=20&t=abc", "https://x.com/somebody/status/1401"),
        (
            "https://twitter.com/somebody/status/1401?ref_src=twsrc%5Etfw",
            "https://x.com/somebody/status/1401",
        ),
        ("https://mobile.twitter.com/somebody/status/1401/photo/3", "https://x.com/somebody/status/1401"),
        ("http://www.twitter.com/somebody/statuses/1401", "https://x.com/somebody/status/1401"),
        ("https://twitter.com/#!/somebody/status/1401", "https://x.com/somebody/status/1401"),
        ("https://twitter.com/i/web/status/1401", "https://x.com/i/status/1401"),
        (
            "https://web.archive.org/web/20220120000000/https://twitter.com/somebody/status/1401",
            "https://x.com/somebody/status/1401",
        ),
        (
            "http://web.archive.org/web/20220120000000id_/http%3A%2F%2Ftwitter.com%2Fsomebody%2Fstatus%2F1401",
            "https://x.com/somebody/status/1401",
        ),
        ("https://twitter.com/share?url=https://twitter.com/somebody/status/1401", None),
        ("https://twitter.com/intent/tweet?text=x", None),
        ("https://twitter.com/somebody", None),
        ("https://twitter.com/search?q=x", None),
        ("https://facebook.com/somebody/status/1401", None),
        ("https://nottwitter.com/somebody/status/1401", None),
        ("not a url", None),
        ("", None),
    ],
)
def test_a_post_is_told_from_other_links(url: str, post: str | None) -> None:
    found = post_of(url)
    assert (found["url"] if found else None) == post


def test_a_post_has_the_most_telling_provenance_once() -> None:
    url = "https://twitter.com/somebody/status/1401"
    (post,) = posts_of([(url, "embed"), (url + "?s=20", "body"), (url, "appearance")])
    assert post == {
        "url": "https://x.com/somebody/status/1401",
        "id": "1401",
        "handle": "somebody",
        "provenance": "appearance",
    }


def test_the_sites_own_posts_are_left_out() -> None:
    links = [("https://twitter.com/Haqiqa/status/1", "body"), ("https://twitter.com/other/status/2", "body")]
    assert [post["id"] for post in posts_of(links, handles=["@haqiqa"])] == ["2"]


def test_what_cannot_be_resolved_stays_as_a_link() -> None:
    (post,) = posts_of([("https://archive.is/xYz12", "body")])
    assert post == {"link": "https://archive.is/xYz12", "via": "archive.is", "provenance": "body"}


@pytest.mark.parametrize(
    ("link", "question"),
    [
        ("https://perma.cc/AB12-CD34", "https://perma.cc/api/v1/public/archives/AB12-CD34/"),
        ("https://perma.cc/ab12-cd34?type=image", "https://perma.cc/api/v1/public/archives/AB12-CD34/"),
        ("https://t.co/Abc123", "https://t.co/Abc123"),
        ("https://t.co/", None),
        ("https://perma.cc/about", None),
        ("https://archive.is/xYz12", None),
        ("https://twitter.com/a/status/1", None),
    ],
)
def test_whom_to_ask_where_a_link_leads(link: str, question: str | None) -> None:
    assert question_for(link) == question


def test_an_answer_makes_a_post_of_a_link_and_another_page_none() -> None:
    links = [("https://perma.cc/AB12-CD34", "itemReviewed"), ("https://t.co/Abc123", "body")]
    resolved = {
        "https://perma.cc/api/v1/public/archives/AB12-CD34/": "https://twitter.com/somebody/status/1401",
        "https://t.co/Abc123": "https://news.example/story",
    }
    (post,) = posts_of(links, resolved=resolved)
    assert (post["id"], post["link"], post["via"]) == ("1401", "https://perma.cc/AB12-CD34", "perma.cc")


def test_what_a_page_would_ask() -> None:
    page = '<a href="https://t.co/Abc123">x</a> https://perma.cc/AB12-CD34. <a href="https://nott.co/Abc123">'
    assert questions_in(page) == ("https://t.co/Abc123", "https://perma.cc/api/v1/public/archives/AB12-CD34/")


@pytest.mark.parametrize("slash", ["/", r"\/", r"\u002F", r"\u002f"])
def test_links_in_json_are_asked_however_their_slashes_are_written(slash: str) -> None:
    page = '{"appearance": ["https://perma.cc/AB12-CD34", "https://t.co/Abc123"]}'.replace("/", slash)
    assert questions_in(page) == ("https://perma.cc/api/v1/public/archives/AB12-CD34/", "https://t.co/Abc123")


@settings(deadline=None)
@given(st.text(max_size=60))
def test_nothing_raises(text: str) -> None:
    post_of(text)
    post_of(f"https://twitter.com/{text}")
    question_for(f"https://t.co/{text}")
    questions_in(text)


@pytest.mark.parametrize("by", ["today's reader", "an older one"])
def test_links_that_an_older_reader_passed_over_are_asked_at_once(by: str, tmp_path: Path) -> None:
    """Claims are read anew after links are asked: what they say of links may be stale by then."""
    page = '<h1 class="check-title">حقيقة</h1><script>{"embed": "https:\\/\\/t.co\\/AbCdEf1"}</script>'
    toml = '[corpus]\nname = "t"\n[sites]\nnames = ["haqiqa"]\n'
    with Corpus.create(tmp_path / "c", toml) as corpus:
        fetch = store_page(corpus, "http://haqiqa.example/check/1", page.encode())
        with corpus.store.transaction() as writer:
            writer.put([fetch.model_copy(update={"purpose": "claim", "site": "haqiqa"})])
        reader = ReadClaims(corpus)
        if by == "an older one":
            reader.VERSION = "0"
        run_stage(corpus, reader, Silent())
        [claim] = corpus.store.all(Claim)
        assert list(claim.found["asked"]) == ["https://t.co/AbCdEf1"]
        stale = claim.model_copy(update={"found": {**claim.found, "asked": []}})
        with corpus.store.transaction() as writer:
            writer.put([stale], stage="claims", key=fetch.document_id)
        asked = [request.what["url"] for request in ResolveLinks(corpus).requests(corpus.store)]
        assert asked == (["https://t.co/AbCdEf1"] if by == "an older one" else [])
