"""Pairing: one document once, listed outlets, ten by TF-IDF, leakage, and nothing judged moves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
import toycorpus
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.ids import make_id
from dalil.progress import Silent
from dalil.records import (
    Annotation,
    Article,
    Assignment,
    Claim,
    CleanedClaim,
    Copy,
    Dropped,
    Fetch,
    Gold,
    Hit,
    Model,
    Pair,
    Query,
    Record,
    Superseded,
)
from dalil.runner import run_stage
from dalil.text.urls import document_id
from retrieval.duplicates import FindCopies
from retrieval.leakage import LeakagePolicy, dropped, marks, own_documents
from retrieval.outlets import Outlets, read, shipped
from retrieval.pair import MakePairs
from retrieval.why import why

CLAIM = "الحكومة ترفع أسعار الوقود"


def article(number: int, text: str, *, url: str | None = None, published: str | None = None) -> Article:
    address = url or f"https://paper{number}.example/a{number}"
    document = document_id(address)
    return Article(
        id=f"article-{number:03d}",
        document_id=document,
        url=address,
        outlet=address.split("/")[2],
        title=f"عنوان {number}",
        text=text,
        published=published,
        content_hash=str(number),
    )


def scene(corpus: Corpus, articles: list[Article], claim: Claim | None = None) -> str:
    """A claim whose one query found all of these articles, in this order."""
    raw = claim or Claim(id="claim-1", site="s", url="https://checker.example/1", raw=CLAIM)
    records: list[Record] = [raw, CleanedClaim(id=raw.id, raw=raw.raw, text=CLAIM), *articles]
    records.append(Query(id="q", claim_id=raw.id, variants=("claim",), text=CLAIM, question="question"))
    for rank, found in enumerate(articles, 1):
        records.append(
            Hit(
                id=f"hit-{rank}", page_id="page", question="question", engine="toy", rank=rank,
                url=found.url or "", document_id=found.document_id,
            )
        )  # fmt: skip
    with corpus.store.transaction() as writer:
        writer.put(records)
    return raw.id


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus whose own list names papers 0 to 19 of `.example`."""
    made = toycorpus.make(tmp_path / "c", toycorpus.TOML + '[pair]\noutlets = ["mine.txt"]\n')
    names = "\n".join(f"paper{number}.example" for number in range(20))
    (tmp_path / "c" / "mine.txt").write_text(f"# papers\n{names}\n", "utf-8")
    with made:
        yield made


def pair(corpus: Corpus) -> list[Pair]:
    run_stage(corpus, MakePairs(corpus), Silent())
    return sorted(corpus.store.all(Pair), key=lambda found: found.rank)


def reasons(corpus: Corpus) -> dict[str, int]:
    found: dict[str, int] = {}
    for drop in corpus.store.all(Dropped, stage="pair"):
        found[drop.reason] = found.get(drop.reason, 0) + 1
    return found


def test_the_ten_most_alike_are_kept_and_the_rest_say_why(corpus: Corpus) -> None:
    texts = [
        f"{CLAIM} " * (12 - number) + "كلام آخر عن الطقس والرياضة " * (number + 1) for number in range(12)
    ]
    scene(corpus, [article(number, text) for number, text in enumerate(texts)])
    pairs = pair(corpus)
    assert [found.article_id for found in pairs] == [f"article-{number:03d}" for number in range(10)]
    assert [found.rank for found in pairs] == list(range(1, 11))
    assert all(first.score >= second.score for first, second in itertools.pairwise(pairs))
    assert reasons(corpus) == {"beyond_ten": 2}


def test_equal_scores_are_ordered_by_id_not_by_rows(corpus: Corpus) -> None:
    scene(corpus, [article(number, CLAIM) for number in reversed(range(12))])
    # the titles' numbers are too short to be words: all texts are the same
    assert [found.article_id for found in pair(corpus)] == [f"article-{number:03d}" for number in range(10)]


def test_outlets_are_asked_about_only_where_there_are_more_than_ten(corpus: Corpus) -> None:
    unlisted = [article(number, CLAIM, url=f"https://blog{number}.example/x") for number in range(8)]
    scene(corpus, unlisted)
    assert len(pair(corpus)) == 8
    scene(corpus, [*unlisted, *(article(number, CLAIM) for number in range(10, 14))])
    assert {found.article_id for found in pair(corpus)} == {
        f"article-{number:03d}" for number in range(10, 14)
    }
    assert reasons(corpus) == {"unlisted_outlet": 8}


