"""Written words, their offsets, and the syntactic words that their tags say they are made of."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.analyzers.words import Word, split, words


def pieces(word, tag):
    return [(token.text, token.upos) for token in split(Word(word, 0, len(word)), tag)]


class TestWords:
    @pytest.mark.parametrize(
        ("text", "spelled"),
        [
            ("مصر، والسودان.", ["مصر", "،", "والسودان", "."]),
            ("الساعة 12.30-3.30!", ["الساعة", "12.30-3.30", "!"]),
            ("ارتفع 1,000.5 دولار", ["ارتفع", "1,000.5", "دولار"]),
            ("كَتَبَ العربـيّة", ["كَتَبَ", "العربـيّة"]),
            ("COVID-19 U.S. AT&T", ["COVID-19", "U.S", ".", "AT&T"]),
            ("صبر... جميل؟!", ["صبر", "...", "جميل", "؟", "!"]),
            ("«القدس»(2)", ["«", "القدس", "»", "(", "2", ")"]),
            ("\u200fمصر\u200e \ufeffاليوم", ["مصر", "اليوم"]),
            ("#هاشتاغ_مصر @user_1 _", ["#", "هاشتاغ_مصر", "@", "user_1", "_"]),
            ("٢٠١٨ عام", ["٢٠١٨", "عام"]),
            (" \n\t", []),
        ],
    )
    def test_examples(self, text, spelled):
        assert [word.text for word in words(text)] == spelled

    @settings(deadline=None)
    @given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
    def test_offsets_lead_to_the_raw_text_and_nothing_is_lost(self, text):
        found = words(text)
        assert all(text[word.start : word.end] == word.text for word in found)
        assert all(one.end <= two.start for one, two in pairwise(found))
        covered = "".join(word.text for word in found)
        assert [c for c in text if c.isalnum()] == [c for c in covered if c.isalnum()]


class TestSplit:
    @pytest.mark.parametrize(
        ("word", "tag", "expected"),
        [
            ("وقال", "CCONJ+VERB", [("و", "CCONJ"), ("قال", "VERB")]),
            ("وصل", "VERB", [("وصل", "VERB")]),
            ("وبالعربية", "CCONJ+ADP+NOUN", [("و", "CCONJ"), ("ب", "ADP"), ("العربية", "NOUN")]),
            ("وسيعود", "CCONJ+PART+VERB", [("و", "CCONJ"), ("س", "PART"), ("يعود", "VERB")]),
            ("كتابها", "NOUN+PRON", [("كتاب", "NOUN"), ("ها", "PRON")]),
            ("وكتابهما", "CCONJ+NOUN+PRON", [("و", "CCONJ"), ("كتاب", "NOUN"), ("هما", "PRON")]),
            ("وَقال", "CCONJ+VERB", [("و", "CCONJ"), ("قال", "VERB")]),
            ("عنه", "ADP+PRON", [("عن", "ADP"), ("ه", "PRON")]),
            ("به", "ADP+PRON", [("ب", "ADP"), ("ه", "PRON")]),
            ("؟", "PUNCT", [("؟", "PUNCT")]),
        ],
    )
    def test_examples(self, word, tag, expected):
        assert pieces(word, tag) == expected

    @pytest.mark.parametrize(
        ("word", "tag", "upos"),
        [("قال", "CCONJ+VERB", "VERB"), ("مما", "ADP+PRON", "ADP"), ("و", "CCONJ+VERB", "VERB")],
    )
    def test_a_tag_that_cannot_be_given_letters_is_left_out(self, word, tag, upos):
        assert pieces(word, tag) == [(word, upos)]

    tags = st.lists(
        st.sampled_from(["CCONJ", "ADP", "PART", "VERB", "NOUN", "PRON"]), min_size=1, max_size=4
    ).map("+".join)

    @settings(deadline=None)
    @given(st.text(alphabet="وفبلكسهانيمَّ", min_size=1, max_size=8), tags, st.integers(0, 3))
    def test_pieces_follow_each_other_inside_the_word(self, word, tag, start):
        found = split(Word(word, start, start + len(word)), tag)
        assert found
        assert found[0].start == start
        assert found[-1].end == start + len(word)
        assert all(one.end == two.start for one, two in pairwise(found))
        assert all(token.start < token.end for token in found)
