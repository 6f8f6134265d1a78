"""What a search would ask, what it would cost, and what cannot be asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from dalil.corpus import Corpus
from dalil.records import Query
from dalil.stages import Drop
from dalil.state import ledger
from retrieval.search import MakeQueries, Search, questions_of

EDIT = "needs_edit"


@dataclass
class ClaimPlan:
    """The queries of one claim, and the variants it cannot have."""

    id: str
    text: str
    queries: list[dict[str, Any]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)


@dataclass
class SearchPlan:
    """The report of `dalil search --dry-run`."""

    claims: list[ClaimPlan] = field(default_factory=list)
    engines: dict[str, dict[str, float]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    """what the engines have to say, and what they cannot be asked"""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)


def dry_run(corpus: Corpus) -> SearchPlan:
    """Plan a search: nothing is sent and nothing is stored.

    What an engine answers decides whether a question has further pages: `to_send` counts those that
    are known to be asked, `to_send_at_most` all pages that [search] pages allows.
    """
    report = SearchPlan()
    stage = MakeQueries(corpus)
    planned: list[Query] = []
    for unit in stage.keys(corpus.store):
        result = stage.work(unit.inputs)
        queries = [record for record in result.records if isinstance(record, Query)]
        line = ClaimPlan(unit.key, unit.inputs[1].text)
        line.queries = [
            {
                "text": q.text,
                "variants": list(q.variants),
                "start": q.start,
                "end": q.end,
                "centred_on": q.centred_on,
            }
            for q in queries
        ]
        line.absent = [_why_not(drop) for drop in result.drops]
        report.claims.append(line)
        planned += queries
    questions = questions_of(planned)
    search = Search(corpus)
    report.engines = {name: {"to_send": 0, "answered": 0, "cost": 0.0} for name in search.asked}
    seen: set[str] = set()
    most = Counter[str]()
    for request in search.ask(corpus.store, questions, search.asked):
        if request.fingerprint in seen:  # two questions, one request
            continue
        seen.add(request.fingerprint)
        line_of = report.engines[request.service]
        most[request.service] += search.settings.pages if request.context[2] == 1 else 0
        if ledger.entry(corpus.store, search.NAME, request.fingerprint) is not None:
            line_of["answered"] += 1
        else:
            line_of["to_send"] += 1
            line_of["cost"] += request.cost
    for name, engine in search.asked.items():
        line_of = report.engines[name]
        line_of["to_send_at_most"] = max(line_of["to_send"], most[name] - line_of["answered"])
        line_of["cost_at_most"] = line_of["to_send_at_most"] * engine.COST
    report.notices = [*search.notices, *search.notes]
    return report


def _why_not(drop: Drop) -> str:
    """`needs_edit: nominal, too_long` of a claim that waits, `claim+date: undated` of a variant."""
    if drop.reason == EDIT:
        flags = [
            flag.removeprefix(f"{EDIT}:") for flag in (drop.detail or "").split() if flag.startswith(EDIT)
        ]
        return f"{EDIT}: {', '.join(flags)}"
    return f"{drop.detail}: {drop.reason.removeprefix('no_query:')}"
