"""Challenge pages, and pages that only look like one."""

from __future__ import annotations

import pytest

from dalil.net.challenge import challenge

ARTICLE = "<p>" + "كلمات كثيرة من مقال حقيقي عن الجسر الجديد. " * 60 + "</p>"
WALLS = [
    "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>",
    "<html><head><title>\n Attention Required! | Cloudflare</title>",
    "<title>لحظة من فضلك...</title>",
    "<html><script src='https://geo.captcha-delivery.com/c.js'></script></html>",
    "<body><div id='px-captcha'></div></body>",
    "<script src=/_Incapsula_Resource?SWJIYLWA=1></script>",
    "<form><div class='g-recaptcha'></div><p>Please verify that you are a human</p></form>",
    "<script>" + "x=1;" * 4000 + "</script><title>Checking your browser</title>",
]


@pytest.mark.parametrize("html", WALLS)
def test_a_challenge_is_seen(html: str) -> None:
    assert challenge(200, {}, html.encode()) is not None


@pytest.mark.parametrize("headers", [{"cf-mitigated": "challenge"}, {"X-Amzn-Waf-Action": "captcha"}])
def test_a_header_is_enough(headers: dict[str, str]) -> None:
    assert challenge(403, headers, b"") is not None


@pytest.mark.parametrize(
    "html",
    [
        f"<title>خبر</title>{ARTICLE}<script src='/cdn-cgi/challenge-platform/h/g/jsd.js'></script>",
        f"<title>نموذج</title>{ARTICLE}<div class='g-recaptcha'></div>",
        f"<title>Security check at the airport</title>{ARTICLE}",
        "<title>خبر قصير</title><p>نص</p>",
        "",
    ],
)
def test_a_page_of_its_own_is_none(html: str) -> None:
    assert challenge(200, {"Server": "cloudflare"}, html.encode()) is None


@pytest.mark.parametrize("piece", ["<", "<!--", "<script>", "<!-- <script", "<title", "</", "<svg><!--"])
def test_hostile_markup_costs_what_its_bytes_cost(piece: str) -> None:
    """180 kB of openings without an end: a search that is quadratic takes a minute, this a moment."""
    import time

    began = time.process_time()
    challenge(200, {}, (WALLS[0] + piece * (180_000 // len(piece))).encode())
    assert time.process_time() - began < 5


def test_a_page_of_megabytes_is_no_challenge() -> None:
    assert challenge(200, {}, (WALLS[0] + "<!--" * 1_000_000).encode()) is None
