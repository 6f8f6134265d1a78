"""Gold from experts: what at least three say of a pair, for training, qualification and hidden checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from annotation.rounds.kinds import EXPERT, HIDDEN
from annotation.rounds.reading import latest
from annotation.rounds.telling import Told
from annotation.schemes import Scheme
from dalil.records import Annotation, Reference
from dalil.state.store import Store
from dalil.wording import counted, fitting


@dataclass(frozen=True)
class References:
    """Gold in use (by purpose), and gold that is still free."""

    used: tuple[Reference, ...]
    free: tuple[Reference, ...]
    """with purpose `free`, in order of their ids"""

    def of(self, purpose: str) -> list[Reference]:
        """Gold of a purpose."""
        return [one for one in self.used if one.purpose == purpose]

    def spare(self, given: Collection[str]) -> References:
        """The same, with hidden gold free again that nobody was `given`."""
        spared = [one for one in self.of(HIDDEN) if one.id not in given]
        kept = tuple(one for one in self.used if one not in spared)
        free = sorted((*self.free, *spared), key=lambda one: one.id)
        return References(kept, tuple(free))

    def set_aside(self) -> dict[str, int]:
        """Purpose → how many pairs are in use for it."""
        return dict(sorted(Counter(one.purpose for one in self.used).items()))

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


def lacking(
    found: References, scheme: Scheme, name: str, needed: int, there: int, *, mixed: bool = True
) -> Told:
    """The error for too little gold: it says where the rest of it is, and how that can be used.

    `mixed`: whether deals of the main round mix hidden gold in.
    """
    experts, aside = scheme.qualification.experts, found.set_aside()
    taken = ", ".join(f"{number} for {purpose}" for purpose, number in aside.items())
    todo = "have experts judge more: dalil annotate assign --round expert CORPUS"
    if name == HIDDEN and aside.get(HIDDEN):
        use = "deal the main round" if mixed else "set hidden_every under [annotate] in corpus.toml"
        todo = f"to use what is set aside for hidden, {use}; else {todo}"
    elif aside.get(HIDDEN):
        todo += ", or use hidden gold that nobody was given: --from-hidden"
    return Told(
        "fail_gold",
        f"{name} needs {counted(needed, 'pair')} on which most of {counted(experts, 'expert')} agree, "
        f"there {fitting(there, 'is', 'are')} {there}" + (f" (set aside already: {taken})" if taken else ""),
        todo=todo,
        needed=needed,
        experts=experts,
        there=there,
    )


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
