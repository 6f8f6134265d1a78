"""Dawid–Skene: published values, another program's posteriors, and a likelihood that never falls."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from realdata import data_dir

from annotation.aggregate.base import Settings
from annotation.aggregate.dawid_skene import DawidSkene
from annotation.ratings import Ratings, ratings_of
from annotation.ratings_csv import ReadOptions, read_csv
from dalil.errors import DalilError, UsageError


def crowd(
    items: int, workers: int, labels: int, each: int, seed: int, worst: float = 0.3
) -> tuple[Ratings, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    skill = rng.uniform(worst, 0.95, workers)
    rows = []
    for item in range(items):
        for worker in rng.permutation(workers)[:each]:
            label = truth[item] if rng.random() < skill[worker] else rng.integers(0, labels)
            rows.append((f"i{item}", f"w{worker}", f"k{label}"))
    return ratings_of(rows, [f"k{k}" for k in range(labels)]), truth


def test_dawid_and_skene_1979_prevalence() -> None:
    path = data_dir("agreement") / "dawid_skene1979_anesthesia.csv"
    columns = {"task": "item", "worker": "rater", "label": "rating"}
    ratings = read_csv(
        path, options=ReadOptions(columns=columns, repeats="keep")
    )  # rater 1 rated three times
    model = DawidSkene(Settings(iterations=1000, tolerance=1e-12)).fit(ratings).model
    assert model is not None
    assert model.converged
    assert model.priors.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]


@pytest.mark.parametrize("iterations", [1, 3, 20])
@pytest.mark.parametrize("sparse", [False, True])
def test_posteriors_are_crowd_kits_at_equal_iterations(iterations, sparse) -> None:
    """Also where most workers gave a few answers only, and never some of the labels (`sparse`)."""
    classification = pytest.importorskip("crowdkit.aggregation")
    pandas = pytest.importorskip("pandas")
    ratings, _ = crowd(items=300, workers=250 if sparse else 15, labels=4, each=4, seed=iterations)
    frame = pandas.DataFrame(
        {
            "task": [ratings.items[code] for code in ratings.item],
            "worker": [ratings.workers[code] for code in ratings.worker],
            "label": [ratings.labels[code] for code in ratings.label],
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = classification.DawidSkene(n_iter=iterations, tol=-np.inf).fit_predict_proba(frame)
    options = Settings(iterations=iterations, tolerance=-np.inf)
    fitted = DawidSkene(options).fit(ratings)
    # crowd-kit keeps the posterior of the last E-step; one more step of ours is what `predict` takes
    before = DawidSkene(Settings(iterations=iterations - 1, tolerance=-np.inf)) if iterations > 1 else None
    mine = before.fit(ratings).predict(ratings).weights if before else _first_step(ratings)
    assert fitted.model is not None
    assert fitted.model.iterations == iterations
    wanted = theirs.loc[list(ratings.items), list(ratings.labels)].to_numpy()
    assert np.abs(mine - wanted).max() < 1e-8


def _first_step(ratings: Ratings) -> np.ndarray:
    from annotation.aggregate import dawid_skene as module

    answers, rows = module._answers(ratings, len(ratings.workers), ratings.worker)
    seen = np.zeros((len(ratings.workers), ratings.n_labels, 1), dtype=bool)
    seen[ratings.worker, ratings.label] = True
    priors, errors = module._m_step(module._majority(answers, ratings.counts()[rows]), Settings(), seen)
    return np.concatenate([module._e_step(part, *module._logarithms(priors, errors))[0] for part in answers])


def test_blocks_are_a_matter_of_speed_alone(monkeypatch) -> None:
    ratings, _ = crowd(items=101, workers=9, labels=3, each=3, seed=6)
    whole = DawidSkene(Settings()).fit(ratings).predict(ratings)
    monkeypatch.setattr("annotation.aggregate.dawid_skene.BLOCK_CELLS", 30)
    blocks = DawidSkene(Settings()).fit(ratings).predict(ratings)
    assert blocks.weights == pytest.approx(whole.weights, abs=1e-9)
    assert (blocks.label == whole.label).all()


def test_good_workers_outweigh_a_majority_of_bad_ones() -> None:
    ratings, truth = crowd(items=600, workers=12, labels=3, each=5, seed=2, worst=0.0)
    result = DawidSkene(Settings()).fit(ratings).predict(ratings)
    majority = ratings.counts().argmax(axis=1)
    order = [int(item[1:]) for item in ratings.items]
    assert (result.label == truth[order]).mean() > (majority == truth[order]).mean() + 0.02


@st.composite
def small_crowds(draw) -> Ratings:
    labels = draw(st.integers(2, 4))
    one = st.tuples(st.integers(0, 9), st.integers(0, 5), st.integers(0, labels - 1))
    rows = draw(st.lists(one, min_size=1, max_size=50, unique_by=lambda row: row[:2]))
    return ratings_of([(f"i{i}", f"w{w}", f"k{k}") for i, w, k in rows], [f"k{k}" for k in range(labels)])


@settings(max_examples=120, deadline=None)
@given(small_crowds(), st.sampled_from([0.0, 1e-10]), st.sampled_from([0.0, 0.5]))
def test_log_likelihood_never_falls(ratings, floor, smoothing) -> None:
    """But for rounding and, with a floor under the expected counts, for that floor's own small effect."""
    model = (
        DawidSkene(Settings(iterations=30, tolerance=-1.0, floor=floor, smoothing=smoothing))
        .fit(ratings)
        .model
    )
    assert model is not None
    assert np.isfinite(model.log_likelihoods).all()
    slack = len(ratings.workers) * ratings.n_labels**2 * floor + 1e-9 * max(1, abs(model.log_likelihoods[0]))
    assert np.diff(model.log_likelihoods).min(initial=0) >= -slack


