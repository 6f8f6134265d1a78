"""Making the assignments of a round."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.rounds.kinds import EXPERT, HIDDEN, MAIN, PILOT, QUALIFICATION, THIRD, TRAINING
from annotation.rounds.people import annotators, may_judge
from annotation.rounds.reading import Item, items
from annotation.rounds.references import lacking, references
from annotation.rounds.seating import Seats, seat
from annotation.rounds.settings import AnnotateSettings
from annotation.rounds.telling import Told
from annotation.rounds.writing import Inside, writing
from annotation.schemes import Scheme
from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Annotation, Assignment, Person, Reference, Round, utc_now
from dalil.state.store import Store, Writer
from dalil.wording import counted, fitting

DRAWN = (EXPERT, PILOT, MAIN)
"""rounds of pairs that nobody was given before"""


@dataclass(frozen=True)
class Dealt:
    """What a round was given: who judges which pairs, in which order, and what was left out and why."""

    round: str
    assignments: tuple[Assignment, ...]
    references: tuple[Reference, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    design: Mapping[str, Any] = field(default_factory=dict)
    again: Mapping[str, int] = field(default_factory=dict)
    """pairs that others have already → how many assignments they had (`live_of`) when this was dealt"""
    unmixed: int = 0
    """hidden gold that waits while `hidden_every` is 0"""

    def loads(self) -> dict[str, int]:
        """New pairs of each person."""
        out: dict[str, int] = {}
        for one in self.assignments:
            out[one.annotator] = out.get(one.annotator, 0) + 1
        return dict(sorted(out.items()))


def assignment_id(pair: str, annotator: str, name: str) -> str:
    """Id of an assignment: one a pair, person and round."""
    return make_id("assignment", pair, annotator, name)


class Dealer:
    """Deals pairs of one corpus."""

    def __init__(self, corpus: Corpus, own: AnnotateSettings, scheme: Scheme):
        self.store: Store = corpus.store
        self.own = own
        self.scheme = scheme

    def pilot(self, number: int | None) -> Dealt:
        """Everyone judges the same pairs (of the languages they read).

        Without a number, once there was a pilot: its pairs, for those who joined since.
        """
        people = annotators(self.store)
        joining = self._joining(PILOT, people) if number is None else None
        return joining or self._everyone(PILOT, self._sample(number or 30), people)

    def expert(self, number: int | None) -> Dealt:
        """Experts judge pairs that others will be trained and tested with; main rounds never see these.

        Only pairs that enough experts may judge. Without a number, once there was such a round: its pairs,
        for experts who joined since.
        """
        people = [person for person in self.store.all(Person, expert=True) if not person.left]
        needed = self.scheme.qualification.experts
        if len(people) < needed:
            raise Told(
                "fail_experts",
                f"gold for training and tests needs {counted(needed, 'expert')}, there are {len(people)}",
                todo="dalil annotate invite --expert NAME CORPUS",
                needed=needed,
                there=len(people),
            )
        joining = self._joining(EXPERT, people) if number is None else None
        if joining is not None:
            return joining
        wanted = number or self.scheme.qualification.items + self.scheme.training.items
        able = [item for item in self._sample(None) if sum(may_judge(one, item) for one in people) >= needed]
        if not able:
            raise Told(
                "fail_experts_able",
                f"no pair is left that {counted(needed, 'expert')} may judge",
                todo="see their languages and exclusions, or invite more: dalil annotate invite --expert",
                needed=needed,
            )
        return self._everyone(EXPERT, able[:wanted], people)

    def training(self, number: int | None, *, from_hidden: bool = False) -> Dealt:
        """Items with feedback, for every annotator."""
        return self._with_gold(TRAINING, number or self.scheme.training.items, from_hidden)

    def qualification(self, number: int | None, *, from_hidden: bool = False) -> Dealt:
        """The test that comes before work."""
        return self._with_gold(QUALIFICATION, number or self.scheme.qualification.items, from_hidden)

    def hidden(self, number: int | None) -> Dealt:
        """Gold items set aside; main deals mix them in, and so does this into what is open of the main round.

        Raises UsageError where no gold is free and nothing can be mixed in.
        """
        from annotation.rounds.mixing import mixed

        found = references(self.store, self.scheme)
        taken = found.take(HIDDEN, number)
        gold = [*found.of(HIDDEN), *taken]
        made = mixed(self.store, self.own, gold)
        if not taken and not made:
            raise lacking(found, self.scheme, HIDDEN, number or 1, 0, mixed=bool(self.own.hidden_every))
        unmixed = 0 if self.own.hidden_every else len(gold)
        return Dealt(HIDDEN, made, taken, {}, {"mixed": len(made)}, unmixed=unmixed)

    def main(self, number: int | None, *, offsets: int | None = None, complete: bool = False) -> Dealt:
        """Two a pair by the circulant design; hidden gold mixed in.

        Pairs that lost an annotator when nobody could follow come first, whatever the number.
        """
        from annotation.rounds.following import Follower
        from annotation.rounds.staffing import vacancies

        people = annotators(self.store)
        if len(people) < 2:
            raise Told(
                "fail_two_people",
                f"two annotators a pair need at least two people, not {len(people)}",
                todo="add people: dalil annotate invite NAME CORPUS",
                there=len(people),
            )
        by_person = vacancies(self.store, Follower(self.store, self.own, self.scheme))
        filled = {name: len(held) for name, held in by_person.items()}
        again = live_of(self.store, {item.pair for held in by_person.values() for item in held})
        chosen = self._free(number) if again else self._sample(number)
        seats = seat(
            chosen,
            people,
            seed=self.own.seed,
            offsets=offsets,
            complete=complete,
            taken=_added(held_of(self.store, (MAIN, THIRD)), filled),
            earlier=_added(held_of(self.store, (MAIN,)), filled),
        )
        known = {item.pair: item for item in chosen}
        for pair, names in seats.raters.items():
            for name in names:
                by_person.setdefault(name, []).append(known[pair])
        made = [
            assignment
            for name, held in sorted(by_person.items())
            for assignment in self._queued(name, MAIN, held, self._gold_for(name, len(held)))
        ]
        design = _described(seats, complete) | ({"filled": len(again)} if again else {})
        unmixed = 0 if self.own.hidden_every else self.store.count(Reference, purpose=HIDDEN)
        return Dealt(MAIN, tuple(made), (), seats.left_out, design, again, unmixed)

    def third(self, number: int | None) -> Dealt:
        """Third ratings for which nobody could be asked at the time; others come by themselves."""
        from annotation.rounds.following import Follower
        from annotation.rounds.staffing import thirds

        if not self.own.third:
            raise Told("fail_no_third", "no third annotator is asked", todo="third = true under [annotate]")
        return thirds(self.store, Follower(self.store, self.own, self.scheme), number)

    def write(self, dealt: Dealt, after: int | None = None) -> int:
        """Store what was dealt. Returns how many assignments are new: none of a deal that is there already.

        Raises UsageError where pairs of it were given out, or people left, since it was made, and for a
        closed round; and where there have been other than `after` deals, if that is given: somebody who
        clicks twice wants one.
        """
        with writing(self.store) as writer:
            inside = Inside(self.store, writer.connection)
            if after is not None and deals(inside) != after:
                raise Told(
                    "fail_dealt", "pairs were dealt meanwhile", todo="see what was dealt, then deal more"
                )
            if _unchanged(inside, dealt):
                return 0
            known = inside.get(Round, dealt.round)
            if known is not None and known.closed:
                raise Told(
                    "fail_closed",
                    f"round {dealt.round} is closed, so nobody would see these pairs",
                    todo="open it on the lead's page of rounds",
                )
            designs = [*(known.design.get("deals", ()) if known else ()), dict(dealt.design)]
            record = Round(
                id=dealt.round,
                scheme=self.scheme.name,
                design={"seed": self.own.seed, "deals": designs},
                at=known.at if known else utc_now(),
            )
            writer.put([record])
            self._keep_gold(writer, inside, dealt.references)
            return writer.put_new(dealt.assignments)

    @staticmethod
    def _keep_gold(writer: Writer, inside: Store, gold: Sequence[Reference]) -> None:
        """Store gold. What was hidden changes its purpose, unless somebody was given it meanwhile."""
        hidden = {one.id for one in inside.all(Reference, purpose=HIDDEN)}
        spared = [one for one in gold if one.id in hidden and one.purpose != HIDDEN]
        given = {one.pair_id for one in inside.all(Assignment, round=HIDDEN)} if spared else set()
        if any(one.id in given for one in spared):
            raise Told("fail_dealt", "pairs were dealt meanwhile", todo="see what was dealt, then deal more")
        writer.put(spared)
        writer.put_new(gold)

    def _joining(self, name: str, people: Sequence[Person]) -> Dealt | None:
        """The pairs that a round gave everybody, for those who were not there; None where there was none yet.

        Raises UsageError where nobody lacks any.
        """
        from annotation.rounds.staffing import missed

        if not self.store.count(Assignment, round=name):
            return None
        lacking = missed(self.store, name, people)
        if not lacking:
            raise Told(
                "fail_same_pairs",
                f"everybody was given the pairs of round {name}",
                todo="say how many more, to deal others: --pairs N",
            )
        made = [one for who, held in sorted(lacking.items()) for one in self._queued(who, name, held)]
        again = live_of(self.store, {one.pair_id for one in made})
        return Dealt(name, tuple(made), (), {}, {"joined": sorted(lacking)}, again)

    def _everyone(self, name: str, chosen: Sequence[Item], people: Sequence[Person]) -> Dealt:
        if not people:
            raise Told(
                "fail_nobody",
                "there is nobody to judge",
                todo="add people: dalil annotate invite NAME CORPUS",
            )
        made: list[Assignment] = []
        for person in people:
            held = [item for item in chosen if may_judge(person, item)]
            made += self._queued(person.id, name, held)
        seen = {one.pair_id for one in made}
        left_out = {item.pair: "left_out_nobody" for item in chosen if item.pair not in seen}
        return Dealt(name, tuple(made), (), left_out, {"pairs": len(chosen), "people": len(people)})

    def _with_gold(self, name: str, number: int, from_hidden: bool) -> Dealt:
        found = references(self.store, self.scheme)
        if from_hidden:
            found = found.spare({one.pair_id for one in self.store.all(Assignment, round=HIDDEN)})
        gold = [*found.of(name), *found.take(name, max(number - len(found.of(name)), 0))]
        if len(gold) < number:
            raise lacking(found, self.scheme, name, number, len(gold))
        known = items(self.store, [one.id for one in gold])
        pupils = [person for person in annotators(self.store) if not person.expert]
        dealt = self._everyone(name, list(known.values()), pupils)
        return Dealt(name, dealt.assignments, tuple(gold), dealt.left_out, dealt.design)

    def _sample(self, number: int | None) -> list[Item]:
        """Pairs nobody has been given, drawn by the seed. Raises UsageError where there is none."""
        free = self._free(number)
        if not free:
            raise Told("fail_no_pair", "no pair is left to assign", todo="make pairs: dalil pair CORPUS")
        return free

    def _free(self, number: int | None) -> list[Item]:
        given = {row[0] for row in self.store.count_by(Assignment, "pair_id")}
        given |= {row[0] for row in self.store.count_by(Annotation, "pair_id")}
        free = [item for pair, item in items(self.store).items() if pair not in given]
        random.Random(f"sample:{self.own.seed}").shuffle(free)
        return free if number is None else free[:number]

    def _gold_for(self, name: str, count: int) -> list[Item]:
        """Hidden gold that this person has not met yet."""
        if not self.own.hidden_every:
            return []
        from annotation.rounds.mixing import unmet

        gold = unmet(self.store, self.own, name, self.store.all(Reference, purpose=HIDDEN))
        return gold[: count // self.own.hidden_every]

    def _queued(
        self, name: str, round_name: str, held: Iterable[Item], gold: Sequence[Item] = ()
    ) -> list[Assignment]:
        """Assignments in the order of this person's queue, behind what they have already."""
        line = in_order(held, self.own, name)
        start = 1 + max((one.place for one in self.store.all(Assignment, annotator=name)), default=0)
        placed: list[tuple[str, Item]] = []
        waiting = list(gold)
        for count, item in enumerate(line, start=1):
            placed.append((round_name, item))
            if waiting and count % max(self.own.hidden_every, 1) == 0:
                placed.append((HIDDEN, waiting.pop(0)))
        return [
            Assignment(
                id=assignment_id(item.pair, name, kind),
                pair_id=item.pair,
                annotator=name,
                round=kind,
                place=start + place,
            )
            for place, (kind, item) in enumerate(placed)
        ]


