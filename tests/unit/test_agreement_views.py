"""A third rater who was asked because two disagreed cannot enter a coefficient."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement_tables import from_counts

from annotation.agreement.chance import fleiss_kappa
from annotation.ratings import PILOT, Ratings, ratings_of
from annotation.ratings_views import FirstRatings, first_two, looks_adjudicated, of_language, pilot
from dalil.errors import InputError


def two_and_a_third(items: int = 60, seed: int = 3) -> list[tuple[str, str, str, str]]:
    """Rows (item, worker, label, round): two raters, a third where they disagree."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(items):
        a, b, c = (f"l{code}" for code in rng.integers(0, 3, 3))
        rows += [(f"i{item}", "amal", a, "main"), (f"i{item}", "bashir", b, "main")]
        if a != b:
            rows.append((f"i{item}", "dana", c if c in (a, b) else a, "third"))
    return rows


def rated(rows: list[tuple[str, str, str, str]], *, named: bool = True) -> Ratings:
    rounds = [row[3] for row in rows] if named else None
    return ratings_of([row[:3] for row in rows], ["l0", "l1", "l2"], rounds=rounds)


def test_first_two_leaves_the_third_out() -> None:
    first = first_two(rated(two_and_a_third()))
    assert set(first.counts.sum(axis=1)) == {2.0}
    assert first.selection == "main round, first raters"


def test_ratings_of_a_third_round_are_refused_however_the_type_is_made() -> None:
    ratings = rated(two_and_a_third())
    with pytest.raises(InputError, match="third rater or a ruling"):
        FirstRatings(ratings, "everything")
    with pytest.raises(InputError, match="third rater or a ruling"):
        FirstRatings(replace(ratings, round=np.full(len(ratings), 3, dtype=np.int32)), "rulings")


def test_without_rounds_the_shape_of_an_adjudication_is_refused() -> None:
    with pytest.raises(InputError, match="add a column `round`"):
        first_two(rated(two_and_a_third(), named=False))


def test_what_the_naive_kappa_would_have_been() -> None:
    """The same ratings taken as if all were first ones: agreement that nobody had."""
    rows = two_and_a_third(400)
    honest = fleiss_kappa(first_two(rated(rows))).value
    naive = fleiss_kappa(first_two(rated([(*row[:3], "main") for row in rows]))).value
    assert honest is not None
    assert naive is not None
    assert abs(honest) < 0.1
    assert naive > honest + 0.1


@pytest.mark.parametrize(
    ("counts", "guilty"),
    [
        ([[2, 0]] * 10 + [[2, 1]] * 10, True),
        ([[2, 0]] * 10 + [[2, 1]] * 10 + [[1, 0]] * 5, True),
        ([[2, 0]] * 10 + [[2, 1]] * 10 + [[3, 0]], False),  # a third rater who was not asked for a reason
        ([[2, 0]] * 10 + [[2, 1]] * 10 + [[1, 1]], False),  # a disagreement that nobody adjudicated
        ([[2, 0]] * 3 + [[2, 1]] * 3, False),  # too few to say
        ([[3, 0]] * 20 + [[2, 1]] * 20, False),  # everybody judged everything
        ([], False),
    ],
)
def test_shape_of_adjudication(counts, guilty) -> None:
    assert looks_adjudicated(np.array(counts, dtype=float).reshape(-1, 2)) is guilty


def unequal(items: int, seed: int, third: str) -> np.ndarray:
    """Counts of two raters an item and a third: where they disagreed (`asked`, seven in ten) or by chance."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((items, 4))
    for row in counts:
        truth, hard = rng.integers(4), rng.random()
        a, b, c = (truth if rng.random() > hard / 2 else rng.integers(4) for _ in range(3))
        for label in (a, b):
            row[label] += 1
        if rng.random() < 0.7 and (third == "chance" or a != b):
            row[c] += 1
    return counts


@pytest.mark.parametrize("seed", range(25))
def test_an_unfinished_adjudication_is_seen_and_a_third_by_chance_is_not(seed) -> None:
    assert looks_adjudicated(unequal(300, seed, "asked"))
    for items in (20, 300):
        assert not looks_adjudicated(unequal(items, seed, "chance"))


def test_one_stray_item_does_not_hide_an_adjudication() -> None:
    counts = [[2, 0]] * 100 + [[2, 1]] * 40
    for stray in ([3, 0], [1, 1]):
        assert looks_adjudicated(np.array([*counts, stray], dtype=float))


def test_a_worker_twice_on_an_item_is_refused() -> None:
    ratings = from_counts([[2, 0]])
    again = replace(ratings, worker=np.zeros(2, dtype=np.int32))
    with pytest.raises(InputError, match="'w0' rated 'i0' more than once"):
        first_two(again)


def test_pilot_and_main_are_apart() -> None:
    rows = [
        ("p", "a", "l0", "pilot"),
        ("p", "b", "l1", "pilot"),
        ("m", "a", "l0", "main"),
        ("m", "b", "l0", "main"),
    ]
    ratings = rated(rows)
    assert pilot(ratings).counts.tolist() == [[1, 1, 0], [0, 0, 0]]
    assert first_two(ratings).counts.tolist() == [[0, 0, 0], [2, 0, 0]]
    assert set(pilot(ratings).ratings.round) == {PILOT}


def test_one_language() -> None:
    rows = [("x", "a", "l0"), ("x", "b", "l1"), ("y", "a", "l0"), ("y", "b", "l0")]
    ratings = ratings_of(rows, ["l0", "l1"], langs=["ar", "ar", "en", "en"])
    assert of_language(first_two(ratings), 1).counts.tolist() == [[0, 0], [2, 0]]
    with pytest.raises(InputError, match="no languages"):
        of_language(first_two(ratings_of(rows, ["l0", "l1"])), 0)
