"""Written pages that imitate what is found in the wild, and what extraction must make of each."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from retrieval.extract import REASONS, Extracted, Page, Refused, extract

FOLDER = Path(__file__).parent.parent / "pages" / "articles"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
ARTICLES = sorted(name for name, want in EXPECTED.items() if "reason" not in want)
REFUSED = sorted(EXPECTED.keys() - set(ARTICLES))
SEEN = "2019-04-25T10:00:00Z"


def page(name: str) -> Page:
    want = EXPECTED[name]
    return Page(
        url=want.get("url", "https://nahr.example/story/21485"),
        body=(FOLDER / f"{name}.html").read_bytes(),
        status=want.get("status", 200),
        headers=(("Content-Type", "text/html; charset=utf-8"),),
        final_url=want.get("final_url"),
        seen_at=SEEN,
    )


def test_every_page_has_an_expectation_and_every_expectation_a_page() -> None:
    assert {path.stem for path in FOLDER.glob("*.html")} == set(EXPECTED)
    assert {want["reason"] for want in EXPECTED.values() if "reason" in want} <= set(REASONS)


@pytest.mark.parametrize("name", ARTICLES)
def test_an_article_gives_its_text_and_fields(name: str) -> None:
    want = EXPECTED[name]
    found = extract(page(name))
    assert isinstance(found, Extracted)
    assert found.text.count("وقال رئيس البلدية في مؤتمر صحفي") >= 1
    assert "اقتصاد" not in found.text.split("\n")
    assert found.language == "ar"
    assert found.outlet == "nahr.example"
    if "from" in want:
        assert (found.published, found.published_from) == (want["published"], want["from"])
        assert found.published_raw
    if want.get("undated"):
        assert (found.published, found.published_from, found.published_raw) == (None, None, None)
    for key, value in (
        ("title", found.title),
        ("canonical", found.canonical_url),
        ("authors", list(found.authors)),
    ):
        if key in want:
            assert value == want[key]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_article_gives_the_reason(name: str) -> None:
    found = extract(page(name))
    assert isinstance(found, Refused)
    assert found.reason == EXPECTED[name]["reason"]
    assert found.detail
