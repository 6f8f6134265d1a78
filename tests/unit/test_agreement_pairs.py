"""Pairs of raters: Cohen, cosine, confusion; adjudication; the table per language."""

from __future__ import annotations

import numpy as np
import pytest
from agreement_tables import FLEISS_1971, first_from_counts

from annotation.agreement.adjudication import adjudication, outcomes
from annotation.agreement.alpha import coincidence_rows
from annotation.agreement.confusion import confusion_between_raters
from annotation.agreement.cosine import cosine_table, cosines_by_pair, with_first_choice, with_second_choice
from annotation.agreement.pairs import rater_pairs
from annotation.agreement.report import ReportOptions, agreement_report, language_table
from annotation.ratings import HIGHLY_UNCERTAIN, ratings_of
from annotation.ratings_vectors import VoteOptions
from annotation.ratings_views import first_two
from dalil.errors import UsageError


def test_each_two_raters_once_those_who_share_most_first() -> None:
    rows = [
        ("1", "a", "x"),
        ("1", "b", "x"),
        ("1", "c", "y"),
        ("2", "c", "x"),
        ("2", "b", "x"),
        ("3", "a", "x"),
    ]
    first = first_two(ratings_of(rows, ["x", "y"]))
    names = [
        (first.ratings.workers[pair.a], first.ratings.workers[pair.b], pair.shared)
        for pair in rater_pairs(first)
    ]
    assert names == [("b", "c", 2), ("a", "b", 1), ("a", "c", 1)]


def test_cosine_of_first_choices_is_the_share_of_equal_ones() -> None:
    rows = [
        (f"i{n}", who, label)
        for n, both in enumerate(["xx", "xy", "yy", "xy"])
        for who, label in zip("ab", both, strict=True)
    ]
    first = first_two(ratings_of(rows, ["x", "y"]))
    assert cosines_by_pair(first, with_first_choice) == {(0, 1): 0.5}


def test_cosine_with_second_choice_by_hand() -> None:
    """K = 4. a: agree at confidence 3 (.625), discuss second (.3125). b: discuss at 3, agree second."""
    rows = [("i", "a", "agree"), ("i", "b", "discuss")]
    labels = ["agree", "disagree", "discuss", "unrelated"]
    first = first_two(ratings_of(rows, labels, confidence=[3, 3], second=["discuss", "agree"]))
    expected = 2 * 0.625 * 0.3125 / (0.625**2 + 0.3125**2)
    assert cosines_by_pair(first, with_second_choice(VoteOptions())) == {(0, 1): pytest.approx(expected)}


def test_cosine_with_highly_uncertain_by_hand() -> None:
    """a: agree at 1 (.25), the other .75 spread; b: disagree at 5. The cosine is .25 / .5."""
    rows = [("i", "a", "agree"), ("i", "b", "disagree")]
    labels = ["agree", "disagree", "discuss", "unrelated"]
    first = first_two(ratings_of(rows, labels, confidence=[1, 5], second=[HIGHLY_UNCERTAIN, ""]))
    assert cosines_by_pair(first, with_second_choice(VoteOptions())) == {(0, 1): pytest.approx(0.5)}


def test_vectors_without_a_direction_are_left_out() -> None:
    rows = [("i", "a", "x"), ("i", "b", "x")]
    first = first_two(ratings_of(rows, ["x", "y"], confidence=[1, 5]))
    table = cosine_table(first, with_second_choice(VoteOptions(normalisation="zero-to-one")))
    assert table.average is None


def test_average_over_pairs_or_over_annotators() -> None:
    rows = [("1", "a", "x"), ("1", "b", "x"), ("2", "b", "x"), ("2", "c", "y")]
    first = first_two(ratings_of(rows, ["x", "y"]))
    over_pairs = cosine_table(first, with_first_choice)
    over_annotators = cosine_table(first, with_first_choice, "annotators")
    assert (over_pairs.average, over_pairs.low, over_pairs.high, over_pairs.pairs) == (0.5, 0.0, 1.0, 2)
    assert (over_annotators.average, over_annotators.low, over_annotators.high) == (0.5, 0.0, 1.0)
    assert over_annotators.annotators == 3


