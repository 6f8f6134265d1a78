"""What a stage is. The ground runs stages by these protocols and knows none of them.

A *derivation* is pure: for each unit of its inputs it makes records or says why it drops them. The
ledger remembers (stage, key, input hash, version, outcome); what has not changed is not done again.
An *acquisition* asks the world: its requests are keyed by fingerprint, journalled before they are
sent, and never repeated by a change of code, only by `--refresh`.

A stage is made from a corpus: the command table names it as `"retrieval.clean:Clean"`, and the
ground calls `Clean(corpus)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol, runtime_checkable

from dalil.corpus import Corpus
from dalil.ids import value_hash
from dalil.records import Record
from dalil.state.store import Store


@dataclass(frozen=True)
class Drop:
    """Why something went no further. `key` defaults to the unit's."""

    reason: str
    detail: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Result:
    """What came of a unit or a request.

    `records` replace those of the unit's last run; `shared` are nobody's (documents) and stay;
    `retry_after` (UTC ISO) marks a transient failure.
    """

    records: tuple[Record, ...] = ()
    drops: tuple[Drop, ...] = ()
    shared: tuple[Record, ...] = ()
    retry_after: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Unit:
    """One piece of a derivation: its key and its inputs. `digest` spares hashing large inputs."""

    key: str
    inputs: Any
    digest: str | None = None

    def hash(self) -> str:
        """Hash over the values of the inputs."""
        return self.digest or value_hash(self.inputs)


@dataclass(frozen=True)
class Reads:
    """What a derivation depends on beside its inputs: a change of these runs it again."""

    config: tuple[str, ...] = ()
    """sections of corpus.toml"""
    data: tuple[str, ...] = ()
    """files or folders below data/"""


@dataclass(frozen=True)
class Request:
    """One request to the world. `what` is all that makes it this request, without secrets."""

    service: str
    what: dict[str, Any]
    cost: float = 0.0
    context: Any = field(default=None, compare=False)
    """for the stage's own use; not part of the fingerprint"""

    @cached_property
    def fingerprint(self) -> str:
        """The request's identity."""
        return value_hash({"service": self.service, "what": self.what})


@runtime_checkable
class Derivation(Protocol):
    """`keys(store)` says what there is to do, `work(inputs)` does it, and nothing else is read."""

    NAME: ClassVar[str]
    VERSION: ClassVar[str]
    READS: ClassVar[Reads]
    WRITES: ClassVar[tuple[type[Record], ...]]

    def keys(self, store: Store) -> Iterable[Unit]:
        """All units there are now; the runner leaves out those already done."""
        ...

    def work(self, inputs: Any) -> Result:
        """Inputs to records and drops. Pure: no clock, no network, no store."""
        ...


@runtime_checkable
class Acquisition(Protocol):
    """`requests(store)` yields what to ask; a generator may look at the store between two yields.

    One that has them is asked for `notices` (lines for the user before anything is asked) and
    `notes` (what could not be asked, after the run).
    """

    NAME: ClassVar[str]
    WRITES: ClassVar[tuple[type[Record], ...]]

    def requests(self, store: Store) -> Iterator[Request]:
        """Requests in order; the runner passes over those already answered."""
        ...

    def send(self, request: Request) -> Result:
        """Ask, and turn the answer into records. Raises LimitReached or Transient."""
        ...


@dataclass
class Gathering:
    """One run of a stage that gathers for itself: what it needs of the run, and what it tells back."""

    corpus: Corpus
    run_id: str
    refresh: bool
    replay: bool
    """answer everything from what is stored, with the network off"""
    step: Callable[[], None]
    """called after each request"""
    say: Callable[[str], None]
    """one line for the user"""
    counts: dict[str, int] = field(default_factory=dict)
    """worked, unchanged, records, drops, failed"""
    notes: list[str] = field(default_factory=list)


@runtime_checkable
class Gatherer(Protocol):
    """An acquisition that sends many requests at a time (a crawl).

    It keeps the rules of every acquisition itself: requests keyed by fingerprint, journalled before
    they are sent, counted against the budget, each answer stored with its ledger row.
    """

    NAME: ClassVar[str]
    WRITES: ClassVar[tuple[type[Record], ...]]

    def gather(self, run: Gathering) -> None:
        """Do all there is to do. Raises LimitReached after storing what came before it."""
        ...


Stage = Derivation | Acquisition | Gatherer


class Mapper(Protocol):
    """A derivation that works on several units at once (processes) offers this beside `work`."""

    def map(self, units: Iterator[Unit]) -> Iterator[tuple[Unit, Result]]:
        """Units to results, in any order."""
        ...


class Transient(Exception):
    """A request that failed for now: the run goes on, and a later run asks again after `seconds`."""

    def __init__(self, note: str, *, seconds: float = 0.0):
        self.note = note
        self.seconds = seconds
        super().__init__(note)


def make(target: str, corpus: Corpus) -> Stage:
    """The stage that an entry point such as `"retrieval.clean:Clean"` names, made for a corpus."""
    from dalil.resources import entry_point

    stage = entry_point(target)(corpus)
    if not isinstance(stage, (Derivation, Acquisition, Gatherer)):
        raise TypeError(f"{target} is no stage: see dalil.stages")
    return stage
