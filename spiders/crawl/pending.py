"""Whether there is anything to ask: a crawl process costs a second, and most runs repeat earlier ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import ClassVar, Protocol

import sqlalchemy as sa

from dalil.corpus import Corpus
from dalil.records import Fetch, utc_now
from dalil.stages import Request
from dalil.state import ledger
from dalil.state.store import Store
from dalil.state.tables import TABLES
from dalil.state.warc import Response
from spiders.crawl.outcomes import Past
from spiders.pages import latest_of


class Stage(Protocol):
    """What a crawl needs of a stage (see `spiders.crawl.stage.CrawlStage`)."""

    NAME: ClassVar[str]
    corpus: Corpus

    def requests(self, store: Store) -> Iterator[Request]: ...

    def follow(self, request: Request, fetch: Fetch, page: Response | None) -> Iterator[Request]: ...

    def follows(self, request: Request, status: int | None, error: str | None) -> bool: ...


class Known:
    """What earlier runs of a stage have answered, and what those answers lead to."""

    def __init__(self, stage: Stage):
        self.stage = stage
        self.store = stage.corpus.store
        now = utc_now()
        rows = ledger.entries(self.store, stage.NAME)
        self._standing = {key for key, row in rows.items() if row.stands("", "", now)}
        self._leading = _leading(self.store)

    def stands(self, request: Request) -> bool:
        """Whether it need not be asked again."""
        return request.fingerprint in self._standing

    def leads_to(self, request: Request) -> Iterator[Request]:
        """The requests that its stored answer leads to."""
        state = self._leading.get(request.fingerprint)
        if state is None or not self.stage.follows(request, *state):
            return
        fetch = latest_of(self.store, request.fingerprint)
        if fetch is not None:
            yield from self.stage.follow(request, fetch, Past(self.stage.corpus.warc, fetch).response())


def answered(stage: Stage) -> int | None:
    """How many requests a stage has, when all of them are answered; None when there is something to ask."""
    known = Known(stage)
    seen: set[str] = set()
    for first in stage.requests(stage.corpus.store):
        waiting = deque([first])
        while waiting:
            request = waiting.popleft()
            if request.fingerprint in seen:
                continue
            seen.add(request.fingerprint)
            if not known.stands(request):
                return None
            waiting.extend(known.leads_to(request))
    return len(seen)


def _leading(store: Store) -> dict[str, tuple[int | None, str | None]]:
    """Fingerprint → status and error of stored fetches that may lead on: listings and failures."""
    table = TABLES[Fetch]
    fine = sa.and_(table.c.status == 200, table.c.purpose != "listing")
    query = sa.select(table.c.fingerprint, table.c.status, table.c.error)
    query = query.where(sa.or_(table.c.status.is_(None), sa.not_(fine)))
    return {row[0]: (row[1], row[2]) for row in store.rows(query)}
