"""Splits of Baly et al. 2018 against what a user would take instead: scikit-learn's StratifiedGroupKFold.

    DALIL_DATA=… python benchmarks/release_splits.py

Both make five folds of the same 3,042 pairs, stratified by label, with claims kept whole; dalil also with the
guard against shared article texts. Told are the time in one run, the X² of fold × label counts against
equal fifths, and how many pairs share an article text with another fold. scikit-learn is also given the
guard's own groups, so that only the balancing differs.

Then the same of a written data set of 30,000 claims with 120,000 pairs, which also says what the usual split
(train, dev, test by label, veracity and site) takes. Writes release_splits.json beside itself.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold

from annotation.dataset.options import asked
from annotation.dataset.reading import read_dataset
from annotation.dataset.rows import DataSet, Row, text_hash
from annotation.dataset.splitting import split
from annotation.dataset.ties import groups, leaking_rows, leaks, tie_keys

SEEDS = range(5)
FOLDS = 5
LARGE = 30_000
LABELS = ("agree", "disagree", "discuss", "unrelated")


def main() -> None:
    """Measure, print and write."""
    data = read_dataset(Path(os.environ["DALIL_DATA"]) / "baly2018")
    out = {
        "claims whole": beside(data, ("claim",)),
        "no shared article text": beside(data, ("claim", "body")),
    }
    data = large()
    out[f"{LARGE:,} claims"] = beside(data, ("claim",), seeds=range(3))
    seconds, found = timed(lambda: split(data, asked(apart=("claim",), seed=0)))
    out[f"{LARGE:,} claims, train, dev and test by label, veracity and site"] = {
        "seconds": round(seconds, 3),
        "x2": round(found.objective, 5),
        "x2_at_random": round(found.objective_at_random or 0, 2),
    }
    text = json.dumps(out, indent=2)
    Path(__file__).with_suffix(".json").write_text(text + "\n", "utf-8")
    sys.stdout.write(text + "\n")


def beside(data: DataSet, apart: tuple[str, ...], seeds: Sequence[int] = SEEDS) -> dict[str, object]:
    """Both on one data set."""
    code = groups({kind: tie_keys(data.rows, kind) for kind in apart})
    mine = [timed(lambda seed=seed: ours(data, apart, seed)) for seed in seeds]
    theirs = [timed(lambda seed=seed: scikit(data, code, seed)) for seed in seeds]
    return {
        "pairs": len(data),
        "largest_group": int(np.bincount(code).max()),
        "dalil": summary(data, mine),
        "scikit-learn": summary(data, theirs),
        "times_as_long": round(median(t for t, _ in mine) / median(t for t, _ in theirs), 2),
    }


def large() -> DataSet:
    """A written data set: each claim has one to seven documents, and short texts."""
    draw = random.Random(1)
    rows = []
    for number in range(LARGE):
        site, veracity = f"site{draw.randrange(12)}", draw.choices(("false", "true", "mixed"), (6, 2, 2))[0]
        for place in range(draw.randint(1, 7)):
            article = f"نص {number} {place}" if draw.random() > 0.03 else f"نص {number - number % 50} 0"
            rows.append(
                Row(
                    id=f"p{number}-{place}",
                    claim_id=f"c{number}",
                    claim=f"ادعاء رقم {number}",
                    label=draw.choices(LABELS, (2, 2, 3, 8))[0],
                    article=article,
                    article_hash=text_hash(article),
                    veracity=veracity,
                    site=site,
                )
            )
    return DataSet("large", "rows", tuple(rows), LABELS)


def ours(data: DataSet, apart: tuple[str, ...], seed: int) -> Sequence[str]:
    """dalil's folds, with its whole report."""
    return split(data, asked(folds_=FOLDS, apart=apart, stratify=("label",), seed=seed)).splits


def scikit(data: DataSet, code: np.ndarray, seed: int) -> Sequence[str]:
    """scikit-learn's folds of the same groups."""
    labels = [row.label for row in data.rows]
    made = [""] * len(labels)
    folds = StratifiedGroupKFold(n_splits=FOLDS, shuffle=True, random_state=seed)
    for number, (_, test) in enumerate(folds.split(labels, labels, code), 1):
        for place in test:
            made[place] = f"fold_{number}"
    return made


def timed(call) -> tuple[float, Any]:  # type: ignore[no-untyped-def]
    """Seconds of processor time and the result."""
    began = time.process_time()
    found = call()
    return time.process_time() - began, found


def summary(data: DataSet, runs: list[tuple[float, Sequence[str]]]) -> dict[str, float]:
    """Medians over the seeds."""
    body = tie_keys(data.rows, "body")
    return {
        "seconds": round(median(seconds for seconds, _ in runs), 3),
        "x2_of_labels": round(median(x2(data, found) for _, found in runs), 3),
        "largest_fold": int(median(max(np.unique(found, return_counts=True)[1]) for _, found in runs)),
        "pairs_sharing_a_text": int(median(leaking_rows(leaks(body, found, "body")) for _, found in runs)),
    }


def x2(data: DataSet, found: Sequence[str]) -> float:
    """X² of fold × label counts against equal fifths."""
    total = 0.0
    for label in data.labels:
        rows = [place for place, row in enumerate(data.rows) if row.label == label]
        counts = np.array([sum(found[place] == f"fold_{n}" for place in rows) for n in range(1, FOLDS + 1)])
        wanted = len(rows) / FOLDS
        total += float(((counts - wanted) ** 2 / wanted).sum())
    return total


if __name__ == "__main__":
    main()
