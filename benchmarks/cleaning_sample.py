"""Cleaning on real fact-checks: counts, a seeded sample for two readers, their κ.

    DALIL_DATA=… python benchmarks/cleaning_sample.py counts
    DALIL_DATA=… python benchmarks/cleaning_sample.py print 3 > sample.txt
    DALIL_DATA=… python benchmarks/cleaning_sample.py ids 3 > benchmarks/cleaning_sample3_ids.csv
    DALIL_DATA=… python benchmarks/cleaning_sample.py score 3 READER1.csv [READER2.csv]

Samples 1, 2 and 3: 100 each, disjoint, of the claims on even lines of matsda2sh/claims.jsonl.gz (the
rules were tuned on the odd ones), drawn with seeds from 20 on. What samples 1 and 2 showed went into
the rules, so sample 3 is the one that counts. Label files have the columns id,label; the labels are those of
cleaning_rule.md. `ids` also gives the outcome at that time: cleaning may have changed since. No text
leaves the data folder but by `print`.
"""

from __future__ import annotations

import csv
import os
import random
import sys
from collections import Counter
from pathlib import Path

from dalil.formats.making import Maker
from dalil.formats.matsda2sh import Matsda2sh
from dalil.formats.rows import ClaimRow, Nothing, Options
from dalil.records import Claim, CleanedClaim
from dalil.resources import data
from dalil.stages import Drop
from retrieval.clean import clean, load_rules

SEED, SIZE = 20, 100
LABELS = ("good", "edit", "wrong", "none")
RIGHT = {("clean", "good"), ("flagged", "edit"), ("flagged", "wrong"), ("dropped", "none")}
Made = CleanedClaim | Drop


def cleaned() -> tuple[list[tuple[int, Claim, Made]], Counter[str]]:
    """Line, claim and what cleaning made of it, for all claims; and the records without a claim."""
    rules = load_rules(data("cleaning", "rules.toml"))
    maker = Maker("matsda2sh")
    found, without = [], Counter[str]()
    path = (
        Path(os.environ.get("DALIL_DATA") or sys.exit("DALIL_DATA names the folder of real data"))
        / "matsda2sh"
        / "claims.jsonl.gz"
    )
    for row in Matsda2sh().read(path, "claims", Options()):
        if isinstance(row, Nothing):
            without[row.reason] += 1
        elif isinstance(row, ClaimRow):
            claim = maker.claim(row)
            found.append((int(row.where.rsplit(":", 1)[1]), claim, clean(claim, rules)))
    return found, without


def outcome(made: Made) -> str:
    """clean, flagged or dropped."""
    if isinstance(made, Drop):
        return "dropped"
    return "flagged" if any(flag.startswith("needs_edit:") for flag in made.flags) else "clean"


def sample(which: int) -> list[tuple[Claim, Made]]:
    """Sample 1, 2 or 3, in random order: each of what the earlier ones left."""
    held = {claim.id: (claim, made) for line, claim, made in cleaned()[0] if line % 2 == 0}
    left, drawn = sorted(held), []
    for step in range(which):
        drawn = random.Random(SEED + step).sample(left, SIZE)
        left = sorted(set(left) - set(drawn))
    return [held[key] for key in drawn]


def counts() -> None:
    """Outcomes over all claims, reasons and rules."""
    found, without = cleaned()
    made = [item for _, _, item in found]
    print(f"claims {len(made)}; records without a claim: {dict(without)}")
    print("outcomes", dict(Counter(map(outcome, made))))
    print("drops", dict(Counter(item.reason for item in made if isinstance(item, Drop))))
    flags = Counter(flag for item in made if isinstance(item, CleanedClaim) for flag in item.flags)
    print("flags", dict(flags.most_common()))
    rules = Counter(rule for item in made if isinstance(item, CleanedClaim) for rule in item.rules)
    print("rules", dict(rules.most_common()))


def score(which: int, paths: list[str]) -> None:
    """Outcomes against labels, and Cohen's κ of two readers."""
    items = sample(which)
    readings = [read(path, {claim.id for claim, _ in items}) for path in paths]
    for path, labels in zip(paths, readings, strict=True):
        table = Counter((outcome(made), labels[claim.id]) for claim, made in items)
        right = sum(count for pair, count in table.items() if pair in RIGHT)
        print(Path(path).name, {" → ".join(pair): count for pair, count in sorted(table.items())})
        print(f"  right {right} of {len(items)}; clean and good {table['clean', 'good']} of "
              f"{sum(n for (kind, _), n in table.items() if kind == 'clean')}")  # fmt: skip
    if len(readings) == 2:
        keys = [claim.id for claim, _ in items]
        first, second = ([labels[key] for key in keys] for labels in readings)
        agreed = sum(a == b for a, b in zip(first, second, strict=True)) / len(keys)
        by_chance = sum(first.count(name) * second.count(name) for name in LABELS) / len(keys) ** 2
        kappa = (agreed - by_chance) / (1 - by_chance)
        print(f"agreement {agreed:.2f}, Cohen's κ {kappa:.3f}")


def read(path: str, ids: set[str]) -> dict[str, str]:
    """Labels by id, one for each id of the sample."""
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        labels = {row["id"]: row["label"] for row in csv.DictReader(file)}
    if labels.keys() != ids or not set(labels.values()) <= set(LABELS):
        raise SystemExit(f"{path}: needs one of {', '.join(LABELS)} for each id of the sample")
    return labels


def main(arguments: list[str]) -> None:
    """Run one of the four."""
    match arguments:
        case ["counts"]:
            counts()
        case ["ids", ("1" | "2" | "3") as which]:
            print("id,outcome")
            for claim, made in sample(int(which)):
                print(f"{claim.id},{outcome(made)}")
        case ["print", ("1" | "2" | "3") as which]:
            for number, (claim, made) in enumerate(sample(int(which)), start=1):
                raw = " ⏎ ".join(claim.raw.split("\n"))
                text = made.text if isinstance(made, CleanedClaim) else "(dropped)"
                print(f"=== {number} {claim.id}\nheadline: {claim.title}\nraw: {raw}\ntext: {text}\n")
        case ["score", ("1" | "2" | "3") as which, first, *rest]:
            score(int(which), [first, *rest])
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
