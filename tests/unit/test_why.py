"""dalil why: all that led to a pair, and everything that fell away beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import toycorpus
from click.testing import CliRunner

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import (
    Article,
    Claim,
    CleanedClaim,
    Copy,
    Document,
    Dropped,
    Hit,
    Pair,
    Query,
    SearchPage,
)
from retrieval.pair_commands import why as command
from retrieval.why import why

TITLE = "[/video] شاهد [red]: الحكومة ترفع الأسعار"


def drop(stage: str, key: str, reason: str) -> Dropped:
    return Dropped(id=f"drop-{stage}-{key}", stage=stage, key=key, reason=reason)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Two claims; of the first, one pair was kept and something was dropped at every stage."""
    made = toycorpus.make(tmp_path / "c")
    article = Article(
        id="article-1", document_id="document-1", url="http://a.example/1", title=TITLE, text="نص",
        content_hash="1",
    )  # fmt: skip
    with made, made.store.transaction() as writer:
        writer.put(
            [
                Claim(id="claim-1", site="s", raw="حقيقة رفع الأسعار"),
                CleanedClaim(id="claim-1", raw="حقيقة رفع الأسعار", text="الحكومة ترفع الأسعار"),
                Query(id="query-1", claim_id="claim-1", variants=("claim",), text="الأسعار", question="q1"),
                Query(id="query-2", claim_id="claim-2", variants=("claim",), text="غيره", question="q2"),
                SearchPage(
                    id="page-1", engine="toy", question="q1", text="الأسعار", request={}, answer="[]",
                    asked_at="2020-01-02T03:04:05Z",
                ),
                SearchPage(id="page-2", engine="toy", question="q2", text="غيره", request={}, answer="[]"),
                *(
                    Hit(
                        id=f"hit-{n}", page_id="page-1", question="q1", engine="toy", rank=n,
                        url=f"http://a.example/{n}", document_id=f"document-{n}",
                    )
                    for n in (1, 2)
                ),
                Document(id="document-2", url="http://a.example/2", host="a.example"),
                article,
                article.model_copy(update={"id": "article-3", "title": "نسخة"}),
                article.model_copy(update={"id": "article-4", "title": "مدونة"}),
                Copy(id="article-3", of="article-1", why="content", similarity=1.0),
                Pair(
                    id="pair-abc", claim_id="claim-1", article_id="article-1", rank=1, score=0.5,
                    hits=("hit-1",), marks=("fact_checker",), ranker="tfidf",
                ),
                Pair(id="pair-abd", claim_id="claim-2", article_id="article-1", rank=1, score=0, ranker="x"),
                drop("query", "claim-1 claim+date", "no_query:undated"),
                drop("hits", "page-1 hit-9", "outside_window"),
                drop("fetch", "document-2", "timed_out"),
                drop("adopt", "document-2 odd id", "no_text"),
                drop("pair", "claim-1 article-4", "unlisted_outlet"),
                drop("hits", "page-2 hit-8", "outside_window"),
                drop("pair", "claim-2 article-4", "unlisted_outlet"),
                drop("extract", "document-7", "empty"),
            ]
        )  # fmt: skip
    with Corpus.open(made.path, writable=False) as opened:
        yield opened


def test_what_found_a_pair_and_when(corpus: Corpus) -> None:
    (found,) = why(corpus, "pair-abc").found_by
    assert (found.engine, found.rank, found.variants, found.window, found.asked_at) == (
        "toy",
        1,
        ["claim"],
        "any time",
        "2020-01-02T03:04:05Z",
    )


def test_all_that_was_dropped_beside_it_and_nothing_of_another_claim(corpus: Corpus) -> None:
    dropped = {(row["stage"], row["reason"], row["title"]) for row in why(corpus, "abc").dropped}
    assert dropped == {
        ("query", "no_query:undated", None),
        ("hits", "outside_window", None),
        ("fetch", "timed_out", "http://a.example/2"),
        ("adopt", "no_text", "http://a.example/2"),
        ("pair", "unlisted_outlet", "مدونة"),
    }


def test_copies_are_listed(corpus: Corpus) -> None:
    assert [(copy["article"], copy["why"]) for copy in why(corpus, "abc").copies] == [
        ("article-3", "content")
    ]


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_titles_print_as_they_are_whatever_signs_they_have(corpus: Corpus, form: list[str]) -> None:
    result = CliRunner().invoke(command, [*form, "pair-abc", str(corpus.path)])
    assert result.exit_code == 0, result.output
    assert TITLE in result.output
    if form:
        assert json.loads(result.output)["article"]["title"] == TITLE


@pytest.mark.parametrize(
    ("key", "number"), [("", 2), ("pair-ab", 2), ("%", 0), ("_", 0), ("claim-1", 0), ("[/b]", 0), ("\x00", 0)]
)
def test_an_id_that_is_none_or_many_is_said(corpus: Corpus, key: str, number: int) -> None:
    with pytest.raises(UsageError, match=f"{number} pairs begin with"):
        why(corpus, key)


def test_why_a_pair_has_no_label(corpus: Corpus) -> None:
    with Corpus.open(corpus.path) as opened, opened.store.transaction() as writer:
        writer.put([drop("gold", "pair-abc", "tie"), drop("gold", "pair-abd", "tie")])
    assert [row["reason"] for row in why(corpus, "abc").dropped if row["stage"] == "gold"] == ["tie"]


@pytest.mark.parametrize(
    ("of", "said"),
    [("q1", ("الأسعار", "2020-01-01 … 2020-03-01")), ("q9", ("", "–"))],
    ids=["its own answer", "an answer shared with another question"],
)
def test_what_is_asked_no_more_is_told_from_its_answer(
    corpus: Corpus, of: str, said: tuple[str, str]
) -> None:
    page = corpus.store.get(SearchPage, "page-1")
    assert page is not None
    window = {"question": of, "start": "2020-01-01", "end": "2020-03-01"}
    with Corpus.open(corpus.path) as opened, opened.store.transaction() as writer:
        writer.delete(Query, ["query-1"])
        writer.put([page.model_copy(update=window)])
    [found] = why(corpus, "pair-abc").found_by
    assert (found.variants, (found.query, found.window)) == ([], said)
