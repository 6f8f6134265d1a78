"""Accuracy of each aggregation method on adultcontent2 (92,721 labels, 825 workers, known labels).

    DALIL_DATA=… python benchmarks/agreement_adultcontent2.py

The data have no confidences and no second choices, so the methods that use them are undefined there. With
one confidence assumed for all they are what they must be: MVC and MVC2 are MV, SVC and SVC2 are SV, and BSV
weighs annotators by their agreement with others. Workers who labelled a page twice count twice, as in the
published .76. Ties are decided by seed: mean and range over --seeds. Beside it: the greatest difference of
Dawid–Skene's posteriors from crowd-kit's after 30 iterations (needs the extra `oracles`).
Writes agreement_adultcontent2.json.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from annotation.aggregate import METHODS, NEED_CONFIDENCE, method
from annotation.aggregate.base import Settings
from annotation.aggregate.run import Known, accuracy
from annotation.ratings import Ratings
from annotation.ratings_csv import ReadOptions, read_csv
from annotation.ratings_scheme import LabelSet
from annotation.ratings_vectors import VoteOptions


def loaded(folder: Path) -> tuple[Ratings, Known]:
    """The labels as ratings, and the known labels."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "adultcontent2.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["worker", "task", "label"])
            for line in (folder / "labels.txt").read_text("utf-8").splitlines():
                writer.writerow(line.split("\t"))
        ratings = read_csv(
            path, LabelSet(("G", "P", "R", "X", "B"), "categories.txt"), ReadOptions(repeats="keep")
        )
    gold = dict(
        line.split("\t")[:2] for line in (folder / "gold.txt").read_text("utf-8").splitlines() if line
    )
    return ratings, Known(gold, "gold.txt")


def measured(name: str, ratings: Ratings, known: Known, seeds: int, confidence: int | None) -> dict[str, Any]:
    """Accuracy over seeds; a method that learns is fitted once."""
    found, ties, seconds = [], 0, 0.0
    for seed in range(seeds):
        options = Settings(votes=VoteOptions(missing_confidence=confidence), seed=seed)
        started = time.perf_counter()
        result = method(name, options).fit(ratings).predict(ratings)
        seconds = time.perf_counter() - started
        row = accuracy(result.items, result.label, result.labels, known)
        found.append(row["accuracy"])
        ties = int(result.tied.sum())
        if not ties:
            break
    out = {
        "accuracy": round(float(np.mean(found)), 4),
        "range": [round(min(found), 4), round(max(found), 4)],
        "ties": ties,
        "compared": row["compared"],
        "seconds": round(seconds, 2),
    }
    return out | ({"assumed_confidence": confidence} if confidence else {})


def from_crowdkit(ratings: Ratings, iterations: int = 30) -> float:
    """Greatest difference of posteriors; crowd-kit knows the labels seen only."""
    import pandas
    from crowdkit.aggregation import DawidSkene

    seen = np.unique(ratings.label)
    ours = replace(
        ratings,
        label=np.searchsorted(seen, ratings.label).astype(np.int32),
        labels=tuple(ratings.labels[code] for code in seen),
    )
    options = Settings(iterations=iterations - 1, tolerance=-np.inf)
    mine = method("dawid-skene", options).fit(ours).predict(ours).weights
    frame = pandas.DataFrame({"task": ours.item, "worker": ours.worker, "label": ours.label})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = DawidSkene(n_iter=iterations, tol=-np.inf).fit_predict_proba(frame)
    return float(np.abs(mine - theirs.loc[range(ours.n_items), range(len(seen))].to_numpy()).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    ratings, known = loaded(Path(os.environ["DALIL_DATA"]) / "agreement" / "adultcontent2")
    report: dict[str, Any] = {
        "labels": len(ratings),
        "workers": len(ratings.workers),
        "items": ratings.n_items,
        "known": len(known.labels),
    }
    for name in METHODS:
        if name not in NEED_CONFIDENCE:
            report[name] = measured(name, ratings, known, asked.seeds, None)
    for name in METHODS:
        if name in NEED_CONFIDENCE:
            report[name] = measured(name, ratings, known, asked.seeds, 4)
    report["dawid_skene_from_crowdkit_after_30_iterations"] = from_crowdkit(ratings)
    print(json.dumps(report, indent=1))
    asked.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
