"""Sentences with offsets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("قال الوزير. وأضاف آخر.", ["قال الوزير.", "وأضاف آخر."]),
        ("هل هذا صحيح؟ لا؛ إنه خبر قديم! انتهى", ["هل هذا صحيح؟", "لا؛", "إنه خبر قديم!", "انتهى"]),
        ("عنوان\nنص أول\n\n  نص ثان ", ["عنوان", "نص أول", "نص ثان"]),
        ("بلغت النسبة 3.5 في المئة، أو ٣.٥ تقريبا.", ["بلغت النسبة 3.5 في المئة، أو ٣.٥ تقريبا."]),
        (
            "زوروا www.example.com/a?b=1 أو info@example.com. شكرا",
            ["زوروا www.example.com/a?b=1 أو info@example.com.", "شكرا"],
        ),
        ("قال د. أحمد وأ.د. سعاد إن الخبر كاذب. انتهى", ["قال د. أحمد وأ.د. سعاد إن الخبر كاذب.", "انتهى"]),
        ("ص.ب. 123 القاهرة ج.م.ع", ["ص.ب. 123 القاهرة ج.م.ع"]),
        ("The U.S. said so. Mr. Smith left.", ["The U.S. said so.", "Mr. Smith left."]),
        ("كان ذلك عام 1441 هـ. وفي 2020 م. حدث آخر", ["كان ذلك عام 1441 هـ.", "وفي 2020 م.", "حدث آخر"]),
        ("1. الخبر الأول\n2. الخبر الثاني", ["1. الخبر الأول", "2. الخبر الثاني"]),
        ("كان ذلك في 2019. ثم عاد", ["كان ذلك في 2019.", "ثم عاد"]),
        ("انتهى المؤتمر.وقال الوزير", ["انتهى المؤتمر.", "وقال الوزير"]),
        ("قال: «هذا كذب.» ثم خرج", ["قال: «هذا كذب.»", "ثم خرج"]),
        ("حقا؟! نعم... ربما", ["حقا؟!", "نعم...", "ربما"]),
        ("*** --- \n . !", []),
        ("", []),
    ],
)
def test_sentences(text, expected):
    assert [span.text for span in sentences(text)] == expected


PIECES = st.sampled_from(
    [*' .!?؟؛…\n"»)«،', "قال", "د", "3", "هـ", "http://a.com/x?y", "الخبر.وقال", "U.S.", "😀", "\u200f"]
)


@settings(deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=20).map("".join), st.text(max_size=50)))
def test_laws_of_sentences(text):
    spans = sentences(text)
    at = 0
    for span in spans:
        assert span.text == text[span.start : span.end]
        assert at <= span.start < span.end <= len(text)
        assert span.text == span.text.strip()
        assert not any(character.isalnum() for character in text[at : span.start])
        at = span.end
    assert not any(character.isalnum() for character in text[at:])
