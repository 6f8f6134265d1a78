"""Budgets and the journal with real engines: what is sent is a row, and what is not allowed is not sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from enginekit import KEYS, corpus_of, engines, held, search, toml
from fakeweb.client import FakeWeb

from dalil.errors import LimitReached
from dalil.records import SearchPage
from dalil.state import journal
from retrieval.engines import make_engine

__all__ = ["engines"]
CLAIMS = ("افتتحت الحكومة الجسر", "أغلقت الحكومة الجسر", "هدمت الحكومة الجسر")


def limited(engine: str, budget: str) -> str:
    return toml(engine) + f"[budgets.{engine}]\n{budget}\n"


@pytest.mark.parametrize("name", ["google", "brave", "serpapi"])
def test_money_stops_a_search_before_it_is_spent_and_more_of_it_goes_on(
    engines: FakeWeb, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "c"
    with corpus_of(folder, limited(name, "max_cost = 0.0"), *CLAIMS) as corpus:
        cost = make_engine(name, corpus).COST
    config = folder / "corpus.toml"
    free = config.read_text("utf-8")
    for allowed in (0, 2, 3):
        config.write_text(free.replace("max_cost = 0.0", f"max_cost = {allowed * cost + 0.001}"), "utf-8")
        with type(corpus).open(folder) as corpus:
            if allowed < len(CLAIMS):
                with pytest.raises(LimitReached, match=rf"budgets\.{name}\.max_cost"):
                    search(corpus)
            else:
                search(corpus)
            assert corpus.store.count(SearchPage) == len(engines.asked()) == allowed
            assert journal.states(corpus.store).get((name, "answered"), 0) == allowed
            assert journal.spent(corpus.store, name).cost == pytest.approx(allowed * cost)
    with type(corpus).open(folder) as corpus:
        search(corpus)
    assert len(engines.asked()) == len(CLAIMS), "an answer is paid for once"
    assert not any(key.encode() in held(folder) for key in KEYS.values())


def test_a_days_requests_stop_an_engine_that_costs_nothing(engines: FakeWeb, tmp_path: Path) -> None:
    with (
        corpus_of(tmp_path / "c", limited("searxng", "max_requests_per_day = 1"), *CLAIMS) as corpus,
        pytest.raises(LimitReached, match="the most that is allowed"),
    ):
        search(corpus)
    assert len(engines.asked()) == 1
