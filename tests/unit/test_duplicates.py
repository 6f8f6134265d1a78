"""duplicates: one document under many urls, one story under many headlines."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.ids import make_id, value_hash
from dalil.progress import Reporter
from dalil.records import Article, Assignment, Copy, Pair
from dalil.runner import run
from dalil.text.copies import similarity
from retrieval.duplicates import DuplicateSettings, FindCopies, Member, copies

STORY = (
    "أعلنت بلدية مدينة المرجان صباح الاثنين إعادة فتح الجسر القديم أمام السيارات بعد ثلاثة أشهر من الصيانة "
    "وقال رئيس البلدية إن المهندسين فحصوا الدعامات كلها وأثبتوا أن الجسر يحتمل حركة المرور دون خطر "
    "وأضاف أن الشاحنات ستبقى ممنوعة"
)
WORDS = STORY.split()
OTHER = " ".join(reversed(WORDS))


def article(
    url: str,
    text: str = STORY,
    title: str = "فتح الجسر",
    *,
    canonical: str | None = None,
    day: str | None = None,
) -> Article:
    content = value_hash([title, text])
    return Article(
        id=make_id("article", url, content), document_id=make_id("document", url), url=url, text=text,
        title=title, canonical_url=canonical, published=day, content_hash=content,
    )  # fmt: skip


def found(*articles: Article, judged: Article | None = None, **values: float) -> list[tuple[str, str, str]]:
    """(copy's url, kept one's url, why), sorted."""
    urls = {item.id: str(item.url) for item in articles}
    members = [Member(item, item is judged) for item in articles]
    random.Random(7).shuffle(members)
    rows = copies(members, DuplicateSettings(**values))  # type: ignore[arg-type]
    return sorted((urls[row.id], urls[row.of], row.why) for row in rows)


def test_amp_mobile_and_print_pages_are_copies_of_the_page() -> None:
    page = article("https://nahr.example/news/21485", canonical="https://nahr.example/news/21485")
    short = " ".join(WORDS[:14])
    for view in (
        "news/21485/print",
        "print/news/21485",
        "news/21485?print=1",
        "news/21485?tmpl=component&print=1",
    ):
        url = f"https://nahr.example/{view}"
        assert found(page, article(url, short)) == [(url, "https://nahr.example/news/21485", "url")]
    for url in ("https://m.nahr.example/news/21485", "https://nahr.example/news/21485/amp"):
        assert found(page, article(url, short)) == [(url, "https://nahr.example/news/21485", "url")]


def test_a_canonical_link_joins_pages_under_different_addresses() -> None:
    page = article("https://nahr.example/news/21485", day="2019-03-05")
    shared = article(
        "https://nahr.example/?p=21485", " ".join(WORDS[:22]), canonical="https://nahr.example/news/21485"
    )
    assert found(page, shared) == [(shared.url, page.url, "canonical")]


def test_a_canonical_link_that_title_and_text_contradict_is_not_believed() -> None:
    front = "https://nahr.example/news"
    one = article("https://nahr.example/news/1", canonical=front)
    two = article("https://nahr.example/news/2", OTHER, "افتتاح سوق الخضار", canonical=front)
    assert found(one, two) == []


def test_equal_content_on_two_outlets_is_one_whatever_its_length() -> None:
    one, two = article("https://a.example/1", "قصير جدا"), article("https://b.example/9", "قصير جدا")
    assert {why for *_, why in found(one, two)} == {"content"}


def test_a_wire_story_under_another_headline_is_one_and_the_earliest_is_kept() -> None:
    wire = article("https://wire.example/1", day="2019-03-04")
    late = article(
        "https://nahr.example/2", STORY + " المصدر وكالات", "الجسر مفتوح من جديد", day="2019-03-05"
    )
    undated = article("https://raya.example/3", "المرجان وكالات " + STORY, "عاجل")
    assert found(late, wire, undated) == [
        ("https://nahr.example/2", "https://wire.example/1", "text"),
        ("https://raya.example/3", "https://wire.example/1", "text"),
    ]


def test_what_was_judged_is_kept_before_what_is_earlier() -> None:
    early, judged = (
        article("https://a.example/1", day="2019-03-04"),
        article("https://b.example/2", day="2019-03-06"),
    )
    assert found(early, judged, judged=judged) == [("https://a.example/1", "https://b.example/2", "content")]


def test_of_equal_claims_the_longest_is_kept() -> None:
    short, long = article("https://a.example/1"), article("https://b.example/2", STORY + " المصدر وكالات")
    assert found(short, long) == [("https://a.example/1", "https://b.example/2", "text")]


def test_a_chain_of_likenesses_does_not_make_its_ends_copies() -> None:
    # each link of the chain replaces five of forty words; the ends share half
    words = [f"كلمة{n}" for n in range(60)]
    chain = [" ".join([*words[5 * k : 40], *(f"جديد{n}" for n in range(5 * k))]) for k in range(6)]
    steps = [similarity(a, b) for a, b in pairwise(chain)]
    threshold = min(steps) - 0.01
    articles = [article(f"https://a.example/{k}", text, f"عنوان {k}") for k, text in enumerate(chain)]
    rows = copies([Member(item) for item in articles], DuplicateSettings(threshold=threshold))
    text = {item.id: item.text for item in articles}
    assert 0 < len(rows) < 5
    assert all(similarity(text[row.id], text[row.of]) >= threshold for row in rows)


def test_texts_below_the_threshold_and_short_notices_stay_apart() -> None:
    half = " ".join([*WORDS[:20], *OTHER.split()[:20]])
    assert found(article("https://a.example/1"), article("https://b.example/2", half, "خبر آخر")) == []
    notices = [
        article(f"https://a.example/{n}", f"مواقيت الصلاة ليوم {n} من الشهر في المدينة", f"{n}")
        for n in range(3)
    ]
    assert found(*notices) == []


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4), st.integers(0, 3)), max_size=12), st.randoms()
)
def test_copies_do_not_depend_on_order_and_never_chain(
    shape: list[tuple[int, int, int]], order: random.Random
) -> None:
    articles = {}
    for n, (cut, host, canonical) in enumerate(shape):
        text = " ".join(WORDS[cut:] + WORDS[:cut])
        link = f"https://h{host}.example/{canonical}" if canonical else None
        one = article(f"https://h{host}.example/{n}", text, f"عنوان {cut}", canonical=link)
        articles[one.id] = one
    members = [Member(item) for item in articles.values()]
    first = copies(members, DuplicateSettings())
    order.shuffle(members)
    assert copies(members, DuplicateSettings()) == first
    kept = {row.of for row in first}
    assert kept.isdisjoint(row.id for row in first)


def test_as_a_stage_it_runs_again_only_when_something_changed(tmp_path: Path) -> None:
    one, two = article("https://a.example/1", day="2019-03-04"), article("https://b.example/2")
    with Corpus.create(tmp_path / "c", '[corpus]\nname = "t"\n') as corpus, Reporter(quiet=True) as reporter:

        def duplicates() -> int:
            return run(corpus, ["retrieval.duplicates:FindCopies"], reporter)[0].worked

        with corpus.store.transaction() as writer:
            writer.put([one, two], stage="adopt", key="x")
        assert duplicates() == 1
        assert [(row.id, row.of) for row in corpus.store.all(Copy)] == [(two.id, one.id)]
        assert duplicates() == 0

        pair = Pair(id="pair-1", claim_id="claim-1", article_id=two.id, rank=1, score=1.0)
        work = Assignment(id="a-1", pair_id=pair.id, annotator="ann", round="pilot")
        with corpus.store.transaction() as writer:
            writer.put([pair, work])
        assert duplicates() == 0, "a judgement alone changes no group"

        three = article("https://c.example/3", STORY + " المصدر وكالات", "الجسر مفتوح", day="2019-03-01")
        with corpus.store.transaction() as writer:
            writer.put([three], stage="adopt", key="y")
        assert duplicates() == 1
        assert {(row.id, row.of) for row in corpus.store.all(Copy)} == {(one.id, two.id), (three.id, two.id)}


@pytest.mark.parametrize("value", [0, -1, 1.5])
def test_an_impossible_threshold_is_refused(value: float, tmp_path: Path) -> None:
    corpus = Corpus.create(tmp_path / "c", f"[duplicates]\nthreshold = {value}\n")
    with corpus, pytest.raises(UsageError, match=r"duplicates\.threshold"):
        FindCopies(corpus)
