"""fetch: from documents to their pages in the WARC."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.records import Document, Fetch, Hit
from dalil.stages import Request, Result
from dalil.state.store import Store
from spiders.pages import Downloader, page_request


class FetchSettings(Settings):
    """`[fetch]` of corpus.toml."""


class FetchArticles:
    """Get every document on the web that a search found."""

    NAME = "fetch"
    WRITES = (Fetch,)

    def __init__(self, corpus: Corpus):
        self.downloader = Downloader(corpus)

    def requests(self, store: Store) -> Iterator[Request]:
        """One request a document, in the order of ids, at the first address that an engine gave for it."""
        address: dict[str, str] = {}
        for hit in store.all(Hit):
            if hit.url.startswith(("http://", "https://")) and "texts:collection" not in hit.marks:
                address[hit.document_id] = min(hit.url, address.get(hit.document_id, hit.url))
        for document in store.all(Document):
            if document.id in address:
                yield page_request(address[document.id], "article")

    def send(self, request: Request) -> Result:
        """Get one page."""
        return self.downloader.get(request)
