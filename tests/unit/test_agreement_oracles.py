"""Agreement with other people's programs, wherever these are defined."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from agreement_tables import first_from_counts
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.agreement.alpha import LEVELS, krippendorff_alpha
from annotation.agreement.chance import fleiss_kappa, gwet_ac1
from annotation.agreement.cohen import cohen_kappa, confusion
from annotation.agreement.pairs import rater_pairs
from annotation.ratings import ratings_of
from annotation.ratings_views import first_two

krippendorff = pytest.importorskip("krippendorff")
inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")


@st.composite
def counts_with_gaps(draw):
    """Counts of 1–12 items, 2–5 labels, 0–6 raters an item: gaps and unequal numbers."""
    labels = draw(st.integers(2, 5))
    row = st.lists(st.integers(0, 3), min_size=labels, max_size=labels)
    return draw(st.lists(row, min_size=1, max_size=12))


@st.composite
def counts_of_equal_raters(draw):
    """Counts with the same number of raters everywhere."""
    labels, raters = draw(st.integers(2, 5)), draw(st.integers(2, 6))
    item = st.lists(st.integers(0, labels - 1), min_size=raters, max_size=raters)
    items = draw(st.lists(item, min_size=1, max_size=15))
    return [np.bincount(item, minlength=labels).tolist() for item in items]


@settings(max_examples=150, deadline=None)
@given(counts_with_gaps(), st.sampled_from(LEVELS))
def test_alpha_is_krippendorffs(counts, level) -> None:
    labels = [str(code + 1) for code in range(len(counts[0]))]
    mine = krippendorff_alpha(first_from_counts(counts, labels), level=level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = krippendorff.alpha(
                value_counts=np.array(counts),
                value_domain=np.array([float(label) for label in labels]),
                level_of_measurement=level,
            )
        except ValueError:
            theirs = float("nan")
    if np.isfinite(theirs):
        assert mine.value == pytest.approx(theirs, abs=1e-9)
    else:
        assert mine.value is None


@settings(max_examples=150, deadline=None)
@given(counts_of_equal_raters())
def test_fleiss_kappa_is_statsmodels(counts) -> None:
    mine = fleiss_kappa(first_from_counts(counts))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = inter_rater.fleiss_kappa(np.array(counts), method="fleiss")
    if mine.value is None:
        assert not np.isfinite(theirs) or np.array(counts).sum(axis=0).max() == np.array(counts).sum()
    else:
        assert mine.value == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_cohen_kappa_and_its_error_are_statsmodels(both) -> None:
    rows = [
        row for i, (a, b) in enumerate(both) for row in ((f"i{i}", "a", f"k{a}"), (f"i{i}", "b", f"k{b}"))
    ]
    first = first_two(ratings_of(rows, ["k0", "k1", "k2", "k3"]))
    (pair,) = rater_pairs(first)
    mine = cohen_kappa(first, pair)
    table = confusion(first, pair)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = inter_rater.cohens_kappa(table)
    if mine.value is None:
        assert not np.isfinite(theirs.kappa) or np.count_nonzero(table) == 1
    else:
        assert mine.value == pytest.approx(theirs.kappa, abs=1e-9)
        assert mine.se == pytest.approx(np.sqrt(max(theirs.var_kappa, 0)), abs=1e-7)


@settings(max_examples=100, deadline=None)
@given(counts_with_gaps(), st.randoms(use_true_random=False))
def test_order_of_items_and_of_labels_changes_nothing(counts, random) -> None:
    items, labels = list(range(len(counts))), list(range(len(counts[0])))
    random.shuffle(items)
    random.shuffle(labels)
    turned = [[counts[i][k] for k in labels] for i in items]
    for measure in (fleiss_kappa, gwet_ac1, krippendorff_alpha):
        one, other = measure(first_from_counts(counts)), measure(first_from_counts(turned))
        assert (one.value is None) == (other.value is None)
        if one.value is not None:
            assert one.value == pytest.approx(other.value, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(counts_of_equal_raters())
def test_alpha_exceeds_kappa_by_the_small_sample_term_alone(counts) -> None:
    """With equal numbers of raters 1 − α = (1 − κ)(1 − 1/N), N ratings."""
    first = first_from_counts(counts)
    kappa, alpha = fleiss_kappa(first).value, krippendorff_alpha(first).value
    if kappa is not None and alpha is not None:
        assert 1 - alpha == pytest.approx((1 - kappa) * (1 - 1 / first.counts.sum()), abs=1e-9)
