"""An import that is taken back, a file that comes in twice, claims that are given as articles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.formats.commands import import_
from dalil.records import (
    Annotation,
    Article,
    Assignment,
    Claim,
    ClaimEdit,
    Document,
    Gold,
    Hit,
    Pair,
    Query,
    Record,
)
from dalil.records.judging import IMPORTED

CLAIMS = "id,raw,verdict,body\n1,الحكومة ترفع الأسعار,زائف,نص\n2,الوزير يستقيل,زائف,نص\n"
MENDED = "id,raw,verdict,body\na,الحكومة تَرفع الأسعار,زائف,نص\nb,مدرسة تغلق أبوابها,زائف,نص\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.create(tmp_path / "c", "") as made:
        yield made


def call(*arguments: object) -> Result:
    result = CliRunner().invoke(import_, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def raws(corpus: Corpus) -> set[str]:
    return {claim.raw for claim in corpus.store.all(Claim)}


def test_words_that_are_there_under_another_id_are_told(corpus: Corpus, tmp_path: Path) -> None:
    first, second = written(tmp_path / "1.csv", CLAIMS), written(tmp_path / "2.csv", MENDED)
    assert "words of one" not in call("claims", first, corpus.path).output
    told = call("claims", second, corpus.path).output  # a vowel mark more is the same word
    assert "1 new claim has the words of one that was there, with another id, url or site" in told
    assert "dalil import claims --undo FILE CORPUS" in told
    assert "words of one" not in call("claims", second, corpus.path).output
    report = json.loads(call("claims", "--json", first, corpus.path).output)
    assert report["same_words"] == {}


def test_an_import_of_claims_is_taken_back(corpus: Corpus, tmp_path: Path) -> None:
    first, second = written(tmp_path / "1.csv", CLAIMS), written(tmp_path / "2.csv", MENDED)
    call("claims", first, corpus.path)
    before = sorted(corpus.store.all(Claim), key=lambda one: one.id)
    call("claims", second, corpus.path)
    second.unlink()  # it is known by its name
    assert "claims: 2 taken back" in call("claims", "--undo", second, corpus.path).output
    assert sorted(corpus.store.all(Claim), key=lambda one: one.id) == before
    with pytest.raises(InputError, match="no claim came from this file"):
        call("claims", "--undo", second, corpus.path)


HELD: dict[str, Any] = {
    "assigned": Assignment(id="x", pair_id="p", annotator="a", round="main"),
    "judged": Annotation(id="x", pair_id="p", annotator="a", round="main", scheme="arastance", label="agree"),
    "labelled": Gold(id="p", label="agree", how=IMPORTED),
    "edited": ClaimEdit(id="x", claim_id="", before="", after="نص", editor="E", number=1),
    "results": Query(id="x", claim_id="", variants=("claim",), text="نص", question="q"),
}


@pytest.mark.parametrize("why", HELD)
def test_what_work_rests_on_stays(corpus: Corpus, tmp_path: Path, why: str) -> None:
    file = written(tmp_path / "1.csv", CLAIMS)
    call("claims", file, corpus.path)
    kept = min(corpus.store.ids(Claim))
    record: Record = HELD[why]
    if "claim_id" in type(record).model_fields:
        record = record.model_copy(update={"claim_id": kept})
    with corpus.store.transaction() as writer:
        writer.put([Pair(id="p", claim_id=kept, article_id="a", rank=1, score=0.0), record])
        if why in ("edited", "results"):
            writer.delete(Pair, ["p"])
    output = call("claims", "--undo", file, corpus.path).output
    assert "claims: 1 taken back" in output
    assert "1 of the claims stays: people judged or edited it, or are to judge, or labels or" in output
    assert f"({kept})" in output
    assert corpus.store.ids(Claim) == {kept}


def test_what_a_site_brought_stays(corpus: Corpus, tmp_path: Path) -> None:
    collected = Claim(id="claim-site", site="s", raw="ادعاء", origin="1.csv:2")
    with corpus.store.transaction() as writer:
        writer.put([collected], stage="claims", key="page")
    call("claims", written(tmp_path / "1.csv", CLAIMS), corpus.path)
    call("claims", "--undo", tmp_path / "1.csv", corpus.path)
    assert corpus.store.ids(Claim) == {"claim-site"}


def test_two_files_of_one_name_are_told_apart(corpus: Corpus, tmp_path: Path) -> None:
    first, second = written(tmp_path / "a" / "1.csv", CLAIMS), written(tmp_path / "b" / "1.csv", MENDED)
    call("claims", first, corpus.path)
    call("claims", second, corpus.path)
    with pytest.raises(InputError, match="several files of this name"):
        call("claims", "--undo", "1.csv", corpus.path)
    call("claims", "--undo", first, corpus.path)
    assert "مدرسة تغلق أبوابها" in raws(corpus)
    assert len(raws(corpus)) == 2
    call("claims", "--undo", "1.csv", corpus.path)
    assert raws(corpus) == set()


def test_an_import_of_articles_is_taken_back(corpus: Corpus, tmp_path: Path) -> None:
    mine = written(tmp_path / "n.csv", "text,url\nنص أول,https://a.example/1\nنص ثان,https://a.example/2\n")
    other = written(tmp_path / "o.csv", "text,url\nنص آخر,https://a.example/1\n")
    call("articles", other, corpus.path)
    (there,) = corpus.store.all(Article)
    with pytest.raises(InputError, match="none of its articles is here"):
        call("articles", "--undo", mine, corpus.path)
    call("articles", mine, corpus.path)
    judged = next(one for one in corpus.store.all(Article) if one.text == "نص ثان")
    with corpus.store.transaction() as writer:
        writer.put([Pair(id="p", claim_id="c", article_id=judged.id, rank=1, score=0.0), HELD["judged"]])
    output = call("articles", "--undo", mine, corpus.path).output
    assert "articles: 1 taken back" in output
    assert "1 of the articles stays" in output
    assert corpus.store.ids(Article) == {there.id, judged.id}
    assert corpus.store.ids(Document) == {there.document_id, judged.document_id}


def test_a_document_that_was_found_stays(corpus: Corpus, tmp_path: Path) -> None:
    mine = written(tmp_path / "n.csv", "text,url\nنص أول,https://a.example/1\nنص ثان,https://a.example/2\n")
    call("articles", mine, corpus.path)
    found = min(corpus.store.ids(Document))
    hit = Hit(
        id="h", page_id="p", question="q", engine="e", rank=1, url="https://a.example", document_id=found
    )
    with corpus.store.transaction() as writer:
        writer.put([hit])
    call("articles", "--undo", mine, corpus.path)
    assert corpus.store.count(Article) == 0
    assert corpus.store.ids(Document) == {found}


def test_taking_back_brings_nothing_in(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--undo brings nothing in"):
        call("claims", "--undo", "--fill", tmp_path / "1.csv", corpus.path)


def test_claims_are_no_articles(corpus: Corpus, tmp_path: Path) -> None:
    header = written(
        tmp_path / "1.csv", CLAIMS.replace("id,", "url,").replace("\n1,", "\nhttps://a.example/1,")
    )
    with pytest.raises(InputError, match="this looks like a file of claims: it has raw and verdict") as error:
        call("articles", header, corpus.path)
    assert "dalil import claims FILE CORPUS" in error.value.line()
    row = {"raw": "ادعاء", "verdict": "زائف", "body": "نص", "id": "1"}
    lines = written(tmp_path / "1.jsonl", json.dumps(row, ensure_ascii=False) + "\n")
    with pytest.raises(InputError, match="looks like a claim, with raw and verdict"):
        call("articles", lines, corpus.path)
    assert corpus.store.count(Article) == 0


@pytest.mark.parametrize("field", ["published", "date", "outlet", "source", "author"])
def test_what_is_clearly_an_article_may_name_a_claim(corpus: Corpus, tmp_path: Path, field: str) -> None:
    file = written(
        tmp_path / "1.csv", f"url,claim,verdict,text,{field}\nhttps://a.example/1,ادعاء,زائف,نص,2019\n"
    )
    call("articles", file, corpus.path)
    assert corpus.store.count(Article) == 1
