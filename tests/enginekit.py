"""Engines against the fake web: their addresses, keys, and a corpus with claims that ask them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakeweb.client import FakeWeb

from dalil.corpus import Corpus
from dalil.net import secrets
from dalil.net.session import Session
from dalil.progress import Silent
from dalil.records import Claim, CleanedClaim, SearchPage
from dalil.runner import Tally, run
from retrieval.engines import Engine, Question, make_engine

ADDRESSES = {
    "google": "https://google-api.example/",
    "brave": "https://brave-api.example/res/v1/web/search",
    "serpapi": "https://serpapi.example/search.json",
    "gdelt": "https://gdelt-api.example/api/v2/doc/doc",
}
KEYS = {
    "GOOGLE_API_KEY": "AIza-right-key",
    "BRAVE_API_KEY": "BSA-right-key",
    "SERPAPI_KEY": "serp-right-key",
}
SECTIONS = {
    "google": 'cx = "engine-1"',
    "searxng": 'address = "http://searxng.example"',
}
CLAIM_DATE = "2019-01-05"
"""its window ends on 2019-03-05: of the articles of the fake web 0–4 lie in it"""
LAST_DAY = "2019-03-05"
STAGES = ["retrieval.search:MakeQueries", "retrieval.search:Search", "retrieval.search:ReadHits"]
WINDOW = Question("الجسر", "2019-03-01", "2019-03-05")


@pytest.fixture
def engines(web: FakeWeb, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeWeb]:
    """All services are played, the keys are right, and nobody waits."""
    for name, address in ADDRESSES.items():
        monkeypatch.setattr(f"retrieval.engines.{name}.ADDRESS", address)
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Session, "_wait", lambda *_: 0.0)
    yield web
    secrets.forget_all()


def toml(engine: str, settings: str = "", variants: str = '["claim+date"]', more: str = "") -> str:
    """corpus.toml of a corpus that asks one engine."""
    return (
        f'[corpus]\nname = "engines"\ncontact = "me@university.example"\n'
        f'[search]\nengines = ["{engine}"]\nvariants = {variants}\n{more}\n'
        f"[engines.{engine}]\n{settings or SECTIONS.get(engine, '')}\n"
    )


def corpus_of(folder: Path, text: str, *claims: str, english: tuple[str, ...] = ()) -> Corpus:
    """A corpus with cleaned claims."""
    corpus = Corpus.create(folder, text)
    with corpus.store.transaction() as writer:
        for number, raw in enumerate(claims):
            key = f"claim-{number}"
            writer.put([Claim(id=key, site="s", raw=raw, claim_date=CLAIM_DATE, english=english)])
            writer.put([CleanedClaim(id=key, raw=raw, text=raw)])
    return corpus


def search(corpus: Corpus, *, replay: bool = False, refresh: bool = False) -> list[Tally]:
    """query, search, hits."""
    return run(corpus, STAGES, Silent(), replay=replay, refresh=refresh)


def page_of(
    engine: Engine, question: Question, number: int = 1, before: SearchPage | None = None
) -> SearchPage:
    """One page of an engine, asked and stored as the stage would."""
    what = engine.request(question, number, before)
    assert what is not None
    answer = engine.ask(what)
    return SearchPage(
        id=f"page-{number}", engine=engine.NAME, question="q", text=question.text, start=question.start,
        end=question.end, page=number, request=what, status=answer.status, answer=answer.body,
        cost=answer.cost, asked_at="2019-03-20T12:00:00Z",
    )  # fmt: skip


def pages_of(engine: Engine, question: Question) -> list[SearchPage]:
    """All pages that an engine gives."""
    pages: list[SearchPage] = []
    while engine.request(question, len(pages) + 1, pages[-1] if pages else None) is not None:
        pages.append(page_of(engine, question, len(pages) + 1, pages[-1] if pages else None))
    return pages


def engine_of(folder: Path, name: str, settings: str = "") -> Engine:
    """An engine of a new corpus."""
    return make_engine(name, Corpus.create(folder / "engine", toml(name, settings)))


def held(corpus: Path) -> bytes:
    """All bytes of a corpus folder."""
    return b"".join(file.read_bytes() for file in sorted(corpus.rglob("*")) if file.is_file())
