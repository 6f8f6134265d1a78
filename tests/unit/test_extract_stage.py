"""extract as a stage: fetches in a WARC to articles and drops, once each."""

from __future__ import annotations

from pathlib import Path

from dalil.corpus import Corpus
from dalil.ids import digest, make_id
from dalil.progress import Reporter
from dalil.records import Article, Dropped, Fetch
from dalil.runner import run
from dalil.state.warc import WarcWriter
from dalil.text.urls import document_id

HTML = """<!DOCTYPE html><html lang="ar" dir="rtl">
<head><title>البلدية تعيد فتح الجسر القديم - أخبار النهر</title>
<meta property="article:published_time" content="2019-03-02T08:30:00+02:00"></head><body>
<nav><a href="/">الرئيسية</a><a href="/sport">رياضة</a></nav><article>
<h1>البلدية تعيد فتح الجسر القديم</h1>
<p>أعلنت بلدية مدينة المرجان صباح اليوم إعادة فتح الجسر القديم أمام السيارات بعد أشهر من الصيانة.</p>
<p>وقال رئيس البلدية إن المهندسين فحصوا الدعامات كلها وأثبتوا أن الجسر يحتمل حركة المرور المعتادة دون خطر.</p>
<p>وأضاف أن الشاحنات الثقيلة ستبقى ممنوعة من العبور حتى نهاية العام، وأن المخالفين سيدفعون غرامة كبيرة.</p>
</article></body></html>"""


def store_page(
    corpus: Corpus, url: str, body: bytes, *, status: int = 200, at: str = "2019-03-05T00:00:00Z"
) -> Fetch:
    headers = [("Content-Type", "text/html")]
    where = WarcWriter(corpus.warc, corpus.store).append(url, status, "x", headers, body)
    fetch = Fetch(
        id=make_id("fetch", url, at), fingerprint=url, document_id=document_id(url), url=url, final_url=url,
        purpose="article", status=status, content_hash=digest(body), fetched_at=at,
        warc_file=where.file, warc_offset=where.offset, warc_length=where.length,
    )  # fmt: skip
    with corpus.store.transaction() as writer:
        writer.put([fetch], stage="fetch", key=fetch.id)
    return fetch


def corpus_with(folder: Path, extra: str = "") -> Corpus:
    return Corpus.create(folder / "corpus", f'[corpus]\nname = "t"\n[extract]\nprocesses = 1\n{extra}')


def extract(corpus: Corpus) -> tuple[int, int]:
    with Reporter(quiet=True) as reporter:
        tally = run(corpus, ["retrieval.extract:Extract"], reporter)[0]
    return tally.worked, tally.unchanged


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
