"""The circulant design and EffiARA's capacity: laws, and figures worked out by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.rounds.capacity import QUANTITIES, judgements_an_item, solve
from annotation.rounds.design import circulant, widest
from annotation.rounds.people import may_judge
from annotation.rounds.reading import Item
from annotation.rounds.seating import NO_CAPACITY, TOO_FEW, seat
from dalil.errors import UsageError
from dalil.records import Person


@given(items=st.integers(0, 400), people=st.integers(2, 17), seed=st.integers(0, 9), data=st.data())
def test_no_item_is_left_and_loads_differ_by_one_at_most(
    items: int, people: int, seed: int, data: st.DataObject
) -> None:
    complete = data.draw(st.booleans())
    offsets = None if complete else data.draw(st.none() | st.integers(1, max((people - 1) // 2, 1)))
    names = [f"annotator {place}" for place in range(people)]
    design = circulant(items, names, seed=seed, offsets=offsets, complete=complete)
    dealt = design.deal([f"pair {number}" for number in range(items)], seed)
    assert len(dealt) == items
    assert all(a != b for a, b in dealt.values())
    loads = Counter(dict.fromkeys(names, 0)) + Counter(name for two in dealt.values() for name in two)
    loads = Counter({name: loads[name] for name in names})
    assert max(loads.values()) - min(loads.values()) <= 1
    assert dict(loads) == design.loads()
    shared = Counter(frozenset(two) for two in dealt.values())
    places = {name: place for place, name in enumerate(design.circle)}
    for two in shared:
        a, b = (places[name] for name in two)
        apart = min((a - b) % people, (b - a) % people)
        assert apart <= design.offsets or (complete and apart == people // 2)


@given(
    deals=st.lists(st.integers(0, 60), min_size=1, max_size=6),
    people=st.integers(2, 12),
    seed=st.integers(0, 9),
)
def test_deals_one_after_another_stay_within_one(deals: list[int], people: int, seed: int) -> None:
    names = [f"p{number:02d}" for number in range(people)]
    loads = Counter(dict.fromkeys(names, 0))
    for items in deals:
        design = circulant(items, names, seed=seed).lighter_first(loads)
        assert sorted(design.circle) == names
        loads.update(design.loads())
        assert max(loads.values()) - min(loads.values()) <= 1
    assert sum(loads.values()) == 2 * sum(deals)


def test_the_widest_design_shares_fifteen_items_or_more() -> None:
    assert widest(450, 10) == 3  # 450 / (10 · 3) = 15
    assert widest(449, 10) == 2
    assert widest(10, 10) == 1
    assert widest(4063, 3) == 1  # three annotators: everybody shares with everybody
    assert circulant(450, [str(n) for n in range(10)]).fewest_shared == 15


def test_the_complete_graph_with_an_even_number_of_people() -> None:
    design = circulant(66, [str(n) for n in range(12)], complete=True)
    assert len(design.shares) == 66
    assert {number for _, _, number in design.shares} == {1}


def test_the_same_seed_gives_the_same_design_and_another_another() -> None:
    names = ["amal", "bashir", "dima", "emad", "farah"]
    pairs = [f"p{n}" for n in range(40)]
    first = circulant(40, names, seed=1).deal(pairs, 1)
    assert first == circulant(40, list(reversed(names)), seed=1).deal(list(reversed(pairs)), 1)
    assert first != circulant(40, names, seed=2).deal(pairs, 2)


@pytest.mark.parametrize(("people", "offsets"), [(1, None), (0, None), (5, 3), (5, 0)])
def test_an_impossible_design_is_refused(people: int, offsets: int | None) -> None:
    with pytest.raises(UsageError):
        circulant(10, [str(n) for n in range(people)], offsets=offsets)


def items(number: int, languages: tuple[str, ...] = ("ar",)) -> list[Item]:
    return [
        Item(f"pair {n:03d}", f"claim {n // 5}", n % 5, languages[n % len(languages)], f"site{n % 3}", None)
        for n in range(number)
    ]


PEOPLE = st.lists(
    st.builds(
        lambda speaks, capacity, excluded: (speaks, capacity, excluded),
        st.sampled_from([(), ("ar",), ("en",), ("ar", "en")]),
        st.none() | st.integers(0, 30),
        st.sampled_from([(), ("site1",), ("claim 0", "claim 2")]),
    ),
    min_size=2,
    max_size=7,
)


@given(found=PEOPLE, number=st.integers(0, 40), seed=st.integers(0, 3))
def test_languages_capacities_and_exclusions_hold(
    found: list[tuple[tuple[str, ...], int | None, tuple[str, ...]]], number: int, seed: int
) -> None:
    people = [
        Person(id=f"p{place}", languages=speaks, capacity=capacity, excluded=excluded)
        for place, (speaks, capacity, excluded) in enumerate(found)
    ]
    by_name = {person.id: person for person in people}
    wanted = {item.pair: item for item in items(number, ("ar", "en"))}
    seats = seat(list(wanted.values()), people, seed=seed)
    assert set(seats.raters) | set(seats.left_out) == set(wanted)
    assert not set(seats.raters) & set(seats.left_out)
    for pair, names in seats.raters.items():
        assert len(set(names)) == 2
        assert all(may_judge(by_name[name], wanted[pair]) for name in names)
    loads = seats.loads()
    for person in people:
        assert person.capacity is None or loads.get(person.id, 0) <= person.capacity
    for pair, why in seats.left_out.items():
        able = [person for person in people if may_judge(person, wanted[pair])]
        assert why == (TOO_FEW if len(able) < 2 else NO_CAPACITY)
        free = [p for p in able if p.capacity is None or loads.get(p.id, 0) < p.capacity]
        assert len(free) < 2, "an item is left out only when no two people are left for it"


def test_without_limits_the_design_stands_as_it_is() -> None:
    people = [Person(id=name) for name in ("amal", "bashir", "dima", "emad", "farah")]
    seats = seat(items(100), people)
    assert seats.moved == 0
    assert set(seats.loads().values()) == {40}
    design = circulant(100, [person.id for person in people])
    assert {
        pair: tuple(sorted(two)) for pair, two in design.deal([i.pair for i in items(100)], 0).items()
    } == dict(seats.raters)


def test_people_of_two_languages_carry_no_more_than_others_when_they_need_not() -> None:
    people = [Person(id=f"both{n}", languages=("ar", "en")) for n in range(3)]
    people += [Person(id=f"arabic{n}", languages=("ar",)) for n in range(3)]
    loads = seat(items(60, ("ar", "ar", "en")), people).loads()
    assert max(loads.values()) - min(loads.values()) <= 1


def test_scarce_capacity_is_used_up() -> None:
    people = [Person(id=name, capacity=10) for name in ("amal", "bashir", "dima")]
    seats = seat(items(100), people)
    assert len(seats.raters) == 15
    assert seats.loads() == {"amal": 10, "bashir": 10, "dima": 10}


# 4,063 pairs, 30 an hour, everything by two: 8,126 judgements, 270.87 hours
@pytest.mark.parametrize(
    ("given", "unknown", "value"),
    [
        ({"items": 4063, "rate": 30, "people": 3, "double": 1, "again": 0}, "hours", 4063 * 2 / 30 / 3),
        ({"rate": 30, "hours": 20, "people": 3, "double": 1, "again": 0}, "items", 900),
        ({"rate": 60, "hours": 10, "people": 6, "double": 0.5, "again": 0.5}, "items", 3600 / 1.75),
        ({"items": 900, "rate": 30, "hours": 20, "double": 1, "again": 0}, "people", 3),
        ({"items": 900, "hours": 20, "people": 3, "double": 1, "again": 0}, "rate", 30),
        ({"items": 1200, "rate": 30, "hours": 20, "people": 3, "again": 0}, "double", 0.5),
        ({"items": 1200, "rate": 30, "hours": 20, "people": 3, "double": 0.25}, "again", 1 / 3),
    ],
)
def test_capacity_answers_any_one_unknown(given: dict[str, float], unknown: str, value: float) -> None:
    found = solve(given)
    assert found.unknown == unknown
    assert getattr(found, unknown) == pytest.approx(value)


@given(
    rate=st.floats(1, 100), hours=st.floats(1, 100), people=st.floats(1, 50),
    double=st.floats(0, 0.95), again=st.floats(0, 0.95), unknown=st.sampled_from(QUANTITIES),
)  # fmt: skip
def test_capacity_is_the_same_formula_whatever_is_asked(
    rate: float, hours: float, people: float, double: float, again: float, unknown: str
) -> None:
    items = rate * hours * people / judgements_an_item(double, again)
    whole = {"items": items, "rate": rate, "hours": hours, "people": people, "double": double, "again": again}
    found = solve({name: value for name, value in whole.items() if name != unknown})
    assert getattr(found, unknown) == pytest.approx(whole[unknown], rel=1e-6, abs=1e-6)


SHARE = st.floats(0, 1)
AMOUNT = st.floats(1e-3, 1e6)


@given(rate=AMOUNT, hours=AMOUNT, people=AMOUNT, double=SHARE, again=SHARE)
def test_every_unknown_is_the_inverse_of_every_other(
    rate: float, hours: float, people: float, double: float, again: float
) -> None:
    whole = solve({"rate": rate, "hours": hours, "people": people, "double": double, "again": again})
    for unknown in QUANTITIES:
        known = {name: getattr(whole, name) for name in QUANTITIES if name != unknown}
        other = {"double": again, "again": double}.get(unknown)
        if other == 1:
            with pytest.raises(UsageError, match="makes no difference"):
                solve(known)
            continue
        found = solve(known)
        # a share close to 1 leaves little for the other to change, so rounding weighs more there
        slack = 1e-9 if other is None else 1e-9 / (1 - other)
        assert getattr(found, unknown) == pytest.approx(getattr(whole, unknown), rel=1e-9, abs=slack)
        assert found.judgements == pytest.approx(rate * hours * people, rel=1e-6)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"items": 10, "rate": -5, "people": 3, "double": 1, "again": 0}, "rate = -5 makes no sense"),
        ({"items": float("nan"), "rate": 5, "people": 3, "double": 1, "again": 0}, "items = nan makes no"),
        ({"items": float("inf"), "rate": 5, "people": 3, "double": 1, "again": 0}, "items = inf makes no"),
        ({"items": 10, "rate": 5, "people": 3, "double": 1, "again": -0.1}, "again = -0.1 makes no sense"),
        ({"rate": 1e200, "hours": 1e200, "people": 3, "double": 1, "again": 0}, "no items comes of"),
        ({"items": 10, "hours": 1e-200, "people": 1e-200, "double": 1, "again": 0}, "no rate comes of"),
        ({"rate": 1e-200, "hours": 1e-200, "people": 1, "double": 1, "again": 0}, "no items comes of"),
        ({"items": 10, "rate": 1}, "4 of the six quantities are unknown"),
        (dict.fromkeys(QUANTITIES, 0.5), "0 of the six"),
        ({"items": 10, "rate": 0, "people": 3, "double": 1, "again": 0}, "rate = 0 makes no sense"),
        ({"items": 10, "rate": 5, "people": 3, "double": 2, "again": 0}, "double = 2 makes no sense"),
        ({"items": 10, "rate": 1, "hours": 1, "people": 3, "again": 0}, "no double from 0 to 1 fits"),
        ({"items": 10, "rate": 1, "hours": 20, "people": 1, "double": 1}, "makes no difference"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(given: dict[str, float], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        solve(given)
