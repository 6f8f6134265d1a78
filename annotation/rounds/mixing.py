"""Hidden gold that goes into what people have still to judge of the main round."""

from __future__ import annotations

import random
from collections.abc import Iterable

from annotation.rounds.dealing import assignment_id
from annotation.rounds.kinds import HIDDEN, MAIN
from annotation.rounds.people import annotators, known_person, may_judge
from annotation.rounds.queue import open_assignments
from annotation.rounds.reading import Item, items
from annotation.rounds.settings import AnnotateSettings
from dalil.records import Assignment, Reference
from dalil.state.store import Store


def mixed(store: Store, own: AnnotateSettings, gold: Iterable[Reference]) -> tuple[Assignment, ...]:
    """One after each `hidden_every` open pairs of the main round that have none yet: gold that somebody has
    not met, at the place of the pair that it follows (or comes just before: ids decide).
    """
    if not own.hidden_every:
        return ()
    held = list(gold)
    made: list[Assignment] = []
    for person in annotators(store):
        queue = open_assignments(store, person.id)
        ends = [one.place for one in queue if one.round == MAIN][own.hidden_every - 1 :: own.hidden_every]
        there = sum(one.round == HIDDEN for one in queue)
        # what waits already stands at the head of the queue more often than not
        for item, place in zip(unmet(store, own, person.id, held), ends[there:], strict=False):
            key = assignment_id(item.pair, person.id, HIDDEN)
            made.append(Assignment(id=key, pair_id=item.pair, annotator=person.id, round=HIDDEN, place=place))
    return tuple(made)


def unmet(store: Store, own: AnnotateSettings, name: str, gold: Iterable[Reference]) -> list[Item]:
    """Hidden gold that somebody may judge and has not met in whatever round, drawn by the seed."""
    person = known_person(store, name)
    met = {one.pair_id for one in store.all(Assignment, annotator=name)}
    pairs = [one.id for one in gold if one.id not in met]
    random.Random(f"hidden:{own.seed}:{name}").shuffle(pairs)
    known = items(store, pairs)
    return [known[pair] for pair in pairs if pair in known and may_judge(person, known[pair])]
