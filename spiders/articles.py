"""fetch: from documents to their pages in the WARC; dead links from the Wayback Machine."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.net import wayback
from dalil.net.encoding import Undecodable
from dalil.net.local import plays
from dalil.records import Claim, Document, Fetch, Hit, Query
from dalil.stages import Request
from dalil.state.store import Store
from dalil.state.warc import Response
from spiders.crawl.answers import DEAD_STATUS
from spiders.crawl.stage import CrawlStage
from spiders.pages import Context, page_request

PASSED_OVER = frozenset(("texts:collection", "older_answer"))
"""marks of hits whose pages are not wanted: their text is stored, or they count no more"""


class FetchSettings(Settings):
    """`[fetch]` of corpus.toml."""

    archive: str = wayback.ARCHIVE
    """where dead links are looked up; empty: nowhere"""


class FetchArticles(CrawlStage):
    """Get every document on the web that a search found, older answers apart.

    A page that is gone (404, 410, or a host without an address) is looked up in the Wayback
    Machine: of its captures the one nearest to the earliest date of the claims whose hits include
    it. What blocks (403, 429, a challenge) is not gone, and is not got round.
    """

    NAME = "fetch"
    WRITES = (Fetch,)

    def __init__(self, corpus: Corpus):
        super().__init__(corpus)
        self.archive = corpus.section("fetch", FetchSettings).archive.rstrip("/")

    def requests(self, store: Store) -> Iterator[Request]:
        """One request a document, in the order of ids, at one address: rather not the AMP or mobile one."""
        address: dict[str, str] = {}
        for hit in store.all(Hit):
            if hit.url.startswith(("http://", "https://")) and PASSED_OVER.isdisjoint(hit.marks):
                address[hit.document_id] = min(hit.url, address.get(hit.document_id, hit.url), key=_plainness)
        for key in sorted(store.ids(Document)):
            if key in address:
                yield page_request(address[key], "article", document=key)

    def follows(self, request: Request, status: int | None, error: str | None) -> bool:
        """Pages that are gone lead to the archive, its listings to a capture."""
        if request.service == "wayback":
            return request.what["purpose"] == "listing" and status == 200
        url = request.what["url"]
        if not self.archive or (plays(url) and not plays(self.archive)):
            return False
        return status in DEAD_STATUS or error == "no_such_host"

    def follow(self, request: Request, fetch: Fetch, page: Response | None) -> Iterator[Request]:
        """The listing of captures of a page that is gone; the capture that is nearest in time."""
        if request.service != "wayback":
            url = request.what["url"]
            listing = wayback.cdx_url(
                url, filters=("statuscode:200",), collapse="timestamp:8", base=self.archive
            )
            what = {"url": listing, "purpose": "listing", "captures_of": url, "document": fetch.document_id}
            yield Request("wayback", what, context=Context())
            return
        capture = self._nearest(request, page)
        if capture is not None:
            url = wayback.replay_url(capture.timestamp, capture.original, base=self.archive)
            what = {
                "url": url,
                "purpose": "article",
                "original": request.what["captures_of"],
                "timestamp": capture.timestamp,
            }
            yield Request("wayback", what, context=Context())

    def _nearest(self, request: Request, page: Response | None) -> wayback.Capture | None:
        if page is None:
            return None
        try:
            found = wayback.read_cdx(page.content().decode("utf-8", "replace"))
        except (DalilError, Undecodable):
            return None  # the archive's error page: the link stays dead, with its 404 as reason
        return wayback.nearest(found.captures, first_claim_day(self.corpus.store, request.what["document"]))


def _plainness(url: str) -> tuple[bool, str]:
    """Orders the addresses of one document: desktop pages first, then by letters."""
    parts = urlsplit(url)
    variant = (parts.hostname or "").partition(".")[0] in ("m", "mobile", "amp")
    pieces = (*parts.path.lower().split("/"), *parts.query.lower().replace("=", "&").split("&"))
    return variant or "amp" in pieces, url


def first_claim_day(store: Store, document: str) -> str | None:
    """The earliest date among the claims whose hits include a document; None where none has a date."""
    questions = {hit.question for hit in store.all(Hit, document_id=document)}
    if not questions:
        return None
    claims = {query.claim_id for query in store.all(Query, question=sorted(questions))}
    days = [claim.claim_date or claim.review_date for claim in store.all(Claim, id=sorted(claims))]
    return min((day for day in days if day), default=None)
