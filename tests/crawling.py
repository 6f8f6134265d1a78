"""A stage whose pages are a list in a file, and running it in a forked crawl process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from forked import forked_crawls

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.progress import Silent
from dalil.records import Document, Dropped, Fetch, Hit
from dalil.runner import Tally, run
from dalil.stages import Request
from dalil.state import warc
from dalil.state.store import Store
from dalil.state.warc import Location, Response
from dalil.text.urls import canonical_url, document_id, host
from spiders.crawl.stage import CrawlStage
from spiders.pages import page_request

TOML = '[corpus]\nname = "crawl"\n'
STAGE = "crawling:Pages"
QUICK = "[crawl]\ntimeout = 1.0\nmax_megabytes = 1.0\n"


class Pages(CrawlStage):
    """Gets the urls in `urls.txt`, in order."""

    NAME = "fetch"

    def requests(self, store: Store) -> Iterator[Request]:
        for url in (self.corpus.path / "urls.txt").read_text("utf-8").split("\n"):
            if url:
                yield page_request(url, "article")


def corpus_of(folder: Path, urls: Iterable[str], toml: str = TOML) -> Corpus:
    """A corpus that wants these pages."""
    corpus = Corpus.create(folder, toml)
    want(corpus, urls)
    return corpus


def want(corpus: Corpus, urls: Iterable[str]) -> None:
    """Write down which pages are wanted."""
    (corpus.path / "urls.txt").write_text("\n".join(urls), "utf-8")


def add_documents(corpus: Corpus, urls: Iterable[str]) -> None:
    """Documents for urls."""
    rows = [Document(id=document_id(url), url=canonical_url(url), host=host(url)) for url in urls]
    with corpus.store.transaction() as writer:
        writer.put_new(rows)


def searched(corpus: Corpus, urls: Iterable[str]) -> None:
    """Documents and hits, as a search leaves them."""
    urls = list(urls)
    add_documents(corpus, urls)
    with corpus.store.transaction() as writer:
        writer.put(
            Hit(
                id=make_id("hit", url),
                page_id="p",
                question="q",
                engine="e",
                rank=1,
                url=url,
                document_id=document_id(url),
            )
            for url in urls
        )


def crawl(corpus: Corpus, stage: str = STAGE, *, refresh: bool = False, replay: bool = False) -> Tally:
    """Run a stage; its crawl process is forked."""
    with forked_crawls():
        return run(corpus, [stage], Silent(), refresh=refresh, replay=replay)[0]


def fetches(corpus: Corpus) -> dict[str, Fetch]:
    """Url → its fetch (the last one)."""
    rows = sorted(corpus.store.all(Fetch), key=lambda row: (row.fetched_at or "", row.id))
    return {row.url: row for row in rows}


def dropped(corpus: Corpus) -> dict[str, str]:
    """Detail up to the first colon that ends a url → reason."""
    return {(row.detail or "").partition(": ")[0]: row.reason for row in corpus.store.all(Dropped)}


def stored(corpus: Corpus, fetch: Fetch) -> Response:
    """The response of a fetch, from the WARC."""
    assert fetch.warc_file is not None
    assert fetch.warc_offset is not None
    assert fetch.warc_length is not None
    return warc.read(corpus.warc, Location(fetch.warc_file, fetch.warc_offset, fetch.warc_length))
