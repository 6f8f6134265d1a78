"""collect, for sites of the way api: ask (acquisition), then read the answers (derivation)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, ClassVar

from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.ids import make_id, value_hash
from dalil.net.session import Service, Session
from dalil.records import ApiPage, Claim, Record, utc_now
from dalil.stages import Drop, Reads, Request, Result, Unit
from dalil.state.store import Store
from spiders import walks
from spiders.collect import ONLY
from spiders.postlinks import questions_in
from spiders.resolve import answers
from spiders.sites import Site, sites_of
from spiders.ways.api import api_of


def _api_sites(corpus: Corpus) -> dict[str, Site]:
    return {name: site for name, site in sites_of(corpus).items() if site.api is not None}


class CollectApi:
    """Ask each API page by page. A later walk stops where everything on a page is known."""

    NAME: ClassVar[str] = "api"
    WRITES: ClassVar[tuple[type[Record], ...]] = (ApiPage,)

    def __init__(self, corpus: Corpus):
        self.sites = _api_sites(corpus)
        self.sessions: dict[str, Session] = {}
        self.stopped: dict[str, int] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """Sites that have more than was asked for, after a run."""
        return tuple(
            f"{name}: there is more behind page {pages}, the last that is asked for (api.max_pages)"
            for name, pages in sorted(self.stopped.items())
        )

    def requests(self, store: Store) -> Iterator[Request]:
        """Page after page of every API."""
        only = [name for name in os.environ.get(ONLY, "").split(",") if name]
        for name, site in self.sites.items():
            if not only or name in only:
                yield from self._of(store, site)

    def _of(self, store: Store, site: Site) -> Iterator[Request]:
        assert site.api is not None
        api, walk = api_of(site.api), walks.current(store, site.name)
        known: set[str] = set()
        if walk is not None:
            for page in store.all(ApiPage, site=site.name):
                if page.request.get("walk") != walk:
                    known.update(api.keys(_json(page)))
        what: dict[str, Any] | None = api.first(site.api)
        number = 1
        while what is not None and number <= site.api.max_pages:
            sent = {**what, **({"walk": walk} if walk is not None else {})}
            request = Request(f"api:{site.name}", sent, context=(site, number))
            yield request
            stored = store.get(ApiPage, make_id("api_page", request.fingerprint))
            if stored is None:
                return
            answer = _json(stored)
            keys = api.keys(answer)
            if known and keys and known.issuperset(keys):
                return
            what, number = api.following(site.api, what, answer), number + 1
        if what is not None:
            self.stopped[site.name] = site.api.max_pages

    def send(self, request: Request) -> Result:
        """One page of one API. Raises DalilError where the answer is no data."""
        site, number = request.context
        assert site.api is not None
        session = self.sessions.setdefault(site.name, Session(Service(request.service, rate=1.0)))
        what = {key: value for key, value in request.what.items() if key != "walk"}
        reply = api_of(site.api).ask(session, what)
        if reply.status != 200:
            shown = " ".join(reply.text[:120].split())
            raise DalilError(
                f"{site.name} answered HTTP {reply.status}: {shown}", where=reply.url, todo="run again later"
            )
        reply.json()
        stored = ApiPage(
            id=make_id("api_page", request.fingerprint),
            site=site.name,
            number=number,
            request=dict(request.what),
            status=reply.status,
            answer=reply.text,
            asked_at=utc_now(),
        )
        return Result(records=(stored,))


class ReadApi:
    """Answers of APIs to claims, again when a definition changes. A unit is a site."""

    NAME: ClassVar[str] = "api_claims"
    VERSION: ClassVar[str] = "1"
    READS: ClassVar[Reads] = Reads(data=("sites/common/verdicts.toml",))
    WRITES: ClassVar[tuple[type[Record], ...]] = (Claim,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.sites = _api_sites(corpus)

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a site that has answered."""
        leads = answers(self.corpus) if self.sites else {}
        for name, site in self.sites.items():
            pages = sorted(
                store.all(ApiPage, site=name),
                key=lambda page: (page.request.get("walk") or 0, page.number),
                reverse=True,
            )
            if pages:
                asked = {url for page in pages for url in questions_in(page.answer)}
                resolved = {url: leads[url] for url in sorted(asked) if url in leads}
                digest = value_hash([site.definition, [[page.id, page.answer] for page in pages], resolved])
                yield Unit(name, (site, pages, resolved), digest)

    def work(self, inputs: tuple[Site, list[ApiPage], dict[str, str]]) -> Result:
        """All claims of a site, each once: the latest answer that has it counts."""
        site, pages, resolved = inputs
        assert site.api is not None
        claims: dict[str, Claim] = {}
        drops: dict[str, Drop] = {}
        for page in pages:
            for found in api_of(site.api).read(site, _json(page), resolved):
                if isinstance(found, Claim):
                    claims.setdefault(found.id, found)
                else:
                    drops.setdefault(f"{found.key} {found.reason}", found)
        return Result(records=tuple(claims.values()), drops=tuple(drops.values()))


def _json(page: ApiPage) -> Any:
    try:
        return json.loads(page.answer)
    except (ValueError, RecursionError):
        return None
