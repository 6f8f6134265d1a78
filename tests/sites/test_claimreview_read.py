"""ClaimReview as it is found in the wild: a page for each way in which it goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.text.dates import parse_date
from spiders.claimreview import read_reviews
from spiders.claimreview.repair import parse

PAGES = Path(__file__).with_name("claimreview")
NAMES = sorted(path.stem for path in PAGES.glob("*.html"))


@pytest.mark.parametrize("name", NAMES)
def test_each_malformation_is_read(name: str) -> None:
    expected = json.loads((PAGES / f"{name}.json").read_text("utf-8"))
    found = read_reviews((PAGES / f"{name}.html").read_text("utf-8"))
    assert len(found.problems) == expected["problems"]
    assert len(found.reviews) == len(expected["reviews"])
    for review, wanted in zip(found.reviews, expected["reviews"], strict=True):
        got = {key: list(value) if isinstance(value, tuple) else value for key, value in vars(review).items()}
        assert {key: got[key] for key in wanted} == wanted


def test_every_kind_of_the_list_has_a_page() -> None:
    assert {name[:2] for name in NAMES} >= {f"{number:02d}" for number in range(1, 16)}


@pytest.mark.parametrize(
    ("raw", "iso"),
    [
        ("2022-01-28 18:35", "2022-01-28"),
        ("2017-03-01 20:30:17 UTC", "2017-03-01"),
        ("2022-01-28T18:35:00+0100", "2022-01-28"),
    ],
)
def test_their_dates_can_be_read(raw: str, iso: str) -> None:
    found = parse_date(raw)
    assert found is not None
    assert found.iso == iso


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_good_json_is_left_alone(value: object) -> None:
    text = json.dumps([value])
    assert parse(text).values == ([value],)
    assert parse(text).rung == "plain"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damage_never_raises_and_never_loses_another_tag(data: st.DataObject) -> None:
    review = '{"@type":"ClaimReview","claimReviewed":"ادعاء سليم","reviewRating":"زائف"}'
    good = f'<script type="application/ld+json">{review}</script>'
    bad = (PAGES / f"{data.draw(st.sampled_from(NAMES))}.html").read_text("utf-8")
    inside = bad[bad.find("<script") : bad.rfind("</script>")]
    at = data.draw(st.integers(0, max(0, len(inside) - 1)))
    damaged = (
        inside[:at]
        + data.draw(st.sampled_from(['"', "{", "}", "\\", ",", "&quot;", "//", "*/", ""]))
        + inside[at + 1 :]
    )
    found = read_reviews(f"<html><head>{good}{damaged}</script></head></html>")
    assert found.reviews[0].claim == "ادعاء سليم"


N = 200_000
HOSTILE = {
    "spaces": " " * N + "x",
    "spaces inside": '{"a": "' + " " * N + "x",
    "blank lines": "{" + "\n" * N + "x",
    "open comments": "/*" * N,
    "single quotes": "{'a': '" * (N // 8),
    "colons and quotes": ":'" * N,
    "colons, quotes and letters": ":'a" * N,
    "deep": "[" * N,
    "deep objects": '{"a":' * N,
    "open strings": '{"' * N,
    "entities": "&quot;" * N,
    "commas": "," * N,
    "wrappers": "<!--" * (N // 100) + "{}" + "-->" * (N // 100),
    "escapes": "\\" * N,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_scripts_cost_no_more_than_their_length(name: str) -> None:
    """What would take minutes if its cost grew with the square; nothing raises."""
    parse(HOSTILE[name])
    body = HOSTILE[name].replace("<", "&lt;")
    read_reviews(
        f'<script type="application/ld+json">{{"@type":"ClaimReview","claimReviewed":"{body}"</script>'
    )
