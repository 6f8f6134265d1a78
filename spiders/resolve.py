"""links: asking t.co and perma.cc where the links of reviews lead (acquisition).

A shortener answers with a redirect, and its target is all that is wanted; perma.cc says it in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from dalil.corpus import Corpus
from dalil.records import ApiPage, Claim, Fetch, Record
from dalil.stages import Request
from dalil.state import ledger
from dalil.state.store import Store
from spiders import reading
from spiders.crawl.stage import CrawlStage
from spiders.pages import body_of, latest, page_request
from spiders.postlinks import post_of, questions_in
from spiders.sites import Site, sites_of


class ResolveLinks(CrawlStage):
    """Ask where the short and archived links of claims' pages lead; each is asked once."""

    NAME: ClassVar[str] = "links"
    WRITES: ClassVar[tuple[type[Record], ...]] = (Fetch,)

    def __init__(self, corpus: Corpus):
        super().__init__(corpus)
        self.sites = sites_of(corpus)

    def requests(self, store: Store) -> Iterator[Request]:
        """One request a link."""
        pages = [fetch for fetch in latest(store, purpose="claim") if fetch.status == 200]
        asked = {url for urls in asked_by(self.corpus, pages, self.sites).values() for url in urls}
        asked.update(url for page in store.all(ApiPage) for url in questions_in(page.answer))
        yield from (page_request(url, "post") for url in sorted(asked))


def asked_by(corpus: Corpus, pages: Iterable[Fetch], sites: Mapping[str, Site]) -> dict[str, tuple[str, ...]]:
    """Fetch id of a fact-checker's page → what is asked for the links on it.

    Pages that became claims are not read again: their claims say it, unless an older reader made them,
    which may have passed links over.
    """
    read = {
        key
        for key, entry in ledger.entries(corpus.store, reading.STAGE).items()
        if entry.version.partition("+")[0] == reading.VERSION
    }
    known: dict[str, tuple[str, ...]] = {}
    for claim in corpus.store.all(Claim):
        if claim.fetch_id:
            known[claim.fetch_id] = tuple(map(str, claim.found.get("asked", ())))
    found: dict[str, tuple[str, ...]] = {}
    for page in pages:
        site = sites.get(page.site or "")
        if page.status == 200 and site is not None and site.kind == "fact_checker":
            if page.id not in known or page.document_id not in read:
                known[page.id] = questions_in(body_of(corpus, page).decode("utf-8", "replace"))
            found[page.id] = known[page.id]
    return found


def answers(corpus: Corpus) -> dict[str, str]:
    """What was asked → the address it leads to, as far as answers say."""
    found: dict[str, str] = {}
    for fetch in sorted(corpus.store.all(Fetch, purpose="post"), key=lambda each: each.fetched_at or ""):
        target = _target(corpus, fetch)
        if target:
            found[fetch.url] = target
    return found


def _target(corpus: Corpus, fetch: Fetch) -> str | None:
    if "/api/v1/public/archives/" in fetch.url:
        if fetch.status != 200:
            return None
        try:
            value = json.loads(body_of(corpus, fetch))
        except (ValueError, RecursionError):
            return None
        url = value.get("url") if isinstance(value, dict) else None
        return url if isinstance(url, str) else None
    for url in (fetch.final_url, *reversed(fetch.redirects)):  # the post may have redirected on, to a login
        if url and post_of(url):
            return url
    return fetch.final_url if fetch.final_url != fetch.url else None
