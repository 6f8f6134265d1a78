"""GDELT over real HTTP: English words, its pace, errors in plain text, escapes that are none."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from enginekit import WINDOW, corpus_of, engine_of, engines, search, toml
from fakeweb.client import FakeWeb

from dalil.cli import cli
from dalil.corpus import Corpus
from dalil.errors import LimitReached, UsageError
from dalil.net.pacing import Pacer
from dalil.net.session import Reply, Session
from dalil.records import Claim, Dropped, Hit, Query, SearchPage
from dalil.stages import Transient
from dalil.state import journal
from retrieval.answers import counted
from retrieval.engines import Question
from retrieval.engines.gdelt import GdeltEngine, mended, quoted, seen
from retrieval.plan import dry_run

__all__ = ["engines"]
WORDS = ("bridge", "Suez Canal")


def asked_of(folder: Path, *words: str, settings: str = "") -> tuple[Corpus, GdeltEngine, dict[str, Any]]:
    corpus = corpus_of(folder, toml("gdelt", settings), "الجسر", english=words)
    engine = GdeltEngine(corpus)
    what = engine.request(Question("الجسر", WINDOW.start, WINDOW.end, ("claim-0",)), 1, None)
    assert what is not None
    return corpus, engine, what


def answer_of(engine: GdeltEngine, what: dict[str, Any]) -> SearchPage:
    answer = engine.ask(what)
    return SearchPage(id="page-1", engine="gdelt", question="q", text="x", answer=answer.body)


def test_english_words_of_the_claim_are_asked(engines: FakeWeb, tmp_path: Path) -> None:
    corpus, engine, what = asked_of(tmp_path / "c", *WORDS)
    with corpus:
        hits = engine.hits(answer_of(engine, what))
    sent = what
    assert sent["query"] == 'bridge "Suez Canal" sourcelang:arabic'
    assert (sent["startdatetime"], sent["enddatetime"]) == ("20190301000000", "20190305235959")
    assert sent["maxrecords"] == engine.CAP == 250
    assert "text=" not in engines.log()[0]["query"]
    assert [(hit.rank, hit.engine_date) for hit in hits] == [(n, f"2019-03-0{n}") for n in range(1, 6)]
    assert hits[0].title is not None


def test_words_may_come_from_a_function_of_the_user(
    engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("mywords")
    module.english = lambda claim: ["school", claim.id]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mywords", module)
    corpus, _, what = asked_of(
        tmp_path / "c", "ignored", settings='terms = "mywords:english"\nmost_terms = 1'
    )
    corpus.close()
    assert what["query"] == "school sourcelang:arabic"
    for number, name in enumerate(("nonesuch_words:english", "mywords:nothing")):
        corpus = corpus_of(tmp_path / str(number), toml("gdelt", f'terms = "{name}"'), "الجسر")
        with corpus, pytest.raises(UsageError, match=r"engines\.gdelt\.terms"):
            GdeltEngine(corpus).request(Question("x", "2019-03-01", "2019-03-02", ("claim-0",)), 1, None)


def test_what_cannot_be_asked_is_counted_and_said(engines: FakeWeb, tmp_path: Path) -> None:
    text = toml("gdelt", variants='["claim", "claim+date"]')
    with corpus_of(tmp_path / "c", text, "الجسر", "السوق") as corpus:
        with corpus.store.transaction() as writer:
            claim = corpus.store.get(Claim, "claim-1")
            assert claim is not None
            writer.put([claim.model_copy(update={"english": WORDS})])
        tally = search(corpus)[1]
        assert tally.notes == [
            "gdelt: 1 question not asked: no English words",
            "gdelt: 2 questions not asked: no window",
        ]
        assert corpus.store.count(SearchPage) == 1
        assert search(corpus)[1].notes == tally.notes
    done = CliRunner().invoke(cli, ["search", "--dry-run", str(tmp_path / "c")], catch_exceptions=False)
    assert "gdelt: 1 question not asked: no English words" in done.output
    done = CliRunner().invoke(
        cli, ["search", "--dry-run", "--json", str(tmp_path / "c")], catch_exceptions=False
    )
    assert json.loads(done.output)["engines"]["gdelt"]["to_send_at_most"] == 0


def test_variants_with_the_same_words_and_window_are_one_request(engines: FakeWeb, tmp_path: Path) -> None:
    """One request, one unit of the budget; each variant has the hits."""
    variants = '["claim+date", "vp+date", "claim+date+entities"]'
    claim = "أعلنت وزارة الصحة في مصر إغلاق الجسر، وقال الوزير إن السبب مجهول"
    text = toml("gdelt", variants=variants, more="[budgets.gdelt]\nmax_requests_per_day = 1")
    with corpus_of(tmp_path / "c", text, claim, english=WORDS) as corpus:
        assert dry_run_of(corpus) == (1, 1)
        search(corpus)
        [page] = corpus.store.all(SearchPage)
        queries = list(corpus.store.all(Query))
        assert len(queries) > 1
        for query in queries:
            assert {hit.rank for hit in corpus.store.all(Hit, question=query.question)} == {1, 2, 3, 4, 5}
        assert corpus.store.count(Hit, page_id=page.id) == 5 * len(queries)
        [(counting, questions)] = counted(corpus.store)
        assert (counting.id, set(questions)) == (page.id, {query.question for query in queries})
        assert journal.states(corpus.store) == {("gdelt", "answered"): 1}
        assert [tally.worked for tally in search(corpus)] == [0, 0, 0]
    assert len(engines.asked("gdelt-api.example")) == 1


def test_a_request_of_two_claims_counts_for_the_one_that_still_makes_it(
    engines: FakeWeb, tmp_path: Path
) -> None:
    with corpus_of(tmp_path / "c", toml("gdelt"), "الجسر", "السوق", english=WORDS) as corpus:
        search(corpus)
        [page] = corpus.store.all(SearchPage)
        asked = {query.claim_id: query.question for query in corpus.store.all(Query)}
        first = next(key for key, question in asked.items() if question == page.question)
        claim = corpus.store.get(Claim, first)
        assert claim is not None
        with corpus.store.transaction() as writer:
            writer.put([claim.model_copy(update={"english": ("market",)})])
        search(corpus)
        answers = {found.id: questions for found, questions in counted(corpus.store)}
        [other] = answers.keys() - {page.id}
        second = next(question for key, question in asked.items() if key != first)
        assert answers == {page.id: (second,), other: (asked[first],)}


def dry_run_of(corpus: Corpus) -> tuple[float, float]:
    line = dry_run(corpus).engines["gdelt"]
    return line["to_send"], line["to_send_at_most"]


def test_six_and_a_half_seconds_lie_between_requests(
    engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(tmp_path, "gdelt")
    assert isinstance(engine, GdeltEngine)
    now, waits = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    paced = Session(engine._session.service, Pacer(), sleep=sleep, clock=lambda: now[0])
    monkeypatch.setattr(Session, "_once", lambda *_: (Reply("", 200, {}, b"{}"), None))
    for _ in range(4):
        paced.get("https://api.gdeltproject.org/api/v2/doc/doc")
    assert sum(waits) == pytest.approx(3 * 6.5)


def test_asked_too_fast_it_waits_and_then_stops(engines: FakeWeb, tmp_path: Path) -> None:
    corpus, engine, what = asked_of(tmp_path / "c", "hasty")
    with corpus:
        assert len(engine.hits(answer_of(engine, what))) == 5
        assert len(engines.asked()) == 2
    corpus, engine, what = asked_of(tmp_path / "d", "always")
    with corpus, pytest.raises(LimitReached, match="rate limit, HTTP 200"):
        engine.ask(what)


def test_illegal_escapes_are_read_as_text(engines: FakeWeb, tmp_path: Path) -> None:
    corpus, engine, what = asked_of(tmp_path / "c", "odd")
    with corpus:
        page = answer_of(engine, what)
        with pytest.raises(ValueError, match="escape"):
            json.loads(page.answer)
        hits = engine.hits(page)
    assert len(hits) == 5
    assert hits[0].title is not None
    assert hits[0].title.endswith("\\'قال\\' \\x \\ \t")


def test_half_an_answer_or_a_page_is_asked_again(engines: FakeWeb, tmp_path: Path) -> None:
    for word, said in (("broken", "damaged on its way"), ("page", "a page instead of an answer")):
        corpus, engine, what = asked_of(tmp_path / word, word)
        with corpus, pytest.raises(Transient, match=said):
            engine.ask(what)


def test_what_gdelt_refuses_is_dropped_with_its_words(engines: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", toml("gdelt"), "الجسر", english=("UN",)) as corpus:
        search(corpus)
        [drop] = corpus.store.all(Dropped)
        assert (drop.reason, drop.detail) == (
            "no_answer",
            "gdelt: The specified phrase is too short.",
        )
        [page] = corpus.store.all(SearchPage)
        assert drop.key == page.id
    corpus, engine, what = asked_of(tmp_path / "d", "nothing")
    with corpus:
        assert engine.hits(answer_of(engine, what)) == []


@pytest.mark.parametrize(
    ("term", "asked"),
    [
        ("bridge", "bridge"),
        ("Suez  Canal", '"Suez Canal"'),
        ('say "no" (now)', '"say no now"'),
        ("COVID-19", '"COVID-19"'),
        ("sourcelang:english", '"sourcelang english"'),
        (' "" ', ""),
    ],
)
def test_a_term_cannot_be_an_operator(term: str, asked: str) -> None:
    assert quoted(term) == asked


def test_mending_leaves_good_json_alone() -> None:
    assert mended(r'{"a": "\u0627 \\ \" \n \/"}') == {"a": 'ا \\ " \n /'}
    assert mended(r'{"a": "\u06 \\\x"}') == {"a": "\\u06 \\\\x"}
    assert mended("[1]") is None
    assert mended('{"a": ') is None
    assert seen("20190301T101500Z") == "2019-03-01"
    assert seen("March") is None
    assert seen(None) is None