def test_log_likelihood_is_the_marginal_one() -> None:
    """Against the sum over all labels of the product of all answers, item by item."""
    ratings, _ = crowd(items=40, workers=5, labels=3, each=3, seed=1)
    fitted = DawidSkene(Settings(iterations=7, tolerance=-1.0)).fit(ratings)
    again = DawidSkene(Settings(iterations=8, tolerance=-1.0)).fit(ratings)
    assert fitted.model is not None
    assert again.model is not None
    total = 0.0
    for item in range(ratings.n_items):
        here = np.flatnonzero(ratings.item == item)
        product = fitted.model.priors.copy()
        for place in here:
            product *= fitted.model.errors[ratings.worker[place], ratings.label[place]]
        total += np.log(product.sum())
    assert again.model.log_likelihoods[-1] == pytest.approx(total, rel=1e-12)


def test_errors_and_priors_are_distributions() -> None:
    ratings, _ = crowd(items=50, workers=8, labels=3, each=2, seed=5)
    for smoothing in (0.0, 1.0):
        model = DawidSkene(Settings(smoothing=smoothing)).fit(ratings).model
        assert model is not None
        assert model.priors.sum() == pytest.approx(1)
        assert model.errors.sum(axis=1) == pytest.approx(np.ones((8, 3)))


def test_new_items_by_known_workers() -> None:
    ratings, _ = crowd(items=200, workers=6, labels=3, each=4, seed=9)
    fitted = DawidSkene(Settings()).fit(ratings)
    new = ratings_of([("x", "stranger", "k0"), ("y", ratings.workers[0], "k1")], list(ratings.labels))
    weights = fitted.predict(new).weights
    assert fitted.model is not None
    assert weights[0] == pytest.approx(fitted.model.priors)
    assert weights[1] != pytest.approx(fitted.model.priors)


def test_what_cannot_be_learnt_or_predicted() -> None:
    ratings = ratings_of([("i", "judge", "k0")], ["k0", "k1"], rounds=["adjudication"])
    with pytest.raises(DalilError, match="no votes"):
        DawidSkene(Settings()).fit(ratings)
    with pytest.raises(UsageError, match="learnt nothing yet"):
        DawidSkene(Settings()).predict(ratings)
    fitted = DawidSkene(Settings()).fit(ratings_of([("i", "a", "k0")], ["k0", "k1"]))
    with pytest.raises(UsageError, match="other labels"):
        fitted.predict(ratings_of([("i", "a", "k0")], ["k0", "k1", "k2"]))
