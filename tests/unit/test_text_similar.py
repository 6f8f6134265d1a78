"""TF-IDF ranking and near-duplicate clusters."""

import doctest
import json
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from dalil.errors import InputError, StateError
from dalil.text import similar
from dalil.text.normal import search_form
from dalil.text.similar import Tfidf, near_duplicates

TEXTS = [
    "أعلنت وزارة الصحة المصرية تسجيل حالات جديدة",
    "نفت وزارة الصحة ما تداولته صفحات عن إغلاق المدارس",
    "فاز المنتخب الجزائري بكأس أمم أفريقيا",
    "",
    "!!! ؟",
]
WORDS = st.sampled_from(
    ["خبر", "مصر", "تونس", "وزارة", "الصحة", "لقاح", "كأس", "فوز", "نفي", "اجتماع", "رئيس", "قمة"]
)
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)


def test_similarities_are_those_of_scikit_learn():
    query = "وزاره الصحّة تغلق المدارس"
    vectorizer = TfidfVectorizer().fit([search_form(text) for text in TEXTS])
    expected = cosine_similarity(
        vectorizer.transform([search_form(query)]),
        vectorizer.transform([search_form(text) for text in TEXTS]),
    )[0]
    np.testing.assert_allclose(Tfidf.fit(TEXTS).similarities(query), expected, atol=1e-12)
    assert expected.argmax() == 1


def test_the_example_of_the_docs_is_right():
    assert doctest.testmod(similar) == doctest.TestResults(failed=0, attempted=2)


def test_spelling_makes_no_difference():
    model = Tfidf.fit(TEXTS)
    np.testing.assert_array_equal(model.similarities("أمم إفريقيا"), model.similarities("اُمم افريقيـــا"))


def test_rank_keeps_the_best_and_breaks_ties_by_id():
    model = Tfidf.fit(TEXTS)
    candidates = [(name, TEXTS[2]) for name in "dbca"] + [("e", TEXTS[0]), ("f", "")]
    ranked = model.rank("كأس أمم أفريقيا", candidates, keep=5)
    assert [each.id for each in ranked] == ["a", "b", "c", "d", "e"]
    assert ranked[0].score == ranked[3].score > ranked[4].score == 0
    assert model.rank("كأس", candidates, keep=0) == []
    assert model.rank("كأس", [], keep=3) == []
    with pytest.raises(ValueError, match="-1"):
        model.rank("كأس", candidates, keep=-1)


@given(st.lists(SENTENCES, min_size=1, max_size=8), SENTENCES, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_order_of_candidates_makes_no_difference(texts, query, shuffler):
    model = Tfidf.fit(texts)
    candidates = [(f"a{number}", text) for number, text in enumerate(texts)]
    ranked = model.rank(query, candidates, keep=5)
    shuffler.shuffle(candidates)
    assert model.rank(query, candidates, keep=5) == ranked
    assert all(0 <= each.score <= 1 for each in ranked)


@pytest.mark.parametrize("texts", [[], [""], ["", "!"], ["و"]])
def test_a_collection_without_words_is_like_nothing(texts):
    model = Tfidf.fit(texts)
    assert model.similarities("خبر").tolist() == [0.0] * len(texts)
    assert model.rank("خبر", [("a", "خبر")], keep=1) == [("a", 0.0)]
    again = Tfidf.from_plain(model.to_plain())
    assert again.rank("خبر", [("a", "خبر")], keep=1) == [("a", 0.0)]


def test_a_stored_model_ranks_alike():
    model = Tfidf.fit(TEXTS)
    again = Tfidf.from_plain(json.loads(json.dumps(model.to_plain())))
    candidates = list(zip("abcde", TEXTS, strict=True))
    assert again.rank(TEXTS[0], candidates, keep=5) == model.rank(TEXTS[0], candidates, keep=5)
    np.testing.assert_array_equal(again.similarities_to("الصحة", TEXTS), model.similarities("الصحة"))
    with pytest.raises(StateError, match="no texts"):
        again.similarities("الصحة")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"terms": "one\ntwo"},
        {"terms": "same\nsame"},
        {"idf": "AAAA"},
        {"idf": "!"},
        {"format": 0},
        {"token": "x"},
    ],
)
def test_a_spoilt_model_is_refused(spoilt):
    with pytest.raises(InputError, match=r"TF-IDF model.*pair --refit"):
        Tfidf.from_plain(Tfidf.fit(TEXTS).to_plain() | spoilt)


