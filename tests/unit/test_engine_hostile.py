"""Whatever a service answers: stored answers give hits or one clear error, never a crash."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.corpus import Corpus
from dalil.progress import Silent
from dalil.records import Dropped, Hit, SearchPage
from dalil.runner import run
from retrieval.answers import OLDER
from retrieval.engines import ENGINES, Engine, NotAnswered, make_engine

ROWS = {
    "google": ("items",),
    "brave": ("web", "results"),
    "serpapi": ("organic_results",),
    "searxng": ("results",),
    "gdelt": ("articles",),
}
"""where each keeps its results"""
KEYS = (
    "link", "url", "title", "snippet", "description", "content", "date", "page_age", "age", "publishedDate",
    "seendate",
)  # fmt: skip
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TEXT = st.sampled_from(
    [
        "https://a.example/1",
        "http://[::1",
        "javascript:alert(1)",
        "",
        "3 days ago",
        "2019-03-01T00:00:00",
        "<b>x</b> &#0;",
    ]
)
ROW = st.dictionaries(st.sampled_from(KEYS), VALUE | TEXT, max_size=6)


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Engine]:
    corpus = Corpus.create(tmp_path_factory.mktemp("engines") / "c", '[corpus]\nname = "x"\n')
    return {name: make_engine(name, corpus) for name in ROWS}


def page_with(engine: str, answer: str) -> SearchPage:
    return SearchPage(
        id="page-1", engine=engine, question="q", text="x", answer=answer, asked_at="2019-03-20T12:00:00Z"
    )


def test_every_engine_on_the_web_is_here() -> None:
    assert set(ROWS) == set(ENGINES) - {"collection"}


@pytest.mark.parametrize("name", ROWS)
@given(found=st.lists(ROW, max_size=4) | VALUE, beside=VALUE)
@settings(max_examples=60, deadline=None)
def test_results_of_any_shape(engines: dict[str, Engine], name: str, found: Any, beside: Any) -> None:
    answer: Any = found
    for key in reversed(ROWS[name]):
        answer = {key: answer, "beside": beside}
    try:
        hits = engines[name].hits(page_with(name, json.dumps(answer)))
    except NotAnswered:
        return
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert len({hit.id for hit in hits}) == len(hits)
    assert all(isinstance(hit, Hit) and hit.document_id for hit in hits)
    assert all(hit.engine_date is None or hit.engine_date[:4].isdigit() for hit in hits)


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("answer", ["", "<html>", "[]", '"text"', "null", "{", "\x00", "[" * 100_000])
def test_answers_of_any_shape(engines: dict[str, Engine], name: str, answer: str) -> None:
    with contextlib.suppress(NotAnswered):
        assert engines[name].hits(page_with(name, answer)) == []


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("count", [1, 100, 101, 350])
def test_every_result_becomes_a_hit_or_is_dropped_with_a_reason(
    name: str, count: int, tmp_path: Path
) -> None:
    """However long an answer is, and whatever its rows are: none is cut in silence."""
    urls = [f"https://n.example/{number}" if number % 10 else "magnet:?" for number in range(count)]
    answer: Any = [{"url": url, "link": url} for url in urls]
    for key in reversed(ROWS[name]):
        answer = {key: answer}
    with Corpus.create(tmp_path / "c", '[corpus]\nname = "x"\n') as corpus:
        with corpus.store.transaction() as writer:
            writer.put([page_with(name, json.dumps(answer))])
        run(corpus, ["retrieval.search:ReadHits"], Silent())
        gone = [drop for drop in corpus.store.all(Dropped) if drop.reason != OLDER]
        assert corpus.store.count(Hit) + len(gone) == count
        assert {drop.reason for drop in gone} <= {"bad_url", "beyond_page"}


@pytest.mark.parametrize("name", ROWS)
def test_an_answer_that_is_none_stops_nothing(name: str, tmp_path: Path) -> None:
    """It is dropped with its reason, and the answers beside it are read."""
    good = json.dumps({key: [] for key in ROWS[name][:1]}) if name != "brave" else "{}"
    with Corpus.create(tmp_path / "c", '[corpus]\nname = "x"\n') as corpus:
        with corpus.store.transaction() as writer:
            writer.put(
                [page_with(name, "no answer"), page_with(name, good).model_copy(update={"id": "page-2"})]
            )
        [tally] = run(corpus, ["retrieval.search:ReadHits"], Silent())
        assert tally.worked == 2
        [drop] = corpus.store.all(Dropped, reason="no_answer")
        assert (drop.reason, drop.key) == ("no_answer", "page-1")
        assert (drop.detail or "").startswith(f"{name}: ")


@pytest.mark.parametrize("name", ROWS)
def test_what_each_declares(engines: dict[str, Engine], name: str) -> None:
    engine = engines[name]
    assert name == engine.NAME
    assert engine.DATES in ("published", "estimated", "discovered", "seen", "none")
    assert engine.CAP >= 100
    assert 0 <= engine.COST < 0.1
    assert engine.POST_FILTERS is (name in {"searxng"})


def test_files_of_the_engines_import_no_client_until_they_ask(tmp_path: Path) -> None:
    code = (
        "import sys; from retrieval.engines import ENGINES; from dalil.resources import entry_point\n"
        "[entry_point(target) for name, target in ENGINES.items() if name != 'collection']\n"
        "heavy = {'googleapiclient', 'httplib2', 'tantivy'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
