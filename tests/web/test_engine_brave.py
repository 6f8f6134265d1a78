"""Brave Search over real HTTP: windows, two hundred results, a 422 for a wrong key, months and seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from enginekit import KEYS, WINDOW, corpus_of, engine_of, engines, held, page_of, pages_of, search, toml
from fakeweb.client import FakeWeb

from dalil.errors import DalilError, LimitReached
from dalil.net.limits import Kind
from retrieval.engines import Question
from retrieval.engines.brave import shortened, verdict

__all__ = ["engines"]


def test_what_is_sent_and_what_comes(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "brave")
    page = page_of(engine, WINDOW)
    [sent] = engines.log()
    for part in ("freshness=2019-03-01to2019-03-05", "search_lang=ar", "count=20", "offset=0"):
        assert part in sent["query"]
    assert sent["headers"]["x-subscription-token"] == KEYS["BRAVE_API_KEY"]
    hits = engine.hits(page)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
    assert hits[0].title == "افتتحت الحكومة الجسر في النهر & غيره"
    assert hits[0].snippet is not None
    assert "<" not in hits[0].snippet
    assert hits[0].engine_date == "2019-03-01"


def test_paging_goes_on_while_there_is_more(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "brave")
    pages = pages_of(engine, Question("الجسر"))
    assert [page.request["offset"] for page in pages] == [0, 1]
    assert [hit.rank for page in pages for hit in engine.hits(page)] == list(range(1, 25))
    assert engine.request(Question("x"), 10, None) is not None
    assert engine.request(Question("x"), 11, None) is None
    [empty] = pages_of(engine, Question("الجسر", "1999-01-01", "1999-02-01"))
    assert engine.hits(empty) == []


def test_limits_are_told_apart(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "brave")
    page_of(engine, Question("كل ثانية"))
    assert len(engines.asked()) == 2
    for text, said in (("حد شهري", "the quota is spent"), ("رصيد", "the credits are spent")):
        with pytest.raises(LimitReached, match=said):
            page_of(engine, Question(text))
    assert len(engines.asked()) == 4


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind"),
    [
        (429, {}, '{"error": {"code": "QUOTA_LIMITED"}}', Kind.QUOTA),
        (429, {"X-RateLimit-Limit": "50, 0", "X-RateLimit-Remaining": "49, 0"}, "{}", Kind.RATE),
        (429, {"X-RateLimit-Limit": "1, 2000", "X-RateLimit-Remaining": "1, 0"}, "{}", Kind.QUOTA),
        (429, {}, "not json", Kind.RATE),
        (422, {}, '{"error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}', Kind.AUTH),
        (422, {}, '{"error": {"code": "VALIDATION", "meta": {"errors": []}}}', None),
        (422, {}, '["list"]', None),
        (402, {}, "{}", Kind.CREDITS),
        (503, {}, "", Kind.BUSY),
        (200, {}, '{"web": {}}', None),
    ],
)
def test_what_a_refusal_is(status: int, headers: dict[str, str], body: str, kind: Kind | None) -> None:
    assert verdict(status, headers, body) is kind


def test_a_wrong_key_is_refused_as_one(
    engines: FakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "BSA-wrong-key")
    with pytest.raises(DalilError, match="the key was refused") as caught:
        page_of(engine_of(tmp_path, "brave"), WINDOW)
    assert "BSA-wrong-key" not in str(caught.value)


def test_a_query_too_long_for_brave_is_cut_and_says_so(engines: FakeWeb, tmp_path: Path) -> None:
    engine = engine_of(tmp_path, "brave")
    text = " ".join(f"كلمة{number}" for number in range(70))
    page = page_of(engine, Question(text))
    assert page.request["cut_from"] == text
    assert len(page.request["q"]) <= 400
    assert len(page.request["q"].split()) <= 50
    assert text.startswith(page.request["q"])
    assert "cut_from" not in engines.log()[0]["query"]
    assert len(shortened("ا" * 500)) == 400
    assert shortened("  قصير ") == "  قصير "


def test_the_key_stays_out_of_the_corpus(engines: FakeWeb, tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", toml("brave"), "الجسر الجديد") as corpus:
        search(corpus)
    assert KEYS["BRAVE_API_KEY"].encode() not in held(tmp_path / "c")
