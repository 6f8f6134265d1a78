"""Numbers and their nouns."""

from __future__ import annotations

import pytest

from dalil.wording import counted, fitting, plural


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ((0, "claim"), "0 claims"),
        ((1, "claim"), "1 claim"),
        ((2, "claim"), "2 claims"),
        ((1200, "query"), "1,200 queries"),
        ((1, "query"), "1 query"),
        ((3, "day"), "3 days"),
        ((2, "search page"), "2 search pages"),
        ((2, "fetch"), "2 fetches"),
        ((2, "person"), "2 people"),
        ((2, "pair of raters", "pairs of raters"), "2 pairs of raters"),
        ((1, "pair of raters", "pairs of raters"), "1 pair of raters"),
    ],
)
def test_a_noun_agrees_with_its_number(number: tuple[int, str] | tuple[int, str, str], words: str) -> None:
    assert counted(*number) == words


def test_other_words_agree_too() -> None:
    assert [fitting(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]
    assert plural("copy") == "copies"
