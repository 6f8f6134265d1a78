"""Where a claim is cut after its first verb phrase: two readers and the embedded analyzer on 100 claims.

    DALIL_DATA=… python benchmarks/cut_baly.py print
    DALIL_DATA=… python benchmarks/cut_baly.py score READER1.csv READER2.csv

`print` shows a seeded sample of 100 claims, id and numbered words. A reader writes `id,words`: how many
words are kept, by `benchmarks/cut_rule.md`. `score` compares the readers with each other and with the
embedded analyzer. Files hold ids and numbers only.
"""

from __future__ import annotations

import csv
import json
import os
import random
import sys
from pathlib import Path

from retrieval.analyzers import load
from retrieval.analyzers.truncate import truncate

SAMPLE, SEED = 100, 7


def sample() -> dict[str, str]:
    """Claim id → claim, of claims with at least six words."""
    folder = Path(os.environ["DALIL_DATA"]) / "baly2018" / "dataset"
    claims = {}
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        if len(record["claim"].split()) >= 6:
            claims[record["id"]] = " ".join(record["claim"].split())
    chosen = random.Random(SEED).sample(sorted(claims), SAMPLE)
    return {key: claims[key] for key in sorted(chosen)}


def by_machine(claims: dict[str, str]) -> dict[str, int]:
    """How many words the embedded analyzer keeps."""
    analyzer = load("embedded")
    return {key: len(truncate(analyzer.analyse(text)).text.split()) for key, text in claims.items()}


def read(path: str, claims: dict[str, str]) -> dict[str, int]:
    """A reader's file; every claim once, with a possible number of words."""
    with open(path, encoding="utf-8", newline="") as file:
        found = {row["id"]: int(row["words"]) for row in csv.DictReader(file)}
    for key, text in claims.items():
        if not 1 <= found[key] <= len(text.split()):
            raise SystemExit(f"{path}: {key}: {found[key]} words of {len(text.split())}")
    return found


def agreement(first: dict[str, int], second: dict[str, int]) -> dict[str, float]:
    """Share of equal cuts, of cuts within a word, and the mean distance in words."""
    distances = [abs(first[key] - second[key]) for key in first]
    return {
        "exact": sum(distance == 0 for distance in distances) / len(distances),
        "within a word": sum(distance <= 1 for distance in distances) / len(distances),
        "mean distance in words": round(sum(distances) / len(distances), 2),
    }


def main() -> None:
    claims = sample()
    if sys.argv[1:] == ["print"]:
        for key, text in claims.items():
            numbered = " ".join(f"{word}⟨{number}⟩" for number, word in enumerate(text.split(), 1))
            sys.stdout.write(f"{key}\t{numbered}\n")
        return
    first, second = (read(path, claims) for path in sys.argv[2:4])
    machine = by_machine(claims)
    both = {key: first[key] for key in claims if first[key] == second[key]}
    report = {
        "claims": len(claims),
        "reader 1 and reader 2": agreement(first, second),
        "embedded and reader 1": agreement(machine, first),
        "embedded and reader 2": agreement(machine, second),
        "embedded where the readers agree": {"claims": len(both)}
        | agreement({key: machine[key] for key in both}, both),
        "kept whole": {
            name: sum(found[key] == len(claims[key].split()) for key in claims)
            for name, found in (("reader 1", first), ("reader 2", second), ("embedded", machine))
        },
    }
    json.dump(report, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
