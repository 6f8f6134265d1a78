"""One page of a site, got as the crawl gets all pages: robots.txt, pacing and guard included."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.net import wayback
from dalil.net.encoding import Undecodable
from dalil.progress import Silent
from dalil.records import Dropped, Fetch, Record
from dalil.runner import run
from dalil.stages import Request
from dalil.state.store import Store
from dalil.state.warc import Response
from spiders.crawl.stage import CrawlStage
from spiders.pages import Context, body_of, page_request

WANTED = "wanted.json"


class OnePage(CrawlStage):
    """Gets what `wanted.json` in the corpus folder names: a living page, or its latest capture."""

    NAME: ClassVar[str] = "onepage"
    WRITES: ClassVar[tuple[type[Record], ...]] = (Fetch,)

    def __init__(self, corpus: Corpus):
        super().__init__(corpus)
        found = json.loads((corpus.path / WANTED).read_text("utf-8"))
        self.url, self.archive = str(found["url"]), found["archive"]

    def requests(self, store: Store) -> Iterator[Request]:
        """The page, or the listing of its captures."""
        if self.archive is None:
            yield page_request(self.url, "claim")
            return
        listing = wayback.cdx_url(self.url, collapse="digest", base=self.archive)
        yield Request("wayback", {"url": listing, "purpose": "listing"}, context=Context())

    def follows(self, request: Request, status: int | None, error: str | None) -> bool:
        """The listing leads to a capture."""
        return request.what["purpose"] == "listing" and status == 200

    def follow(self, request: Request, fetch: Fetch, page: Response | None) -> Iterator[Request]:
        """The latest capture."""
        if page is None:
            return
        try:
            capture = wayback.nearest(
                wayback.read_cdx(page.content().decode("utf-8", "replace")).captures, None
            )
        except (DalilError, Undecodable):
            return  # an error page in the listing's place: no capture, which is what is reported
        if capture is not None:
            url = wayback.replay_url(capture.timestamp, capture.original, base=self.archive)
            what = {
                "url": url,
                "purpose": "claim",
                "original": capture.original,
                "timestamp": capture.timestamp,
            }
            yield Request("wayback", what, context=Context())


@dataclass(frozen=True)
class Got:
    """A page: its fetch and its bytes."""

    fetch: Fetch
    body: bytes


def get(url: str, contact: str | None, *, archive: str | None = None) -> Got:
    """Get one page. Raises DalilError where there is none, saying why."""
    with tempfile.TemporaryDirectory(prefix="dalil-page-") as place:
        folder = Path(place) / "corpus"
        line = f"contact = {json.dumps(contact)}\n" if contact else ""
        with Corpus.create(folder, f'[corpus]\nname = "page"\n{line}') as corpus:
            (folder / WANTED).write_text(json.dumps({"url": url, "archive": archive}), "utf-8")
            notes = run(corpus, ["spiders.onepage:OnePage"], Silent(), doing="sites check")[0].notes
            for fetch in corpus.store.all(Fetch, purpose="claim"):
                if fetch.status == 200 and fetch.warc_file is not None:
                    return Got(fetch, body_of(corpus, fetch))
                notes.append(f"HTTP {fetch.status}" if fetch.status else str(fetch.error))
            notes += [f"{drop.reason}: {drop.detail}" for drop in corpus.store.all(Dropped)]
    why = notes[0] if notes else ("the archive has no capture" if archive else "it did not answer")
    raise DalilError(f"no page: {why}", where=url, todo="try another address, or --archived")
