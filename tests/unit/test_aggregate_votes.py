"""The voting methods, by hand and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.aggregate import METHODS, method
from annotation.aggregate.base import Settings
from annotation.aggregate.bsv import prior
from annotation.aggregate.compare import method_agreement, order_by_agreement
from annotation.aggregate.run import method_names, run_methods
from annotation.aggregate.scope import in_scope
from annotation.ratings import HIGHLY_UNCERTAIN, Ratings, ratings_of
from annotation.ratings_vectors import VoteOptions, first_and_second, normalise, second_weights
from dalil.errors import InputError, UsageError

LABELS = ["confirming", "rejecting", "questioning", "comment"]


def voted(*rows: tuple[str, str, str, int, str | int], labels: list[str] | None = None) -> Ratings:
    """Rows of (item, worker, label, confidence, second)."""
    return ratings_of(
        [row[:3] for row in rows],
        labels or LABELS,
        confidence=[row[3] for row in rows],
        second=[row[4] for row in rows],
    )


def said(name: str, ratings: Ratings, **options) -> dict[str, float]:
    """Weights of the first item."""
    result = method(name, Settings(**options)).fit(ratings).predict(ratings)
    return dict(zip(result.labels, result.weights[0].round(6).tolist(), strict=True))


def test_confidence_normalised_three_ways() -> None:
    conf = np.array([1.0, 2, 3, 4, 5])
    assert normalise(conf, 4, 5, "effiara").tolist() == [0.25, 0.4375, 0.625, 0.8125, 1.0]
    assert normalise(conf, 4, 5, "share") == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert normalise(conf, 4, 5, "zero-to-one").tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert normalise(np.array([1.0, 10]), 2, 10, "effiara").tolist() == [0.5, 1.0]


def test_second_choice_weighted_three_ways() -> None:
    first = np.array([0.25, 0.625])
    assert second_weights(first, "c/2").tolist() == [0.125, 0.3125]
    assert second_weights(first, "1-c").tolist() == [0.75, 0.375]
    assert second_weights(first, "1-2c").tolist() == [0.5, 0.0]


def test_bayesian_prior() -> None:
    c = normalise(np.array([1.0, 2, 3, 4, 5]), 4, 5, "effiara")
    assert prior(c, 4) == pytest.approx([0.1, 0.2059, 0.3571, 0.5909, 1.0], abs=5e-5)


def test_soft_votes_by_hand() -> None:
    ratings = voted(
        ("i", "a", "confirming", 5, ""),
        ("i", "b", "rejecting", 3, "comment"),
        ("i", "c", "rejecting", 1, HIGHLY_UNCERTAIN),
    )
    assert said("sv", ratings) == pytest.approx(
        {"confirming": 1 / 3, "rejecting": 2 / 3, "questioning": 0, "comment": 0}, abs=1e-6
    )
    # 1 against .625 + .25
    assert said("svc", ratings)["confirming"] == pytest.approx(1 / 1.875, abs=1e-6)
    # b's comment weighs .3125; c's .75 goes to the three others
    whole = 1.875 + 0.3125 + 0.75
    assert said("svc2", ratings) == pytest.approx(
        {
            "confirming": 1.25 / whole, "rejecting": 0.875 / whole,
            "questioning": 0.25 / whole, "comment": 0.5625 / whole,
        },
        abs=1e-6,
    )  # fmt: skip


def test_confidence_can_overturn_the_majority() -> None:
    ratings = voted(
        ("i", "a", "confirming", 5, ""), ("i", "b", "rejecting", 1, ""), ("i", "c", "rejecting", 1, "")
    )
    winners = {name: method(name).fit(ratings).predict(ratings).label[0] for name in ("mv", "mvc", "mvc2")}
    assert {name: LABELS[code] for name, code in winners.items()} == {
        "mv": "rejecting",
        "mvc": "confirming",
        "mvc2": "confirming",
    }


def test_every_output_says_which_options_it_used() -> None:
    ratings = voted(("i", "a", "confirming", 5, ""))
    options = Settings(votes=VoteOptions("share", "1-c"), seed=9)
    used = {name: method(name, options).fit(ratings).predict(ratings).settings for name in METHODS}
    assert used["mv"] == {"seed": 9, "labels_from": "given", "K": 4}
    assert used["mvc"]["normalisation"] == "share"
    assert "second" not in used["mvc"]
    assert used["svc2"]["second"] == "1-c"
    assert used["bsv"]["likelihood_among"] == "any"
    assert {"iterations", "tolerance", "smoothing", "floor", "converged"} <= set(used["dawid-skene"])


def test_missing_confidence_is_refused_or_assumed_never_guessed() -> None:
    ratings = voted(("i", "a", "confirming", 5, ""), ("i", "b", "rejecting", 0, ""))
    with pytest.raises(InputError, match="1 of 2 ratings has no confidence"):
        method("mvc").predict(ratings)
    assumed = Settings(votes=VoteOptions(missing_confidence=5))
    assert method("svc", assumed).predict(ratings).weights[0].tolist() == [0.5, 0.5, 0, 0]


def test_all_leaves_out_what_needs_confidences() -> None:
    ratings = voted(("i", "a", "confirming", 0, ""))
    results, notes = run_methods(ratings, ["all"], Settings())
    assert [result.method for result in results] == ["mv", "sv", "dawid-skene"]
    assert notes == ["without confidences: mvc, mvc2, svc, svc2 and bsv left out"]
    assert method_names(["mv,sv", "mv bsv"]) == ["mv", "sv", "bsv"]
    with pytest.raises(UsageError, match="no aggregation method 'mode'"):
        method_names(["mv,mode"])


def test_votes_that_weigh_nothing_say_nothing() -> None:
    """Under zero-to-one a confidence of 1 weighs 0: the item is even, a tie, and not NaN."""
    ratings = voted(("i", "a", "confirming", 1, ""))
    result = method("svc", Settings(votes=VoteOptions("zero-to-one"))).predict(ratings)
    assert result.weights[0].tolist() == [0.25] * 4
    assert result.tied[0]


def test_rulings_are_no_votes() -> None:
    rows = [("i", "a", "comment"), ("i", "judge", "rejecting")]
    ratings = ratings_of(rows, LABELS, rounds=["main", "adjudication"])
    assert method("sv").predict(ratings).weights[0].tolist() == [0, 0, 0, 1]


def test_out_of_scope_by_majority() -> None:
    rows = [
        ("most", "a", "image"), ("most", "b", "image"), ("most", "c", "x"),
        ("half", "a", "image"), ("half", "b", "x"),
        ("ruled in", "a", "image"), ("ruled in", "b", "image"), ("ruled in", "judge", "y"),
        ("ruled out", "a", "x"), ("ruled out", "b", "y"), ("ruled out", "judge", "image"),
    ]  # fmt: skip
    rounds = ["adjudication" if row[1] == "judge" else "main" for row in rows]
    scoped = in_scope(ratings_of(rows, ["x", "image", "y"], rounds=rounds), ["image"])
    assert [scoped.ratings.items[place] for place in scoped.removed] == ["most", "ruled out"]
    assert scoped.stray_votes == 3
    assert scoped.ratings.labels == ("x", "y")
    assert scoped.ratings.counts().tolist() == [[0, 0], [1, 0], [0, 1], [0, 0]]
    with pytest.raises(UsageError, match="every label"):
        in_scope(ratings_of(rows, ["x", "image", "y"]), ["x", "y", "image"])
    with pytest.raises(UsageError, match="'sound' is not a label"):
        in_scope(ratings_of(rows, ["x", "image", "y"]), ["sound"])


def test_out_of_scope_second_choices_go_too() -> None:
    ratings = voted(("i", "a", "x", 3, "image"), ("i", "b", "y", 3, "x"), labels=["image", "x", "y"])
    scoped = in_scope(ratings, ["image"]).ratings
    assert scoped.second.tolist() == [-1, 0]


def test_methods_compared() -> None:
    ratings = voted(
        ("i", "a", "confirming", 5, ""), ("i", "b", "rejecting", 1, ""), ("j", "a", "comment", 5, "")
    )
    results, _ = run_methods(ratings, ["mvc", "sv"], Settings())
    matrix = method_agreement(results)
    assert matrix[0, 1] == pytest.approx((1 / np.sqrt(2) + 1) / 2)
    assert matrix.diagonal().tolist() == [1, 1]
    assert order_by_agreement(np.array([[1, 0.2, 0.9], [0.2, 1, 0.3], [0.9, 0.3, 1]])) == [2, 0, 1]


rating = st.tuples(
    st.integers(0, 5), st.integers(0, 3), st.integers(0, 3), st.integers(1, 5), st.integers(-2, 3)
)


@st.composite
def some_ratings(draw) -> Ratings:
    """Up to 24 ratings of 6 items by 4 workers, each at most once."""
    found = draw(st.lists(rating, min_size=1, max_size=24, unique_by=lambda row: row[:2]))
    rows = [
        (
            f"i{i}",
            f"w{w}",
            LABELS[k],
            conf,
            "" if second in (-1, k) else HIGHLY_UNCERTAIN if second == -2 else LABELS[second],
        )
        for i, w, k, conf, second in found
    ]
    return voted(*rows)


@settings(max_examples=60, deadline=None)
@given(some_ratings(), st.sampled_from(sorted(METHODS)), st.randoms(use_true_random=False))
def test_order_of_rows_and_of_labels_decides_nothing(ratings, name, random) -> None:
    order = list(range(len(ratings)))
    labels = list(LABELS)
    random.shuffle(order)
    random.shuffle(labels)
    row = [
        (ratings.items[ratings.item[p]], ratings.workers[ratings.worker[p]], LABELS[ratings.label[p]],
         int(ratings.confidence[p]), "" if ratings.second[p] == -1 else
         HIGHLY_UNCERTAIN if ratings.second[p] == -2 else LABELS[ratings.second[p]])
        for p in order
    ]  # fmt: skip
    turned = voted(*row, labels=labels)
    one, other = (method(name).fit(each).predict(each) for each in (ratings, turned))
    mine = {item: one.labels[code] for item, code in zip(one.items, one.label, strict=True)}
    theirs = {item: other.labels[code] for item, code in zip(other.items, other.label, strict=True)}
    if name != "dawid-skene":  # whose posteriors differ in the last digits, and near ties with them
        assert mine == theirs
    where = [list(one.items).index(item) for item in other.items]
    assert one.weights[where][:, [LABELS.index(label) for label in labels]] == pytest.approx(
        other.weights, abs=1e-6
    )


@settings(max_examples=60, deadline=None)
@given(some_ratings(), st.sampled_from(sorted(METHODS)))
def test_a_distribution_for_each_item_and_a_label_that_leads_it(ratings, name) -> None:
    result = method(name).fit(ratings).predict(ratings)
    assert np.isfinite(result.weights).all()
    assert (result.weights >= 0).all()
    assert result.weights.sum(axis=1) == pytest.approx(np.ones(len(result.items)))
    chosen = result.weights[np.arange(len(result.items)), result.label]
    assert chosen == pytest.approx(result.weights.max(axis=1))


@settings(max_examples=40, deadline=None)
@given(some_ratings())
def test_vectors_are_within_bounds(ratings) -> None:
    for second in ("c/2", "1-c", "1-2c"):
        vectors = first_and_second(ratings, VoteOptions("effiara", second))
        assert (vectors >= 0).all()
        assert (vectors <= 1).all()


def test_ties_follow_the_seed_and_the_item_alone() -> None:
    rows = [
        (f"i{n}", who, label) for n in range(400) for who, label in (("a", "confirming"), ("b", "comment"))
    ]
    ratings = ratings_of(rows, LABELS)
    labels = {seed: method("mv", Settings(seed=seed)).predict(ratings).label for seed in (0, 1)}
    assert (labels[0] == method("mv", Settings(seed=0)).predict(ratings).label).all()
    assert 100 < (labels[0] != labels[1]).sum() < 300
    assert 150 < (labels[0] == 0).sum() < 250
    alone = ratings_of(rows[246:248], LABELS)
    assert method("mv", Settings(seed=0)).predict(alone).label[0] == labels[0][123]
