"""Which pairs are disagreements: what the database says is what the definition says, on any history."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import annotationkit as kit
import pytest

from annotation.rounds.disputes import dispute_of, disputes, to_discuss, to_rule
from annotation.rounds.kinds import COUNTED, PILOT
from annotation.rounds.reading import latest
from dalil.corpus import Corpus
from dalil.records import Annotation, Assignment, Decision, Record, Round, Skip

PEOPLE = ("amal", "bashir", "dima")
ROUNDS = (*COUNTED, "hidden", "training")


def history(corpus: Corpus, seed: int) -> None:
    """Assignments of all rounds, one of them closed: judged (and revised), skipped, taken back, or open; some
    pairs ruled on.
    """
    draw = random.Random(seed)
    made: list[Record] = []
    for number in range(12):
        pair = f"pair-{number:04d}"
        name = draw.choice(ROUNDS)
        for person in draw.sample(PEOPLE, draw.randint(1, 3)):
            where = {"pair_id": pair, "annotator": person, "round": name}
            key = f"{pair}-{person}-{name}"
            fate = draw.choice(("judged", "judged", "judged", "judged", "skipped", "open", "back"))
            made.append(Assignment(id=key, withdrawn="left" if fate == "back" else None, **where))
            if fate == "skipped":
                made.append(Skip(id=key, reason="other", number=1, **where))
            if fate == "judged":
                for revision in range(1, draw.randint(1, 3) + 1):
                    label = draw.choice(("agree", "disagree", "discuss"))
                    made.append(
                        Annotation(
                            id=f"{key}-{revision}", scheme="arastance", label=label, number=revision, **where
                        )
                    )
        if draw.random() < 0.25:
            made += [
                Decision(id=f"{pair}-{n}", pair_id=pair, adjudicator="salma", label="agree", number=n)
                for n in (1, 2)
            ]
    closed = Round(id=draw.choice(ROUNDS), scheme="arastance", closed=True)
    with corpus.store.transaction() as writer:
        writer.put([*made, closed])


def by_definition(corpus: Corpus) -> dict[str, tuple[Counter[str], bool]]:
    """Pair → its labels and whether it was ruled on; of pairs with two labels and nobody left to ask."""
    last = latest(one for one in corpus.store.all(Annotation) if one.round in COUNTED)
    done = set(last) | {(one.pair_id, one.annotator, one.round) for one in corpus.store.all(Skip)}
    closed = {one.id for one in corpus.store.all(Round) if one.closed}
    waits = {
        one.pair_id
        for one in corpus.store.all(Assignment)
        if one.round in set(COUNTED) - closed
        and one.withdrawn is None
        and (one.pair_id, one.annotator, one.round) not in done
    }
    labels: dict[str, Counter[str]] = {}
    for (pair, _, _), one in last.items():
        labels.setdefault(pair, Counter())[one.label] += 1
    ruled = {one.pair_id for one in corpus.store.all(Decision)}
    return {
        pair: (found, pair in ruled) for pair, found in labels.items() if len(found) > 1 and pair not in waits
    }


@pytest.mark.parametrize("seed", range(8))
def test_the_database_finds_what_the_definition_says(tmp_path: Path, seed: int) -> None:
    with kit.make(tmp_path / "c", 12) as corpus:
        history(corpus, seed)
        wanted = by_definition(corpus)
        found = disputes(corpus.store)
        assert [one.pair for one in found] == sorted(wanted)
        for one in found:
            assert (Counter(vote.label for vote in one.votes), one.ruling is not None) == wanted[one.pair]
            assert one.ruling is None or one.ruling.number == 2, "the last ruling"
            assert dispute_of(corpus.store, one.pair) == one
        for number in range(12):
            pair = f"pair-{number:04d}"
            assert (dispute_of(corpus.store, pair) is not None) == (pair in wanted)
        own = kit.settings(corpus)
        open_ties = [one.pair for one in found if one.ruling is None and one.tied]
        assert [one.pair for one in to_rule(corpus.store, own)] == open_ties
        every = own.model_copy(update={"adjudicate": "all"})
        assert [one.pair for one in to_rule(corpus.store, every)] == [
            one.pair for one in found if one.ruling is None
        ]
        pilot = [one for one in found if all(vote.round == PILOT for vote in one.votes)]
        assert to_discuss(corpus.store) == pilot
        for person in PEOPLE:
            assert to_discuss(corpus.store, person) == [one for one in pilot if one.judged_by(person)]
