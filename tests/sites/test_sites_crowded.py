"""Pages with more elements side by side than any page of a site has: read in bounded time, and said."""

from __future__ import annotations

import pytest

from spiders.sitecheck import read
from spiders.sites import load_site
from spiders.ways.page import MOST_SIBLINGS

N = 20_000
"""at this number selectors with siblings would take days"""
CROWDS = {
    "misbar": ("https://misbar.com/factcheck/2022/03/14/x", "<h2>تحقيق مسبار</h2>" * N + "<p>نص</p>" * N),
    "fatabyyano": ("https://fatabyyano.net/x/", "<img alt='نتيجة التحري'>" * N),
}


@pytest.mark.parametrize("name", CROWDS)
def test_a_crowd_of_siblings_is_cut_and_the_record_says_so(name: str) -> None:
    url, crowd = CROWDS[name]
    found = read(load_site(name), url, f"<html lang=ar><body><h1>عنوان الصفحة</h1>{crowd}", None)
    assert isinstance(found, list)
    assert any(f"more than {MOST_SIBLINGS} children" in each for each in found[0].found["problems"])


def test_a_long_page_is_read_whole() -> None:
    body = "<p>سطر من النص</p>" * MOST_SIBLINGS
    url = "https://misbar.com/factcheck/2022/03/14/x"
    found = read(load_site("misbar"), url, f"<h1>عنوان</h1><article>{body}</article>", None)
    assert isinstance(found, list)
    assert "problems" not in found[0].found
    assert len((getattr(found[0], "body", "") or "").split("\n")) == MOST_SIBLINGS
