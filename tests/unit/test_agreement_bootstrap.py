"""The bootstrap: clusters, seeds, and intervals that are known."""

from __future__ import annotations

import numpy as np
import pytest
from agreement_tables import FLEISS_1971, first_from_counts

from annotation.agreement.chance import fleiss_kappa
from annotation.agreement.figure import Bootstrap
from annotation.ratings import ratings_of
from annotation.ratings_views import first_two
from dalil.stats import bootstrap, sum_by_cluster


def mean(sums):
    with np.errstate(invalid="ignore"):
        return sums[..., 1] / sums[..., 0]


def rows_of(values):
    return np.stack([np.ones(len(values)), np.asarray(values, dtype=float)], axis=1)


def test_interval_of_a_mean_is_the_normal_one() -> None:
    values = np.random.default_rng(5).normal(10, 2, 400)
    found = bootstrap(rows_of(values), mean, seed=1, replicates=8000)
    error = values.std() / 20
    assert found is not None
    assert found.se == pytest.approx(error, rel=0.03)
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.02)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.02)


def test_bca_leans_where_the_statistic_is_skewed() -> None:
    values = np.random.default_rng(2).exponential(1, 60)
    plain = bootstrap(rows_of(values), mean, seed=1, replicates=8000)
    leaning = bootstrap(rows_of(values), mean, seed=1, replicates=8000, method="bca")
    assert plain is not None
    assert leaning is not None
    assert leaning.low > plain.low
    assert leaning.high > plain.high


def test_same_seed_same_interval_in_whatever_order_clusters_lie() -> None:
    rows = rows_of(np.random.default_rng(0).normal(0, 1, 50))
    one = bootstrap(rows, mean, seed=7)
    assert one == bootstrap(rows[::-1].copy(), mean, seed=7)
    assert one != bootstrap(rows, mean, seed=8)


def test_equal_rows_drawn_together_are_the_same_bootstrap() -> None:
    """Few distinct rows (a multinomial over patterns) against all distinct: the same spread."""
    values = np.repeat([0.0, 1.0], [300, 100])
    together = bootstrap(rows_of(values), mean, seed=1, replicates=8000)
    apart = bootstrap(rows_of(values + np.arange(400) * 1e-7), mean, seed=1, replicates=8000)
    assert together is not None
    assert apart is not None
    assert together.se == pytest.approx(apart.se, rel=0.04)


def test_clusters_are_resampled_whole() -> None:
    """Twenty items a claim that all go the same way: 20 observations, not 400."""
    codes = np.repeat(np.arange(20), 20)
    values = np.repeat(np.random.default_rng(3).integers(0, 2, 20), 20)
    whole = bootstrap(sum_by_cluster(rows_of(values), codes, 20), mean, seed=1)
    single = bootstrap(rows_of(values), mean, seed=1)
    assert whole is not None
    assert single is not None
    assert whole.clusters == 20
    assert whole.se > 4 * single.se


def test_kappa_s_interval_by_claim_is_wider_than_by_pair() -> None:
    rng = np.random.default_rng(11)
    rows, claims = [], []
    for claim in range(40):
        careless = rng.random() < 0.3
        for pair in range(10):
            truth = rng.integers(0, 3)
            for who in "ab":
                label = rng.integers(0, 3) if careless else truth
                rows.append((f"c{claim}-{pair}", who, f"k{label}"))
                claims.append(f"c{claim}")
    labels = ["k0", "k1", "k2"]
    by_claim = fleiss_kappa(first_two(ratings_of(rows, labels, claims=claims)), Bootstrap()).interval
    by_pair = fleiss_kappa(first_two(ratings_of(rows, labels)), Bootstrap()).interval
    assert by_claim is not None
    assert by_pair is not None
    assert by_claim.clusters == 40
    assert by_claim.high - by_claim.low > 1.3 * (by_pair.high - by_pair.low)


def test_bootstrap_and_formula_agree_on_kappa_s_error() -> None:
    figure = fleiss_kappa(first_from_counts(FLEISS_1971 * 4), Bootstrap(4000))
    assert figure.interval is not None
    assert figure.interval.se == pytest.approx(figure.se, rel=0.06)


def test_too_little_to_resample() -> None:
    assert bootstrap(rows_of([1.0]), mean, seed=0) is None
    assert bootstrap(np.zeros((5, 2)), mean, seed=0) is None
    with pytest.raises(ValueError, match="level"):
        bootstrap(rows_of([1.0, 2.0]), mean, seed=0, level=95)


def test_undefined_replicates_are_left_out_and_counted() -> None:
    rows = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    found = bootstrap(rows, mean, seed=0, replicates=500)
    assert found is not None
    assert 0 < found.undefined < 500
    assert (found.low, found.high) == (1.0, 1.0)
