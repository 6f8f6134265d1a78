"""collect: from a site's listings to its pages (acquisition), from pages to claims (derivation)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.ids import value_hash
from dalil.net.encoding import Undecodable
from dalil.parallel import over_processes, result_of
from dalil.records import Claim, Fetch, Headline, Record
from dalil.stages import Reads, Request, Result, Unit
from dalil.state.store import Store
from dalil.state.warc import Response
from spiders import reading, walks
from spiders.crawl.stage import CrawlStage
from spiders.pages import latest, page_request
from spiders.reading import Job, read_page
from spiders.resolve import answers, asked_by
from spiders.sites import CollectSettings, Site, sites_of
from spiders.ways import archive, refuse, template, wordpress

ONLY = "DALIL_ONLY_SITES"
"""environment variable with comma-separated names: only these are walked (`dalil collect --site`)"""


class CollectPages(CrawlStage):
    """Walk the listings of each site, newest first, and get every page they link to."""

    NAME: ClassVar[str] = "collect"
    WRITES: ClassVar[tuple[type[Record], ...]] = (Fetch,)

    def __init__(self, corpus: Corpus):
        super().__init__(corpus)
        self.settings = corpus.section("sites", CollectSettings)
        self.sites = sites_of(corpus)
        self._known: dict[str, set[str]] = {}

    def requests(self, store: Store) -> Iterator[Request]:
        """The first listings of each site, in turn: sites are asked side by side."""
        turns = [self._starts(store, site) for site in self._asked()]
        while turns:
            for turn in list(turns):
                request = next(turn, None)
                if request is None:
                    turns.remove(turn)
                else:
                    yield request

    def follows(self, request: Request, status: int | None, error: str | None) -> bool:
        """Listings lead on; one that WordPress does not answer leads to the next rung."""
        if request.what["purpose"] != "listing":
            return False
        site = self.sites.get(request.context.site)
        return status == 200 or (site is not None and site.way == "wordpress" and status is not None)

    def follow(self, request: Request, fetch: Fetch, page: Response | None) -> Iterator[Request]:
        """The pages that a listing links to, and the next listing."""
        site, depth = self.sites[request.context.site], request.context.depth
        if page is None:
            return
        try:
            html = page.content().decode("utf-8", "replace")
        except Undecodable:
            return
        if request.service == "wayback":
            more = list(archive.follow(site, html, depth))
        else:
            more = list(self._listed(site, request, fetch, html))
        pages = [each for each in more if each.what["purpose"] == "claim"]
        yield from pages
        if depth + 1 < self.settings.max_listings and not self._all_known(request, site, pages):
            yield from (each for each in more if each.what["purpose"] == "listing")

    def _listed(self, site: Site, request: Request, fetch: Fetch, html: str) -> Iterator[Request]:
        url = fetch.final_url or fetch.url
        is_page = site.way != "wordpress" or not wordpress.is_data(site, request.what["url"])
        if is_page and refuse.refused_listing(site, url, html, fetch) is not None:
            return
        if site.way == "wordpress":
            step = wordpress.follow(site, request.what["url"], fetch.status, html)
            pages, listings = list(step.pages), list(step.listings)
        else:
            pages, following = template.links(site, url, html)
            listings = [following] if following else []
        yield from (page_request(each, "claim", site.name) for each in pages)
        walk = request.what.get("walk")
        for each in listings:
            yield walks.listing(each, site.name, walk, depth=request.context.depth + 1)

    def _all_known(self, request: Request, site: Site, pages: list[Request]) -> bool:
        """Whether a later walk has come to what was known before it began."""
        walk = request.what.get("walk")
        if walk is None:
            return False
        if site.name not in self._known:
            self._known[site.name] = walks.known_before(self.corpus.store, site.name, walk)
        row = 0
        for page in pages:
            row = row + 1 if page.fingerprint in self._known[site.name] else 0
            if row >= self.settings.stop_after_known:
                return True
        return bool(pages) and row == len(pages)

    def _asked(self) -> list[Site]:
        only = [name for name in os.environ.get(ONLY, "").split(",") if name]
        for name in only:
            if name not in self.sites:
                raise UsageError(
                    f"this corpus has no site {name!r}",
                    where="--site",
                    todo="name it in corpus.toml, [sites] names",
                )
        return [site for name, site in self.sites.items() if not only or name in only]

    def _starts(self, store: Store, site: Site) -> Iterator[Request]:
        walk = walks.current(store, site.name)
        if site.way == "wordpress":
            yield from (walks.listing(url, site.name, walk) for url in wordpress.starts(site))
        elif site.way == "template":
            yield from (walks.listing(url, site.name, walk) for url in site.start)
        yield from archive.starts(site)


class ReadClaims:
    """Parse the pages of each site into claims or headlines: again when a definition changes.

    Each page has `[sites] seconds_per_page`; one that takes longer is dropped (`timed_out`).
    """

    NAME = reading.STAGE
    VERSION = reading.VERSION
    WRITES = (Claim, Headline)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.sites = sites_of(corpus)
        self.seconds = corpus.section("sites", CollectSettings).seconds_per_page
        self.READS = Reads(data=("sites/common/verdicts.toml",))

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a document (its living page, else the latest capture), and one a first listing."""
        chosen: dict[str, Fetch] = {}
        for fetch in latest(store, purpose="claim"):
            if fetch.site in self.sites:
                known = chosen.get(fetch.document_id)
                if known is None or _worth(fetch) > _worth(known):
                    chosen[fetch.document_id] = fetch
        for fetch in latest(store, purpose="listing"):
            site = self.sites.get(fetch.site or "")
            if site is not None and fetch.url in site.start:
                yield Unit(
                    f"listing:{fetch.id}",
                    Job(site, fetch, {}),
                    value_hash([fetch.content_hash, site.definition, self.seconds]),
                )
        leads = answers(self.corpus)
        asked = asked_by(self.corpus, chosen.values(), self.sites)
        for fetch in chosen.values():
            site = self.sites[fetch.site or ""]
            resolved = {url: leads[url] for url in asked.get(fetch.id, ()) if url in leads}
            yield Unit(
                fetch.document_id,
                Job(site, fetch, resolved),
                digest=value_hash(
                    [fetch.id, fetch.content_hash, fetch.status, site.definition, resolved, self.seconds]
                ),
            )

    def work(self, inputs: Job) -> Result:
        """One page, in this process and without a time limit."""
        return read_page(inputs, self.corpus.warc)

    def map(self, units: Iterator[Unit]) -> Iterator[tuple[Unit, Result]]:
        """All pages, over processes; one that a parser does not get through costs itself alone."""
        work = partial(read_page, folder=self.corpus.warc)
        for unit, outcome in over_processes(
            work, units, lambda unit: unit.inputs, self.seconds, module=read_page.__module__
        ):
            yield unit, result_of(outcome, self.seconds)


def _worth(fetch: Fetch) -> tuple[bool, bool, str, str]:
    return (
        fetch.status == 200,
        fetch.snapshot_at is None,
        fetch.snapshot_at or fetch.fetched_at or "",
        fetch.id,
    )
