"""A collection as an engine, and its texts as articles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dalil.collection import build
from dalil.corpus import Corpus
from dalil.errors import InputError, StateError, UsageError
from dalil.ids import make_id
from dalil.progress import Silent
from dalil.records import Article, Claim, CleanedClaim, Document, Dropped, Hit, SearchPage
from dalil.runner import run
from dalil.text.urls import document_id
from retrieval.adopt import Adopt
from retrieval.engines import Question, make_engine
from retrieval.engines.collection import CollectionEngine

TOML = '[corpus]\nname = "t"\n[search]\nengines = ["collection"]\n[engines.collection]\npath = "news"\n'
ROWS: list[dict[str, Any]] = [
    {
        "id": "1",
        "url": "http://www.news.example/1?utm_source=x",
        "title": "الحكومة ترفع الأسعار",
        "body": "أعلنت الحكومة رفع الأسعار.",
        "published": "2018-02-18",
        "outlet": "شبكة الأخبار",
    },
    {
        "id": "2",
        "title": "الحكومة تخفض الأسعار",
        "body": "نفت الحكومة رفع الأسعار.",
        "outlet": "شبكة الأخبار",
    },
    {"id": "3", "url": "not a url", "title": "أسعار الحكومة", "body": "نص ثالث"},
    {"id": "4", "url": "https://news.example/4", "title": "الأسعار والحكومة بلا نص"},
]
STAGES = [
    "retrieval.search:MakeQueries",
    "retrieval.search:Search",
    "retrieval.search:ReadHits",
    "retrieval.adopt:Adopt",
]


def index(corpus: Corpus, rows: list[dict[str, Any]]) -> None:
    file = corpus.path / "rows.jsonl"
    file.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8", newline="\n"
    )
    build([file], corpus.path / "news")


def corpus_with(path: Path, toml: str = TOML) -> Corpus:
    corpus = Corpus.create(path / "corpus", toml)
    index(corpus, ROWS)
    return corpus


def page_of(engine: CollectionEngine, question: Question) -> SearchPage:
    what = engine.request(question, 1, None)
    assert what is not None
    answer = engine.ask(json.loads(json.dumps(what)))
    return SearchPage(
        id="page-1", engine="collection", question="q", text=question.text, request=what, answer=answer.body
    )


def test_a_stored_answer_gives_its_hits_without_the_collection(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        page = page_of(CollectionEngine(corpus), Question("أسعار الحكومة"))
        # moved, not removed: an open index looks for a newer one and may write a lock file just then
        (corpus.path / "news").rename(corpus.path / "elsewhere")
        hits = CollectionEngine(corpus).hits(page)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4]
    found = {hit.url: hit for hit in hits}
    assert set(found) == {
        "http://www.news.example/1?utm_source=x",
        "collection:news/2",
        "collection:news/3",
        "https://news.example/4",
    }
    first = found["http://www.news.example/1?utm_source=x"]
    assert first.id == make_id("hit", "page-1", str(first.rank))
    assert first.document_id == document_id("https://news.example/1")
    assert (first.title, first.engine_date) == ("الحكومة ترفع الأسعار", "2018-02-18")
    assert first.snippet == "أعلنت الحكومة رفع الأسعار."
    assert (first.page_id, first.question, first.engine) == ("page-1", "q", "collection")
    assert found["collection:news/2"].document_id == make_id("document", "collection:news/2")


def test_the_question_carries_window_mode_and_the_collection_it_was_asked(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        engine = CollectionEngine(corpus)
        question = Question("أسعار الحكومة", "2018-02-01", "2018-02-28")
        what = engine.request(question, 1, None)
        assert engine.request(question, 2, None) is None
        page = page_of(engine, question)
        assert [hit.engine_date for hit in engine.hits(page)] == ["2018-02-18"]
        assert json.loads(page.answer)["undated"] == 3
        index(corpus, ROWS[:1])
        again = CollectionEngine(corpus).request(question, 1, None)
        assert what != again, "another collection is another question"
        with pytest.raises(UsageError, match="has changed"):
            CollectionEngine(corpus).ask(what or {})
        index(corpus, ROWS)
        assert CollectionEngine(corpus).request(question, 1, None) == what


@pytest.mark.parametrize(
    ("match", "count"),
    [("all", 1), ("most", 2), ("any", 4)],
)
def test_settings_decide_mode_and_number(tmp_path: Path, match: str, count: int) -> None:
    with corpus_with(tmp_path, f'{TOML}match = "{match}"\n') as corpus:
        engine = CollectionEngine(corpus)
        assert len(engine.hits(page_of(engine, Question("أعلنت الحكومة رفع الأسعار")))) == count
    with Corpus.create(tmp_path / "few", f'{TOML}match = "{match}"\nresults = 1\n') as corpus:
        index(corpus, ROWS)
        engine = CollectionEngine(corpus)
        assert len(engine.hits(page_of(engine, Question("الحكومة")))) == 1


@pytest.mark.parametrize(
    ("texts", "marked"),
    [("collection", {1, 2, 3, 4}), ("web", {2, 3})],
)
def test_hits_whose_text_is_stored_are_marked(tmp_path: Path, texts: str, marked: set[int]) -> None:
    """Where texts are the web's, pages are fetched; what has no page has nothing but its stored text."""
    with corpus_with(tmp_path, f'{TOML}texts = "{texts}"\n') as corpus:
        engine = CollectionEngine(corpus)
        page = page_of(engine, Question("أسعار الحكومة"))
        rows = {row["url"]: int(row["id"]) for row in json.loads(page.answer)["results"]}
        assert {rows[hit.url] for hit in engine.hits(page) if "texts:collection" in hit.marks} == marked


