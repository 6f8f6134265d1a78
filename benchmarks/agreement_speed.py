"""Agreement on a million labels, against krippendorff, statsmodels and pandas, in one run.

    python benchmarks/agreement_speed.py [--labels 1000000] [--rounds 5]

α and κ: ours from a Ratings (counting included), the others from a table of counts that is made for them
beforehand and whose making is timed apart: what they are given is better than what a user has. Reading:
our checked reader against the same checks and codings in pandas. Best of --rounds each, taken in turn.
Writes agreement_speed.json beside this file. Needs the extra `oracles`.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from dawid_skene_speed import simulated

from annotation.agreement.alpha import krippendorff_alpha
from annotation.agreement.chance import fleiss_kappa
from annotation.agreement.figure import Bootstrap
from annotation.ratings import Ratings
from annotation.ratings_csv import read_csv
from annotation.ratings_views import first_two


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def compared(
    ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int
) -> tuple[dict[str, float], Any, Any]:
    """Best seconds of each, taken in turn, and their ratio; and the results."""
    best = {"ours_seconds": np.inf, "theirs_seconds": np.inf}
    mine = other = None
    for _ in range(rounds):
        seconds, mine = timed(ours)
        best["ours_seconds"] = min(best["ours_seconds"], seconds)
        seconds, other = timed(theirs)
        best["theirs_seconds"] = min(best["theirs_seconds"], seconds)
    best["ratio"] = round(best["theirs_seconds"] / best["ours_seconds"], 2)
    return {name: round(float(value), 4) for name, value in best.items()}, mine, other


def write(ratings: Ratings, path: Path) -> None:
    """The ratings as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task", "worker", "label"])
        labels = np.array(ratings.labels)[ratings.label]
        writer.writerows(zip(ratings.item.tolist(), ratings.worker.tolist(), labels.tolist(), strict=True))


def by_pandas(path: Path) -> Any:
    """What a user would write: keys as text, three codings, no worker twice on a task."""
    import pandas

    frame = pandas.read_csv(path, dtype=str)
    if frame.duplicated(["task", "worker"]).any() or frame.isna().to_numpy().any():
        raise ValueError("repeated or empty")
    return frame.apply(lambda column: pandas.factorize(column)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    import krippendorff
    import pandas
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as their_kappa

    ratings = simulated(asked.labels - asked.labels % 3)
    counting, counts = timed(
        lambda: pandas.crosstab(ratings.item, ratings.label).to_numpy()  # as a user would from a frame
    )
    report: dict[str, Any] = {"labels": len(ratings), "items": ratings.n_items, "K": ratings.n_labels}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alpha, mine, theirs = compared(
            lambda: krippendorff_alpha(first_two(ratings)),
            lambda: krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"),
            asked.rounds,
        )
    report["alpha_against_krippendorff"] = alpha | {"difference": abs(mine.value - float(theirs))}
    table = ratings.label[np.argsort(ratings.item, kind="stable")].reshape(-1, 3)
    for name, work in (
        ("statsmodels_from_its_table_of_raters", lambda: their_kappa(aggregate_raters(table)[0])),
        ("statsmodels_from_a_table_of_counts", lambda: their_kappa(counts)),
    ):
        kappa, mine, theirs = compared(lambda: fleiss_kappa(first_two(ratings)), work, asked.rounds)
        report[f"fleiss_with_standard_error_against_{name}"] = kappa | {
            "difference": abs(mine.value - float(theirs))
        }
    report["pandas_crosstab_that_they_need_first_seconds"] = round(counting, 4)
    seconds, _ = timed(lambda: krippendorff_alpha(first_two(ratings), Bootstrap(2000)))
    report["alpha_with_2000_bootstrap_replicates_seconds"] = round(seconds, 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        write(ratings, path)
        reading, mine, theirs = compared(lambda: read_csv(path), lambda: by_pandas(path), asked.rounds)
        assert len(mine) == len(theirs)
        report["checked_reading_against_pandas"] = reading
    report["python"] = platform.python_version()
    asked.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
