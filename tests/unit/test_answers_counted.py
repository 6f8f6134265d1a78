"""Of stored answers those count that the present configuration asks for; the others stay, and are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dalil.cli import cli
from dalil.collection import build
from dalil.corpus import Corpus
from dalil.formats.answers import page_of
from dalil.formats.rows import ClaimRow, ResultRow
from dalil.progress import Silent
from dalil.records import (
    Article,
    Assignment,
    Claim,
    CleanedClaim,
    Dropped,
    Gold,
    Hit,
    Pair,
    Query,
    SearchPage,
    Superseded,
)
from dalil.runner import Tally, run
from dalil.status import status
from retrieval.ablation.corpus import from_corpus
from retrieval.answers import OLDER, counted, set_aside
from retrieval.plan import dry_run
from retrieval.why import why

STAGES = [
    "retrieval.search:MakeQueries",
    "retrieval.search:Search",
    "retrieval.search:ReadHits",
    "retrieval.adopt:Adopt",
    "retrieval.pair:MakePairs",
]
CLAIM = "الحكومة ترفع أسعار الوقود"
OTHER = "الحكومة تخفض أسعار الوقود"
ROWS = [
    {
        "id": "1",
        "url": "https://news.example/1",
        "title": "الحكومة ترفع أسعار الوقود",
        "body": "رفعت الأسعار.",
    },
    {"id": "2", "url": "https://news.example/2", "title": "أسعار الخضر", "body": "ارتفعت أسعار الخضر اليوم."},
    {"id": "3", "url": "https://news.example/3", "title": "الحكومة والوقود", "body": "نفت الحكومة الخبر."},
]


def index(corpus: Corpus, rows: list[dict[str, Any]]) -> None:
    file = corpus.path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    build([file], corpus.path / "news")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus with one claim, its collection built and searched once, with `match = "any"`."""
    with Corpus.create(tmp_path / "corpus", _toml()) as corpus:
        index(corpus, ROWS)
        with corpus.store.transaction() as writer:
            writer.put([Claim(id="claim-1", site="s", raw=CLAIM)])
            writer.put([CleanedClaim(id="claim-1", raw=CLAIM, text=CLAIM)])
        run(corpus, STAGES, Silent())
        assert found(corpus) == {"1", "2", "3"}
        assert set_aside(corpus.store) == 0
    return tmp_path / "corpus"


def _toml(engines: str = '["collection"]', match: str = "any") -> str:
    return (
        f'[corpus]\nname = "t"\n[search]\nengines = {engines}\n'
        f'[engines.collection]\npath = "news"\nmatch = "{match}"\n'
    )


def again(folder: Path, toml: str | None = None, rows: list[dict[str, Any]] | None = None) -> list[Tally]:
    """Change the settings, or build the collection anew; then run."""
    if toml is not None:
        (folder / "corpus.toml").write_text(toml, "utf-8")
    with Corpus.open(folder) as corpus:
        if rows is not None:
            index(corpus, rows)
        return run(corpus, STAGES, Silent())


def found(corpus: Corpus) -> set[str]:
    """Last part of the addresses of the articles that are paired now."""
    gone = corpus.store.ids(Superseded)
    articles = {article.id: article.url or "" for article in corpus.store.all(Article)}
    return {articles[pair.article_id][-1] for pair in corpus.store.all(Pair) if pair.id not in gone}


def label(corpus: Corpus, pair: str = "") -> None:
    """Judge the first pair (or the named one)."""
    key = pair or next(corpus.store.all(Pair)).id
    with corpus.store.transaction() as writer:
        writer.put([Gold(id=key, label="agree", how="majority")])


CHANGES = [
    pytest.param(None, ROWS[:1], {"1"}, "asked with another revision", id="collection built anew"),
    pytest.param(_toml(match="all"), None, {"1"}, "asked with match any, now all", id="another match"),
    pytest.param(
        _toml(engines="[]"),
        None,
        set(),
        "collection is neither among [search] engines nor retired",
        id="no engine",
    ),
]


@pytest.mark.parametrize(("toml", "rows", "left", "reason"), CHANGES)
def test_an_answer_to_what_is_not_asked_now_counts_for_nothing(
    folder: Path, toml: str | None, rows: list[dict[str, Any]] | None, left: set[str], reason: str
) -> None:
    tallies = again(folder, toml, rows)
    assert tallies[2].notes == ["1 older answer is stored and not counted: it answers what is not asked now"]
    with Corpus.open(folder) as corpus:
        assert found(corpus) == left
        [drop] = corpus.store.all(Dropped, reason=OLDER)
        assert (drop.stage, drop.detail) == ("hits", reason)
        older = corpus.store.get(SearchPage, drop.key)
        assert older is not None, "it stays stored"
        assert all(OLDER in hit.marks for hit in corpus.store.all(Hit, page_id=older.id))
        assert status(corpus).dropped["hits"] == {OLDER: 1}
    told = CliRunner().invoke(cli, ["status", str(folder)], catch_exceptions=False).output
    assert "hits: older_answer" in told


@pytest.mark.parametrize(("toml", "rows", "left", "reason"), CHANGES[:2])
def test_the_ablation_counts_the_present_answer_alone_and_says_so(
    folder: Path, toml: str | None, rows: list[dict[str, Any]] | None, left: set[str], reason: str
) -> None:
    again(folder, toml, rows)
    with Corpus.open(folder) as corpus:
        label(corpus)
        material = from_corpus(corpus)
        [brought] = material.brought
        assert (len(brought.documents), brought.hits, len(brought.requests)) == (len(left), len(left), 1)
        assert any(note.startswith("1 older answer ") for note in material.notes)


