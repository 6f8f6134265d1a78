"""Runs stages over a corpus: what is new or changed, and nothing else.

Derivations: outputs and ledger row share one transaction, a rerun replaces its unit's rows, units
whose inputs vanished are swept. Acquisitions: journal, send, store, each request once.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

import dalil
from dalil.corpus import Corpus
from dalil.errors import DalilError, LimitReached, StateError, UsageError
from dalil.ids import make_id, value_hash
from dalil.net.secrets import redact
from dalil.progress import Reporter
from dalil.records import Dropped, Model, utc_now
from dalil.resources import content_hash, data
from dalil.stages import (
    Acquisition,
    Derivation,
    Gatherer,
    Gathering,
    Reads,
    Request,
    Result,
    Stage,
    Transient,
    Unit,
    make,
)  # fmt: skip
from dalil.state import failpoints, journal, judged, ledger
from dalil.state.ledger import Entry
from dalil.state.lock import stage_lock
from dalil.state.store import Writer
from dalil.state.tables import RUNS
from dalil.wording import counted, fitting

BATCH = 64
"""units of a derivation that share a transaction"""


@dataclass
class Tally:
    """What a run of one stage did."""

    stage: str
    worked: int = 0
    unchanged: int = 0
    records: int = 0
    drops: int = 0
    failed: int = 0
    swept: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def idle(self) -> bool:
        """Whether there was nothing for the stage to do, and nothing that it had done before."""
        return not (self.worked or self.unchanged or self.records or self.drops or self.failed or self.swept)

    def line(self) -> str:
        """One line for the user."""
        parts = [f"{self.worked:,} done", f"{self.unchanged:,} unchanged"]
        parts += [
            *([counted(self.records, "record")] if self.records else []),
            *([counted(self.drops, "drop")] if self.drops else []),
            *([f"{self.failed:,} failed"] if self.failed else []),
            *([f"{self.swept:,} swept"] if self.swept else []),
        ]
        return f"{self.stage}: {', '.join(parts)}"


def run(
    corpus: Corpus,
    targets: Sequence[str],
    reporter: Reporter,
    *,
    refresh: bool = False,
    replay: bool = False,
    doing: str = "run",
) -> list[Tally]:
    """Run stages in order; with `replay` nothing is asked, every answer comes from what is stored.

    Raises LimitReached after storing all that came before it, and StateError.
    """
    with stage_lock(corpus.path, doing):
        lost = journal.mark_lost(corpus.store)
        if lost:
            reporter.say(
                f"{counted(lost, 'request')} {fitting(lost, 'was', 'were')} in flight when a run was killed; "
                f"{fitting(lost, 'it is', 'they are')} sent again where needed"
            )
        tallies = [
            run_stage(corpus, make(target, corpus), reporter, refresh=refresh, replay=replay)
            for target in targets
        ]
        if all(tally.idle for tally in tallies):
            reporter.say(f"{doing}: nothing to do")
        return tallies


def run_stage(
    corpus: Corpus, stage: Stage, reporter: Reporter, *, refresh: bool = False, replay: bool = False
) -> Tally:
    """Run one stage (the caller holds the lock)."""
    with _recorded(corpus, stage.NAME) as run_id:
        for notice in getattr(stage, "notices", ()):
            reporter.say(notice)
        reporter.begin(stage.NAME)
        if isinstance(stage, Derivation):
            tally = _Deriving(corpus, stage, run_id, reporter).run()
        elif isinstance(stage, Gatherer):
            tally = _gathered(corpus, stage, run_id, reporter, refresh, replay)
        elif replay:
            tally = _stored(corpus, stage)
        else:
            tally = _Acquiring(corpus, stage, run_id, reporter, refresh).run()
        tally.notes.extend(getattr(stage, "notes", ()))
        reporter.done(None if tally.idle else tally.line())
    return tally


def _gathered(
    corpus: Corpus, stage: Gatherer, run_id: str, reporter: Reporter, refresh: bool, replay: bool
) -> Tally:
    """A stage that gathers for itself."""
    gathering = Gathering(corpus, run_id, refresh, replay, reporter.step, reporter.say)
    stage.gather(gathering)
    return Tally(stage.NAME, notes=gathering.notes, **gathering.counts)


def _stored(corpus: Corpus, stage: Acquisition) -> Tally:
    """A replay of an acquisition: what is stored is the answer, and nothing is asked."""
    tally = Tally(stage.NAME)
    try:
        for request in stage.requests(corpus.store):
            known = ledger.entry(corpus.store, stage.NAME, request.fingerprint)
            if known is not None and known.outcome != "failed":
                tally.unchanged += 1
            else:
                tally.failed += 1
    except StateError as error:  # what would be asked is not here: the stored answers are
        tally.notes.append(f"{stage.NAME}: {error.line()}")
    if tally.failed:
        have = f"{counted(tally.failed, 'request')} {fitting(tally.failed, 'has', 'have')}"
        tally.notes.append(f"{stage.NAME}: {have} no stored answer; run without --replay to ask")
    return tally


def full_version(corpus: Corpus, version: str, reads: Reads) -> str:
    """A module's VERSION with the hashes of the configuration and data files that it declares."""
    files = [content_hash(data(*name.split("/"))) for name in reads.data]
    return f"{version}+{value_hash([corpus.config_hash(reads.config), files])[:12]}"


