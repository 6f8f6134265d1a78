"""robots.txt as RFC 9309 reads it."""

from __future__ import annotations

import pytest

from dalil.net.robots import EVERYTHING, NOTHING_NOW, robots_url, rules

URL = "http://a.com/news/1"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /news/", False),
        ("User-agent: *\nDisallow: /news/\nAllow: /news/1", True),
        ("User-agent: dalil\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: DALIL\nAllow: /", True),
        ("User-agent: Googlebot\nDisallow: /", True),
        ("\ufeffUser-agent: *\r\nDisallow: /news", False),
        ("User-agent: *\nDisallow: /*/1$", False),
        ("<html>not a robots file</html>", True),
    ],
)
def test_what_is_allowed(text: str, allowed: bool) -> None:
    assert rules(200, text.encode()).allows(URL) is allowed


@pytest.mark.parametrize(
    ("status", "found"),
    [
        (404, EVERYTHING),
        (403, EVERYTHING),
        (500, NOTHING_NOW),
        (503, NOTHING_NOW),
        (429, NOTHING_NOW),
        (None, NOTHING_NOW),
    ],
)
def test_what_no_file_means(status: int | None, found: object) -> None:
    assert rules(status, b"") == found


def test_a_crawl_delay_is_kept_within_reason() -> None:
    assert rules(200, b"User-agent: *\nCrawl-delay: 7").delay == 7
    assert rules(200, b"User-agent: *\nCrawl-delay: 86400").delay == 60
    assert rules(200, b"User-agent: *\nCrawl-delay: -3").delay == 0


def test_only_the_first_half_megabyte_is_read() -> None:
    assert rules(200, b"#" * 600_000 + b"\nUser-agent: *\nDisallow: /").allows(URL)


def test_where_it_lies() -> None:
    assert robots_url("http://a.com:8080/x/y?z") == "http://a.com:8080/robots.txt"