def test_confusion_is_symmetric_and_counts_each_item_as_often_as_it_has_raters() -> None:
    first = first_from_counts(FLEISS_1971)
    found = confusion_between_raters(first)
    assert np.allclose(found.coincidences, found.coincidences.T)
    assert found.coincidences.sum() == pytest.approx(180)
    assert np.allclose(np.nansum(found.shares(), axis=1), 1)
    shares = [row["share_of_disagreement"] for row in found.most_confused()]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)


def disputed():
    """1: agreed. 2: third sides with b. 3: three ways, ruled for none of them. 4: open."""
    rows = [
        ("1", "a", "x", "main"), ("1", "b", "x", "main"),
        ("2", "a", "x", "main"), ("2", "b", "y", "main"), ("2", "c", "y", "third"),
        ("3", "a", "x", "main"), ("3", "b", "y", "main"), ("3", "c", "z", "third"),
        ("3", "judge", "w", "adjudication"),
        ("4", "a", "x", "main"), ("4", "b", "y", "main"),
    ]  # fmt: skip
    return ratings_of([row[:3] for row in rows], ["w", "x", "y", "z"], rounds=[row[3] for row in rows])


def test_adjudication_says_how_often_and_who_was_overruled() -> None:
    found = adjudication(disputed())
    assert (found.pairs, found.disagreed, found.by_third, found.by_ruling, found.open) == (4, 3, 2, 1, 1)
    assert found.rate == 0.75
    assert found.rulings_against_all == 1
    who = {row["rater"]: (row["ratings"], row["disputed"], row["overruled"]) for row in found.raters}
    assert who == {"a": (4, 2, 2), "b": (4, 2, 1)}
    assert found.overruled.tolist() == [[0, 0, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


def test_outcomes() -> None:
    assert outcomes(disputed()).tolist() == [1, 2, 0, -1]


def test_a_ruling_on_an_item_of_equal_raters_counts_as_their_outcome() -> None:
    rows = [("1", "a", "x"), ("1", "b", "x"), ("1", "judge", "y")]
    found = adjudication(ratings_of(rows, ["x", "y"], rounds=["main", "main", "adjudication"]))
    assert (found.disagreed, found.by_ruling, found.rulings_against_all) == (0, 1, 1)


def test_table_per_language() -> None:
    rows, langs = [], []
    for lang, pattern in {"ar": ["xx", "xy"], "en": ["xx", "yy", "xy", "yy"]}.items():
        for number, both in enumerate(pattern):
            rows += [
                (f"{lang}{number}", f"{lang}-{who}", label) for who, label in zip("ab", both, strict=True)
            ]
            langs += [lang] * 2
    first = first_two(ratings_of(rows, ["x", "y"], langs=langs))
    table = language_table(first, ReportOptions(bootstrap=None))["cosine"]["first_choice"]
    assert (table["ar"]["average"], table["en"]["average"]) == (0.5, 0.75)
    assert table["All"] == {"annotators": 4, "pairs": 2, "average": 0.625, "minimum": 0.625, "maximum": 0.625}
    assert "with_second_and_confidence" not in language_table(first, ReportOptions(bootstrap=None))["cosine"]


def test_a_report_needs_independent_ratings() -> None:
    rows = [("1", "a", "x"), ("1", "b", "y")]
    with pytest.raises(UsageError, match="--round NAME=main"):
        agreement_report(ratings_of(rows, ["x", "y"], rounds=["third", "third"]))


def test_a_report_never_measures_a_third_rater() -> None:
    report = agreement_report(disputed(), ReportOptions(bootstrap=None))
    assert report["first"]["raters_an_item"] == {"2": 4}
    assert report["first"]["raters"] == 2
    assert report["read"]["rounds"] == {"main": 8, "third": 2, "adjudication": 1}


def test_confusion_is_the_sum_of_the_items_coincidences() -> None:
    """Items with one rater and none add nothing."""
    first = first_from_counts([*FLEISS_1971, [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [2, 1, 0, 0, 0]])
    found = confusion_between_raters(first).coincidences
    assert found.ravel() == pytest.approx(coincidence_rows(first.counts).sum(axis=0)[2:])
    assert found == pytest.approx(found.T)
    assert found.sum() == pytest.approx(30 * 6 + 3)
