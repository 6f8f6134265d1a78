"""Gold from experts: what at least three say of a pair, for training, qualification and hidden checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
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
    votes: dict[str, list[Annotation]] = {}
    for one in latest(store.all(Annotation, round=EXPERT)).values():
        votes.setdefault(one.pair_id, []).append(one)
    free = []
    for pair, judged in sorted(votes.items()):
        counted = Counter(one.label for one in judged)
        label, most = min(counted.items(), key=lambda entry: (-entry[1], entry[0]))
        enough = len(judged) >= scheme.qualification.experts and 2 * most > len(judged)
        if pair not in known and enough:
            why = _why(one for one in judged if one.label == label)
            counts = dict(sorted(counted.items()))
            free.append(Reference(id=pair, purpose="free", label=label, votes=counts, why=why))
    return References(used, tuple(free))


def _why(judged: Iterable[Annotation]) -> str | None:
    """What the experts who chose the label wrote, each reason once: shown as feedback after training."""
    notes = sorted((one.annotator, one.note.strip()) for one in judged if one.note and one.note.strip())
    return "\n\n".join(dict.fromkeys(note for _, note in notes)) or None


def score(store: Store, person: str, purpose: str) -> tuple[int, int]:
    """(met, answered) of somebody's first answers on gold of a purpose: revising after feedback is none."""
    gold = {one.id: one.label for one in store.all(Reference, purpose=purpose)}
    first = [one for one in store.all(Annotation, annotator=person, round=purpose) if one.number == 1]
    answered = [one for one in first if one.pair_id in gold]
    return sum(gold[one.pair_id] == one.label for one in answered), len(answered)
