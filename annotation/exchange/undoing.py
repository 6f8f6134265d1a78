"""Taking back what came from a file, as a whole, as long as nothing was made of it here.

Judgements are append-only because people build on each other's: that a name or a file was the wrong one is
noticed before anybody did. What was withdrawn is written beside the corpus first, in a form that comes back.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeVar

from annotation.exchange import jsonl
from annotation.exchange.gathering import votes_of
from annotation.exchange.settling import settle
from annotation.exchange.votes import Export
from annotation.rounds.following import WITHDRAWN, Follower
from annotation.rounds.kinds import COUNTED, EXPERT, MAIN, THIRD
from annotation.rounds.reading import latest
from annotation.rounds.writing import Inside, writing
from annotation.schemes import Scheme
from dalil.corpus import Corpus
from dalil.errors import StateError, UsageError
from dalil.progress import Reporter
from dalil.records import Annotation, Assignment, Decision, Record, Reference, Remark, Skip, utc_now
from dalil.state.store import Store, Writer
from dalil.wording import counted

FOLDER = "withdrawn"
KINDS: tuple[type[Record], ...] = (Annotation, Skip, Decision)
_SHOWN = 3
Numbered = TypeVar("Numbered", Annotation, Skip, Decision)


@dataclass(frozen=True)
class Withdrawn:
    """How much was taken back, of whom, and where it is kept."""

    judgements: int
    skips: int
    rulings: int
    by_person: Mapping[str, int] = field(default_factory=dict)
    kept: str | None = None
    """the file that it is kept in; None where nothing was written"""


@dataclass(frozen=True)
class _Rows:
    """What came from a file."""

    judgements: tuple[Annotation, ...]
    skips: tuple[Skip, ...]
    rulings: tuple[Decision, ...]

    def __iter__(self) -> Iterator[Annotation | Skip | Decision]:
        yield from self.judgements
        yield from self.skips
        yield from self.rulings

    def told(self, kept: Path | None = None) -> Withdrawn:
        people = Counter(one.adjudicator if isinstance(one, Decision) else one.annotator for one in self)
        numbers = (len(self.judgements), len(self.skips), len(self.rulings))
        return Withdrawn(*numbers, dict(sorted(people.items())), str(kept) if kept else None)


def would_withdraw(corpus: Corpus, origin: str) -> Withdrawn:
    """What `withdraw` would take back. Raises UsageError as it does."""
    with corpus.store.snapshot() as reader:
        return _found(Inside(corpus.store, reader.connection), origin).told()


def withdraw(
    corpus: Corpus, scheme: Scheme, follower: Follower, origin: str, reporter: Reporter | None = None
) -> Withdrawn:
    """Take back all that came from a file; third ratings that followed from it and wait are asked no more.

    Raises UsageError where nothing came from it, or something was made of it here: a later revision, a
    ruling, a discussion, a third rating, experts' gold. Nothing is withdrawn then.
    """
    with writing(corpus.store) as writer:
        inside = Inside(corpus.store, writer.connection)
        rows = _found(inside, origin)
        kept = _keep(corpus.path, scheme, rows, origin)
        for kind, held in zip(KINDS, (rows.judgements, rows.skips, rows.rulings), strict=True):
            writer.delete(kind, [one.id for one in held])
        pairs = {one.pair_id for one in rows.judgements if one.round == MAIN}
        _ask_no_more(writer, inside, pairs)
    settle(corpus.store, follower, pairs, reporter)
    return rows.told(kept)


def _found(store: Store, origin: str) -> _Rows:
    rows = _Rows(
        tuple(store.all(Annotation, origin=origin)),
        tuple(store.all(Skip, origin=origin)),
        tuple(store.all(Decision, origin=origin)),
    )
    if not any(True for _ in rows):
        there = sorted({str(row[0]) for kind in KINDS for row in store.count_by(kind, "origin") if row[0]})
        files = [name.removeprefix("file:") for name in there if name.startswith("file:")]
        raise UsageError(
            f"nothing here came from a file called {origin.removeprefix('file:')}",
            where=store.path,
            todo=f"files that were imported: {', '.join(files)}" if files else "no file was imported",
        )
    _refuse_used(store, origin, rows)
    return rows


def _refuse_used(store: Store, origin: str, rows: _Rows) -> None:
    decided = {one.pair_id for one in rows.judgements if one.round in COUNTED}
    main = {one.pair_id for one in rows.judgements if one.round == MAIN}
    expert = {one.pair_id for one in rows.judgements if one.round == EXPERT}
    uses = {
        "revised since": _revised(store, rows),
        "ruled on": {one.pair_id for one in _others(store.all(Decision), origin)} & decided,
        "discussed": {one.pair_id for one in store.all(Remark)} & decided,
        "judged by a third since": {
            one.pair_id for one in _others(store.all(Annotation, round=THIRD), origin)
        }
        & main,
        "gold for training and tests": store.ids(Reference) & expert,
    }
    said = [
        f"{counted(len(pairs), 'pair')} {why} ({', '.join(sorted(pairs)[:_SHOWN])}"
        f"{', …' if len(pairs) > _SHOWN else ''})"
        for why, pairs in uses.items()
        if pairs
    ]
    if said:
        raise UsageError(
            f"what came from {origin.removeprefix('file:')} was used here since: {'; '.join(said)}",
            where=store.path,
            todo="nothing is withdrawn; mend it by revisions: import a corrected file",
        )


def _others(found: Iterable[Numbered], origin: str) -> Iterator[Numbered]:
    return (one for one in found if one.origin != origin)


def _revised(store: Store, rows: _Rows) -> set[str]:
    """Pairs on which somebody said something else, from elsewhere, after what came from the file."""
    first: dict[tuple[str, ...], int] = {}
    for one in rows:
        first[_line(one)] = min(one.number, first.get(_line(one), one.number))
    mine = {one.id for one in rows}
    every: list[Annotation | Skip | Decision] = [
        *store.all(Annotation),
        *store.all(Skip),
        *store.all(Decision),
    ]
    return {
        one.pair_id for one in every if one.id not in mine and one.number > first.get(_line(one), one.number)
    }


def _line(one: Annotation | Skip | Decision) -> tuple[str, ...]:
    """What is numbered together."""
    if isinstance(one, Decision):
        return (Decision.TABLE, one.pair_id)
    return (one.TABLE, one.pair_id, one.annotator, one.round)


def _ask_no_more(writer: Writer, inside: Store, pairs: set[str]) -> None:
    """Take third ratings back that nobody gave yet, on pairs where no two main judgements differ by now."""
    labels: dict[str, set[str]] = {}
    for (pair, _, _), one in latest(inside.all(Annotation, round=MAIN)).items():
        labels.setdefault(pair, set()).add(one.label)
    thirds: list[Annotation | Skip] = [*inside.all(Annotation, round=THIRD), *inside.all(Skip, round=THIRD)]
    handled = {(one.pair_id, one.annotator) for one in thirds}
    writer.put(
        one.model_copy(update={"withdrawn": WITHDRAWN})
        for one in list(inside.all(Assignment, round=THIRD))
        if one.withdrawn is None
        and one.pair_id in pairs
        and (one.pair_id, one.annotator) not in handled
        and len(labels.get(one.pair_id, ())) < 2
    )


def _keep(folder: Path, scheme: Scheme, rows: _Rows, origin: str) -> Path:
    """Write all of it, with names and notes, to a file that its owner alone can read."""
    stamp = utc_now().replace(":", "").replace("-", "")
    path = folder / FOLDER / f"{Path(origin.removeprefix('file:')).stem}-{stamp}.jsonl"
    votes = votes_of(rows.judgements, rows.skips, rows.rulings)
    try:
        path.parent.mkdir(exist_ok=True)
        path, handle = fresh_file(path)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(jsonl.write(Export(scheme, {}, votes)))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StateError(
            f"cannot be written: {error.strerror}",
            where=path,
            todo="check disk and permissions; nothing is withdrawn",
        ) from error
    return path


def fresh_file(wanted: Path) -> tuple[Path, int]:
    """A file that was not there before: nothing that was withdrawn is ever written over."""
    for number in count(1):
        path = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
        try:
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
    raise AssertionError("there is always another number")
