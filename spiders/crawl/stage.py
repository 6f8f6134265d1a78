"""The base of every stage that gets pages: what it asks, and what a page leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dalil.corpus import Corpus
from dalil.records import Fetch, Record
from dalil.stages import Gathering, Request
from dalil.state.store import Store
from dalil.state.warc import Response
from spiders.crawl.settings import CrawlSettings, user_agent


class CrawlStage:
    """A stage whose requests are pages. A subclass says which (`requests`) and what they lead to (`follow`).

    It is made from a corpus twice: in the process that runs stages, and in the crawl process, which
    does the work. So `__init__` takes the corpus alone and asks nothing.
    """

    NAME: ClassVar[str]
    WRITES: ClassVar[tuple[type[Record], ...]] = (Fetch,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.crawl_settings = corpus.section("crawl", CrawlSettings)

    def requests(self, store: Store) -> Iterator[Request]:
        """The pages to begin with (`spiders.pages.page_request`), domains mixed where that can be."""
        raise NotImplementedError

    def follows(self, request: Request, status: int | None, error: str | None) -> bool:
        """Whether an answer of this status or error may lead to further requests."""
        return False

    def follow(self, request: Request, fetch: Fetch, page: Response | None) -> Iterator[Request]:
        """The requests that an answer leads to, in order: the same when it is read from the WARC."""
        return iter(())

    def gather(self, run: Gathering) -> None:
        """Crawl in a process of its own, or replay in this one."""
        if run.replay:
            from spiders.crawl.work import replay

            replay(self, run)
            return
        from spiders.crawl.parent import crawl
        from spiders.crawl.pending import answered

        if not run.refresh and (known := answered(self)) is not None:
            run.counts["unchanged"] = known
            return
        user_agent(self.corpus)  # refuse now, not in the child
        crawl(self, run)