@pytest.mark.parametrize(
    "setting", ['match = "some"', "results = 0", "results = 101", 'texts = "both"', "pages = 2"]
)
def test_wrong_settings_are_refused(tmp_path: Path, setting: str) -> None:
    with (
        Corpus.create(tmp_path / "c", f"{TOML}{setting}\n") as corpus,
        pytest.raises(UsageError, match="engines.collection"),
    ):
        make_engine("collection", corpus)


def test_no_collection_is_said_when_it_is_asked(tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "c", TOML) as corpus:
        engine = make_engine("collection", corpus)
        with pytest.raises(StateError, match="no such collection"):
            engine.request(Question("س"), 1, None)


@pytest.mark.parametrize("answer", ["", "{}", "[]", '{"results": [{}]}', '{"results": 3}'])
def test_an_answer_that_is_none_is_said(tmp_path: Path, answer: str) -> None:
    with corpus_with(tmp_path) as corpus:
        page = SearchPage(id="page-9", engine="collection", question="q", text="x", answer=answer)
        with pytest.raises(InputError, match="page-9"):
            CollectionEngine(corpus).hits(page)


def searched(corpus: Corpus) -> None:
    with corpus.store.transaction() as writer:
        writer.put([Claim(id="claim-1", site="s", raw="الحكومة الأسعار")])
        writer.put([CleanedClaim(id="claim-1", raw="الحكومة الأسعار", text="الحكومة الأسعار")])
    run(corpus, STAGES, Silent())


def test_stored_texts_become_articles(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        searched(corpus)
        articles = {article.title: article for article in corpus.store.all(Article)}
        assert set(articles) == {row["title"] for row in ROWS[:3]}
        first = articles["الحكومة ترفع الأسعار"]
        assert first.text == "أعلنت الحكومة رفع الأسعار."
        assert first.document_id == document_id("http://news.example/1")
        assert first.id == make_id("article", first.document_id, first.content_hash)
        assert (first.collection, first.fetch_id) == ("news", None)
        assert (first.published, first.published_from) == ("2018-02-18", "collection")
        assert first.outlet == "شبكة الأخبار"
        assert articles["الحكومة تخفض الأسعار"].outlet == "شبكة الأخبار"
        drops = list(corpus.store.all(Dropped, stage="adopt"))
        assert [(drop.reason, drop.detail) for drop in drops] == [("no_text", "news/4")]
        documents = corpus.store.ids(Document)
        assert {article.document_id for article in articles.values()} <= documents
        assert corpus.store.count(Hit) == 4


@pytest.mark.parametrize("url", ["javascript:alert(1)", "notaurl", "http://[bad/", "data:text/html,x", "//x"])
def test_what_is_no_address_of_a_page_never_becomes_an_articles_url(tmp_path: Path, url: str) -> None:
    with corpus_with(tmp_path) as corpus:
        index(corpus, [ROWS[0] | {"url": url}])
        searched(corpus)
        (found,) = corpus.store.all(Article)
        assert found.url is None
        assert [document.url for document in corpus.store.all(Document)] == ["collection:news/1"]


def test_a_second_run_does_nothing_and_a_changed_text_is_adopted_anew(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        searched(corpus)
        again = run(corpus, STAGES, Silent())
        assert [tally.worked for tally in again] == [0, 0, 0, 0]
        index(corpus, [ROWS[0] | {"body": "نص مصحح"}, *ROWS[1:2]])
        run(corpus, ["retrieval.adopt:Adopt"], Silent())
        texts = sorted(article.text for article in corpus.store.all(Article))
        assert texts == sorted(["نص مصحح", ROWS[1]["body"]])
        reasons = [drop.reason for drop in corpus.store.all(Dropped, stage="adopt")]
        assert reasons == ["not_in_collection", "not_in_collection"]


def test_where_texts_are_the_webs_only_documents_without_url_are_adopted(tmp_path: Path) -> None:
    with corpus_with(tmp_path, f'{TOML}texts = "web"\n') as corpus:
        searched(corpus)
        assert {article.title for article in corpus.store.all(Article)} == {
            ROWS[1]["title"],
            ROWS[2]["title"],
        }


def test_a_url_that_stands_twice_in_a_collection_is_one_document_with_both_texts(tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "corpus", TOML) as corpus:
        rows = [
            ROWS[0],
            ROWS[0] | {"id": "1b", "url": "https://m.news.example/1", "body": "نص آخر عن الأسعار"},
        ]
        index(corpus, rows)
        searched(corpus)
        articles = list(corpus.store.all(Article))
        assert len(articles) == 2
        assert len({article.document_id for article in articles}) == 1


def test_without_hits_of_a_collection_none_is_needed(tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "c", TOML) as corpus:
        assert list(Adopt(corpus).keys(corpus.store)) == []
