"""Near-duplicates across the five folds of Baly et al. (2018): claims and article bodies.

    DALIL_DATA=… python benchmarks/duplicates_baly.py

Writes duplicates_baly.json beside itself: ids only. An article's id is its claim's, `#`, and its
place there, from 0. Bodies are compared as `dalil`'s duplicates stage compares articles (sequences
of three words, Jaccard ≥ 0.8, texts of 20 words and more; shorter ones letter by letter); claims
are sentences, so by single words, Jaccard ≥ 0.6.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from dalil.formats.baly import read_folds
from dalil.text.copies import near_duplicates

HERE = Path(__file__).parent
THRESHOLD = 0.8
CLAIMS = 0.6
MIN_WORDS = 20


def main() -> None:
    """Measure, print, write."""
    folder = Path(os.environ["DALIL_DATA"]) / "baly2018"
    fold = read_folds(folder / "train_test_splits.txt")
    claims, bodies = {}, {}
    for path in sorted((folder / "dataset").glob("*.json")):
        row = json.loads(path.read_text("utf-8"))
        claims[row["id"]] = row["claim"]
        bodies |= {f"{row['id']}#{n}": text for n, text in enumerate(row["article"])}

    began = time.monotonic()
    long = [(key, text) for key, text in bodies.items() if len(text.split()) >= MIN_WORDS]
    near = [sorted(cluster.ids) for cluster in near_duplicates(long, THRESHOLD)]
    seconds = time.monotonic() - began
    same: dict[str, list[str]] = defaultdict(list)
    for key, text in bodies.items():
        if text.strip():
            same[text].append(key)
    exact = [keys for keys in same.values() if len(keys) > 1]
    report: dict[str, Any] = {
        "claims": len(claims),
        "bodies": len(bodies),
        "bodies_without_text": sum(not text.strip() for text in bodies.values()),
        "seconds_for_bodies": round(seconds, 1),
        "equal_bodies": {"texts": len(exact), "in_several_folds": sum(_across(keys, fold) for keys in exact)},
        "near_bodies": {
            "clusters": len(near),
            "bodies": sum(map(len, near)),
            "in_several_folds": sum(_across(keys, fold) for keys in near),
            "largest": max(map(len, near)),
        },
        "claims_in_several_folds": [
            {"of": cluster.of, "copies": {key: round(value, 3) for key, value in cluster.copies}}
            for cluster in near_duplicates(claims.items(), CLAIMS, shingle=1)
            if _across(cluster.ids, fold)
        ],
        "near_bodies_in_several_folds": [keys for keys in sorted(near) if _across(keys, fold)],
    }
    (HERE / "duplicates_baly.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    json.dump(
        {key: value for key, value in report.items() if key != "near_bodies_in_several_folds"},
        sys.stdout,
        indent=1,
    )


def _across(keys: Any, fold: dict[str, int]) -> bool:
    return len({fold[key.partition("#")[0]] for key in keys}) > 1


if __name__ == "__main__":
    main()
