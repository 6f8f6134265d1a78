"""Which pages `dalil fetch` asks for, and where."""

from __future__ import annotations

from pathlib import Path

from crawling import TOML, corpus_of

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Claim, Document, Hit, Query
from dalil.text.urls import canonical_url, document_id, host
from spiders.articles import FetchArticles, first_claim_day


def hits(corpus: Corpus, *urls: str, marks: tuple[str, ...] = (), question: str = "q") -> None:
    rows = [
        Hit(
            id=make_id("hit", url, question), page_id="p", question=question, engine="e", rank=1, url=url,
            document_id=document_id(url), marks=marks,
        )
        for url in urls
    ]  # fmt: skip
    documents = [Document(id=document_id(url), url=canonical_url(url), host=host(url)) for url in urls]
    with corpus.store.transaction() as writer:
        writer.put_new(documents)
        writer.put(rows)


def asked(corpus: Corpus) -> list[str]:
    return sorted(request.what["url"] for request in FetchArticles(corpus).requests(corpus.store))


def test_variants_of_a_document_are_one_request_at_the_desktop_address(tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", (), TOML) as corpus:
        hits(corpus, "http://amp.a.org/1", "http://m.a.org/1", "http://www.a.org/1", "http://www.a.org/amp/1")
        hits(corpus, "http://a.org/2?amp=1", "http://a.org/2")
        hits(corpus, "http://m.a.org/3")
        assert asked(corpus) == ["http://a.org/2", "http://m.a.org/3", "http://www.a.org/1"]


def test_what_a_collection_holds_is_not_downloaded(tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", (), TOML) as corpus:
        hits(corpus, "http://a.org/1", marks=("texts:collection",))
        hits(corpus, "http://a.org/2")
        assert asked(corpus) == ["http://a.org/2"]


def test_the_first_day_of_the_claims_that_found_a_document(tmp_path: Path) -> None:
    with corpus_of(tmp_path / "c", (), TOML) as corpus:
        for name, claimed, reviewed in (
            ("x", "2019-05-01", None),
            ("y", None, "2018-03-02"),
            ("z", None, None),
        ):
            hits(corpus, "http://a.org/1", question=name)
            with corpus.store.transaction() as writer:
                writer.put([
                    Claim(id=name, site="s", raw=name, claim_date=claimed, review_date=reviewed),
                    Query(id=f"q{name}", claim_id=name, variants=("claim",), text=name, question=name),
                ])  # fmt: skip
        assert first_claim_day(corpus.store, document_id("http://a.org/1")) == "2018-03-02"
        assert first_claim_day(corpus.store, document_id("http://a.org/other")) is None
