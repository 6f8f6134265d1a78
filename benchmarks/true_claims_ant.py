"""True claims for real false ones, with ANT (31,525 dated articles of 2018) in the place of Reuters.

    DALIL_DATA=… python benchmarks/true_claims_ant.py FOLDER [--seeds 300]

False claims: second headlines (`s2`) of the disagree pairs of Khouja (2020) whose first headline (`s1`)
is the title of an ANT article; that article's day is taken as the claim's. Reported: how many seeds get
true claims, how many each, how similar and how far in time they are, for how many seeds the article that
the false claim contradicts is among the chosen, at which rank and similarity (and how many true claims a
lower `most` would keep out with it). Texts stay in FOLDER; results: true_claims_ant.json.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import re
import statistics
import sys
import time
from datetime import date
from pathlib import Path

from dalil.collection.building import build
from dalil.corpus import Corpus
from dalil.ids import make_id, value_hash
from dalil.progress import Silent
from dalil.records import Claim, Dropped
from dalil.runner import run
from dalil.text.dates import parse_date
from dalil.text.normal import search_form
from dalil.text.urls import canonical_url

TOML = '[corpus]\nname = "true claims"\n[true_claims]\ncollection = "ant"\n'


def plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]|_", " ", text).split())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=300)
    options = parser.parse_args()
    root = Path(os.environ["DALIL_DATA"])
    articles: dict[str, tuple[str, str]] = {}
    source = root / "ant_multisource" / "articles.jsonl.gz"
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        for line in lines:
            article = json.loads(line)
            found = parse_date(article["published"])
            if found is not None and found.precision == "day":
                articles.setdefault(plain(article["title"]), (found.iso, article["url"]))
    pairs: dict[str, tuple[str, str]] = {}
    for path in sorted((root / "ans_khouja2020" / "data" / "stance").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                if row["stance"] == "disagree" and plain(row["s1"]) in articles:
                    pairs.setdefault(row["s2"], articles[plain(row["s1"])])
    chosen = sorted(pairs, key=lambda text: value_hash(["seed", text]))[: options.seeds]
    claims = {
        make_id("claim", "ans", text): Claim(
            id=make_id("claim", "ans", text), site="ans", raw=text, veracity="false",
            claim_date=pairs[text][0], claim_date_from="the article it contradicts",
        )
        for text in chosen
    }  # fmt: skip
    if not (options.folder / "corpus.toml").exists():
        with Corpus.create(options.folder, TOML) as corpus, corpus.store.transaction() as writer:
            writer.put(claims.values())
        build([source], options.folder / "ant", name="ant", reporter=Silent())
    began = time.monotonic()
    with Corpus.open(options.folder) as corpus:
        run(corpus, ["retrieval.true_claims:TrueClaims"], Silent())
        seconds = time.monotonic() - began
        true = [claim for claim in corpus.store.all(Claim) if "seed" in claim.found]
        reasons: dict[str, int] = {}
        for drop in corpus.store.all(Dropped, stage="true_claims"):
            reasons[drop.reason] = reasons.get(drop.reason, 0) + 1
    each: dict[str, list[Claim]] = {}
    for claim in true:
        each.setdefault(claim.found["seed"], []).append(claim)
    days = [
        abs(
            (
                date.fromisoformat(c.claim_date or "")
                - date.fromisoformat(claims[c.found["seed"]].claim_date or "")
            ).days
        )
        for c in true
    ]
    contradicted = [
        c for seed, found in each.items() for c in found if c.url == canonical_url(pairs[claims[seed].raw][1])
    ]
    hit = len({c.found["seed"] for c in contradicted})
    report = {
        "seeds": len(claims),
        "seeds_with_true_claims": len(each),
        "true_claims": len(true),
        "per_seed_median": statistics.median(map(len, each.values())),
        "per_seed_max": max(map(len, each.values())),
        "similarity_median": round(statistics.median(c.found["similarity"] for c in true), 3),
        "first_similarity_median": round(
            statistics.median(c.found["similarity"] for c in true if c.found["rank"] == 1), 3
        ),
        "days_from_seed_median": statistics.median(days),
        "days_from_seed_max": max(days),
        "same_headline_twice": len(true) - len({search_form(c.raw) for c in true}),
        "without_own_page": sum(not c.own_pages for c in true),
        "seeds_whose_contradicted_article_is_chosen": hit,
        "contradicted_ranks_first": sum(c.found["rank"] == 1 for c in contradicted),
        "contradicted_similarity_median": round(
            statistics.median(c.found["similarity"] for c in contradicted), 3
        ),
        "of_similarity_above": {
            str(most): {
                "contradicted": sum(c.found["similarity"] > most for c in contradicted),
                "true_claims": sum(c.found["similarity"] > most for c in true),
            }
            for most in (0.3, 0.5, 0.7)
        },
        "dropped": dict(sorted(reasons.items())),
        "seconds": round(seconds, 1),
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
