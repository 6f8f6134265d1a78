"""Where a coefficient is undefined it says why, and never gives NaN."""

from __future__ import annotations

import json

import pytest
from agreement_tables import first_from_counts

from annotation.agreement.alpha import LEVELS, krippendorff_alpha
from annotation.agreement.chance import fleiss_kappa, gwet_ac1, raw_agreement
from annotation.agreement.cohen import cohen_kappa
from annotation.agreement.cosine import cosine_agreement, with_first_choice
from annotation.agreement.figure import Bootstrap, Figure
from annotation.agreement.pairs import rater_pairs
from annotation.agreement.report import agreement_report
from annotation.agreement.tables import plain
from annotation.ratings import ratings_of
from annotation.ratings_views import first_two
from dalil.errors import UsageError


def test_one_label_throughout_is_undefined_with_its_raw_agreement() -> None:
    first = first_from_counts([[2, 0], [3, 0], [2, 0]])
    kappa = fleiss_kappa(first, Bootstrap(50))
    assert kappa.value is None
    assert kappa.reason == "all ratings are of one label, so agreement by chance is certain"
    assert kappa.detail["p_a"] == 1.0
    for level in LEVELS[:2]:
        assert "one label" in (krippendorff_alpha(first, level=level).reason or "")
    # AC1's chance term is 0 there: perfect agreement, and defined
    assert gwet_ac1(first).value == 1.0


def test_no_item_with_two_raters() -> None:
    first = first_from_counts([[1, 0], [0, 1]])
    figures = (fleiss_kappa(first), gwet_ac1(first), raw_agreement(first), krippendorff_alpha(first))
    assert [figure.reason for figure in figures] == ["no item has two raters"] * 4


def test_a_scheme_of_one_label() -> None:
    first = first_from_counts([[2], [3]])
    assert fleiss_kappa(first).reason == "there is one label only"
    assert gwet_ac1(first).reason == "there is one label only"


def test_raters_who_share_nothing_and_raters_of_one_label() -> None:
    apart = first_from_counts([[1, 0], [0, 1]])
    assert cosine_agreement(apart, with_first_choice).reason == "no two annotators share an item"
    assert list(rater_pairs(apart)) == []
    same = first_from_counts([[2, 0], [2, 0]])
    (pair,) = rater_pairs(same)
    found = cohen_kappa(same, pair, Bootstrap(50))
    assert found.value is None
    assert found.reason == "both raters gave one label throughout, so agreement by chance is certain"


def test_a_figure_has_a_value_or_a_reason_never_neither_or_both() -> None:
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure("x", None)
    with pytest.raises(ValueError, match="either a value or a reason"):
        Figure("x", 1.0, "because")


def test_level_of_measurement_that_labels_cannot_have() -> None:
    with pytest.raises(UsageError, match="numbers"):
        krippendorff_alpha(first_from_counts([[1, 1]], ["agree", "disagree"]), level="interval")


@pytest.mark.parametrize(
    ("labels", "level"), [(["1", "nan"], "interval"), (["1", "inf"], "ratio"), (["-1", "1"], "ratio")]
)
def test_numbers_that_a_level_cannot_use(labels, level) -> None:
    with pytest.raises(UsageError, match=f"level {level} needs labels that are numbers"):
        krippendorff_alpha(first_from_counts([[1, 1]], labels), level=level)


def test_ordinal_labels_that_were_only_seen_are_in_the_order_of_numbers_or_of_none() -> None:
    """By their letters 10 would lie between 1 and 2."""
    rows = [
        ("i", "a", "1"),
        ("i", "b", "2"),
        ("j", "a", "10"),
        ("j", "b", "10"),
        ("k", "a", "2"),
        ("k", "b", "10"),
    ]
    given, seen = (
        krippendorff_alpha(first_two(ratings_of(rows, labels)), how, level="ordinal")
        for labels, how in ((["1", "2", "10"], None), (None, None))
    )
    assert seen.value == given.value
    by_letters = krippendorff_alpha(first_two(ratings_of(rows, ["1", "10", "2"])), level="ordinal")
    assert by_letters.value != given.value
    with pytest.raises(UsageError, match="needs labels in their order"):
        krippendorff_alpha(first_two(ratings_of([("i", "a", "low"), ("i", "b", "high")])), level="ordinal")


@pytest.mark.parametrize(
    "rows",
    [
        [("i", "a", "x"), ("i", "b", "x")],
        [("i", "a", "x"), ("j", "b", "y")],
        [("i", "a", "x")],
        [("i", "a", "x"), ("i", "b", "y")],
    ],
)
def test_a_report_over_next_to_nothing_is_json_without_nan(rows) -> None:
    report = agreement_report(ratings_of(rows, ["x", "y"]))
    assert "NaN" not in json.dumps(plain(report), allow_nan=False)
