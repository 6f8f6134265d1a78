"""extract as a stage: fetches in a WARC to articles and drops, once each."""

from __future__ import annotations

from pathlib import Path

from stored import HTML, corpus_with, extract, store_page

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Article, Dropped


def test_articles_and_drops_come_out_once_and_a_second_run_reads_nothing_again(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        fetch = store_page(corpus, "http://nahr.example/a", HTML.encode())
        store_page(corpus, "http://nahr.example/b", b"<html><body></body></html>")
        assert extract(corpus) == (2, 0)

        article = next(corpus.store.all(Article))
        assert article.title == "البلدية تعيد فتح الجسر القديم"
        assert article.text.startswith("أعلنت بلدية")
        assert (article.published, article.published_from) == ("2019-03-02", "meta")
        assert (article.outlet, article.language, article.fetch_id) == ("nahr.example", "ar", fetch.id)
        assert article.id == make_id("article", article.document_id, article.content_hash)
        assert [(drop.stage, drop.reason) for drop in corpus.store.all(Dropped)] == [("extract", "empty")]

        (corpus.warc / fetch.warc_file).unlink()  # type: ignore[operator]
        assert extract(corpus) == (0, 2)


def test_the_last_good_fetch_of_a_document_counts(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        url = "http://nahr.example/a"
        newer = HTML.replace("الجسر القديم", "الجسر الجديد").encode()
        store_page(corpus, url, newer, at="2019-03-06T00:00:00Z")
        store_page(corpus, url, HTML.encode(), at="2019-03-05T00:00:00Z")
        store_page(corpus, url, b"<html><body>gone</body></html>", status=404, at="2019-03-07T00:00:00Z")
        assert extract(corpus) == (1, 0)
        assert [article.title for article in corpus.store.all(Article)] == ["البلدية تعيد فتح الجسر الجديد"]


def test_what_only_decides_how_fast_does_not_extract_again(tmp_path: Path) -> None:
    with corpus_with(tmp_path) as corpus:
        store_page(corpus, "http://nahr.example/a", HTML.encode())
        assert extract(corpus) == (1, 0)
    toml = tmp_path / "corpus" / "corpus.toml"
    toml.write_text(toml.read_text().replace("processes = 1", "processes = 2"))
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert extract(corpus) == (0, 1)
    toml.write_text(toml.read_text() + "min_chars = 5000\n")
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert extract(corpus) == (1, 0)
        assert [drop.reason for drop in corpus.store.all(Dropped)] == ["too_short"]


def test_a_page_that_the_warc_does_not_give_back_costs_itself_alone_and_comes_with_the_file(
    tmp_path: Path,
) -> None:
    with corpus_with(tmp_path) as corpus:
        store_page(corpus, "http://nahr.example/a", HTML.encode())
        lost = store_page(corpus, "http://nahr.example/b", HTML.encode())
        path = corpus.warc / str(lost.warc_file)
        whole = path.read_bytes()
        path.write_bytes(whole[: lost.warc_offset] + b"\0" * int(lost.warc_length or 0))
        assert extract(corpus) == (2, 0)
        assert corpus.store.count(Article) == 1
        assert [(drop.key, drop.reason) for drop in corpus.store.all(Dropped)] == [
            (lost.document_id, "unreadable_page")
        ]
        path.write_bytes(whole)
        assert extract(corpus) == (1, 1)
        assert corpus.store.count(Article) == 2
        assert corpus.store.count(Dropped) == 0
