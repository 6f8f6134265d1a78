"""Laws of rounds, whatever people do in whatever order: random courses over a small corpus."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import annotationkit as kit
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from annotation.rounds.disputes import disputes, to_rule
from annotation.rounds.leaving import leave, pass_on, skipped
from annotation.rounds.people import annotators, invite, may_judge
from annotation.rounds.queue import open_assignments
from annotation.rounds.reading import items, latest
from annotation.rounds.staffing import give_up
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Annotation, Assignment, Claim, Person, Superseded

LABELS = ("agree", "disagree", "discuss")
DECIDING = ("pilot", "main", "third")
PAIRS = 12
PICK = st.integers(0, 10_000)
LANGUAGES = st.sampled_from([(), ("ar",), ("en",), ("ar", "en")])
EXCLUDED = st.sampled_from([(), ("site0",), ("outlet1.example",), ("claim-0001",)])


class Course(RuleBasedStateMachine):
    """A lead and annotators, step by step."""

    corpus: Corpus

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="dalil-course-"))
        self.numbers = 0
        self.rows = 0

    @initialize(people=st.integers(2, 4), number=st.integers(4, PAIRS))
    def begin(self, people: int, number: int) -> None:
        self.corpus = kit.make(self.folder / "corpus", PAIRS)
        with self.corpus.store.transaction() as writer:
            english = [one for one in self.corpus.store.all(Claim) if one.id == "claim-0002"]
            writer.put(one.model_copy(update={"language": "en"}) for one in english)
        for _ in range(people):
            self.joins((), None, ())
        self.deal("main", number)

    @rule(languages=LANGUAGES, capacity=st.none() | st.integers(0, 6), excluded=EXCLUDED)
    def joins(self, languages: tuple[str, ...], capacity: int | None, excluded: tuple[str, ...]) -> None:
        if self.numbers < 7:
            name = f"p{self.numbers}"
            invite(self.corpus.store, name, languages=languages, capacity=capacity, excluded=excluded)
            self.numbers += 1

    @rule(name=st.sampled_from(["main", "main", "pilot", "third"]), number=st.none() | st.integers(1, 5))
    def deal(self, name: str, number: int | None) -> None:
        dealer = kit.dealer(self.corpus)
        with suppress(UsageError):  # nobody, or no pair, is left
            dealer.write(getattr(dealer, name)(number))

    @rule(who=PICK, which=PICK, label=st.sampled_from(LABELS))
    def judges(self, who: int, which: int, label: str) -> None:
        held = self._open(who)
        if held:
            assert kit.judge(self.corpus, held[which % len(held)], label) == "stored"
            self.rows += 1

    @rule(labels=st.permutations(LABELS), number=st.integers(1, 12))
    def all_work(self, labels: list[str], number: int) -> None:
        """Everybody judges some, each with their own idea of things."""
        for place, name in enumerate(self._names()):
            for one in open_assignments(self.corpus.store, name)[:number]:
                assert kit.judge(self.corpus, one, labels[place % len(labels)]) == "stored"
                self.rows += 1

    @rule(which=PICK, label=st.sampled_from(LABELS))
    def revises(self, which: int, label: str) -> None:
        judged = latest(self.corpus.store.all(Annotation))
        if not judged:
            return
        key = sorted(judged)[which % len(judged)]
        held = next(self.corpus.store.all(Assignment, pair_id=key[0], annotator=key[1], round=key[2]))
        last = judged[key]
        outcome = kit.judge(self.corpus, held, label, based_on=last.number)
        assert outcome == "stored"
        self.rows += 1

    @rule(who=PICK, which=PICK)
    def skips(self, who: int, which: int) -> None:
        held = self._open(who)
        if held:
            assert kit.judging(self.corpus).skip(held[which % len(held)], "other") == "stored"

    @rule(which=PICK)
    def passes_on(self, which: int) -> None:
        waiting = [one for _, one in skipped(self.corpus.store) if one.round in ("main", "third")]
        if waiting:
            pass_on(self.corpus.store, kit.judging(self.corpus).follower, waiting[which % len(waiting)].id)

    @rule(who=PICK)
    def leaves(self, who: int) -> None:
        here = annotators(self.corpus.store)
        if len(here) > 1:
            name = here[who % len(here)].id
            leave(self.corpus.store, kit.judging(self.corpus).follower, name)
            assert open_assignments(self.corpus.store, name) == []

    @rule(who=PICK)
    def comes_back(self, who: int) -> None:
        gone = [one.id for one in self.corpus.store.all(Person) if one.left]
        if gone:
            invite(self.corpus.store, gone[who % len(gone)])

    @rule(who=PICK, languages=LANGUAGES, excluded=EXCLUDED)
    def is_barred(self, who: int, languages: tuple[str, ...], excluded: tuple[str, ...]) -> None:
        here = annotators(self.corpus.store)
        if here:
            name = here[who % len(here)].id
            invite(self.corpus.store, name, languages=languages, excluded=excluded)
            give_up(self.corpus.store, kit.judging(self.corpus).follower, name)

    @rule(which=st.integers(0, PAIRS - 1))
    def pair_goes_or_comes(self, which: int) -> None:
        pair = f"pair-{which:04d}"
        with self.corpus.store.transaction() as writer:
            if self.corpus.store.get(Superseded, pair):
                writer.delete(Superseded, [pair])
            else:
                writer.put_new([Superseded(id=pair, why="pairing no longer keeps it")])

    @rule(which=PICK, label=st.sampled_from(LABELS))
    def rules_on(self, which: int, label: str) -> None:
        waiting = to_rule(self.corpus.store, kit.settings(self.corpus))
        if waiting:
            pair = waiting[which % len(waiting)].pair
            assert kit.judging(self.corpus).rule(pair, "salma", label, None, 0) == "stored"

    @invariant()
    def nobody_meets_a_pair_twice(self) -> None:
        met = Counter(
            (one.pair_id, one.annotator)
            for one in self.corpus.store.all(Annotation, number=1)
            if one.round in DECIDING
        )
        assert set(met.values()) <= {1}
        asked = Counter((one.pair_id, one.annotator) for one in self._live())
        assert set(asked.values()) <= {1}

    @invariant()
    def seats_are_two_and_the_third_is_another(self) -> None:
        main: dict[str, set[str]] = {}
        third: dict[str, set[str]] = {}
        for one in self._live():
            if one.round in ("main", "third"):
                place = main if one.round == "main" else third
                place.setdefault(one.pair_id, set()).add(one.annotator)
        for vote in self.corpus.store.all(Annotation, round="main"):
            main.setdefault(vote.pair_id, set()).add(vote.annotator)
        assert all(len(held) <= 2 for held in main.values())
        assert all(len(held) <= 1 for held in third.values())
        assert not any(third[pair] & main.get(pair, set()) for pair in third)

    @invariant()
    def what_is_open_may_be_judged(self) -> None:
        known = items(self.corpus.store, [f"pair-{n:04d}" for n in range(PAIRS)])
        for person in self.corpus.store.all(Person):
            held = open_assignments(self.corpus.store, person.id)
            assert all(may_judge(person, known[one.pair_id]) for one in held)
            counted = [
                one for one in self._live() if one.annotator == person.id and one.round in ("main", "third")
            ]
            assert person.capacity is None or len(counted) <= person.capacity

    @invariant()
    def nothing_is_lost_and_no_ruling_is_early(self) -> None:
        assert self.corpus.store.count(Annotation) == self.rows
        waiting = {one.pair_id for name in self._names() for one in open_assignments(self.corpus.store, name)}
        assert not waiting & {one.pair for one in disputes(self.corpus.store)}

    def teardown(self) -> None:
        """Everybody finishes: then every pair is decided, or waits for a reason."""
        if hasattr(self, "corpus"):
            moving = True
            while moving:
                moving = False
                for name in self._names():
                    for one in open_assignments(self.corpus.store, name):
                        assert kit.judge(self.corpus, one, LABELS[int(one.pair_id[-1]) % 3]) == "stored"
                        moving = True
            tied = {one.pair for one in disputes(self.corpus.store) if one.tied and one.ruling is None}
            assert tied == {one.pair for one in to_rule(self.corpus.store, kit.settings(self.corpus))}
            self.corpus.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _names(self) -> list[str]:
        return [one.id for one in annotators(self.corpus.store)]

    def _open(self, who: int) -> list[Assignment]:
        names = self._names()
        return open_assignments(self.corpus.store, names[who % len(names)]) if names else []

    def _live(self) -> list[Assignment]:
        found = self.corpus.store.all(Assignment, round=list(DECIDING))
        return [one for one in found if one.withdrawn is None]


TestCourse = Course.TestCase
TestCourse.settings = settings(
    max_examples=10,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