def test_a_claim_that_the_lists_would_leave_without_articles_is_dropped_with_that_reason(
    corpus: Corpus,
) -> None:
    scene(corpus, [article(number, CLAIM, url=f"https://blog{number}.example/x") for number in range(11)])
    assert pair(corpus) == []
    assert reasons(corpus) == {"no_listed_outlet": 1, "unlisted_outlet": 11}

    # and a note says so, also after a run that finds nothing to do
    for _ in range(2):
        (note,) = run_stage(corpus, MakePairs(corpus), Silent()).notes
        assert note.startswith("1 claim has no pair because no article of its own is of a listed outlet")
        assert "(not listed, most often: blog" in note
        assert "[pair] outlets, or set listed_only = false" in note


def test_the_note_names_domains_where_there_are_any(corpus: Corpus) -> None:
    blogs = [article(number, CLAIM, url="https://blog.example/x") for number in range(11)]
    named = [
        one.model_copy(
            update={"outlet": "أخبار", "document_id": f"d{number}", "url": f"https://blog.example/{number}"}
        )
        for number, one in enumerate(blogs)
    ]
    nameless = article(40, CLAIM).model_copy(
        update={"outlet": "مجلة، أسبوعية", "url": None, "document_id": "e"}
    )
    scene(corpus, [*named, nameless])
    (note,) = run_stage(corpus, MakePairs(corpus), Silent()).notes
    assert "(not listed, most often: blog.example (11), «مجلة، أسبوعية» (1))" in note


