"""A SearXNG server: JSON that is switched off, no windows, pages of uneven length."""

from __future__ import annotations

from pathlib import Path

import pytest
from enginekit import WINDOW, corpus_of, engine_of, engines, page_of, pages_of, search, toml
from fakeweb.client import FakeWeb

from dalil.corpus import Corpus
from dalil.errors import DalilError, LimitReached, UsageError
from dalil.records import Dropped, Hit, Query, SearchPage
from dalil.stages import Transient
from dalil.state import ledger
from retrieval.engines import Question

__all__ = ["engines"]


def test_json_switched_off_is_said_with_the_remedy(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "searxng", 'address = "http://plain.searxng.example"')
    with pytest.raises(DalilError) as caught:
        page_of(engine, WINDOW)
    assert "the server gives no JSON (HTTP 403)" in caught.value.line()
    assert "add json to search.formats in its settings.yml" in caught.value.line()


def test_what_is_sent_and_what_comes(engines: FakeWeb, tmp_path: Path) -> None:
    settings = 'address = "http://searxng.example/"\nengines = ["google", "mojeek"]'
    engine = engine_of(tmp_path, "searxng", settings)
    pages = pages_of(engine, Question("الجسر"))
    assert len(pages) == 3  # the third is empty, and the last
    query = engines.log()[0]["query"]
    assert "format=json" in query
    assert "language=ar" in query
    assert "engines=google%2Cmojeek" in query
    ranks = [[hit.rank for hit in engine.hits(page)] for page in pages]
    assert ranks == [[1, 2, 3, 4, 5, 6, 7, 8], [101, 102], []]
    assert [hit.engine_date for hit in engine.hits(pages[0])][:3] == [None, "2019-03-02", "2019-03-03"]


def test_dalil_filters_by_date_what_the_server_cannot(engines: FakeWeb, tmp_path: Path) -> None:
    """The window ends on 2019-03-05: of seven dated or undated results one is dated after it."""
    with corpus_of(tmp_path / "c", toml("searxng"), "الجسر الجديد") as corpus:
        search(corpus)
        kept = {hit.url.rsplit("/", 1)[1]: hit for hit in corpus.store.all(Hit)}
        assert sorted(kept) == ["0", "1", "2", "3", "4", "6"]  # 0, 3 and 6 are undated
        drops = {drop.reason: drop.detail for drop in corpus.store.all(Dropped)}
        assert drops == {
            "outside_window": "2019-03-06 https://press.example/news/5",
            "bad_url": "magnet:?xt=urn:btih:0",
        }


def test_one_answer_serves_two_windows_and_is_filtered_for_each(engines: FakeWeb, tmp_path: Path) -> None:
    """Nothing of the window is sent, so that nothing is asked twice."""
    variants = '["claim", "claim+date"]'
    with corpus_of(tmp_path / "c", toml("searxng", variants=variants), "الجسر الجديد") as corpus:
        search(corpus)
        [page] = corpus.store.all(SearchPage)
        dated = {query.start is not None: query.question for query in corpus.store.all(Query)}
        assert corpus.store.count(Hit, page_id=page.id, question=dated[False]) == 7
        assert corpus.store.count(Hit, page_id=page.id, question=dated[True]) == 6
    assert len(engines.asked("searxng.example")) == 1


@pytest.mark.parametrize("left", ["claim", "claim+date"])
def test_each_result_of_a_shared_answer_is_a_hit_or_a_drop_for_each_question(
    engines: FakeWeb, tmp_path: Path, left: str
) -> None:
    variants = '["claim", "claim+date"]'
    with corpus_of(tmp_path / "c", toml("searxng", variants=variants), "الجسر الجديد") as corpus:
        search(corpus)
        assert accounted(corpus) == {8}
        assert corpus.store.count(Dropped, reason="bad_url") == 2
    (tmp_path / "c" / "corpus.toml").write_text(toml("searxng", variants=f'["{left}"]'), "utf-8")
    with Corpus.open(tmp_path / "c") as corpus:
        search(corpus)
        assert accounted(corpus) == {8}, "the other question takes nothing with it when it goes"


def accounted(corpus: Corpus) -> set[int]:
    """How many hits and drops each reading of an answer left."""
    owned = "SELECT owner_key, count(*) FROM (SELECT owner_key FROM hits UNION ALL SELECT owner_key "
    owned += "FROM dropped WHERE stage = 'hits' AND reason <> 'older_answer') GROUP BY owner_key"
    with corpus.store.transaction() as writer:
        found = dict(row for row in writer.connection.exec_driver_sql(owned).all())
    assert found.keys() == ledger.entries(corpus.store, "hits").keys()
    return set(found.values())


def test_when_no_engine_behind_it_answered_it_is_asked_again(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "searxng")
    with pytest.raises(Transient, match="google: too many requests, brave: timeout"):
        page_of(engine, Question("محجوب"))
    with pytest.raises(LimitReached, match="rate limit"):
        page_of(engine, Question("كثرة"))


def test_a_server_on_the_users_own_network_may_be_asked(engines: FakeWeb, tmp_path: Path) -> None:
    """The guard keeps dalil off private addresses; this one is the user's word."""
    engine = engine_of(tmp_path, "searxng", 'address = "http://127.0.0.1:9"')
    with pytest.raises(Transient, match="no connection"):
        page_of(engine, WINDOW)


def test_without_address_it_says_what_to_set(engines: FakeWeb, tmp_path: Path) -> None:
    for number, address in enumerate(('address = ""', 'address = "localhost"')):
        with pytest.raises(UsageError, match=r"engines\.searxng\.address"):
            engine_of(tmp_path / str(number), "searxng", address).request(WINDOW, 1, None)
