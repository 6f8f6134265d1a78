"""Do the intervals cover the true κ? Three simulated raters with known confusion over real labels.

    DALIL_DATA=… python benchmarks/agreement_coverage.py [--seeds 200]

Truth: the stance labels of Baly et al. (2018), pair by pair, claims as clusters. Each rater answers by a
known confusion matrix, so the true κ is that of the expected joint distribution of two raters' answers
under the labels' marginals. For every seed new answers are drawn, and the 95% interval either covers the
true value or not. Two readings of what else is random are measured: the labels are as they are (`fixed`),
or the claims too are a sample, drawn with replacement each time (`sampled`).

The rounds are AraStance's: two of the three raters a pair, the third where the two disagree. Beside the
first two raters stands the naive κ over first two and third together: agreement that nobody had.
Writes agreement_coverage.json beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from annotation.agreement.alpha import krippendorff_alpha
from annotation.agreement.chance import FLEISS, GWET, fleiss_kappa, gwet_ac1, kappa_of
from annotation.agreement.figure import Bootstrap, Figure
from annotation.ratings import MAIN, NO_CONFIDENCE, NO_SECOND, PILOT, THIRD, Ratings
from annotation.ratings_views import FirstRatings, first_two, pilot

LABELS = ("agree", "disagree", "discuss", "unrelated")
CONFUSIONS = np.array(
    [
        # true label down; agree, disagree, discuss, unrelated across
        [
            [0.82, 0.02, 0.11, 0.05],
            [0.06, 0.76, 0.10, 0.08],
            [0.12, 0.04, 0.72, 0.12],
            [0.03, 0.01, 0.06, 0.90],
        ],
        [
            [0.74, 0.03, 0.13, 0.10],
            [0.08, 0.70, 0.10, 0.12],
            [0.10, 0.03, 0.67, 0.20],
            [0.02, 0.01, 0.04, 0.93],
        ],
        [
            [0.86, 0.03, 0.08, 0.03],
            [0.05, 0.80, 0.10, 0.05],
            [0.20, 0.05, 0.65, 0.10],
            [0.06, 0.02, 0.09, 0.83],
        ],
    ]
)
"""three raters: a middling one, one who says "unrelated" too easily, one who says it too rarely"""


def stances(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """True label and claim of each pair, as codes."""
    label, claim = [], []
    for number, path in enumerate(sorted(folder.glob("*.json"))):
        for stance in json.loads(path.read_text("utf-8"))["stance"]:
            label.append(LABELS.index(stance.strip().lower()))
            claim.append(number)
    return np.array(label), np.array(claim)


def true_values(marginals: np.ndarray) -> dict[str, float]:
    """κ (and α, the same in the limit) and AC1 of the expected joint distribution of two raters' answers."""
    joint = [
        np.einsum("t,tk,tk->", marginals, CONFUSIONS[a], CONFUSIONS[b]) for a, b in combinations(range(3), 2)
    ]
    p_a, pi = float(np.mean(joint)), (marginals @ CONFUSIONS).mean(axis=0)
    kappa = kappa_of(p_a, float(FLEISS.expected(pi)))
    return {
        "fleiss_kappa": kappa,
        "krippendorff_alpha": kappa,
        "gwet_ac1": kappa_of(p_a, float(GWET.expected(pi))),
    }


