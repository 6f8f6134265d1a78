"""Rehydrating from the web: texts come back through the ordinary stages, and what does not is named."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from annotation.dataset.rehydrate import rehydrate
from annotation.release import ReleaseSettings
from annotation.release.write import write_release
from dalil.cli.table import STAGES, TABLE
from dalil.corpus import Corpus
from dalil.demo.content import articles
from dalil.demo.walk import played
from dalil.errors import UsageError
from dalil.progress import Silent
from dalil.records import Article, Claim, Document, Gold, Hit, Pair
from dalil.runner import run
from dalil.text.urls import document_id, host

TOML = '[corpus]\nname = "toy"\ncontact = "tests@haqiqa.example"\n'


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release without texts of six demo articles, two of which have since changed or gone."""
    folder = tmp_path_factory.mktemp("rehydrate")
    urls = [article.url for article in articles() if article.kind == "plain"][:12:2]
    with Corpus.create(folder / "corpus", TOML) as corpus, played():
        with corpus.store.transaction() as writer:
            writer.put(record for url in urls for record in _hit(url))
        run(corpus, [STAGES[name] for name in TABLE["fetch"].stages], Silent(), doing="test")
        found = {article.document_id: article for article in corpus.store.all(Article)}
        assert len(found) == len(urls)
        changed, gone = found[document_id(urls[1])], found[document_id(urls[4])]
        with corpus.store.transaction() as writer:
            writer.put([changed.model_copy(update={"text": changed.text + " كما كان"})])
            writer.put(
                [
                    gone.model_copy(
                        update={"url": urls[4].replace("://", "://gone-"), "text": "نص لم يعد هناك"}
                    )
                ]
            )
            writer.put(
                record
                for number, url in enumerate(urls)
                for record in _judged(number, found[document_id(url)])
            )
        settings = ReleaseSettings(texts=False, apart=("claim",), shares={"train": 0.5, "test": 0.5})
        write_release(corpus, folder / "release", settings)
    return folder / "release"


def _hit(url: str) -> tuple[Document, Hit]:
    key = document_id(url)
    hit = Hit(
        id=f"hit-{key}", page_id="p", question="q", engine="collection", rank=1, url=url, document_id=key
    )
    return Document(id=key, url=url, host=host(url)), hit


def _judged(number: int, article: Article) -> tuple[Claim, Pair, Gold]:
    key = f"pair-{number}"
    claim = Claim(id=f"claim-{number // 2}", site="haqiqa", raw=f"ادعاء {number // 2}", veracity="false")
    return (
        claim,
        Pair(id=key, claim_id=claim.id, article_id=article.id, rank=1, score=1.0),
        Gold(id=key, label="agree", how="unanimous"),
    )


def rows(folder: Path) -> dict[str, dict[str, object]]:
    lines = (folder / "pairs.jsonl").read_text("utf-8").split("\n")
    return {row["id"]: row for row in map(json.loads, filter(None, lines))}


def test_texts_come_back_and_the_rest_is_named(bare: Path, tmp_path: Path) -> None:
    with played():
        report = rehydrate(bare, tmp_path / "full", archive=False, reporter=Silent())
    assert report["texts"] == {"same": 4, "changed": 1, "missing": 1}
    filled = rows(tmp_path / "full")
    assert [filled[f"pair-{n}"]["text_state"] for n in range(6)] == [
        "same",
        "changed",
        "same",
        "same",
        "missing",
        "same",
    ]
    assert filled["pair-0"]["article"]
    assert "كما كان" not in str(filled["pair-1"]["article"])
    with (tmp_path / "full" / "missing.csv").open(encoding="utf-8-sig", newline="") as file:
        missing = list(csv.DictReader(file))
    assert [row["id"] for row in missing] == ["pair-4"]
    assert missing[0]["reason"] == "http_404"
    assert report["missing"] == {"http_404": 1}


def test_what_is_gone_is_asked_of_the_archive_in_its_raw_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toyrelease import text, toy

    with toy(tmp_path / "corpus", 6) as corpus:
        write_release(corpus, tmp_path / "bare", ReleaseSettings(texts=False, apart=("claim",)))
    asked: dict[str, set[str]] = {}

    def answer(corpus: Corpus, *args: object, **kwargs: object) -> None:
        hits = list(corpus.store.all(Hit))
        asked[corpus.path.name] = {hit.url for hit in hits}
        if corpus.path.name == "archive":  # the live web has nothing any more, the archive every third page
            numbers = {hit.document_id: int(hit.url.rsplit("/", 1)[1]) for hit in hits}
            with corpus.store.transaction() as writer:
                writer.put(
                    Article(
                        id=f"a{number}",
                        document_id=key,
                        text=text(number),
                        title="عنوان",
                        content_hash=str(number),
                    )
                    for key, number in numbers.items()
                    if number % 3 == 0
                )

    monkeypatch.setattr("annotation.dataset.rehydrate.run", answer)
    report = rehydrate(tmp_path / "bare", tmp_path / "full", contact="me@haqiqa.example", reporter=Silent())
    numbers = [number * 10 + place for number in range(5) for place in range(4) if (number, place) != (0, 1)]
    had = sum(number % 3 == 0 for number in numbers)
    assert report["texts"] == {"same": had, "changed": 0, "missing": len(numbers) - had}
    assert report["missing"] == {"not_fetched": len(numbers) - had}
    assert report["sources"] == {"archive": had}
    assert asked["pages"] == {f"https://nahr.example/2018/{number}" for number in numbers}
    assert asked["archive"] == {
        f"http://web.archive.org/web/20240506080000id_/https://nahr.example/2018/{number}"
        for number in numbers
    }


def test_run_again_it_asks_for_nothing_that_was_had(bare: Path, tmp_path: Path) -> None:
    from dalil.demo.server import DemoServer
    from dalil.net.local import VARIABLE

    with pytest.MonkeyPatch.context() as patch, DemoServer() as server:
        patch.setenv(VARIABLE, server.address)
        first = rehydrate(bare, tmp_path / "full", archive=False, reporter=Silent())
        asked = len([url for url in server.requests if "robots" not in url])
        again = rehydrate(bare, tmp_path / "full", archive=False, reporter=Silent())
        assert again == first
        assert len([url for url in server.requests if "robots" not in url]) == asked


def test_strangers_servers_are_not_asked_without_a_contact(bare: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give --contact"):
        rehydrate(bare, tmp_path / "full", archive=False, reporter=Silent())


def test_a_folder_with_something_else_is_left_alone(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="not empty"):
        rehydrate(bare, tmp_path, offline=True)
