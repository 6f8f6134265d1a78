"""What a corpus has of the pairs in a file, as the importing transaction sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from annotation.exchange.votes import Vote
from annotation.release.pseudonyms import Pseudonyms
from annotation.rounds.kinds import NAMES
from dalil.errors import InputError, StateError
from dalil.records import Annotation, Article, Assignment, Decision, Pair, Person, Record, Skip
from dalil.state.store import Store
from dalil.state.tables import TABLES

Key = tuple[str, str, str]
"""pair, person, round"""
R = TypeVar("R", bound=Record)
Numbered = TypeVar("Numbered", Annotation, Skip, Decision)
CHUNK = 500
_SHOWN = 12
"""names that an error lists, at most"""


class Stored:
    """Judgements, skips and rulings on the pairs of a file; those that are brought in are added to them."""

    def __init__(self, store: Store, folder: Path, votes: Sequence[Vote], default_round: str):
        self.store = store
        self.default_round = default_round
        wanted = sorted({vote.pair for vote in votes})
        self.pairs = {pair.id: pair.article_id for pair in self._about(Pair, wanted, "id")}
        self.known = _known(store)
        self.people = _by_pseudonym(self.known, folder)
        self.roles = {person.id: person.role for person in store.all(Person)}
        self.judgements: dict[Key, list[Annotation]] = {}
        for one in self._about(Annotation, wanted):
            self.judgements.setdefault((one.pair_id, one.annotator, one.round), []).append(one)
        self.skips: dict[Key, list[Skip]] = {}
        for skip in self._about(Skip, wanted):
            self.skips.setdefault((skip.pair_id, skip.annotator, skip.round), []).append(skip)
        self.rulings: dict[str, list[Decision]] = {}
        for ruling in self._about(Decision, wanted):
            self.rulings.setdefault(ruling.pair_id, []).append(ruling)
        for numbered in (self.judgements, self.skips, self.rulings):
            for found in numbered.values():
                found.sort(key=lambda record: record.number)
        self.asked: dict[tuple[str, str], list[str]] = {}
        for asked in self._about(Assignment, wanted):
            if asked.withdrawn is None:
                self.asked.setdefault((asked.pair_id, asked.annotator), []).append(asked.round)
        self._claims: dict[str, int] = {}
        """id of a row → number that the file gives it"""
        self._rounds: dict[tuple[str, str], list[str]] = {}
        for pair, annotator, name in (*self.judgements, *self.skips):
            self._rounds.setdefault((pair, annotator), []).append(name)

    def _about(self, record: type[R], pairs: Sequence[str], field: str = "pair_id") -> Iterable[R]:
        for start in range(0, len(pairs), CHUNK):
            yield from self.store.all(record, **{field: list(pairs[start : start + CHUNK])})

    def refuse_taken(self, new: Iterable[Record]) -> None:
        """Raise StateError where a new record has the id of one that is stored, which nothing may replace."""
        ids: dict[type[Record], list[str]] = {}
        for record in new:
            ids.setdefault(type(record), []).append(record.id)
        for kind, wanted in ids.items():
            for start in range(0, len(wanted), CHUNK):
                column = TABLES[kind].c.id
                query = sa.select(column).where(column.in_(wanted[start : start + CHUNK]))
                for row in self.store.rows(query):
                    raise StateError(f"{row[0]} is stored already", where=self.store.path)

    def strangers(self, votes: Iterable[Vote]) -> list[str]:
        """Names in a file that nobody here has, and that are no pseudonyms of this corpus."""
        return sorted({vote.annotator for vote in votes} - self.known - self.people.keys())

    def refuse_strangers(self, votes: Sequence[Vote]) -> None:
        """Raise InputError for names that nobody here has: a slip would stay for good."""
        unknown = self.strangers(votes)
        if not unknown:
            return
        first = next(vote for vote in votes if vote.annotator in unknown)
        team = _some(sorted(self.known))
        raise InputError(
            f"nobody here is called {_some(unknown)}",
            where=first.where,
            todo="say who is meant: --name THERE=HERE"
            + (f" (here are {team})" if team else "")
            + "; or that they are new: --new",
        )

    def text_length(self, pair: str) -> int:
        """Characters of the article of a pair."""
        article = self.store.get(Article, self.pairs[pair])
        return len(article.text) if article is not None else 0

    def key(self, vote: Vote) -> Key:
        """Pair, person and round of a vote. Raises InputError for a pair that is not there.

        A format without rounds means the one in which the person said just this, else the one in which they
        are still to judge the pair, else the one in which they did, else the default.
        """
        if vote.pair not in self.pairs:
            raise InputError(
                f"no pair has the id {vote.pair!r}",
                where=vote.where,
                todo="ids of pairs are those of dalil annotate export; is it a file of another corpus?",
            )
        person = self.people.get(vote.annotator, vote.annotator)
        return vote.pair, person, vote.round or self._round(vote, person)

    def _round(self, vote: Vote, person: str) -> str:
        judged = sorted(self._rounds.get((vote.pair, person), ()), key=_place)
        for name in judged:
            before = self.judgements.get((vote.pair, person, name), ())
            if vote.label is not None and any(_same(one, vote, leniently=True) for one in before):
                return name
        asked = sorted(self.asked.get((vote.pair, person), ()), key=_place)
        for found in ([name for name in asked if name not in judged], judged):
            if found:
                return self.default_round if self.default_round in found else found[-1]
        return self.default_round

    def has_judgement(self, vote: Vote, key: Key, origin: str) -> bool:
        """Whether this is stored: as the revision that it says it is, as the last one, or from this file.

        A file may say less than the corpus has (no notes): that is no other judgement where the revision
        is the same, and a revision of its own (which took the note back) where it is not.
        """
        before = self.judgements[key]

        def known(one: Annotation) -> bool:
            told = one.number == vote.number or _at(one, vote) or (vote.at is None and one.origin == origin)
            if told or (vote.number is None and vote.at is None):
                return _same(one, vote, leniently=vote.number in (None, one.number))
            return one is before[-1] and _same(one, vote, leniently=False)

        return self._claimed(before, vote, known)

    def has_skip(self, vote: Vote, key: Key) -> bool:
        """Whether this skip is stored; one without a reason is, where there is any."""

        def known(one: Skip) -> bool:
            return vote.reason in (None, one.reason) and _same_note(one, vote)

        return self._claimed(self.skips[key], vote, known)

    def has_ruling(self, vote: Vote, person: str) -> bool:
        """Whether this ruling is stored."""
        before = self.rulings[vote.pair]

        def known(one: Decision) -> bool:
            same = (one.label, one.adjudicator) == (vote.label, person) and _same_note(one, vote)
            return same and (one is before[-1] or vote.number in (None, one.number) or _at(one, vote))

        return self._claimed(before, vote, known)

    def _claimed(self, before: Sequence[Numbered], vote: Vote, known: Callable[[Numbered], bool]) -> bool:
        """Whether a stored row is what a vote says, which no other revision of the file was found to be.

        Somebody may say the same twice, and a revision that changes nothing is a revision.
        """
        for one in sorted(before, key=lambda one: one.number != vote.number):
            free = vote.number is None or self._claims.get(one.id, vote.number) == vote.number
            if free and known(one):
                self.claim(one, vote)
                return True
        return False

    def claim(self, one: Annotation | Skip | Decision, vote: Vote) -> None:
        """A row is this vote of the file."""
        if vote.number is not None:
            self._claims[one.id] = vote.number


def _same_note(stored: Skip | Decision, vote: Vote) -> bool:
    """Whether the notes are the same. A file without notes says nothing of them, of the same revision."""
    if vote.note is None and vote.number in (None, stored.number):
        return True
    return _lines(stored.note) == _lines(vote.note)


def _at(stored: Annotation | Decision, vote: Vote) -> bool:
    return vote.at is not None and vote.at == stored.at


def _same(stored: Annotation, vote: Vote, *, leniently: bool) -> bool:
    """Whether somebody said just this. Leniently: what the file leaves out may be anything."""
    if (stored.label, stored.confidence, stored.second) != (vote.label, vote.confidence, vote.second):
        return False
    held = {name: _plain(value) for name, value in stored.answers.items()}
    given = {name: _plain(value) for name, value in vote.answers.items()}
    if leniently:
        return given.items() <= held.items() and (
            vote.note is None or _lines(stored.note) == _lines(vote.note)
        )
    return held == given and _lines(stored.note) == _lines(vote.note)


def _plain(value: Any) -> Any:
    """An answer for comparing: numbers as texts, offsets as tuples."""
    return tuple(tuple(pair) for pair in value) if isinstance(value, (list, tuple)) else str(value)


def _lines(text: str | None) -> str:
    """A note for comparing: browsers and spreadsheets end lines each in their own way."""
    return (text or "").replace("\r\n", "\n").replace("\r", "\n")


def _some(names: Sequence[str]) -> str:
    """The first of many names."""
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else shown


def _place(name: str) -> int:
    return NAMES.index(name) if name in NAMES else len(NAMES)


def _known(store: Store) -> set[str]:
    """Everybody who was invited, or judged, skipped or ruled."""
    names = set(store.ids(Person))
    for kind, column in ((Annotation, "annotator"), (Skip, "annotator"), (Decision, "adjudicator")):
        names |= {row[0] for row in store.rows(sa.select(TABLES[kind].c[column]).distinct())}
    return names


def _by_pseudonym(names: Iterable[str], folder: Path) -> dict[str, str]:
    """Pseudonym → name, where the corpus has given pseudonyms."""
    pseudonyms = Pseudonyms.kept(folder)
    return {pseudonyms(name): name for name in sorted(names)} if pseudonyms is not None else {}