def annotated(label: np.ndarray, claim: np.ndarray, rng: np.random.Generator) -> Ratings:
    """All three raters' answers on every pair as a pilot, and the main round with its third on the same."""
    size = len(label)
    draws = rng.random((3, size, 1))
    answers = (draws > CONFUSIONS[:, label].cumsum(axis=2)).sum(axis=2).clip(max=3)
    order = rng.permuted(np.tile(np.arange(3), (size, 1)), axis=1)
    pairs = np.arange(size)
    first, second, third = (answers[order[:, place], pairs] for place in range(3))
    differ = np.flatnonzero(first != second)
    item = [np.tile(pairs, 3), pairs, pairs, differ]
    worker = [np.repeat(np.arange(3), size), order[:, 0], order[:, 1], order[differ, 2]]
    given = [answers.ravel(), first, second, third[differ]]
    kind = [np.full(3 * size, PILOT), np.full(2 * size, MAIN), np.full(len(differ), THIRD)]
    codes = [np.concatenate(part).astype(np.int32) for part in (item, worker, given, kind)]
    none = np.zeros(len(codes[0]), dtype=np.int32)
    _, clusters = np.unique(claim, return_inverse=True)
    return Ratings(
        item=codes[0],
        worker=codes[1],
        label=codes[2],
        confidence=none + NO_CONFIDENCE,
        second=none + NO_SECOND,
        round=codes[3],
        items=[str(number) for number in range(size)],
        workers=["first", "second", "third"],
        labels=LABELS,
        labels_from="simulated",
        claim=clusters.astype(np.int32),
        claims=[str(number) for number in range(clusters.max() + 1)],
    )


def naive(ratings: Ratings) -> FirstRatings:
    """First two and third taken as if all had been first: what must not be done, done on purpose."""
    from dataclasses import replace

    main = ratings.of_rounds(MAIN, THIRD)
    return FirstRatings(replace(main, round=np.full(len(main), MAIN, dtype=np.int32)), "naive")


MEASURES: dict[str, Callable[[FirstRatings, Bootstrap | None], Figure]] = {
    "fleiss_kappa": fleiss_kappa,
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
}


def run(label: np.ndarray, claim: np.ndarray, seeds: int, sampled: bool, method: Any) -> dict[str, Any]:
    """Coverage over seeds, for the first two raters, the pilot, and the naive mixture."""
    truth = true_values(np.bincount(label, minlength=4) / len(label))
    groups = [np.flatnonzero(claim == code) for code in range(claim.max() + 1)]
    found: dict[str, list[tuple[float, float, float, float]]] = {}
    for seed in range(seeds):
        rng = np.random.default_rng([seed, int(sampled)])
        drawn, codes = label, claim
        if sampled:
            chosen = rng.integers(0, len(groups), len(groups))
            drawn = np.concatenate([label[groups[code]] for code in chosen])
            codes = np.repeat(np.arange(len(chosen)), [len(groups[code]) for code in chosen])
        ratings = annotated(drawn, codes, rng)
        how = Bootstrap(replicates=2000, seed=seed, method=method)
        for view, first in (
            ("first two", first_two(ratings)),
            ("pilot", pilot(ratings)),
            ("naive", naive(ratings)),
        ):
            for name in MEASURES if view == "first two" else ("fleiss_kappa",):
                figure = MEASURES[name](first, how)
                assert figure.value is not None
                assert figure.interval is not None
                found.setdefault(f"{view}: {name}", []).append(
                    (figure.value, figure.interval.low, figure.interval.high, figure.se or figure.interval.se)
                )
    out: dict[str, Any] = {}
    for key, rows in found.items():
        wanted = truth[key.split(": ")[1]]
        value, low, high, se = np.array(rows).T
        out[key] = {
            "true": round(wanted, 4),
            "mean": round(float(value.mean()), 4),
            "coverage": float(((low <= wanted) & (wanted <= high)).mean()),
            "coverage_by_standard_error": float((np.abs(value - wanted) <= 1.96 * se).mean()),
            "mean_width": round(float((high - low).mean()), 4),
            "spread_of_estimates": round(float(value.std(ddof=1)), 4),
        }
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    label, claim = stances(Path(os.environ["DALIL_DATA"]) / "baly2018" / "dataset")
    report: dict[str, Any] = {
        "pairs": len(label),
        "claims": int(claim.max() + 1),
        "marginals": dict(zip(LABELS, np.bincount(label, minlength=4).tolist(), strict=True)),
        "seeds": asked.seeds,
        "confusions": CONFUSIONS.tolist(),
    }
    for sampled, method in ((False, "percentile"), (True, "percentile"), (False, "bca")):
        name = f"{'sampled' if sampled else 'fixed'} labels, {method}"
        report[name] = run(label, claim, asked.seeds, sampled, method)
        for key, row in report[name].items():
            print(f"{name:28} {key:30} {row}", flush=True)
    asked.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
