"""Dawid–Skene on a million labels, against crowd-kit's, in one run: seconds, ratio, greatest difference.

    python benchmarks/dawid_skene_speed.py [--labels 1000000] [--iterations 50]

Both start from arrays in memory (a Ratings, a pandas frame of integer codes), take the same number of
iterations without stopping early, and end with a posterior for each item. Ours takes one E-step more.
Writes dawid_skene_speed.json beside this file. Needs the extra `oracles`.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
import warnings
from pathlib import Path

import numpy as np

from annotation.aggregate.base import Settings
from annotation.aggregate.dawid_skene import DawidSkene
from annotation.ratings import MAIN, NO_CONFIDENCE, NO_SECOND, Ratings


def simulated(size: int, each: int = 3, workers: int = 200, labels: int = 4, seed: int = 0) -> Ratings:
    """`size` ratings, `each` an item, by workers who are right in 50–95% of their answers."""
    rng = np.random.default_rng(seed)
    items = -(-size // each)
    item = np.repeat(np.arange(items), each)[:size]
    worker = ((rng.integers(0, workers, items)[:, None] + np.arange(each)) % workers).ravel()[:size]
    truth = rng.choice(labels, items, p=[0.25, 0.11, 0.10, 0.54])
    skill = rng.uniform(0.5, 0.95, workers)
    label = truth[item]
    wrong = rng.random(size) > skill[worker]
    label[wrong] = (label[wrong] + rng.integers(1, labels, int(wrong.sum()))) % labels
    shuffled = rng.permutation(size)

    def codes(values: np.ndarray) -> np.ndarray:
        return values[shuffled].astype(np.int32)

    def all_of(value: int) -> np.ndarray:
        return np.full(size, value, dtype=np.int32)

    return Ratings(
        item=codes(item),
        worker=codes(worker),
        label=codes(label),
        confidence=all_of(NO_CONFIDENCE),
        second=all_of(NO_SECOND),
        round=all_of(MAIN),
        items=range_keys(items),
        workers=range_keys(workers),
        labels=tuple(f"k{code}" for code in range(labels)),
        labels_from="simulated",
    ).without_repeats_proven()  # the workers of an item are consecutive numbers


def range_keys(size: int) -> list[str]:
    """Keys "0", "1", …"""
    return [str(number) for number in range(size)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    ratings = simulated(asked.labels)

    started = time.perf_counter()
    fitted = DawidSkene(Settings(iterations=asked.iterations, tolerance=-np.inf)).fit(ratings)
    fitted.predict(ratings)
    ours = time.perf_counter() - started
    assert fitted.model is not None
    likelihoods = np.array(fitted.model.log_likelihoods)
    # `predict` takes one E-step from what was learnt: after k − 1 iterations that is the k-th posterior
    posterior = (
        DawidSkene(Settings(iterations=asked.iterations - 1, tolerance=-np.inf))
        .fit(ratings)
        .predict(ratings)
        .weights
    )
    stopping = DawidSkene(Settings())
    started = time.perf_counter()
    stopping.fit(ratings).predict(ratings)
    own_stop = time.perf_counter() - started
    assert stopping.model is not None

    import pandas
    from crowdkit.aggregation import DawidSkene as TheirDawidSkene

    frame = pandas.DataFrame({"task": ratings.item, "worker": ratings.worker, "label": ratings.label})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = time.perf_counter()
        theirs_posterior = TheirDawidSkene(n_iter=asked.iterations, tol=-np.inf).fit_predict_proba(frame)
        theirs = time.perf_counter() - started
    wanted = theirs_posterior.loc[range(ratings.n_items), range(ratings.n_labels)].to_numpy()
    report = {
        "labels": len(ratings),
        "items": ratings.n_items,
        "workers": len(ratings.workers),
        "K": ratings.n_labels,
        "iterations": asked.iterations,
        "ours_seconds": round(ours, 2),
        "crowdkit_seconds": round(theirs, 2),
        "ratio": round(theirs / ours, 1),
        "greatest_difference_of_posteriors": float(np.abs(posterior - wanted).max()),
        "least_gain_of_log_likelihood": float(np.diff(likelihoods).min()),
        "ours_to_its_own_stop": {"seconds": round(own_stop, 2), "iterations": stopping.model.iterations},
        "python": platform.python_version(),
    }
    asked.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
