"""The one who writes: journal before sending, WARC, then rows; in batches that share a sync.

A batch of answers goes to the WARC in a thread (compression and sync let go of the interpreter);
when it is synced, one transaction commits the rows of all visits whose answers lie in it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from dalil.corpus import Corpus
from dalil.errors import LimitReached
from dalil.ids import make_id
from dalil.records import Dropped, Record
from dalil.stages import Drop
from dalil.state import failpoints, journal, ledger
from dalil.state.ledger import Entry
from dalil.state.store import Writer
from dalil.state.tables import TABLES
from dalil.state.warc import Captured, Failure, Location, WarcWriter
from spiders.crawl.answers import Answer, Kept, NoAnswer, Settling

TICK = 0.002
"""seconds in which requests and answers are gathered into a batch"""


@dataclass(frozen=True)
class Outcome:
    """What a visit leaves in the store."""

    key: str
    records: tuple[Record, ...]
    drops: tuple[Drop, ...]
    entry: Entry
    more: tuple[tuple[str, str, Entry], ...] = ()
    """further ledger rows (stage, key, entry)"""


@dataclass
class _Visit:
    """A finished visit that waits for its answers to be synced."""

    last: Kept | None
    make: Callable[[], Outcome]
    over: asyncio.Future[None]


class Keeper:
    """Writes for one run of one stage. All methods but the WARC's own work run in the loop's thread."""

    def __init__(self, corpus: Corpus, stage: str, run_id: str):
        self.store = corpus.store
        self.stage = stage
        self.run_id = run_id
        self.budgets = corpus.config.budgets
        self.warc = WarcWriter(corpus.warc, corpus.store)
        self.did: Callable[[Outcome], None] = lambda outcome: None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="warc")
        self._sends: list[tuple[dict[str, Any], asyncio.Future[str]]] = []
        self._waiting: list[tuple[Captured | Failure, Settling, str, str | None]] = []
        self._visits: deque[_Visit] = deque()
        self._ends: list[tuple[str, str, str | None]] = []
        self._good: dict[str, int] = {}
        self._writing: asyncio.Future[list[Location]] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._error: BaseException | None = None
        self._settling: list[Settling] = []
        self._used: dict[str, journal.Spent] = {}

    async def sending(self, service: str, fingerprint: str) -> str:
        """Write down that a request is about to be sent; it is committed on return. Raises LimitReached."""
        self._check()
        self._allow(service)
        row = journal.new_row(
            stage=self.stage, service=service, fingerprint=fingerprint, cost=0.0, run=self.run_id
        )
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._sends.append((row, future))
        self._tick_soon()
        return await future

    def keep(self, row: str, answer: Answer, same_as: tuple[str, str] | None = None) -> Kept:
        """An answer came: it goes to the WARC. `settled` waits until it is committed."""
        item = Captured(
            answer.url,
            answer.status,
            answer.reason,
            answer.headers,
            answer.body,
            answer.truncated,
            answer.address,
            same_as,
        )
        kept = Kept(answer, location=answer.location)
        self._hand_in(item, kept, row, None)
        return kept

    async def keep_failure(self, row: str, url: str, problem: NoAnswer) -> None:
        """No answer came: that is stored and committed too."""
        failed = Settling()
        self._hand_in(Failure(url, str(problem)), failed, row, str(problem))
        await self.settled(failed)

    async def settled(self, kept: Settling) -> None:
        """Wait until an answer is in the WARC and its journal row is closed.

        A domain is not asked again before: so at most one request a domain repeats after a kill.
        """
        if kept.settled is not None:
            await kept.settled
        self._check()

    async def finish(self, last: Kept | None, make: Callable[[], Outcome]) -> None:
        """A visit is over; `make` is called when its answers are in the WARC. Waits for the commit."""
        self._check()
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._visits.append(_Visit(last, make, over))
        self._tick_soon()
        await over

    def _hand_in(self, item: Captured | Failure, kept: Settling, row: str, note: str | None) -> None:
        self._check()
        kept.settled = asyncio.get_running_loop().create_future()
        self._waiting.append((item, kept, row, note))
        self._tick_soon()

    async def close(self) -> None:
        """Write all that is left."""
        while self._error is None and (self._waiting or self._visits or self._ends or self._writing):
            await asyncio.sleep(TICK)
            if self._timer is None and self._writing is None:
                self._tick()
        self._thread.shutdown()
        if self._timer is not None:
            self._timer.cancel()
        self._check()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _allow(self, service: str) -> None:
        budget = self.budgets.get(service)
        if budget is None:
            return
        used = self._used.get(service) or journal.spent(self.store, service)
        try:
            journal.check(service, 0.0, budget, used)
        except LimitReached:
            used = journal.spent(self.store, service)  # a new day may have begun
            journal.check(service, 0.0, budget, used)
        self._used[service] = journal.Spent(used.requests + 1, used.today + 1, used.cost)

    def _tick_soon(self) -> None:
        if self._timer is None and self._error is None:
            self._timer = asyncio.get_running_loop().call_later(TICK, self._tick)

    def _tick(self) -> None:
        self._timer = None
        try:
            if self._waiting and self._writing is None:
                self._begin_writing()
            self._commit()
        except BaseException as error:
            self._fail(error)

    def _begin_writing(self) -> None:
        batch, self._waiting = self._waiting, []
        items = [item for item, _, _, _ in batch]
        self._writing = asyncio.get_running_loop().run_in_executor(self._thread, self.warc.write, items)
        self._writing.add_done_callback(lambda done: self._written(batch, done))

    def _written(
        self,
        batch: list[tuple[Captured | Failure, Settling, str, str | None]],
        done: asyncio.Future[list[Location]],
    ) -> None:
        self._writing = None
        error = done.exception()
        if error is not None:
            self._settling += [kept for _, kept, _, _ in batch]
            self._fail(error)
            return
        for (_, kept, row, note), where in zip(batch, done.result(), strict=True):
            kept.location = where
            self._settling.append(kept)
            self._good[where.file] = max(self._good.get(where.file, 0), where.offset + where.length)
            self._ends.append((row, "failed" if note else "answered", note))
        if self._timer is not None:
            self._timer.cancel()
        self._tick()

    def _commit(self) -> None:
        """One transaction: requests about to be sent, answers that are synced, visits that are over."""
        ready = 0
        for visit in self._visits:
            if visit.last is not None and visit.last.location is None:
                break
            ready += 1
        visits = list(self._visits)[:ready]
        if not (self._sends or visits or self._ends):
            return
        over = [visit.make() for visit in visits]
        for _ in over:
            failpoints.passed("sent")
        with self.store.transaction() as writer:
            if self._sends:
                journal.begin_many(writer, [row for row, _ in self._sends])
            for file, end in self._good.items():
                writer.warc_good(file, end)
            self._write(writer, over)
            journal.end_many(writer, self._ends)
        sends, self._sends, settling, self._settling = self._sends, [], self._settling, []
        self._ends, self._good = [], {}
        for row, future in sends:
            failpoints.passed("send")
            if not future.done():
                future.set_result(row["id"])
        for kept in settling:
            _release(kept.settled)
        for visit, outcome in zip(visits, over, strict=True):
            self._visits.popleft()
            self.did(outcome)
            _release(visit.over)

    def _write(self, writer: Writer, over: list[Outcome]) -> None:
        if not over:
            return
        stage = self.stage
        dropped = TABLES[Dropped]
        keys = [outcome.key for outcome in over]
        writer.connection.execute(
            sa.delete(dropped).where(dropped.c.owner_stage == stage, dropped.c.owner_key.in_(keys))
        )
        rows: list[tuple[Record, str | None, str | None]] = []
        entries: list[tuple[str, str, Entry]] = []
        for outcome in over:
            rows += [(record, stage, outcome.key) for record in (*outcome.records, *drops_of(stage, outcome))]
            entries.append((stage, outcome.key, outcome.entry))
            entries += outcome.more
        writer.put_owned(rows)
        ledger.write_many(writer, entries, self.run_id)

    def _fail(self, error: BaseException) -> None:
        self._error = error
        waiting: list[asyncio.Future[Any] | None] = [future for _, future in self._sends]
        waiting += [visit.over for visit in self._visits]
        waiting += [kept.settled for kept in (*self._settling, *(item[1] for item in self._waiting))]
        for future in waiting:
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # whoever waits for it still gets it; nobody has to
        self._sends = []


def _release(future: asyncio.Future[None] | None) -> None:
    if future is not None and not future.done():
        future.set_result(None)


def drops_of(stage: str, outcome: Outcome) -> list[Dropped]:
    """The Dropped records of a visit."""
    return [
        Dropped(
            id=make_id("drop", stage, drop.key or outcome.key, drop.reason),
            stage=stage,
            key=drop.key or outcome.key,
            reason=drop.reason,
            detail=drop.detail,
        )
        for drop in outcome.drops
    ]
