"""query, search, hits: each question asked once, only for claims that are fit, and read again at will."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import toycorpus

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.ids import make_id
from dalil.progress import Silent
from dalil.records import Claim, CleanedClaim, Document, Dropped, Hit, Query, SearchPage
from dalil.runner import run_stage
from dalil.text.urls import document_id
from retrieval import engines
from retrieval.engines import Answer, Question
from retrieval.plan import dry_run
from retrieval.search import MakeQueries, ReadHits, Search

TOML = toycorpus.TOML + '[search]\nengines = ["toy"]\nvariants = ["claim", "claim+date"]\npages = 3\n'


class ToyEngine:
    """Two results a page, two pages a question."""

    NAME: ClassVar[str] = "toy"
    DATES: ClassVar[str] = "none"
    CAP: ClassVar[int] = 4
    COST: ClassVar[float] = 0.01
    POST_FILTERS: ClassVar[bool] = False
    asked: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, corpus: Corpus):
        pass

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        if page > 2:
            return None
        return {"q": question.text, "from": question.start, "to": question.end, "page": page}

    def ask(self, what: dict[str, Any]) -> Answer:
        self.asked.append(what)
        return Answer(
            200, json.dumps([f"http://a.example/{what['page']}/{number}" for number in (1, 2)]), 0.01
        )

    def hits(self, page: SearchPage) -> list[Hit]:
        return [
            Hit(
                id=make_id("hit", page.id, str(rank)), page_id=page.id, question=page.question, engine="toy",
                rank=rank, url=url, document_id=document_id(url),
            )
            for rank, url in enumerate(json.loads(page.answer), 1)
        ]  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    monkeypatch.setitem(engines.ENGINES, "toy", "test_search_stages:ToyEngine")
    monkeypatch.setattr(engines, "entry_point", lambda target: ToyEngine)
    ToyEngine.asked.clear()
    with toycorpus.make(tmp_path / "c", TOML) as made:
        yield made


def claims(corpus: Corpus, *rows: tuple[str, str, str | None, tuple[str, ...]]) -> None:
    """id, text, date and flags of each claim."""
    records: list[Claim | CleanedClaim] = []
    for key, text, date, flags in rows:
        records.append(Claim(id=key, site="s", raw=text, review_date=date))
        records.append(CleanedClaim(id=key, raw=text, text=text, flags=flags))
    with corpus.store.transaction() as writer:
        writer.put(records)


def run(corpus: Corpus) -> None:
    for stage in (MakeQueries, Search, ReadHits):
        run_stage(corpus, stage(corpus), Silent())


def test_a_dated_claim_has_its_window_and_an_undated_one_says_that_it_has_none(corpus: Corpus) -> None:
    claims(corpus, ("a", "مصر تفوز", "2019-01-31", ()), ("b", "تونس تفوز", None, ()))
    run(corpus)
    queries = {(query.claim_id, query.variants): query for query in corpus.store.all(Query)}
    dated = queries["a", ("claim+date",)]
    assert (dated.start, dated.end, dated.centred_on) == ("2018-11-30", "2019-03-31", "review_date")
    assert ("b", ("claim",)) in queries
    assert [(drop.key, drop.reason) for drop in corpus.store.all(Dropped)] == [
        ("b claim+date", "no_query:undated")
    ]


def test_the_same_question_of_two_claims_is_asked_once(corpus: Corpus) -> None:
    claims(corpus, ("a", "مصر تفوز", None, ()), ("b", "مصر تفوز", None, ()))
    run(corpus)
    assert [what["page"] for what in ToyEngine.asked] == [1, 2]
    assert corpus.store.count(SearchPage) == 2
    assert corpus.store.count(Hit) == corpus.store.count(Document) == 4


def test_nothing_is_asked_twice_and_hits_are_read_again_without_asking(corpus: Corpus) -> None:
    claims(corpus, ("a", "مصر تفوز", None, ()))
    run(corpus)
    before = list(corpus.store.all(Hit))
    with corpus.store.transaction() as writer:
        writer.delete(Hit, [hit.id for hit in before])
    reader = ReadHits(corpus)
    reader.VERSION = "newer"
    run_stage(corpus, Search(corpus), Silent())
    run_stage(corpus, reader, Silent())
    assert list(corpus.store.all(Hit)) == before
    assert len(ToyEngine.asked) == 2


def test_a_flagged_claim_waits_for_its_edit(corpus: Corpus) -> None:
    claims(
        corpus,
        ("a", "إلغاء بنزين 80", None, ("needs_edit:nominal",)),
        ("b", "مصر تفوز", None, ("says:true",)),
    )
    run(corpus)
    assert {query.claim_id for query in corpus.store.all(Query)} == {"b"}
    assert [
        (drop.key, drop.reason, drop.detail) for drop in corpus.store.all(Dropped, reason="needs_edit")
    ] == [("a", "needs_edit", "needs_edit:nominal")]
    told = run_stage(corpus, MakeQueries(corpus), Silent()).notes
    assert told == [
        "1 claim waits for an edit by hand and is not searched for: "
        "dalil claims export --flagged FILE CORPUS, edit, then import"
    ]
    corpus.config.override("search", {"allow_unedited": True})
    assert run_stage(corpus, MakeQueries(corpus), Silent()).notes == []
    run(corpus)
    assert {query.claim_id for query in corpus.store.all(Query)} == {"a", "b"}


def test_a_dry_run_says_each_reason_once_and_without_repeating_words(corpus: Corpus) -> None:
    claims(
        corpus,
        ("a", "إلغاء بنزين 80", "2019-01-31", ("says:true", "needs_edit:nominal", "needs_edit:too_short")),
        ("b", "مصر تفوز", None, ("needs_edit:nominal",)),
        ("c", "مصر تفوز", None, ()),
    )
    absent = {claim.id: claim.absent for claim in dry_run(corpus).claims}
    assert absent["a"] == ["needs_edit: nominal, too_short"]
    assert absent["b"] == ["needs_edit: nominal"]
    assert absent["c"] == ["claim+date: undated"]
    for reasons in absent.values():
        for reason in reasons:
            words = re.findall(r"\w+", reason.replace("claim+date", "variant"))
            assert len(words) == len(set(words))


def test_a_dry_run_counts_and_sends_nothing(corpus: Corpus) -> None:
    claims(corpus, ("a", "مصر تفوز", "2019-01-31", ()))
    plan = dry_run(corpus)
    assert [query["variants"] for query in plan.claims[0].queries] == [["claim"], ["claim+date"]]
    line = plan.engines["toy"]
    assert (line["to_send"], line["to_send_at_most"], line["answered"]) == (2, 6, 0)
    assert (line["cost"], line["cost_at_most"]) == (pytest.approx(0.02), pytest.approx(0.06))
    assert ToyEngine.asked == []
    assert corpus.store.count(Query) == 0
    run(corpus)
    line = dry_run(corpus).engines["toy"]
    assert (line["to_send"], line["answered"], line["cost"]) == (0, 4, 0.0)


def test_unknown_engines_and_variants_are_named(corpus: Corpus) -> None:
    corpus.config.override("search", {"engines": ["altavista"]})
    with pytest.raises(UsageError, match=r"unknown engine 'altavista'.*one of"):
        Search(corpus)
    corpus.config.override("search", {"engines": ["toy"], "variants": ["claim+data"]})
    with pytest.raises(UsageError, match=r"search\.variants.*no variant is called claim\+data"):
        MakeQueries(corpus)
