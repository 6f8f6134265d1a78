"""collect: from a site's listings to its pages (acquisition), from pages to claims (derivation)."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.records import Claim, Fetch
from dalil.stages import Drop, Reads, Request, Result, Unit
from dalil.state.store import Store
from spiders.pages import Downloader, body_of, latest, page_request
from spiders.sites import Site, load_site
from spiders.ways import template


class CollectSettings(Settings):
    """`[sites]` of corpus.toml."""

    names: tuple[str, ...] = ()
    """which sites: names of data/sites/*.toml, or of sites/*.toml in the corpus folder"""
    max_listings: int = 100


class CollectPages:
    """Walk the listings of each site, newest first, and get every page they link to."""

    NAME = "collect"
    WRITES = (Fetch,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.settings = corpus.section("sites", CollectSettings)
        self.sites = [load_site(name, corpus.path) for name in self.settings.names]
        self.downloader = Downloader(corpus)

    def requests(self, store: Store) -> Iterator[Request]:
        """Listings, and after each one the pages that it links to."""
        for site in self.sites:
            for start in site.start:
                url: str | None = start
                for _ in range(self.settings.max_listings):
                    if url is None:
                        break
                    listing = page_request(url, "listing", site.name)
                    yield listing
                    pages, url = self._read(store, site, listing)
                    yield from (page_request(page, "claim", site.name) for page in pages)

    def send(self, request: Request) -> Result:
        """Get one page."""
        return self.downloader.get(request)

    def _read(self, store: Store, site: Site, listing: Request) -> tuple[list[str], str | None]:
        fetch = next(latest(store, fingerprint=listing.fingerprint), None)
        if fetch is None or fetch.status != 200:
            return [], None
        return template.links(
            site, listing.what["url"], body_of(self.corpus, fetch).decode("utf-8", "replace")
        )


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
