"""The order of a crawl: which url when, what is allowed, what is tried again, what is left alone.

It knows nothing of Scrapy: `ask` downloads (live), or looks into the WARC (a replay). Each domain
has a queue and is asked one request at a time; several domains are asked side by side.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.net.blocked import STAGE as DOMAINS
from dalil.net.limits import retry_after
from dalil.net.local import plays
from dalil.stages import Request
from dalil.state.warc import Response
from dalil.wording import counted
from spiders.crawl.answers import BUSY_STATUS, Ask, Got, NoAnswer
from spiders.crawl.domains import Domain, Domains
from spiders.crawl.keeper import Keeper
from spiders.crawl.outcomes import Past, fetch_of, outcome_of
from spiders.crawl.pending import Known, Stage
from spiders.crawl.settings import CrawlSettings
from spiders.crawl.steps import DECODED, Steps
from spiders.pages import latest_of

LOOK_AHEAD = 2000
"""requests that wait in queues before more are taken from the stage"""
PATIENCE = 120.0
"""seconds: a longer Retry-After ends the visits to a domain for this run"""
HOPELESS = ("not_stored", "robots_unreachable")
"""what is not tried again in the same run"""
OFFLINE_AFTER = 8
"""hosts without an address, and no answer from anyone, after which the run says that it is offline"""


class Driver:
    """One run of one stage."""

    def __init__(
        self,
        corpus: Corpus,
        stage: Stage,
        ask: Ask,
        keeper: Keeper,
        settings: CrawlSettings,
        *,
        refresh: bool,
        live: bool,
    ):
        self.corpus = corpus
        self.store = corpus.store
        self.stage = stage
        self.keeper = keeper
        self.settings = settings
        self.refresh = refresh
        self.domains = Domains(corpus.store, 60.0 / settings.wayback_per_minute, fresh=not live)
        limit = int(settings.max_megabytes * (1 << 20)) * DECODED
        self.steps = Steps(ask, keeper, self.domains, live=live, limit=limit)
        self.live = live
        self.unchanged = 0
        self.did: Callable[[], None] = lambda: None
        self._asked: set[str] = set()
        self._known = Known(stage)
        self._queued = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._source: Iterator[Request] = iter(())
        self._error: BaseException | None = None
        self._unreachable: set[str] = set()
        self._answered = False

    async def run(self) -> None:
        """Do all there is to do. Raises LimitReached, StateError, DalilError; what came before is stored."""
        self._source = self.stage.requests(self.store)
        try:
            self._fill()
            while self._tasks:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
                self._fill()
        except BaseException as error:
            self._error = self._error or error
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self.keeper.close()
        except BaseException as error:
            self._error = self._error or error
        if self._error is not None:
            raise self._error

    def _fill(self) -> None:
        """Take requests from the stage and start idle domains."""
        while self._error is None and self._queued < LOOK_AHEAD:
            request = next(self._source, None)
            if request is None:
                break
            self._enqueue(request)
        self._start()

    def _enqueue(self, first: Request) -> None:
        """Queue a request that is new in this run; one that is answered already is only followed."""
        waiting = deque([first])
        while waiting:
            request = waiting.popleft()
            if request.fingerprint in self._asked:
                continue
            self._asked.add(request.fingerprint)
            if not self.refresh and self._known.stands(request):
                self.unchanged += 1
                waiting.extend(self._known.leads_to(request))
            else:
                self.domains.queue(request)
                self._queued += 1

    def _start(self) -> None:
        self.domains.forget_idle()
        while len(self._tasks) < self.settings.concurrency and self._error is None:
            domain = self.domains.next_waiting()
            if domain is None:
                return
            task = asyncio.get_running_loop().create_task(self._serve(domain))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._error = self._error or error

    async def _serve(self, domain: Domain) -> None:
        """The queue of one domain, to its end."""
        try:
            while domain.queue and self._error is None:
                request = domain.queue.popleft()
                self._queued -= 1
                await self._visit(domain, request)
                if self._queued < LOOK_AHEAD // 2:
                    self._fill()
        finally:
            self.domains.rest(domain)

    async def _visit(self, domain: Domain, request: Request) -> None:
        past = Past(self.corpus.warc, latest_of(self.store, request.fingerprint) if self.refresh else None)
        got = await self._get(domain, request, past)
        await self.keeper.finish(got.kept or got.aside, lambda: outcome_of(request, got, past))
        if not got.transient and self.stage.follows(request, got.status, got.error):
            page = past.response() if got.unchanged else _page(got)
            for more in self.stage.follow(request, fetch_of(request, got, past), page):
                self._enqueue(more)
            self._start()

    async def _get(self, domain: Domain, request: Request, past: Past) -> Got:
        """Ask until there is an answer, or no hope of one."""
        before = (domain.strikes, domain.stopped_until)
        got = Got()
        for attempt in range(self.settings.retries + 1):
            if domain.stopped():
                got = Got(error="domain_stopped", detail=f"{domain.name}: {domain.sign}", transient=True)
                got.retry_seconds = _seconds_until(domain.stopped_until)
                break
            got = await self._attempt(request, past)
            self._judge(domain, got)
            if not got.transient or got.error in HOPELESS or attempt == self.settings.retries:
                break
            wait = self._wait(attempt, got, request.what["url"])
            if wait > PATIENCE:
                domain.leave(wait, got.error or "")
                break
            domain.pause(wait)
            if got.kept is not None:
                await self.keeper.settled(got.kept)
        if (domain.strikes, domain.stopped_until) != before:
            got.domain = (DOMAINS, domain.name, domain.entry)
        return got

    async def _attempt(self, request: Request, past: Past) -> Got:
        try:
            return await self.steps.walk(request, past)
        except NoAnswer as problem:
            self._notice(request.what["url"], problem)
            lasting = problem.lasting or (problem.reason == "no_such_host" and self._answered)
            # a replay asks nobody: what it does not find is the next run's to ask
            later = 0.0 if problem.reason == "not_stored" else 3600.0
            return Got(
                error=problem.reason, detail=problem.detail, transient=not lasting, retry_seconds=later
            )

    def _judge(self, domain: Domain, got: Got) -> None:
        """Count refusals in a row; note what is to be tried again."""
        if got.kept is None:
            return
        self._answered = True
        answer = got.kept.answer
        sign = f"HTTP {answer.status}" if answer.status in (403, 429) else self.steps.challenge(answer)
        if answer.status in BUSY_STATUS or answer.status == 429:
            got.transient, got.error = True, f"HTTP {answer.status}"
            got.retry_seconds = retry_after(dict(answer.headers)) or 3600.0
        if got.redirects and self.domains.of(answer.url) is not domain:
            return  # not this domain's doing
        if sign is not None:
            domain.refused(sign, self.settings.strikes, self.settings.stop_hours)
        elif answer.status < 500:
            domain.answered()

    def _wait(self, attempt: int, got: Got, url: str) -> float:
        """Seconds before the next attempt: as the server says, else growing, with jitter."""
        said = retry_after(dict(got.kept.answer.headers)) if got.kept is not None else None
        if not self.live:
            return 0.0
        if said is not None:
            return said
        if plays(url):
            return 0.0
        return min(PATIENCE, float(5 * 3**attempt) * (0.5 + random.random()))

    def _notice(self, url: str, problem: NoAnswer) -> None:
        """Tell a dead host from a machine without a network."""
        if problem.reason != "no_such_host" or self._answered or not self.live:
            return
        self._unreachable.add(self.domains.of(url).name)
        if len(self._unreachable) >= OFFLINE_AFTER:
            raise DalilError(
                f"none of {counted(len(self._unreachable), 'host')} can be found",
                todo="check this machine's network and run again",
            )


def _page(got: Got) -> Response | None:
    if got.kept is None:
        return None
    answer = got.kept.answer
    return Response(answer.url, answer.status, answer.headers, answer.body)


def _seconds_until(moment: str | None) -> float:
    if moment is None:
        return 0.0
    until = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)) / timedelta(seconds=1))
