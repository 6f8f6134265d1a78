"""Pairing against bare scikit-learn: 1,000 claims, 20,000 articles, 100 hits a claim (an engine's cap).

    DALIL_DATA=… python benchmarks/pair_speed.py

Bare scikit-learn is what a user would write: TfidfVectorizer with its defaults on title + body, the
product of claims and articles in blocks, argpartition for ten. dalil does that on search forms, over
the hits of each claim, and adds leakage marks, outlet lists, drops with their reasons and stable ties.
Both are given texts in memory; times are of the process's own CPU (`process_time`), of one thread.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from dalil.corpus import Corpus
from dalil.records import Article, Claim, CleanedClaim, Hit, Query
from dalil.text.urls import outlet
from retrieval.pair import MakePairs

CLAIMS, ARTICLES, HITS = 1_000, 20_000, 100
ROUNDS = 5


def articles(root: Path) -> dict[str, Article]:
    """The first articles of ANT."""
    found = {}
    with gzip.open(
        root / "ant_multisource" / "articles.jsonl.gz", "rt", encoding="utf-8", newline="\n"
    ) as file:
        for number, line in enumerate(file):
            if number == ARTICLES:
                break
            row = json.loads(line)
            key = f"article-{number:06d}"
            found[key] = Article(
                id=key, document_id=f"document-{number:06d}", url=row["url"], outlet=outlet(row["url"]),
                title=row["title"], text=row["text"], content_hash=str(number),
            )  # fmt: skip
    return found


def claims(root: Path) -> dict[str, str]:
    """Claims of Khouja's corpus."""
    import csv

    with (root / "ans_khouja2020" / "data" / "claim" / "train.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        texts = [
            row["claim_s"] if "claim_s" in row else next(iter(row.values())) for row in csv.DictReader(file)
        ]
    return {f"claim-{number:04d}": text for number, text in enumerate(texts[:CLAIMS])}


def bare(texts: list[str], asked: list[str]) -> list[list[int]]:
    """What a user would write."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer()
    matrix = vectorizer.fit_transform(texts)
    best = []
    for start in range(0, len(asked), 64):
        scores = (vectorizer.transform(asked[start : start + 64]) @ matrix.T).toarray()
        best += np.argpartition(-scores, 10, axis=1)[:, :10].tolist()
    return best


def corpus_of(folder: Path, held: dict[str, Article], asked: dict[str, str]) -> Corpus:
    """A corpus in which each claim's query found `HITS` articles drawn with a seed."""
    corpus = Corpus.create(folder, '[corpus]\nname = "pairing"\n')
    order, chance = sorted(held), random.Random(0)
    with corpus.store.transaction() as writer:
        writer.put(held.values())
        writer.put(Claim(id=key, site="ans", raw=text) for key, text in asked.items())
        writer.put(CleanedClaim(id=key, raw=text, text=text) for key, text in asked.items())
        writer.put(
            Query(id=f"q-{key}", claim_id=key, variants=("claim",), text=text, question=f"question {key}")
            for key, text in asked.items()
        )
        for claim in asked:
            writer.put(
                Hit(
                    id=f"hit {claim} {rank}",
                    page_id=claim,
                    question=f"question {claim}",
                    engine="collection",
                    rank=rank,
                    url=held[key].url or "",
                    document_id=held[key].document_id,
                )
                for rank, key in enumerate(chance.sample(order, HITS), 1)
            )
    return corpus


def timed(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    root = Path(os.environ["DALIL_DATA"])
    held, asked = articles(root), claims(root)
    texts = [f"{held[key].title}\n{held[key].text}" for key in sorted(held)]
    pairs: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as place, corpus_of(Path(place) / "c", held, asked) as corpus:
        stage = MakePairs(corpus)
        found = next(iter(stage.keys(corpus.store))).inputs
        for _ in range(ROUNDS):
            theirs = timed(lambda: bare(texts, list(asked.values())))
            pairs.append((theirs, timed(lambda: stage.work(found))))
    ratios = sorted(mine / theirs for theirs, mine in pairs)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    json.dump(
        {
            "claims": len(asked), "articles": len(held), "hits a claim": HITS,
            "bare scikit-learn s": [round(theirs, 2) for theirs, _ in pairs],
            "dalil s": [round(mine, 2) for _, mine in pairs],
            "ratio median": round(ratios[len(ratios) // 2], 3),
            "peak memory of both MB": round(memory),
        },
        sys.stdout, indent=1,
    )  # fmt: skip


if __name__ == "__main__":
    main()
