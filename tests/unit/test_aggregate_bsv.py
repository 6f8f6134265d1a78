"""Bayesian soft vote against a slow and literal reading of its definition."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.aggregate import method
from annotation.aggregate.base import Settings
from annotation.aggregate.bsv import agreement_with_others, prior
from annotation.ratings import ratings_of
from annotation.ratings_vectors import normalise

LABELS = ["confirming", "rejecting", "questioning", "comment"]


def some_rows(items=60, seed=4):
    rng = np.random.default_rng(seed)
    rows, conf = [], []
    for item in range(items):
        truth = rng.integers(0, 4)
        for worker in rng.permutation(4)[: rng.integers(1, 4)]:
            label = truth if rng.random() < 0.6 else rng.integers(0, 4)
            rows.append((f"i{item}", f"w{worker}", LABELS[label]))
            conf.append(int(rng.integers(1, 6)))
    return rows, conf


def literal(rows, worker, label, among):
    """L and N of a worker and label, item by item."""
    by_item = {}
    for item, who, what in rows:
        by_item.setdefault(item, {})[who] = what
    l_up = l_down = n_up = n_down = 0
    for votes in by_item.values():
        if worker not in votes or len(votes) < 2:
            continue
        others = [what for who, what in votes.items() if who != worker]
        mine = votes[worker]
        present = label in others if among == "others" else label in votes.values()
        l_up += mine == label and label in others
        l_down += present
        n_up += mine == label and any(other != label for other in others)
        n_down += any(other != label for other in others)
    return tuple(
        up / down if up >= 3 and down >= 3 else None for up, down in ((l_up, l_down), (n_up, n_down))
    )


@pytest.mark.parametrize("among", ["any", "others"])
def test_agreement_with_others_is_the_definition(among) -> None:
    rows, conf = some_rows()
    ratings = ratings_of(rows, LABELS, confidence=conf)
    likely, unlikely = agreement_with_others(ratings, among == "others")
    few = 0
    for w, worker in enumerate(ratings.workers):
        for k, label in enumerate(LABELS):
            for found, wanted in zip(
                (likely[w, k], unlikely[w, k]), literal(rows, worker, label, among), strict=True
            ):
                few += wanted is None
                assert np.isnan(found) if wanted is None else found == pytest.approx(wanted)
    assert 0 < few < 24


def test_recalibrated_confidence_by_hand() -> None:
    rows, conf = some_rows()
    ratings = ratings_of(rows, LABELS, confidence=conf)
    result = method("bsv", Settings(rest="uniform")).fit(ratings).predict(ratings)
    expected = {}
    for (item, worker, label), c in zip(rows, conf, strict=True):
        pi = float(prior(normalise(np.array([float(c)]), 4, 5, "effiara"), 4)[0])
        likely, unlikely = (pi if each is None else each for each in literal(rows, worker, label, "any"))
        whole = pi * likely + (1 - pi) * unlikely
        calibrated = pi * likely / whole
        vector = np.full(4, (1 - calibrated) / 3)
        vector[LABELS.index(label)] = calibrated
        expected.setdefault(item, []).append(vector)
    for place, item in enumerate(result.items):
        assert result.weights[place] == pytest.approx(np.mean(expected[item], axis=0))


def test_with_too_few_items_confidence_stays_as_it_is() -> None:
    rows = [("i", "a", "confirming"), ("i", "b", "confirming")]
    ratings = ratings_of(rows, LABELS, confidence=[3, 3])
    weights = method("bsv", Settings(rest="uniform")).fit(ratings).predict(ratings).weights[0]
    assert weights[0] == pytest.approx(0.3571, abs=5e-5)


def test_an_annotator_whom_others_confirm_gains_confidence() -> None:
    rows, conf = [], []
    for n in range(40):
        label = LABELS[n % 2]
        rows += [(f"i{n}", "good", label), (f"i{n}", "other", label), (f"i{n}", "wild", LABELS[(n // 2) % 2])]
        conf += [3, 3, 3]
    ratings = ratings_of(rows, LABELS, confidence=conf)
    fitted = method("bsv").fit(ratings)
    alone = ratings_of([("x", "good", "confirming"), ("y", "wild", "confirming")], LABELS, confidence=[3, 3])
    weights = fitted.predict(alone).weights[:, 0]
    assert weights[0] > weights[1] + 0.1


def test_what_is_left_goes_to_the_second_choice_up_to_the_first() -> None:
    ratings = ratings_of([("i", "a", "confirming")], LABELS, confidence=[3], second=["comment"])
    weights = method("bsv").fit(ratings).predict(ratings).weights[0]
    assert weights == pytest.approx([0.35714, 0.14286, 0.14286, 0.35714], abs=1e-5)
    even = method("bsv", Settings(rest="uniform")).fit(ratings).predict(ratings).weights[0]
    assert even == pytest.approx([0.35714, *[0.21429] * 3], abs=1e-5)
