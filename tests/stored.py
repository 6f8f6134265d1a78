"""A corpus with pages in its WARC, as fetching leaves it."""

from __future__ import annotations

from pathlib import Path

from dalil.corpus import Corpus
from dalil.ids import digest, make_id
from dalil.progress import Reporter
from dalil.records import Fetch
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
