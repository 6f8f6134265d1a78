"""Pairs that people judged differently: the adjudicator's queue, and what is discussed after a pilot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from annotation.rounds.kinds import COUNTED, PILOT
from annotation.rounds.reading import latest
from annotation.rounds.settings import AnnotateSettings
from dalil.records import Annotation, Assignment, Decision, Skip
from dalil.state.store import Store


@dataclass(frozen=True)
class Dispute:
    """A pair with different first choices and nobody left to ask."""

    pair: str
    votes: tuple[Annotation, ...]
    ruling: Decision | None

    @property
    def tied(self) -> bool:
        """Whether no label leads."""
        counts = Counter(vote.label for vote in self.votes).most_common()
        return len(counts) > 1 and counts[0][1] == counts[1][1]


def disputes(store: Store) -> list[Dispute]:
    """All of them, ruled on or not, in order of pairs. Pairs that somebody has still to judge wait."""
    votes: dict[str, list[Annotation]] = {}
    handled = set()
    for key, one in latest(store.all(Annotation, round=list(COUNTED))).items():
        votes.setdefault(one.pair_id, []).append(one)
        handled.add(key)
    handled |= {(one.pair_id, one.annotator, one.round) for one in store.all(Skip)}
    waiting = {
        one.pair_id
        for one in store.all(Assignment, round=list(COUNTED))
        if one.withdrawn is None and (one.pair_id, one.annotator, one.round) not in handled
    }
    ruled: dict[str, Decision] = {}
    for decision in store.all(Decision):
        known = ruled.get(decision.pair_id)
        if known is None or decision.number > known.number:
            ruled[decision.pair_id] = decision
    return [
        Dispute(pair, tuple(sorted(found, key=lambda one: one.id)), ruled.get(pair))
        for pair, found in sorted(votes.items())
        if len({one.label for one in found}) > 1 and pair not in waiting
    ]


def to_rule(store: Store, own: AnnotateSettings) -> list[Dispute]:
    """What waits for a ruling."""
    return [one for one in disputes(store) if one.ruling is None and (own.adjudicate == "all" or one.tied)]


def to_discuss(store: Store, person: str | None = None) -> list[Dispute]:
    """Disagreements of the pilot; of one person, those they judged themselves."""
    return [
        one
        for one in disputes(store)
        if all(vote.round == PILOT for vote in one.votes)
        and (person is None or any(vote.annotator == person for vote in one.votes))
    ]
