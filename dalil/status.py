"""How far a corpus is: rows, ledger, requests, drops, runs. Read-only; works beside a running stage."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa

from dalil.corpus import Corpus
from dalil.net import blocked
from dalil.records import (
    Annotation,
    Article,
    Claim,
    CleanedClaim,
    Copy,
    Document,
    Dropped,
    Fetch,
    Gold,
    Hit,
    Kept,
    Pair,
    Query,
    Record,
    SearchPage,
)
from dalil.state import journal, ledger
from dalil.state.tables import RUNS

FUNNEL: tuple[tuple[str, type[Record]], ...] = (
    ("claims", Claim),
    ("cleaned claims", CleanedClaim),
    ("queries", Query),
    ("search pages", SearchPage),
    ("hits", Hit),
    ("documents", Document),
    ("fetches", Fetch),
    ("articles", Article),
    ("copies", Copy),
    ("pairs", Pair),
    ("annotations", Annotation),
    ("gold labels", Gold),
)


@dataclass
class Status:
    """The report of `dalil status`."""

    name: str
    path: str
    rows: dict[str, int] = field(default_factory=dict)
    ledger: dict[str, dict[str, int]] = field(default_factory=dict)
    dropped: dict[str, dict[str, int]] = field(default_factory=dict)
    kept: dict[str, dict[str, int]] = field(default_factory=dict)
    """table → `changed` or `gone` → judged texts that stay as they were shown"""
    requests: dict[str, dict[str, int]] = field(default_factory=dict)
    in_flight_at_kill: int = 0
    repeated: int = 0
    cost: float = 0.0
    stopped_domains: dict[str, str] = field(default_factory=dict)
    """domains that refused again and again, until when they are left alone, and what they answered"""
    runs: list[dict[str, Any]] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)


def status(corpus: Corpus) -> Status:
    """Count everything."""
    store = corpus.store
    report = Status(corpus.config.corpus.name, str(corpus.path))
    report.rows = {word: store.count(record) for word, record in FUNNEL}
    for stage, outcome, count in ledger.outcomes(store):
        if stage != blocked.STAGE:  # no stage: domains that refused, told below
            report.ledger.setdefault(stage, {})[outcome] = count
    for (stage, reason), count in store.count_by(Dropped, "stage", "reason").items():
        report.dropped.setdefault(stage, {})[reason] = count
    for (kind, why), count in store.count_by(Kept, "kind", "why").items():
        report.kept.setdefault(kind, {})[why] = count
    for (service, state), count in journal.states(store).items():
        report.requests.setdefault(service, {})[state] = count
    report.cost = sum(journal.spent(store, service).cost for service in report.requests)
    unanswered = sum(states.get("sent", 0) + states.get("lost", 0) for states in report.requests.values())
    report.in_flight_at_kill = unanswered
    report.repeated = journal.repeated(store)
    report.stopped_domains = {
        name: f"until {until}: {sign}" for name, (until, sign) in blocked.stopped(store).items()
    }
    query = sa.select(RUNS).order_by(RUNS.c.started.desc(), RUNS.c.id).limit(10)
    report.runs = [dict(row._mapping) for row in store.rows(query)]
    return report
