"""The kept form and the search form of Arabic text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.records import fit_text
from dalil.text import folding, normal
from dalil.text.normal import arabic_share, keep, search_form, search_form_with_offsets, span_in_original

ARABIC = st.characters(min_codepoint=0x0600, max_codepoint=0x06FF)
FORMS = st.characters(min_codepoint=0xFB50, max_codepoint=0xFEFF)
HIDDEN = st.sampled_from("\u200b\u200c\u200d\u200e\u200f\u061c\u202a\u202c\u2066\u2069\ufeff\xad\x00\uffffـ…")
ANY = st.characters(exclude_categories=())  # lone surrogates too
TEXTS = st.text(st.one_of(ARABIC, FORMS, HIDDEN, ANY), max_size=60)
LONG = TEXTS.map(lambda text: text * (1 + 400 // max(1, len(text))))  # past the short path


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("مُحَمَّدٌ", "محمد"),
        ("ٱلرَّحْمَٰنِ", "الرحمن"),
        ("قَالَ ۗ إِنَّهُۥ", "قال  انه"),  # Quranic pause mark and small waw
        ("أإآٱٲٳ", "اااااا"),
        ("ا\u0653ا\u0654ا\u0655", "ااا"),  # decomposed madda and hamzas
        ("مسؤول شاطئ", "مسوول شاطي"),
        ("و\u0654ي\u0654", "وي"),  # decomposed seats
        ("جزء", "جزء"),  # standalone hamza stays
        ("مستشفى مدرسة", "مستشفي مدرسه"),
        ("کتاب علی", "كتاب علي"),  # Persian letters
        ("الـــســـلام", "السلام"),
        ("١٢٣٫٥ ۴۵۶", "123.5 456"),
        ("ﻻ ﷲ ﻣﺤﻤﺪ", "لا الله محمد"),
        ("\u202bالقاهرة\u202c\u200f \u061cدبي\ufeff", "القاهره دبي"),
        ("مي\u200cخواهم", "ميخواهم"),
        ("Reuters ÉCOLE Straße", "reuters ecole strasse"),
        ("e\u0301", "e"),
        ("ＡＢＣ ２", "abc 2"),
        ("و\xa0من", "و من"),
        ("", ""),
    ],
)
def test_search_form(written, form):
    assert search_form(written) == form
    assert search_form(written * 400) == form * 400


def test_invisible_characters_all_go():
    marks = (
        0x61C,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
        0xAD,
        0xFE0F,
    )
    for code in marks:
        if unicodedata.category(chr(code)) != "Cn":
            assert search_form(f"ب{chr(code)}ت") == "بت", hex(code)


def test_every_arabic_mark_goes():
    marks = [chr(c) for c in range(0x600, 0x900) if "ARABIC" in unicodedata.name(chr(c), "")
             and unicodedata.category(chr(c)) == "Mn"]  # fmt: skip
    assert len(marks) > 90
    assert search_form("ب".join(marks)) == "ب" * (len(marks) - 1)


def test_table_holds_the_rule_and_folds_once():
    table = folding.images()
    for code in range(0x30000):
        assert table.get(code, chr(code)) == folding.image(chr(code)), hex(code)
    for code, becomes in table.items():
        assert search_form(becomes) == becomes, hex(code)


@pytest.mark.parametrize("texts", [TEXTS, LONG])
def test_laws_of_the_search_form(texts):
    @settings(deadline=None)
    @given(texts)
    def laws(text):
        form, offsets = search_form_with_offsets(text)
        assert form == search_form(text)
        assert search_form(form) == form
        assert len(offsets) == len(form) + 1
        assert offsets[-1] == len(text)
        assert offsets == sorted(offsets)
        for index, character in enumerate(form):
            assert character in folding.image(text[offsets[index]])

    laws()


@settings(deadline=None)
@given(st.one_of(TEXTS, LONG))
def test_short_and_long_paths_agree(text):
    assert normal._fold_array(text) == text.translate(normal._translation())
    parts = [folding.image(character) for character in text]
    offsets = [index for index, part in enumerate(parts) for _ in part]
    assert search_form_with_offsets(text) == ("".join(parts), [*offsets, len(text)])


@settings(deadline=None)
@given(st.one_of(TEXTS, LONG))
def test_composition_makes_no_difference(text):
    text = "".join(c for c in text if not "\uac00" <= c <= "\ud7a3")  # Hangul keeps its syllables
    text = "".join(c for c in text if ord(c) < 0x700 or 0xFB50 <= ord(c) <= 0xFEFF)
    assert search_form(unicodedata.normalize("NFD", text)) == search_form(unicodedata.normalize("NFC", text))


@settings(deadline=None)
@given(TEXTS, st.data())
def test_spans_lead_back(text, data):
    form, offsets = search_form_with_offsets(text)
    start = data.draw(st.integers(0, len(form)))
    end = data.draw(st.integers(start, len(form)))
    low, high = span_in_original(offsets, start, end)
    assert 0 <= low <= high <= len(text)
    assert form[start:end] in search_form(text[low:high])


def test_span_of_a_marked_word():
    text = "قال 😀 مُحَمَّدٌ، ﻻ"
    form, offsets = search_form_with_offsets(text)
    start = form.index("محمد")
    low, high = span_in_original(offsets, start, start + 4)
    assert text[low:high] == "مُحَمَّدٌ"
    low, high = span_in_original(offsets, len(form) - 2, len(form) - 1)  # half of a ligature
    assert text[low:high] == "ﻻ"


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 1), (0, 4), (4, 4)])
def test_span_past_the_end_is_refused(start, end):
    _, offsets = search_form_with_offsets("خبر")
    with pytest.raises(ValueError, match="does not lie within"):
        span_in_original(offsets, start, end)


@settings(deadline=None)
@given(TEXTS)
def test_keep_is_what_records_keep(text):
    kept = keep(text)
    assert kept == fit_text(text)
    assert keep(kept) == kept
    assert "\x00" not in kept
    kept.encode("utf-8")


@pytest.mark.parametrize(("text", "kept"), [("ا\u0654", "أ"), ("a\x00b\ud800c", "abc"), ("نص", "نص")])
def test_keep(text, kept):
    assert keep(text) == kept


@pytest.mark.parametrize(
    ("text", "share"),
    [("خبر", 1.0), ("news", 0.0), ("خبر abc", 0.5), ("123 !؟", 0.0), ("", 0.0), ("مُـحَمّد", 1.0)],
)
def test_arabic_share(text, share):
    assert arabic_share(text) == share


@settings(deadline=None)
@given(TEXTS)
def test_arabic_share_is_a_share(text):
    assert 0 <= arabic_share(text) <= 1