def deals(store: Store) -> int:
    """How many deals there have been, of all rounds."""
    return sum(len(one.design.get("deals", ())) for one in store.all(Round))


def _unchanged(inside: Store, dealt: Dealt) -> bool:
    """Whether all of a deal is stored already. Raises UsageError where it does not fit any more."""
    made = {one.id for one in dealt.assignments}
    known = {one.id: one.pair_id for one in inside.all(Assignment)}
    if made and made <= known.keys():
        return True
    drawn = {one.pair_id for one in dealt.assignments if one.round == dealt.round in DRAWN}
    now = live_of(inside, dealt.again)
    taken = (drawn - dealt.again.keys()).intersection(known.values())
    taken |= {pair for pair, number in dealt.again.items() if now[pair] != number}
    gone = {one.id for one in inside.all(Person) if one.left} & {one.annotator for one in dealt.assignments}
    if taken or gone:
        raise Told(
            "fail_late",
            f"meanwhile {counted(len(taken), 'pair')} of this deal {fitting(len(taken), 'was', 'were')} "
            f"given out and {len(gone)} of its people left",
            todo="deal again",
            pairs=len(taken),
            people=len(gone),
        )
    return False


def in_order(held: Iterable[Item], own: AnnotateSettings, name: str) -> list[Item]:
    """A person's own order of claims (or of pairs), drawn by the seed."""
    line = sorted(held, key=lambda item: (item.claim, item.rank, item.pair))
    draw = random.Random(f"order:{own.seed}:{name}")
    if own.order == "random":
        draw.shuffle(line)
        return line
    claims = sorted({item.claim for item in line})
    draw.shuffle(claims)
    turn = {claim: place for place, claim in enumerate(claims)}
    return sorted(line, key=lambda item: turn[item.claim])


def held_of(store: Store, rounds: Sequence[str]) -> dict[str, int]:
    """Pairs that people have been given in some rounds and that were not taken back."""
    out: dict[str, int] = {}
    for one in store.all(Assignment, round=list(rounds)):
        if one.withdrawn is None:
            out[one.annotator] = out.get(one.annotator, 0) + 1
    return out


def live_of(store: Store, pairs: Iterable[str]) -> dict[str, int]:
    """How many assignments each of these pairs has that were not taken back, in whatever round."""
    out = dict.fromkeys(sorted(pairs), 0)
    for one in store.all(Assignment):
        if one.withdrawn is None and one.pair_id in out:
            out[one.pair_id] += 1
    return out


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in one.keys() | other.keys()}


def _described(seats: Seats, complete: bool) -> dict[str, Any]:
    return {
        "pairs": len(seats.raters),
        "complete": complete,
        "moved": seats.moved,
        "languages": {
            language: {
                "circle": list(design.circle),
                "offsets": design.offsets,
                "complete": design.complete,
                "fewest_shared": seats.fewest_shared[language],
            }
            for language, design in seats.designs.items()
        },
    }
