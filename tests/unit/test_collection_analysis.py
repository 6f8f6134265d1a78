"""How text becomes terms: spellings of one word meet, and nothing breaks the analysis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.collection.analysis import LEAD, lead_of, prepare
from dalil.collection.tantivy_index import analyzer

ANALYZER = analyzer()


def terms(text: str) -> list[str]:
    return list(ANALYZER.analyze(prepare(text)))


@pytest.mark.parametrize(
    "spellings",
    [
        "الحكومة والحكومة بالحكومة كالحكومة فالحكومة للحكومة وبالحكومة وللحكومة حكومة الحكومه",
        "أحمد احمد إحمد",
        "مستشفى مستشفي",
        "عَاجِلٌ عاجل عـــاجل عا\u200dجل \u061cعاجل",
        "سنة٢٠١٨ سنة2018 سنة۲۰۱۸",
        "الله والله بالله لله ولله",
        "المدرسين مدرسون والمدرسين مدرس",
        "COVID covid Covid",
    ],
)
def test_spellings_of_a_word_are_one_term(spellings: str) -> None:
    assert len({tuple(terms(word)) for word in spellings.split()}) == 1, [terms(w) for w in spellings.split()]


def test_marks_do_not_split_a_word() -> None:
    """Trap: marks are no letters, and a tokenizer that meets them cuts there."""
    assert len(terms("مُدَرِّسَةٌ")) == 1


def test_long_arabic_words_are_kept_and_noise_is_not() -> None:
    """Trap: tantivy's default drops tokens of 20 Arabic letters, since it counts 40 bytes."""
    long = "بتاع" * 9  # 36 letters, 72 bytes
    assert len(terms(long)) == 1
    assert terms("x" * 200) == []


def test_a_hashtag_is_its_words() -> None:
    assert terms("#عاصي_الحلاني") == terms("عاصي الحلاني")


def test_short_words_keep_what_looks_like_a_prefix() -> None:
    assert terms("بال") != terms("")
    assert terms("ولد") != terms("لد")


@given(st.text(max_size=400))
def test_no_text_breaks_the_analysis(text: str) -> None:
    found = terms(text)
    assert all(term and not term.isspace() for term in found)


@given(st.lists(st.sampled_from(["مدرسة", "والحكومة", "قرار", "2018", "covid"]), max_size=8), st.data())
def test_marks_and_tatweel_change_no_term(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    noise = st.sampled_from(["", "", "\u064e", "\u0651", "ـ", "\u200f"])
    marked = "".join(c + (data.draw(noise) if c.isalpha() else "") for c in text)
    assert terms(marked) == terms(text)


@given(st.text(alphabet="اب \n", max_size=2 * LEAD))
def test_a_lead_begins_the_body_and_is_short(body: str) -> None:
    lead = lead_of(body)
    assert body.startswith(lead)
    assert len(lead) <= LEAD + 40
    assert len(lead) == len(body) or len(lead) >= LEAD