@contextmanager
def _recorded(corpus: Corpus, name: str) -> Iterator[str]:
    """A row in `runs`: begun, ended, and how."""
    run_id = uuid.uuid4().hex
    row = {"id": run_id, "stages": name, "started": utc_now(), "dalil": dalil.__version__}
    outcome = "failed"
    try:  # around the row's making too: a signal may come between that and the work
        with corpus.store.transaction() as writer:
            writer.connection.execute(sa.insert(RUNS), row)
        yield run_id
        outcome = "done"
    except LimitReached:
        outcome = "limit"
        raise
    finally:
        try:
            _end_run(corpus, run_id, outcome)
        except KeyboardInterrupt:  # it came just now: the run's end is written all the same
            _end_run(corpus, run_id, outcome)
            raise


def _end_run(corpus: Corpus, run_id: str, outcome: str) -> None:
    ended = {"ended": utc_now(), "outcome": outcome}
    with corpus.store.transaction() as writer:
        writer.connection.execute(sa.update(RUNS).where(RUNS.c.id == run_id).values(ended))


class _Deriving:
    """One run of a derivation."""

    def __init__(self, corpus: Corpus, stage: Derivation, run_id: str, reporter: Reporter):
        self.store = corpus.store
        self.stage = stage
        self.run_id = run_id
        self.reporter = reporter
        self.version = full_version(corpus, stage.VERSION, stage.READS)
        self.tally = Tally(stage.NAME)
        self.kept: set[str] = set()

    def run(self) -> Tally:
        self.known = ledger.entries(self.store, self.stage.NAME)
        self.seen: set[str] = set()
        batch: list[tuple[Unit, Result]] = []
        for unit, result in self._results(self._todo()):
            batch.append((unit, result))
            self.reporter.step()
            if len(batch) >= BATCH:
                self._commit(batch)
                batch = []
        if batch:
            self._commit(batch)
        self._sweep()
        if self.kept:
            self.tally.notes.append(judged.told(len(self.kept)))
        return self.tally

    def _todo(self) -> Iterator[Unit]:
        now = utc_now()
        for unit in self.stage.keys(self.store):
            if unit.key in self.seen:
                raise DalilError(f"stage {self.stage.NAME} has two units of the key {unit.key}")
            self.seen.add(unit.key)
            known = self.known.get(unit.key)
            if known is not None and known.stands(unit.hash(), self.version, now):
                self.tally.unchanged += 1
            else:
                yield unit

    def _results(self, units: Iterable[Unit]) -> Iterator[tuple[Unit, Result]]:
        many = getattr(self.stage, "map", None)
        if many is not None:
            yield from many(iter(units))
        else:
            for unit in units:
                yield unit, self.stage.work(unit.inputs)

    def _commit(self, batch: list[tuple[Unit, Result]]) -> None:
        with self.store.transaction() as writer:
            for unit, result in batch:
                writer.clear(self.stage.NAME, unit.key, self.stage.WRITES)
                entry = Entry(unit.hash(), self.version, outcome(result), result.retry_after)
                put_result(writer, self.stage.NAME, unit.key, result, entry, self.run_id)
            self.kept |= writer.judged.kept
        for _, result in batch:
            count(self.tally, result)

    def _sweep(self) -> None:
        gone = [key for key in self.known if key not in self.seen]
        for start in range(0, len(gone), BATCH):
            with self.store.transaction() as writer:
                for key in gone[start : start + BATCH]:
                    writer.clear(self.stage.NAME, key, self.stage.WRITES)
                    ledger.forget(writer, self.stage.NAME, key)
                self.kept |= writer.judged.kept
        self.tally.swept = len(gone)


