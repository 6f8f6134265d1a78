"""Domains: who is asked one request at a time, how slowly, and who is left alone."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dalil.net.blocked import STAGE
from dalil.net.guard import as_address
from dalil.net.local import plays
from dalil.net.wayback import HOST as WAYBACK
from dalil.records import utc_now
from dalil.stages import Request
from dalil.state import ledger
from dalil.state.ledger import Entry
from dalil.state.store import Store

if TYPE_CHECKING:
    from tldextract import TLDExtract


@lru_cache(maxsize=65536)
def domain_of(url: str) -> str:
    """The registrable domain of a url (`www.` and `m.` are the same server); an address is itself."""
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if as_address(host) is not None:
        return host
    found = _suffixes()(host)
    if found.domain and found.suffix:
        return f"{found.domain}.{found.suffix}"
    return ".".join(host.split(".")[-2:])  # a top level that the list does not know


@cache
def _suffixes() -> TLDExtract:
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=())


@dataclass(eq=False)
class Domain:
    """One domain during a crawl."""

    name: str
    delay: float = 0.0
    """seconds between two requests beyond what Scrapy paces (Crawl-delay, the Wayback Machine)"""
    strikes: int = 0
    stopped_until: str | None = None
    sign: str = ""
    not_before: float = 0.0
    """loop time before which it said not to be asked"""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    queue: deque[Request] = field(default_factory=deque)
    running: bool = False

    def stopped(self) -> bool:
        """Whether it is left alone now."""
        return self.stopped_until is not None and self.stopped_until > utc_now()

    async def turn(self) -> None:
        """Wait until it may be asked (the caller holds the lock)."""
        loop = asyncio.get_running_loop()
        wait = self.not_before - loop.time()
        if wait > 0:
            await asyncio.sleep(wait)
        if self.delay:
            self.not_before = max(self.not_before, loop.time() + self.delay)

    def pause(self, seconds: float) -> None:
        """Do not ask it for so long."""
        self.not_before = max(self.not_before, asyncio.get_running_loop().time() + seconds)

    def refused(self, sign: str, limit: int, hours: float) -> None:
        """It refused once more; at `limit` in a row it is left alone for `hours`."""
        self.strikes += 1
        self.sign = sign
        if self.strikes >= limit:
            self.stopped_until = _in(hours * 3600)

    def leave(self, seconds: float, sign: str) -> None:
        """It asked for a wait that no run sits out: it is left alone for so long."""
        self.sign = sign
        self.stopped_until = _in(seconds)

    def answered(self) -> None:
        """It answered: refusals are forgotten."""
        self.strikes, self.stopped_until, self.sign = 0, None, ""

    @property
    def entry(self) -> Entry:
        """Its row in the ledger."""
        state = "failed" if self.stopped_until else "empty"
        return Entry("", f"{self.strikes} {self.sign}".strip(), state, self.stopped_until)


class Domains:
    """All domains of a crawl, with the refusals that earlier runs met (not for a `fresh` replay of them)."""

    def __init__(self, store: Store, wayback_delay: float, *, fresh: bool = False):
        self.wayback_delay = wayback_delay
        self._known: dict[str, Domain] = {}
        self._waiting: dict[str, Domain] = {}
        rows = {} if fresh else ledger.entries(store, STAGE)
        self._past = {name: row for name, row in rows.items() if row.version != "0"}

    def of(self, url: str) -> Domain:
        """The domain of a url."""
        name = domain_of(url)
        if name not in self._known:
            self._known[name] = self._make(name, url)
        return self._known[name]

    def queue(self, request: Request) -> None:
        """Queue a request with its domain."""
        domain = self.of(request.what["url"])
        domain.queue.append(request)
        if not domain.running:
            self._waiting[domain.name] = domain

    def next_waiting(self) -> Domain | None:
        """A domain with a queue that nobody serves, the longest waiting first; the caller serves it now."""
        if not self._waiting:
            return None
        domain = self._waiting.pop(next(iter(self._waiting)))
        domain.running = True
        return domain

    def rest(self, domain: Domain) -> None:
        """Nobody serves a domain any more."""
        domain.running = False
        if domain.queue:
            self._waiting[domain.name] = domain

    def forget_idle(self, most: int = 2000) -> None:
        """Let go of domains that have nothing to tell, when there are many."""
        if len(self._known) > most:
            for name, one in list(self._known.items()):
                if not (
                    one.running
                    or one.queue
                    or one.strikes
                    or one.stopped_until
                    or one.lock.locked()
                    or one.not_before
                ):
                    del self._known[name]

    def _make(self, name: str, url: str) -> Domain:
        slow = name == domain_of(f"http://{WAYBACK}/") and not plays(url)
        made = Domain(name, delay=self.wayback_delay if slow else 0.0)
        past = self._past.get(name)
        if past is not None:
            count, _, made.sign = past.version.partition(" ")
            made.strikes = int(count) if count.isdigit() else 0
            made.stopped_until = past.retry_after
            if made.stopped_until is not None and not made.stopped():
                made.answered()  # its time is over: a new chance
        return made


def _in(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
