"""Gold from experts: what at least three say of a pair, for training, qualification and hidden checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from annotation.rounds.kinds import EXPERT
from annotation.rounds.reading import latest
from annotation.schemes import Scheme
from dalil.records import Annotation, Reference
from dalil.state.store import Store


@dataclass(frozen=True)
class References:
    """Gold in use (by purpose), and gold that is still free."""

    used: tuple[Reference, ...]
    free: tuple[Reference, ...]
    """with purpose `free`, in order of their ids"""

    def of(self, purpose: str) -> list[Reference]:
        """Gold of a purpose."""
        return [one for one in self.used if one.purpose == purpose]

    def take(self, purpose: str, number: int | None) -> tuple[Reference, ...]:
        """Free gold for a purpose, rare labels included: labels take turns."""
        by_label: dict[str, list[Reference]] = {}
        for one in self.free:
            by_label.setdefault(one.label, []).append(one)
        wanted = len(self.free) if number is None else number
        taken: list[Reference] = []
        while len(taken) < wanted and any(by_label.values()):
            for label in sorted(by_label):
                if by_label[label] and len(taken) < wanted:
                    taken.append(by_label[label].pop(0).model_copy(update={"purpose": purpose}))
        return tuple(taken)


def references(store: Store, scheme: Scheme) -> References:
    """Pairs that enough experts judged and on which more than half of them agree."""
    used = tuple(store.all(Reference))
    known = {one.id for one in used}
    votes: dict[str, Counter[str]] = {}
    for one in latest(store.all(Annotation, round=EXPERT)).values():
        votes.setdefault(one.pair_id, Counter())[one.label] += 1
    free = []
    for pair, counted in sorted(votes.items()):
        label, most = min(counted.items(), key=lambda entry: (-entry[1], entry[0]))
        total = sum(counted.values())
        if pair not in known and total >= scheme.qualification.experts and 2 * most > total:
            free.append(Reference(id=pair, purpose="free", label=label, votes=dict(sorted(counted.items()))))
    return References(used, tuple(free))


def score(store: Store, person: str, purpose: str) -> tuple[int, int]:
    """(met, answered) of somebody's first answers on gold of a purpose: revising after feedback is none."""
    gold = {one.id: one.label for one in store.all(Reference, purpose=purpose)}
    first = [one for one in store.all(Annotation, annotator=person, round=purpose) if one.number == 1]
    answered = [one for one in first if one.pair_id in gold]
    return sum(gold[one.pair_id] == one.label for one in answered), len(answered)