class _Acquiring:
    """One run of an acquisition."""

    def __init__(self, corpus: Corpus, stage: Acquisition, run_id: str, reporter: Reporter, refresh: bool):
        self.corpus = corpus
        self.store = corpus.store
        self.stage = stage
        self.run_id = run_id
        self.reporter = reporter
        self.refresh = refresh
        self.tally = Tally(stage.NAME)

    def run(self) -> Tally:
        asked: set[str] = set()
        for request in self.stage.requests(self.store):
            if request.fingerprint in asked:
                continue
            asked.add(request.fingerprint)
            known = ledger.entry(self.store, self.stage.NAME, request.fingerprint)
            if known is not None and not self.refresh and known.stands("", "", utc_now()):
                self.tally.unchanged += 1
                continue
            self._ask(request)
            self.reporter.step()
        return self.tally

    def _ask(self, request: Request) -> None:
        name, fingerprint = self.stage.NAME, request.fingerprint
        budget = self.corpus.config.budgets.get(request.service)
        journal.allow(self.store, request.service, request.cost, budget)
        row = journal.begin(
            self.store,
            stage=name,
            service=request.service,
            fingerprint=fingerprint,
            cost=request.cost,
            run=self.run_id,
        )
        asking = journal.Asking(
            self.store, name, request.service, fingerprint, request.cost, self.run_id, budget, row
        )
        try:
            with journal.asks(asking):
                result = self.stage.send(request)
        except Transient as error:
            self._failed(request, asking.row, error.note, error.seconds)
            return
        except UsageError:  # a missing key, a wrong setting: found before anything was sent
            with self.store.transaction() as writer:
                journal.withdraw(writer, asking.row)
            raise
        except BaseException as error:
            with self.store.transaction() as writer:
                journal.end(writer, asking.row, "failed", redact(str(error))[:300])
            raise
        failpoints.passed("sent")
        with self.store.transaction() as writer:
            entry = Entry("", "", outcome(result), result.retry_after)
            put_result(writer, name, fingerprint, result, entry, self.run_id)
            journal.end(writer, asking.row, "answered", result.note)
        count(self.tally, result)

    def _failed(self, request: Request, row: str, note: str, seconds: float) -> None:
        later = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        with self.store.transaction() as writer:
            entry = Entry("", "", "failed", later)
            ledger.write(writer, self.stage.NAME, request.fingerprint, entry, self.run_id)
            journal.end(writer, row, "failed", note)
        self.tally.worked += 1
        self.tally.failed += 1
        self.tally.notes.append(note)


def outcome(result: Result) -> str:
    """done, empty, dropped or failed."""
    if result.retry_after is not None:
        return "failed"
    if result.records or result.shared:
        return "done"
    return "dropped" if result.drops else "empty"


def put_result(writer: Writer, stage: str, key: str, result: Result, entry: Entry, run_id: str) -> None:
    """Records, drops and ledger row of one unit or request."""
    drops = [
        Dropped(
            id=make_id("drop", stage, drop.key or key, drop.reason),
            stage=stage,
            key=drop.key or key,
            reason=drop.reason,
            detail=drop.detail,
        )
        for drop in result.drops
    ]
    writer.put_new(result.shared)
    writer.put([*result.records, *drops], stage=stage, key=key)
    ledger.write(writer, stage, key, entry, run_id)


def count(tally: Tally, result: Result) -> None:
    """Add one result to a tally."""
    tally.worked += 1
    tally.records += sum(not isinstance(record, Model) for record in result.records)
    tally.drops += len(result.drops)
    tally.failed += result.retry_after is not None