def test_the_lists_may_be_left_out_of_it(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c", toycorpus.TOML + "[pair]\nlisted_only = false\n") as corpus:
        scene(corpus, [article(number, CLAIM) for number in range(12)])
        assert len(pair(corpus)) == 10
        assert reasons(corpus) == {"beyond_ten": 2}


def test_an_outlets_name_hides_its_domain_from_no_list(corpus: Corpus) -> None:
    named = [article(number, CLAIM).model_copy(update={"outlet": f"أخبار {number}"}) for number in range(12)]
    scene(corpus, named)
    assert len(pair(corpus)) == 10


def test_a_fact_checkers_name_hides_its_domain_from_no_mark(corpus: Corpus) -> None:
    checker = article(30, CLAIM, url="https://fatabyyano.net/1").model_copy(update={"outlet": "فتبينوا"})
    scene(corpus, [checker])
    assert [found.marks for found in pair(corpus)] == [("fact_checker",)]


def test_a_claim_without_articles_says_so(corpus: Corpus) -> None:
    scene(corpus, [])
    assert pair(corpus) == []
    assert reasons(corpus) == {"no_article": 1}
    assert "became an article" in run_stage(corpus, MakePairs(corpus), Silent()).notes[0]


def test_a_claim_that_was_not_searched_for_says_that_instead(corpus: Corpus) -> None:
    scene(corpus, [])
    with corpus.store.transaction() as writer:
        writer.delete(Query, ["q"])
    assert pair(corpus) == []
    assert reasons(corpus) == {"not_searched": 1}
    assert "not searched for" in run_stage(corpus, MakePairs(corpus), Silent()).notes[0]


def test_a_claim_whose_articles_all_leak_says_so(corpus: Corpus) -> None:
    scene(corpus, [article(1, CLAIM, url="https://checker.example/1")])
    assert pair(corpus) == []
    assert reasons(corpus) == {"leakage:own_site": 1, "none_left": 1}
    assert "was dropped by [pair.leakage]" in run_stage(corpus, MakePairs(corpus), Silent()).notes[0]


def test_pairs_without_a_loss_have_no_note(corpus: Corpus) -> None:
    scene(corpus, [article(1, CLAIM)])
    assert run_stage(corpus, MakePairs(corpus), Silent()).notes == []


def test_nothing_is_done_in_an_empty_corpus_and_what_vanishes_is_swept(corpus: Corpus) -> None:
    assert run_stage(corpus, MakePairs(corpus), Silent()).idle
    assert run_stage(corpus, FindCopies(corpus), Silent()).idle
    key = scene(corpus, [article(1, CLAIM)])
    assert len(pair(corpus)) == 1
    with corpus.store.transaction() as writer:
        writer.delete(Claim, [key])
        writer.delete(CleanedClaim, [key])
        writer.delete(Article, ["article-001"])
    assert run_stage(corpus, MakePairs(corpus), Silent()).swept == 1
    assert pair(corpus) == []


def test_copies_are_one_article_and_their_hits_come_along(corpus: Corpus) -> None:
    scene(corpus, [article(1, CLAIM), article(2, CLAIM), article(3, "خبر آخر عن الطقس")])
    with corpus.store.transaction() as writer:
        writer.put([Copy(id="article-002", of="article-001", why="content")])
    pairs = pair(corpus)
    assert [(found.article_id, found.hits) for found in pairs] == [
        ("article-001", ("hit-1", "hit-2")),
        ("article-003", ("hit-3",)),
    ]


def test_the_claims_own_page_is_dropped_also_as_a_copy(corpus: Corpus) -> None:
    own = article(1, CLAIM, url="http://www.checker.example/1?utm_source=x")
    scene(corpus, [own, article(2, CLAIM), article(3, CLAIM)])
    with corpus.store.transaction() as writer:
        writer.put([Copy(id=own.id, of="article-002", why="content")])
    assert [found.article_id for found in pair(corpus)] == ["article-003"]
    assert reasons(corpus) == {"leakage:own_site": 1}


def test_a_copy_in_a_listed_outlet_keeps_an_article_and_one_of_a_checker_marks_it(corpus: Corpus) -> None:
    blogs = [article(number, CLAIM, url=f"https://blog{number}.example/x") for number in range(30, 40)]
    news, debunk = article(1, CLAIM), article(2, CLAIM, url="https://misbar.com/factcheck/1")
    scene(corpus, [*blogs, article(3, CLAIM), news, debunk])
    with corpus.store.transaction() as writer:
        writer.put([Copy(id=news.id, of="article-030", why="text")])
        writer.put([Copy(id=debunk.id, of="article-003", why="text")])
    assert {found.article_id: found.marks for found in pair(corpus)} == {
        "article-030": (),
        "article-003": ("fact_checker",),
    }
    assert reasons(corpus) == {"unlisted_outlet": 9}


def test_marks_are_on_the_pair(corpus: Corpus) -> None:
    claim = Claim(
        id="claim-1", site="s", url="https://checker.example/1", raw=CLAIM, review_date="2019-03-05"
    )
    debunk = article(1, CLAIM, url="https://misbar.com/factcheck/1", published="2019-03-06")
    scene(
        corpus,
        [debunk, article(2, CLAIM, published="2019-03-05"), article(3, CLAIM, published="2019-03")],
        claim,
    )
    assert {found.article_id: found.marks for found in pair(corpus)} == {
        "article-001": ("fact_checker", "after_review"),
        "article-002": (),
        "article-003": (),
    }


def test_the_policy_is_the_corpuss(tmp_path: Path) -> None:
    toml = toycorpus.TOML + '[pair.leakage]\nafter_review = "drop"\nown_site = "mark"\n'
    with toycorpus.make(tmp_path / "c", toml) as corpus:
        claim = Claim(id="claim-1", site="s", url="https://checker.example/1", raw=CLAIM, review_date="2019")
        own = article(1, CLAIM, url="https://checker.example/1")
        scene(corpus, [own, article(2, CLAIM, published="2020-01-01")], claim)
        assert [(found.article_id, found.marks) for found in pair(corpus)] == [("article-001", ("own_site",))]
        assert reasons(corpus) == {"leakage:after_review": 1}


def test_the_fitted_model_stays_until_refit(corpus: Corpus) -> None:
    scene(corpus, [article(1, CLAIM), article(2, "خبر آخر عن الطقس")])
    before = pair(corpus)
    fitted = corpus.store.get(Model, "pair.tfidf")
    scene(corpus, [article(1, CLAIM), article(2, "خبر آخر عن الطقس"), article(3, "الوقود والطقس")])
    after = pair(corpus)
    assert corpus.store.get(Model, "pair.tfidf") == fitted
    scores = {found.article_id: found.score for found in after}
    assert all(scores[found.article_id] == found.score for found in before)
    assert len(after) == 3


SECOND = make_id("pair", "claim-1", "article-002")


@pytest.mark.parametrize(
    "judgement",
    [
        Assignment(id="a", pair_id=SECOND, annotator="amal", round="main"),
        Annotation(id="v", pair_id=SECOND, annotator="amal", round="main", scheme="arastance", label="agree"),
        Gold(id=SECOND, label="agree", how="imported"),
    ],
    ids=lambda judgement: type(judgement).__name__,
)
def test_a_judged_pair_is_superseded_never_altered(corpus: Corpus, judgement: Record) -> None:
    scene(corpus, [article(1, CLAIM), article(2, "خبر آخر عن الوقود")])
    first = {found.id: found for found in pair(corpus)}
    judged = SECOND
    with corpus.store.transaction() as writer:
        writer.put_new([judgement])
        writer.delete(Hit, ["hit-2"])
    second = {found.id: found for found in pair(corpus)}
    assert second[judged] == first[judged]
    assert [gone.id for gone in corpus.store.all(Superseded)] == [judged]
    scene(corpus, [article(1, CLAIM), article(2, "خبر آخر عن الوقود")])
    assert {found.id: found for found in pair(corpus)} == first
    assert corpus.store.count(Superseded) == 0


def test_imported_judgements_are_not_given_up_by_a_pairing_that_never_made_them(corpus: Corpus) -> None:
    scene(corpus, [article(1, CLAIM)])
    other = article(2, "خبر آخر")
    known = Pair(id="p", claim_id="claim-1", article_id=other.id, rank=1, score=0.0, ranker="imported")
    vote = Annotation(id="v", pair_id="p", annotator="amal", round="main", scheme="arastance", label="agree")
    with corpus.store.transaction() as writer:
        writer.put([other, known])
        writer.put_new([vote])
    assert known in pair(corpus)
    assert corpus.store.count(Superseded) == 0


def test_an_edited_list_pairs_again(corpus: Corpus) -> None:
    scene(corpus, [article(number, CLAIM) for number in range(15)])
    assert len(pair(corpus)) == 10
    (corpus.path / "mine.txt").write_text("paper3.example\n", "utf-8")
    assert [found.article_id for found in pair(corpus)] == ["article-003"]


def test_a_bad_list_is_named_by_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("good.example\nnot a domain/\n", "utf-8")
    with pytest.raises(InputError, match=r"mine\.txt:2: 'not a domain/' is no domain"):
        read(path)
    with pytest.raises(UsageError, match=r"absent\.txt"):
        read(tmp_path / "absent.txt")


@pytest.mark.parametrize("name", ["news", "stance_work", "fact_checkers"])
def test_the_shipped_lists_are_readable(name: str) -> None:
    assert len(shipped(name).domains) >= 20


def test_a_domain_covers_what_is_below_it_and_nothing_beside_it() -> None:
    listed = Outlets(["aljazeera.net"])
    assert "aljazeera.net" in listed
    assert "blogs.aljazeera.net" in listed
    assert "notaljazeera.net" not in listed
    assert "net" not in listed
    assert None not in listed


@settings(max_examples=50)
@given(st.dates(), st.dates())
def test_after_review_is_what_the_calendar_says(published: object, review: object) -> None:
    claim = Claim(id="c", site="s", raw="r", review_date=str(review))
    found = marks(claim, article(1, CLAIM, published=str(published)), (), (), Outlets(()), frozenset())
    assert ("after_review" in found) == (str(published) > str(review))


def test_a_mark_that_is_not_dropped_drops_nothing() -> None:
    policy = LeakagePolicy()
    assert dropped(("fact_checker", "after_review"), policy) is None
    assert dropped(("after_review", "own_site"), policy) == "own_site"
    assert own_documents(Claim(id="c", site="s", raw="r")) == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "chosen", "told"),
    [
        pytest.param(
            {"at": "2020-01-01"}, {"at": "2021-01-01"}, "article-002", "was fetched later", id="later"
        ),
        pytest.param(
            {"at": "2021-01-01"}, {"at": "2020-01-01"}, "article-001", "was fetched later", id="sooner"
        ),
        pytest.param({"at": "2020-01-01"}, {}, "article-001", "was fetched later", id="never fetched"),
        pytest.param({}, {"text": f"{CLAIM} اليوم"}, "article-002", "is longer", id="longer"),
        pytest.param({}, {}, "article-001", "comes first by id", id="neither"),
    ],
)
def test_of_two_texts_of_a_document_one_is_paired_and_the_other_says_why_not(
    corpus: Corpus, first: dict[str, str], second: dict[str, str], chosen: str, told: str
) -> None:
    """A collection's text beside the page's own, an AMP version with other words: one document, one pair."""
    url = "https://paper1.example/a1"
    texts = []
    for number, facts in enumerate((first, second), 1):
        made = article(number, facts.get("text", CLAIM), url=url)
        if "at" in facts:
            fetch = Fetch(
                id=f"fetch-{number}", fingerprint="f", document_id=made.document_id, url=url,
                purpose="article", status=200, fetched_at=f"{facts['at']}T00:00:00Z",
            )  # fmt: skip
            with corpus.store.transaction() as writer:
                writer.put([fetch])
            made = made.model_copy(update={"fetch_id": fetch.id})
        texts.append(made)
    scene(corpus, texts[:1])
    with corpus.store.transaction() as writer:
        writer.put(texts)
    [found] = pair(corpus)
    assert found.article_id == chosen
    other = next(each.id for each in texts if each.id != chosen)
    [drop] = why(corpus, found.id).dropped
    assert (drop["stage"], drop["reason"], drop["article"]) == ("pair", "another_text", other)
    assert drop["detail"] == f"its document has another text that {told}: {chosen}"


def test_a_copy_in_the_same_document_is_no_other_text(corpus: Corpus) -> None:
    url = "https://paper1.example/a1"
    scene(corpus, [article(1, CLAIM, url=url)])
    with corpus.store.transaction() as writer:
        writer.put([article(2, CLAIM, url=url), Copy(id="article-002", of="article-001", why="url")])
    [found] = pair(corpus)
    assert found.article_id == "article-001"
    assert reasons(corpus) == {}
