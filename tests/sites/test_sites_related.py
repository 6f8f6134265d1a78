"""Cards of related claims on a page: their verdicts and their reviews are not the page's own."""

from __future__ import annotations

import json

import pytest

from dalil.records import Claim
from spiders.sitecheck import read
from spiders.sites import Site, load_site

SITE = Site.model_validate(
    {"name": "s", "hosts": ["s.example"], "start": ["http://s.example/"], "selectors": {"title": "h1"}}
)
HERE = "http://s.example/here"


def page(*reviews: tuple[str | None, str]) -> str:
    scripts = "".join(
        '<script type="application/ld+json">'
        + json.dumps(
            {"@type": "ClaimReview", "claimReviewed": claim, "reviewRating": "زائف"}
            | ({"url": url} if url else {})
        )
        + "</script>"
        for url, claim in reviews
    )
    return (
        f"<html lang=ar><head>{scripts}</head><body><h1>عنوان الصفحة</h1><p>نص الصفحة هنا.</p></body></html>"
    )


def claims_of(site: Site, url: str, markup: str) -> list[str]:
    found = read(site, url, markup, None)
    assert isinstance(found, list)
    return [claim.raw for claim in found if isinstance(claim, Claim)]


ONE, TWO = ("http://s.example/one", "ادعاء أول"), ("https://www.s.example/two", "ادعاء ثان")


@pytest.mark.parametrize(
    ("reviews", "claims"),
    [
        ([(HERE, "ادعاء الصفحة"), ONE, TWO], ["ادعاء الصفحة"]),
        ([(None, "ادعاء الصفحة"), ONE, TWO], ["ادعاء الصفحة"]),
        ([ONE, TWO], ["عنوان الصفحة"]),
        ([ONE], ["ادعاء أول"]),
        ([("http://short.example/9LK8NN", "ادعاء أول"), ("http://short.example/9LK8NP", "ثان هنا")],
         ["ادعاء أول", "ثان هنا"]),
        ([(f"{HERE}#1", "ادعاء أول"), (f"{HERE}#2", "ثان هنا")], ["ادعاء أول", "ثان هنا"]),
        ([(None, "ادعاء أول"), (None, "ثان هنا")], ["ادعاء أول", "ثان هنا"]),
    ],
)  # fmt: skip
def test_reviews_of_other_pages_are_not_this_pages(
    reviews: list[tuple[str | None, str]], claims: list[str]
) -> None:
    assert claims_of(SITE, HERE, page(*reviews)) == claims


CARD = (
    '<div class="w-grid"><article class="w-grid-item">'
    '<div class="style_badge"><a class="w-btn">صحيح</a></div>'
    '<img alt="نتيجة التحري"><img alt="صحيح"><a href="/o/">خبر آخر</a></article></div>'
)
RATED = {
    "image": '<p><img alt="نتيجة التحري"><img alt="زائف"></p>',
    "badge": '<div class="style_badge"><a class="w-btn">زائف</a></div>',
    "none": "",
}


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("rating", RATED)
def test_a_card_rates_no_page_of_fatabyyano(rating: str, place: str) -> None:
    own = (
        f'<h1 class="post_title">ما حقيقة علاج السكري؟</h1>{RATED[rating]}'
        '<div class="post_content"><blockquote>ماء البحر يعالج السكري</blockquote><p>لا دليل.</p></div>'
    )
    body = CARD + own if place == "before" else own + CARD
    markup = f"<html lang=ar><title>x</title><body><main>{body}</main></body></html>"
    found = read(load_site("fatabyyano"), "https://fatabyyano.net/x/", markup, None)
    assert isinstance(found, list)
    (claim,) = found
    assert isinstance(claim, Claim)
    assert claim.verdict == (None if rating == "none" else "زائف")
