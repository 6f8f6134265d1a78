"""Published values, to the digits that were published."""

from __future__ import annotations

import numpy as np
import pytest
from agreement_tables import (
    FLEISS_1971,
    TEN_BY_FOURTEEN,
    first_from_counts,
    krippendorff_units,
)

from annotation.agreement.alpha import krippendorff_alpha
from annotation.agreement.chance import (
    FLEISS,
    coefficient,
    fleiss_kappa,
    gwet_ac1,
    kappa_of,
    per_category,
    raw_agreement,
)
from annotation.agreement.cosine import CosineTable, mean_of_languages


def test_fleiss_1971() -> None:
    first = first_from_counts(FLEISS_1971)
    kappa, ac1 = fleiss_kappa(first), gwet_ac1(first)
    assert kappa.value == pytest.approx(0.43024, abs=5e-6)
    assert kappa.se == pytest.approx(0.0542, abs=5e-5)
    assert ac1.value == pytest.approx(0.44788, abs=5e-6)
    assert ac1.se == pytest.approx(0.05566, abs=5e-6)
    assert krippendorff_alpha(first).value == pytest.approx(0.43341, abs=5e-6)
    found = [figure.value for figure in per_category(first, FLEISS).values()]
    # depression, personality disorder, schizophrenia, neurosis, other
    assert found == pytest.approx([0.245, 0.245, 0.520, 0.471, 0.566], abs=5e-4)


def test_ten_items_of_fourteen_raters() -> None:
    first = first_from_counts(TEN_BY_FOURTEEN)
    kappa = fleiss_kappa(first)
    assert kappa.value == pytest.approx(0.20993, abs=5e-6)
    assert kappa.se == pytest.approx(0.09237, abs=5e-6)
    assert gwet_ac1(first).value == pytest.approx(0.22561, abs=5e-6)
    assert krippendorff_alpha(first).value == pytest.approx(0.21557, abs=5e-6)


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.7434), ("ordinal", 0.8154), ("interval", 0.8491), ("ratio", 0.7974)],
)
def test_krippendorffs_four_raters_with_gaps(level, published) -> None:
    assert krippendorff_alpha(krippendorff_units(), level=level).value == pytest.approx(published, abs=5e-5)


def test_kappa_and_ac1_with_gaps() -> None:
    first = krippendorff_units()
    assert fleiss_kappa(first).value == pytest.approx(0.76117, abs=5e-6)
    assert gwet_ac1(first).value == pytest.approx(0.77544, abs=5e-6)


def test_arastance_pilot_is_consistency_arithmetic() -> None:
    """No proof that the published .67 was computed so: the pilot's agreement (220 unanimous, 89 two of three,
    6 three-way) with the whole corpus's marginals gives .66597."""
    unanimous, two_of_three, three_way = 220, 89, 6
    pilot = [[3, 0, 0, 0]] * unanimous + [[2, 1, 0, 0]] * two_of_three + [[1, 1, 1, 0]] * three_way
    p_a = raw_agreement(first_from_counts(pilot)).value
    corpus = np.array([1022, 449, 387, 2205])
    p_e = float(FLEISS.expected(corpus / corpus.sum()))
    assert p_a == pytest.approx(0.79259, abs=5e-6)
    assert p_e == pytest.approx(0.37908, abs=5e-6)
    assert p_a is not None
    assert kappa_of(p_a, p_e) == pytest.approx(0.66597, abs=5e-6)
    assert round(kappa_of(p_a, p_e), 2) == 0.67


def test_scrum9_table_5_last_row_is_the_mean_weighted_by_annotators() -> None:
    """Consistency arithmetic over the published rows; the one figure that is off is so by its rounding."""
    languages = {
        "CS": (16, 0.55, 0.44, 0.63), "DE": (3, 0.38, 0.31, 0.45), "EN": (10, 0.48, 0.41, 0.58),
        "ES": (10, 0.51, 0.40, 0.60), "FR": (4, 0.52, 0.48, 0.55), "HI": (8, 0.40, 0.36, 0.45),
        "PL": (4, 0.47, 0.43, 0.51), "PT": (9, 0.52, 0.47, 0.59), "RU": (3, 0.48, 0.45, 0.49),
    }  # fmt: skip
    rows = {lang: CosineTable(n, 1, avg, low, high) for lang, (n, avg, low, high) in languages.items()}
    every = mean_of_languages(rows)
    assert every.annotators == 67
    assert every.average == pytest.approx(0.49, abs=0.005)
    assert every.low == pytest.approx(0.42, abs=0.005)
    assert every.high == pytest.approx(0.56, abs=0.01)
    plain = float(np.mean([avg for _, avg, _, _ in languages.values()]))
    assert round(plain, 2) != 0.49


def test_k_comes_from_the_scheme_not_from_the_labels_seen() -> None:
    """AC1 divides by K − 1: a label that nobody chose still counts as one that could have been chosen."""
    seen = gwet_ac1(first_from_counts([[2, 0], [1, 1], [0, 2], [2, 0]])).value
    scheme = gwet_ac1(first_from_counts([[2, 0, 0, 0], [1, 1, 0, 0], [0, 2, 0, 0], [2, 0, 0, 0]])).value
    assert seen is not None
    assert scheme is not None
    assert scheme > seen
    p_a, pi = 0.75, np.array([5, 3]) / 8
    assert scheme == pytest.approx((p_a - (pi * (1 - pi)).sum() / 3) / (1 - (pi * (1 - pi)).sum() / 3))


def test_prevalence_paradox_is_visible() -> None:
    """94 of 100 agreements, and κ near zero because one label is nearly all: AC1 says what raters do."""
    first = first_from_counts([[2, 0]] * 94 + [[1, 1]] * 6)
    kappa, ac1 = fleiss_kappa(first).value, gwet_ac1(first).value
    assert kappa is not None
    assert ac1 is not None
    assert kappa < 0 < 0.9 < ac1


def test_a_coarser_coding_is_the_same_as_counting_it_anew() -> None:
    first = first_from_counts(FLEISS_1971)
    whole = per_category(first, FLEISS)["k2"]
    raters = first.counts.sum(axis=1)
    again = coefficient(
        first, np.stack([first.counts[:, 2], raters - first.counts[:, 2]], axis=1), FLEISS, None
    )
    assert whole.value == again.value
