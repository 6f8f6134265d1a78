"""collect: from a site's listings to its pages (acquisition), from pages to claims (derivation)."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.net.encoding import Undecodable
from dalil.records import Claim, Fetch
from dalil.stages import Drop, Reads, Request, Result, Unit
from dalil.state.store import Store
from dalil.state.warc import Response
from spiders.crawl.stage import CrawlStage
from spiders.pages import body_of, latest, page_request
from spiders.sites import Site, load_site
from spiders.ways import template


class CollectSettings(Settings):
    """`[sites]` of corpus.toml."""

    names: tuple[str, ...] = ()
    """which sites: names of data/sites/*.toml, or of sites/*.toml in the corpus folder"""
    max_listings: int = 100
    """pages of a listing that are followed, at most"""


class CollectPages(CrawlStage):
    """Walk the listings of each site, newest first, and get every page they link to."""

    NAME = "collect"
    WRITES = (Fetch,)

    def __init__(self, corpus: Corpus):
        super().__init__(corpus)
        self.settings = corpus.section("sites", CollectSettings)
        self.sites = {name: load_site(name, corpus.path) for name in self.settings.names}

    def requests(self, store: Store) -> Iterator[Request]:
        """The first listings of each site."""
        for name, site in self.sites.items():
            yield from (page_request(url, "listing", name) for url in site.start)

    def follows(self, request: Request, status: int | None, error: str | None) -> bool:
        """Listings lead on."""
        return request.what["purpose"] == "listing" and status == 200

    def follow(self, request: Request, fetch: Fetch, page: Response | None) -> Iterator[Request]:
        """The pages that a listing links to, and the next listing."""
        name, depth = request.context.site, request.context.depth
        if page is None:
            return
        try:
            html = page.content().decode("utf-8", "replace")
        except Undecodable:
            return
        pages, following = template.links(self.sites[name], fetch.final_url or fetch.url, html)
        yield from (page_request(url, "claim", name) for url in pages)
        if following is not None and depth + 1 < self.settings.max_listings:
            yield page_request(following, "listing", name, depth=depth + 1)


class ReadClaims:
    """Parse the pages of each site into claims, from the WARC: again when a definition changes."""

    NAME = "claims"
    VERSION = "1"
    WRITES = (Claim,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        settings = corpus.section("sites", CollectSettings)
        self.sites = {name: load_site(name, corpus.path) for name in settings.names}
        self.READS = Reads(config=("sites",))

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a page, by document id."""
        for fetch in latest(store, purpose="claim"):
            site = self.sites.get(fetch.site or "")
            if site is not None:
                yield Unit(
                    fetch.document_id,
                    (site, fetch),
                    digest=f"{fetch.content_hash} {fetch.status} {site.model_dump_json()}",
                )

    def work(self, inputs: tuple[Site, Fetch]) -> Result:
        """One page to its claim."""
        site, fetch = inputs
        if fetch.status != 200:
            return Result(drops=(Drop("http_status", str(fetch.status)),))
        found = template.read_claim(
            site, fetch.url, body_of(self.corpus, fetch).decode("utf-8", "replace"), fetch.id
        )
        return Result(records=(found,)) if isinstance(found, Claim) else Result(drops=(found,))
