"""Downloading a page into the corpus's WARC."""

from __future__ import annotations

from collections.abc import Iterator

import requests

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.ids import digest, make_id
from dalil.net.local import plays, proxy_for
from dalil.records import Fetch, utc_now
from dalil.stages import Request, Result, Transient
from dalil.state import warc
from dalil.state.store import Store
from dalil.state.warc import Location, WarcWriter
from dalil.text.urls import document_id

SECONDS = 20
RETRY = 3600.0


def page_request(url: str, purpose: str, site: str | None = None) -> Request:
    """The request for a page. Its identity is the url and what it is wanted for."""
    return Request("web", {"url": url, "purpose": purpose}, context=site)


class Downloader:
    """Gets pages and keeps them: raw bytes to the WARC, a Fetch record to the store."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.writer = WarcWriter(corpus.warc, corpus.store)
        self.session = requests.Session()
        self.session.trust_env = False

    def get(self, request: Request) -> Result:
        """One attempt. Raises Transient when the host cannot be reached or is busy."""
        url = request.what["url"]
        if not plays(url):
            raise UsageError(
                f"live sites are not crawled yet: {url}", todo="use dalil import, or the demo's server"
            )
        proxy = proxy_for(url)
        try:
            answer = self.session.get(
                url,
                timeout=SECONDS,
                proxies={"http": proxy} if proxy else {},
                stream=True,
                headers={"Accept-Encoding": "identity"},
            )
            body = answer.raw.read(decode_content=False)
        except requests.RequestException as error:
            raise Transient(f"{url}: {type(error).__name__}", seconds=RETRY) from error
        if answer.status_code == 429 or answer.status_code >= 500:
            raise Transient(f"{url}: HTTP {answer.status_code}", seconds=RETRY)
        where = self.writer.append(url, answer.status_code, answer.reason, list(answer.headers.items()), body)
        return Result(records=(self._fetch(request, answer, body, where),))

    def _fetch(self, request: Request, answer: requests.Response, body: bytes, where: Location) -> Fetch:
        url = request.what["url"]
        attempt = self.corpus.store.count(Fetch, fingerprint=request.fingerprint) + 1
        return Fetch(
            id=make_id("fetch", request.fingerprint, str(attempt)),
            fingerprint=request.fingerprint,
            document_id=document_id(url),
            url=url,
            final_url=answer.url,
            redirects=tuple(step.url for step in answer.history),
            purpose=request.what["purpose"],
            site=request.context,
            status=answer.status_code,
            content_type=answer.headers.get("Content-Type"),
            content_hash=digest(body),
            fetched_at=utc_now(),
            warc_file=where.file,
            warc_offset=where.offset,
            warc_length=where.length,
        )


def latest(store: Store, **where: str) -> Iterator[Fetch]:
    """The last stored attempt for each request, with a body."""
    newest: dict[str, Fetch] = {}
    for fetch in store.all(Fetch, **where):
        known = newest.get(fetch.fingerprint)
        if fetch.warc_file and (known is None or (fetch.fetched_at or "") >= (known.fetched_at or "")):
            newest[fetch.fingerprint] = fetch
    yield from newest.values()


def body_of(corpus: Corpus, fetch: Fetch) -> bytes:
    """The bytes of a fetch, from the WARC."""
    if fetch.warc_file is None or fetch.warc_offset is None or fetch.warc_length is None:
        return b""
    return warc.read(corpus.warc, Location(fetch.warc_file, fetch.warc_offset, fetch.warc_length)).body
