"""Laws of dealing: nobody twice on a pair, loads as even as the rules allow, one deal or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.rounds.people import may_judge
from annotation.rounds.reading import Item
from annotation.rounds.seating import seat
from dalil.errors import UsageError
from dalil.records import Person


def items(number: int, languages: Sequence[str], start: int = 0) -> list[Item]:
    """Pairs of claims of five, sites of three, outlets of four."""
    return [
        Item(
            f"pair {n:03d}", f"claim {n // 5}", n % 5, languages[n % len(languages)], f"s{n % 3}", f"o{n % 4}"
        )
        for n in range(start, start + number)
    ]


TEAM = st.lists(
    st.tuples(
        st.sampled_from([(), ("ar",), ("en",), ("ar", "en"), ("fr",)]),
        st.none() | st.integers(0, 25),
        st.sampled_from([(), ("s1",), ("o0", "o1"), ("claim 0", "claim 2"), ("s0", "s2")]),
    ),
    min_size=2,
    max_size=8,
)


def team(found: Sequence[tuple[tuple[str, ...], int | None, tuple[str, ...]]]) -> list[Person]:
    return [
        Person(id=f"p{place}", languages=speaks, capacity=capacity, excluded=excluded)
        for place, (speaks, capacity, excluded) in enumerate(found)
    ]


def fairest(wanted: Sequence[Item], people: Sequence[Person]) -> int:
    """The smallest possible sum of squared loads when each item has two people who may judge it.

    A transport problem: the j-th seat of a person costs 2j − 1, so loads cost their squares, and the linear
    programme has whole-numbered solutions.
    """
    from scipy.optimize import linprog

    may = [(i, p) for i, item in enumerate(wanted) for p, one in enumerate(people) if may_judge(one, item)]
    slots = [
        (p, j)
        for p, one in enumerate(people)
        for j in range(1, 1 + (len(wanted) if one.capacity is None else min(one.capacity, len(wanted))))
    ]
    cost = [0.0] * len(may) + [2.0 * j - 1 for _, j in slots]
    rows = np.zeros((len(wanted) + len(people), len(cost)))
    for column, (i, p) in enumerate(may):
        rows[i, column] = 1
        rows[len(wanted) + p, column] = 1
    for column, (p, _) in enumerate(slots, start=len(may)):
        rows[len(wanted) + p, column] = -1
    found = linprog(cost, A_eq=rows, b_eq=[2.0] * len(wanted) + [0.0] * len(people), bounds=(0, 1))
    assert found.success
    return round(found.fun)


@settings(max_examples=80)
@given(found=TEAM, number=st.integers(1, 30), seed=st.integers(0, 3), complete=st.booleans())
def test_no_fairer_loads_exist_under_the_same_rules(
    found: list[tuple[tuple[str, ...], int | None, tuple[str, ...]]], number: int, seed: int, complete: bool
) -> None:
    people = team(found)
    wanted = {item.pair: item for item in items(number, ("ar", "en"))}
    seats = seat(list(wanted.values()), people, seed=seed, complete=complete)
    for pair, names in seats.raters.items():
        assert len(set(names)) == len(names) == 2, "nobody twice on a pair"
        assert pair not in seats.left_out
    if seats.raters:
        given_out = [wanted[pair] for pair in seats.raters]
        assert sum(load**2 for load in seats.loads().values()) == fairest(given_out, people)


@given(
    languages=st.sampled_from([("ar",), ("ar", "en"), ("ar", "ar", "en", "fr")]),
    deals=st.lists(st.integers(0, 25), min_size=1, max_size=7),
    people=st.integers(2, 16),
    seed=st.integers(0, 9),
)
def test_where_all_may_judge_all_loads_differ_by_one_over_all_deals(
    languages: tuple[str, ...], deals: list[int], people: int, seed: int
) -> None:
    staff = [Person(id=f"p{n:02}", languages=tuple(sorted(set(languages)))) for n in range(people)]
    loads = Counter({person.id: 0 for person in staff})
    start = 0
    for number in deals:
        seats = seat(items(number, languages, start), staff, seed=seed, earlier=loads)
        start += number
        assert not seats.left_out
        new = seats.loads()
        assert max(new.values(), default=0) - min((new.get(p.id, 0) for p in staff), default=0) <= 1
        loads.update(new)
        assert max(loads.values()) - min(loads.values()) <= 1
    assert sum(loads.values()) == 2 * sum(deals)


@pytest.mark.parametrize("people", [2, 3, 5, 16])
def test_odd_numbers_of_people_share_evenly(people: int) -> None:
    staff = [Person(id=f"p{n:02}") for n in range(people)]
    for number in (1, 7, 100, 315):
        loads = seat(items(number, ("ar",)), staff).loads()
        every = [loads.get(person.id, 0) for person in staff]
        assert sum(every) == 2 * number
        assert max(every) - min(every) <= 1


def test_who_joins_late_has_an_equal_share_of_what_is_dealt_then() -> None:
    old = {"amal": 40, "bashir": 40, "dima": 39}
    staff = [Person(id=name) for name in (*old, "new")]
    loads = seat(items(21, ("ar",), 100), staff, earlier=old).loads()
    assert sorted(loads.values()) == [10, 10, 11, 11]
    assert loads["new"] == 11
    assert loads["dima"] == 11, "who has fewer takes the odd seat; nobody catches up what they missed"


@pytest.mark.parametrize("offsets", [0, 3, 99])
def test_offsets_that_fit_nobody_are_refused(offsets: int) -> None:
    staff = [Person(id=f"p{n}") for n in range(5)]
    with pytest.raises(UsageError, match=f"g = {offsets} is not possible"):
        seat(items(10, ("ar",)), staff, offsets=offsets)
    both = [*staff, *(Person(id=f"q{n}", languages=("en",)) for n in range(2))]
    if offsets == 3:
        found = seat(items(40, ("ar", "en")), both, offsets=offsets).designs
        assert {language: design.offsets for language, design in found.items()} == {"ar": 1, "en": 3}
