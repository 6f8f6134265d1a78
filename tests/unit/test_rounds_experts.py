"""Experts in the rounds of others, and people who have no capacity: nobody stands in a circle for nothing."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import annotationkit as kit
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from annotation.annotate_commands import annotate
from annotation.rounds.people import invite
from annotation.rounds.reading import Item
from annotation.rounds.seating import seat
from dalil.records import Assignment, Person

EXPERTS, OTHERS = ("e1", "e2", "e3"), ("amal", "bashir", "dima")


def test_an_expert_who_is_an_annotator_has_a_share_of_the_main_round(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 24) as corpus:
        kit.people(corpus, OTHERS)
        for name in EXPERTS:
            invite(corpus.store, name, expert=True)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.expert(6))
        dealer.write(dealer.main(None))
        loads = Counter(one.annotator for one in corpus.store.all(Assignment, round="main"))
        assert loads == dict.fromkeys((*EXPERTS, *OTHERS), 6)


def test_an_expert_without_capacity_is_in_no_circle_and_in_no_plan(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 90) as corpus:
        kit.people(corpus, OTHERS)
        for name in EXPERTS:
            invite(corpus.store, name, expert=True, capacity=0)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.expert(9))
        planned = CliRunner().invoke(annotate, ["plan", "--json", "--rate", "30", str(corpus.path)])
        assert (
            json.loads(planned.output)["people"],
            json.loads(planned.output)["design"]["fewest_shared"],
        ) == (
            3,
            27,
        )
        dealt = dealer.main(None)
        design = dealt.design["languages"]["ar"]
        assert sorted(design["circle"]) == sorted(OTHERS)
        assert (design["fewest_shared"], dealt.loads()) == (27, dict.fromkeys(OTHERS, 54))


def test_who_is_full_by_now_is_in_no_circle_either(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 60) as corpus:
        kit.people(corpus, OTHERS)
        invite(corpus.store, "huda", capacity=4)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(16))
        assert corpus.store.count(Assignment, annotator="huda") == 4
        dealt = dealer.main(None)
        assert sorted(dealt.design["languages"]["ar"]["circle"]) == sorted(OTHERS)


@given(
    number=st.integers(0, 120),
    capacities=st.lists(st.none() | st.integers(0, 40), min_size=2, max_size=7),
    seed=st.integers(0, 5),
)
def test_what_neighbours_share_is_counted_as_it_came_out(
    number: int, capacities: list[int | None], seed: int
) -> None:
    people = [Person(id=f"p{place}", capacity=limit) for place, limit in enumerate(capacities)]
    items = [Item(f"pair{n:03d}", f"claim{n // 4}", n % 4, "ar", "site", None) for n in range(number)]
    seats = seat(items, people, seed=seed)
    able = {one.id for one in people if one.capacity != 0}
    if not items or len(able) < 2:
        assert seats.designs == {}
        return
    design = seats.designs["ar"]
    assert set(design.circle) == able
    shared = Counter(frozenset(two) for two in seats.raters.values())
    asked = {frozenset((design.circle[i], design.circle[j])) for i, j, held in design.shares if held}
    assert asked <= {frozenset(two) for two in combinations(able, 2)}
    assert seats.fewest_shared["ar"] == min((shared[two] for two in asked), default=0)
    if all(limit is None for limit in capacities):
        assert seats.fewest_shared["ar"] == design.fewest_shared or not design.fewest_shared


@pytest.mark.parametrize("capacity", [0, 1])
def test_a_third_rating_goes_to_nobody_without_capacity(tmp_path: Path, capacity: int) -> None:
    with kit.make(tmp_path / "c", 1) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        invite(corpus.store, "huda", expert=True, capacity=0)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        invite(corpus.store, "huda", capacity=capacity)
        kit.judge_all(corpus, "amal", "agree")
        kit.judge_all(corpus, "bashir", "disagree")
        thirds = [one.annotator for one in corpus.store.all(Assignment, round="third")]
        assert thirds == ["huda"] * capacity
