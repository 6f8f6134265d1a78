"""Answers that an older dalil stored, with requests of another form: they are answers still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from enginekit import corpus_of, engines, search, toml
from fakeweb.client import FakeWeb

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Dropped, Hit, Query, SearchPage
from dalil.stages import Request
from dalil.state import ledger
from dalil.state.tables import LEDGER
from retrieval.answers import OLDER, counted, set_aside
from retrieval.plan import dry_run

__all__ = ["engines"]
VARIANTS = '["claim", "claim+date"]'
ENGINES = ["gdelt", "searxng"]


def as_before(page: SearchPage) -> dict[str, Any]:
    """The request as it was written down when each question was a request of its own."""
    if page.engine == "gdelt":
        return {"text": page.text, "sent": page.request}
    return {**page.request, "window": [page.start, page.end]}


def made_before(corpus: Corpus) -> None:
    """A corpus as an older dalil left it: each question with an answer of its own, and no hits yet."""
    asked = {query.question: query for query in corpus.store.all(Query)}
    pages = [(page, questions) for page, questions in counted(corpus.store)]
    with corpus.store.transaction() as writer:
        writer.connection.execute(sa.delete(LEDGER).where(LEDGER.c.stage.in_(["search", "hits"])))
        for page, questions in pages:
            writer.delete(SearchPage, [page.id])
            writer.delete(Hit, [hit.id for hit in corpus.store.all(Hit)])
            for key in questions:
                own = {"question": key, "text": asked[key].text, "start": asked[key].start}
                page = page.model_copy(update=own | {"end": asked[key].end})
                request = Request(page.engine, as_before(page))
                stored = {"id": make_id("page", request.fingerprint), "request": request.what}
                writer.put([page.model_copy(update=stored)], stage="search", key=request.fingerprint)
                ledger.write(writer, "search", request.fingerprint, ledger.Entry("", "", "done", None), "r")


@pytest.fixture(params=ENGINES)
def corpus(request: pytest.FixtureRequest, engines: FakeWeb, tmp_path: Path) -> Iterator[Corpus]:
    """Two claims searched for by an older dalil, one page of results a question."""
    text = toml(request.param, variants=VARIANTS)
    with corpus_of(tmp_path / "c", text, "الجسر الجديد", "السوق القديم", english=("bridge",)) as made:
        search(made)
        made_before(made)
        engines.reset()
        yield made


@pytest.mark.parametrize("replay", [False, True])
def test_nothing_is_asked_again_and_every_answer_counts(
    corpus: Corpus, engines: FakeWeb, replay: bool
) -> None:
    pages = sorted(corpus.store.ids(SearchPage))
    asked, tally = dry_run(corpus).engines, search(corpus, replay=replay)[1]
    assert [line["to_send"] for line in asked.values()] == [0]
    assert (tally.worked, tally.failed, tally.unchanged) == (0, 0, len(pages))
    assert not engines.asked()
    assert set_aside(corpus.store) == 0
    assert sorted(page.id for page, _ in counted(corpus.store)) == pages
    assert {hit.page_id for hit in corpus.store.all(Hit)} == set(pages)
    for page, questions in counted(corpus.store):
        assert questions == (page.question,), "each of its own question alone, as before"


def test_a_claim_that_came_later_and_asks_the_same_shares_such_an_answer(
    corpus: Corpus, engines: FakeWeb
) -> None:
    """Where a question has no answer of its own."""
    [engine] = {page.engine for page in corpus.store.all(SearchPage)}
    gone = sorted(corpus.store.all(SearchPage), key=lambda page: (page.text, page.start or ""))[-1]
    with corpus.store.transaction() as writer:
        writer.delete(SearchPage, [gone.id])
        ledger.forget(writer, "search", Request(engine, gone.request).fingerprint)
    search(corpus)
    assert not engines.asked()
    shared = [questions for _, questions in counted(corpus.store) if len(questions) > 1]
    assert [gone.question in questions for questions in shared] == [True]


def test_a_refresh_sends_what_is_sent_now(corpus: Corpus, engines: FakeWeb) -> None:
    pages = corpus.store.ids(SearchPage)
    search(corpus, refresh=True)
    assert engines.asked()
    assert all("window=" not in seen["query"] and "text=" not in seen["query"] for seen in engines.log())
    assert corpus.store.ids(SearchPage) == pages


def test_an_older_answer_of_the_former_form_says_what_is_asked_otherwise(corpus: Corpus) -> None:
    [engine] = {page.engine for page in corpus.store.all(SearchPage)}
    settings = {
        "gdelt": ('sourcelang = "none"', "query bridge sourcelang:arabic, now bridge sourcelang:none"),
        "searxng": ('address = "http://searxng.example"\nlanguage = "en"', "language ar, now en"),
    }
    setting, said = settings[engine]
    (corpus.path / "corpus.toml").write_text(toml(engine, setting, VARIANTS), "utf-8")
    with Corpus.open(corpus.path) as again:
        search(again)
        reasons = {drop.detail for drop in again.store.all(Dropped, reason=OLDER)}
    assert reasons == {f"asked with {said}"}