def test_going_back_counts_the_former_answer_again_without_asking(folder: Path) -> None:
    again(folder, _toml(match="all"))
    tallies = again(folder, _toml(match="any"))
    assert (tallies[1].worked, tallies[1].unchanged) == (0, 1)
    with Corpus.open(folder) as corpus:
        assert found(corpus) == {"1", "2", "3"}
        assert set_aside(corpus.store) == 1, "now the other one"
        assert all(OLDER not in hit.marks for page, _ in counted(corpus.store)
                   for hit in corpus.store.all(Hit, page_id=page.id))  # fmt: skip


def test_a_retired_engine_is_asked_nothing_and_its_answers_count(folder: Path) -> None:
    with Corpus.open(folder) as corpus, corpus.store.transaction() as writer:
        writer.put(
            [Claim(id="claim-2", site="s", raw=OTHER), CleanedClaim(id="claim-2", raw=OTHER, text=OTHER)]
        )
    toml = _toml(engines="[]").replace("[search]", '[search]\nretired = ["collection"]')
    tallies = again(folder, toml)
    assert (tallies[1].worked, tallies[1].failed) == (0, 0)
    with Corpus.open(folder) as corpus:
        assert found(corpus) == {"1", "2", "3"}
        assert (corpus.store.count(SearchPage), set_aside(corpus.store)) == (1, 0)
        assert {drop.key: drop.reason for drop in corpus.store.all(Dropped)} == {"claim-2": "no_article"}
        assert dry_run(corpus).engines == {}
    again(folder, toml.replace('match = "any"', 'match = "all"'))
    with Corpus.open(folder) as corpus:
        assert set_aside(corpus.store) == 1, "of a retired one, too, what would be asked counts"


def test_a_judged_pair_keeps_the_answer_and_the_text_that_it_came_from(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        articles = {article.id: article.url for article in corpus.store.all(Article)}
        pair = next(p for p in corpus.store.all(Pair) if articles[p.article_id] == ROWS[1]["url"])
        with corpus.store.transaction() as writer:
            writer.put([Assignment(id="a", pair_id=pair.id, round="main", annotator="x")])
    again(folder, rows=ROWS[:1])
    with Corpus.open(folder) as corpus:
        assert pair.id in corpus.store.ids(Superseded)
        report = why(corpus, pair.id)
        [origin] = report.found_by
        assert (origin.engine, origin.older) == ("collection", True)
        assert report.article["url"] == ROWS[1]["url"]
    told = CliRunner().invoke(cli, ["why", pair.id, str(folder)], catch_exceptions=False).output
    assert "older answer" in told


def test_where_the_collection_is_elsewhere_the_newest_answer_counts(folder: Path) -> None:
    again(folder, _toml(match="all"))
    with Corpus.open(folder) as corpus:
        first, second = sorted(corpus.store.all(SearchPage), key=lambda page: page.request["match"])
        with corpus.store.transaction() as writer:
            writer.put([first.model_copy(update={"asked_at": "2020-01-01T00:00:00Z"})])
            writer.put([second.model_copy(update={"asked_at": "2021-01-01T00:00:00Z"})])
        (folder / "news").rename(folder / "elsewhere")
        run(corpus, STAGES[:3], Silent(), replay=True)
        assert [page.id for page, _ in counted(corpus.store)] == [second.id]


def test_an_imported_answer_is_no_newer_answer_of_the_engine(folder: Path) -> None:
    """Where the collection is elsewhere, so that the newest answer counts."""
    with Corpus.open(folder) as corpus:
        [own] = corpus.store.all(SearchPage)
        row = ResultRow(where="f:1", text=CLAIM, claim=ClaimRow(where="f:1", raw=CLAIM), results=())
        imported = page_of(row, "collection", "results").model_copy(
            update={"asked_at": "2999-01-01T00:00:00Z"}
        )
        assert imported.question == own.question
        with corpus.store.transaction() as writer:
            writer.put([imported])
        (folder / "news").rename(folder / "elsewhere")
        run(corpus, STAGES[:3], Silent(), replay=True)
        assert {page.id for page, _ in counted(corpus.store)} == {own.id, imported.id}


def test_imported_results_count_whatever_is_configured(folder: Path) -> None:
    claim = ClaimRow(where="f:1", raw=CLAIM)
    row = ResultRow(where="f:1", text=CLAIM, claim=claim, results=())
    with Corpus.open(folder) as corpus:
        with corpus.store.transaction() as writer:
            writer.put([page_of(row, "archie", "results")])
        run(corpus, STAGES[:3], Silent())
        assert "archie" in {page.engine for page, _ in counted(corpus.store)}


def test_an_answer_to_a_question_that_no_claim_asks_is_set_aside(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        with corpus.store.transaction() as writer:
            writer.put([CleanedClaim(id="claim-1", raw=CLAIM, text=OTHER)])
        run(corpus, STAGES, Silent())
        [drop] = corpus.store.all(Dropped, reason=OLDER)
        assert drop.detail == "no query asks this any more"
        assert corpus.store.count(Query) == 1