LONG = (
    "أعلنت وزارة الصحة اليوم تسجيل عشرين حالة جديدة في محافظات مختلفة وقالت إن المصابين يتلقون العلاج في "
    "مستشفيات العزل وأضافت أن المخالطين يخضعون للمتابعة مدة أسبوعين"
)


def test_copies_are_found():
    texts = [
        ("c", LONG),
        ("a", LONG.replace("أ", "ا") + "."),
        ("b", "القاهرة: " + LONG),
        ("other", TEXTS[2]),
        ("empty", ""),
        ("empty2", "!!"),
    ]
    clusters = near_duplicates(texts, threshold=0.8)
    assert [cluster.ids for cluster in clusters] == [("a", "b", "c")]
    assert clusters[0].of == "a"
    assert dict(clusters[0].copies)["c"] == 1.0
    assert 0.8 <= dict(clusters[0].copies)["b"] < 1.0


def test_short_texts_are_one_shingle():
    assert [c.ids for c in near_duplicates([("a", "خبر كاذب"), ("b", "خبرٌ كاذب!"), ("c", "خبر صحيح")])] == [
        ("a", "b")
    ]


def test_what_is_below_the_threshold_is_no_copy():
    words = LONG.split()
    half = " ".join(words[: len(words) // 2]) + " " + TEXTS[2]
    assert near_duplicates([("a", LONG), ("b", half)], threshold=0.8) == []
    assert [c.ids for c in near_duplicates([("a", LONG), ("b", half)], threshold=0.3)] == [("a", "b")]


def test_clusters_agree_with_exact_comparison_in_any_order():
    chance = random.Random(7)
    words = sorted({word for text in [*TEXTS, LONG] for word in text.split()})
    texts = []
    for number in range(30):
        base = [chance.choice(words) for _ in range(60)]
        texts.append((f"{number}-0", " ".join(base)))
        for copy in range(chance.randrange(3)):
            changed = list(base)
            changed[chance.randrange(60)] = "تغيير"
            texts.append((f"{number}-{copy + 1}", " ".join(changed)))
    clusters = near_duplicates(texts, threshold=0.8)
    expected = {}
    for name, _ in texts:
        expected.setdefault(name.split("-")[0], []).append(name)
    assert {cluster.ids for cluster in clusters} == {
        tuple(sorted(v)) for v in expected.values() if len(v) > 1
    }
    chance.shuffle(texts)
    assert near_duplicates(texts, threshold=0.8) == clusters


@pytest.mark.parametrize(("threshold", "shingle"), [(0, 3), (1.1, 3), (0.8, 0)])
def test_impossible_settings_are_refused(threshold, shingle):
    with pytest.raises(ValueError, match="not"):
        near_duplicates([], threshold, shingle)


def test_importing_is_light():
    heavy = ("sklearn", "datasketch", "scipy", "tldextract", "hijridate")
    code = (
        "import sys, dalil.text.similar, dalil.text.dates, dalil.text.urls, dalil.text.sentences;"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_model_in_a_json_column_is_the_same_to_the_bit() -> None:
    model = Tfidf.fit(["خبر عن مصر", "خبر عن تونس والجزائر", ""])
    again = Tfidf.from_plain(json.loads(json.dumps(model.to_plain())))
    assert again.terms == model.terms
    assert again.idf.tobytes() == model.idf.tobytes()
    empty = Tfidf.from_plain(json.loads(json.dumps(Tfidf.fit([""]).to_plain())))
    assert empty.terms == ()
    earlier = {**model.to_plain(), "format": 1, "idf": [1.0, 2.0]}  # weights as numbers, as once written
    for other in ({"format": 0}, earlier, {}):
        with pytest.raises(InputError, match="a TF-IDF model of format") as error:
            Tfidf.from_plain(other)
        assert "dalil pair --refit" in error.value.line()
