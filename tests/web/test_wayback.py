"""The Wayback Machine: listings with resume keys, pace, stops, and the capture nearest to a day."""

from __future__ import annotations

import json

import pytest
from fakeweb.client import FakeWeb
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import DalilError, LimitReached
from dalil.net import wayback
from dalil.net.pacing import Pacer
from dalil.net.session import Session
from dalil.net.wayback import Capture, Listing, Page, cdx_url, nearest, read_cdx, replay_url

BASE = "http://archive.example"


def listing(url: str, **more: object) -> Listing:
    session = Session(wayback.SERVICE, Pacer(), sleep=lambda _: None)
    return Listing(url, base=BASE, session=session, **more)  # type: ignore[arg-type]


def test_a_long_listing_is_read_page_by_page(web: FakeWeb) -> None:
    found = list(listing("http://www.gone.example/item/", match="prefix").captures())
    assert [one.original for one in found] == [
        f"http://www.gone.example/item/{number}" for number in range(25)
    ]
    assert len(web.asked()) == 3


def test_a_listing_goes_on_from_a_resume_key(web: FakeWeb) -> None:
    pages = listing("http://www.gone.example/item/", match="prefix").pages()
    first = next(pages)
    assert (len(first.captures), first.resume) == (10, "10")
    rest = [
        one
        for page in listing("http://www.gone.example/item/", match="prefix").pages(first.resume)
        for one in page.captures
    ]
    assert len(rest) == 15


def test_a_url_without_captures(web: FakeWeb) -> None:
    assert list(listing("http://www.gone.example/never").captures()) == []


def test_repeated_429_stop_the_run(web: FakeWeb) -> None:
    tired = listing("http://x.example/")
    tired.base = "http://tired-archive.example"
    with pytest.raises(LimitReached, match="after 3 attempts"):
        list(tired.captures())
    assert len(web.asked()) == 3


def test_at_most_twenty_a_minute() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    session = Session(wayback.SERVICE, Pacer(), sleep=sleep, clock=lambda: now[0])
    for _ in range(41):
        session._pace("http://web.archive.org/cdx/search/cdx")
    assert now[0] >= 119.9


CAPTURES = [
    Capture(stamp, "http://a.example/", 200, "text/html", "")
    for stamp in ("20110105000000", "20180301120000", "20190610080000")
]


@pytest.mark.parametrize(
    ("day", "stamp"),
    [
        ("2018-02-20", "20180301120000"),
        ("2019-07-01", "20190610080000"),
        ("1999-01-01", "20110105000000"),
        ("2018", "20180301120000"),
        (None, "20190610080000"),
    ],
)
def test_the_nearest_capture(day: str | None, stamp: str) -> None:
    found = nearest(CAPTURES, day)
    assert found is not None
    assert found.timestamp == stamp


def test_captures_that_are_no_pages_are_passed_over() -> None:
    rows = [
        Capture("20190101000000", "x", 302, "text/html", ""),
        Capture("20190101000000", "x", 200, "application/pdf", ""),
    ]
    assert nearest(rows, "2019-01-01") is None


def test_identity_is_the_original_and_the_time_is_kept() -> None:
    from dalil.text.urls import canonical_url

    capture = Capture("20190610080000", "http://www.a-site.com:80/خبر?id=1&x=%D8", 200, "text/html", "")
    assert (
        capture.replay_url
        == "http://web.archive.org/web/20190610080000id_/http://www.a-site.com:80/%D8%AE%D8%A8%D8%B1?id=1&x=%D8"
    )
    assert canonical_url(capture.replay_url) == canonical_url(capture.original)
    assert capture.at == "2019-06-10T08:00:00Z"


@given(st.text(max_size=200))
def test_whatever_the_server_says_is_a_page_or_an_error(text: str) -> None:
    said = "listing"
    try:
        assert isinstance(read_cdx(text), Page)
    except DalilError as error:
        said = error.line()
    assert "listing" in said


@given(st.lists(st.lists(st.one_of(st.text(max_size=5), st.integers(), st.none()), max_size=7), max_size=5))
def test_odd_tables_are_read(rows: list[list[object]]) -> None:
    read_cdx(json.dumps(rows))


def test_the_address_of_a_listing() -> None:
    url = cdx_url(
        "http://a.com/x?y=1&z=2", start="2019", end="2020", collapse="urlkey", limit=50, resume="k k"
    )
    assert "url=http%3A%2F%2Fa.com%2Fx%3Fy%3D1%26z%3D2" in url
    assert "from=2019&to=2020&collapse=urlkey&resumeKey=k+k&limit=50&showResumeKey=true" in url
    assert replay_url("2019", "http://a.com/") == "http://web.archive.org/web/2019id_/http://a.com/"
