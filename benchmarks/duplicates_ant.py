"""Copies among the 31,525 articles of ANT (five outlets, 2018), as the duplicates stage finds them.

    DALIL_DATA=… python benchmarks/duplicates_ant.py

Writes duplicates_ant.json (figures) and duplicates_ant_clusters.csv (50 clusters to check by eye:
ids and verdicts) beside itself. The 50 are the largest clusters, then the 20 whose least likeness
is lowest, then a seeded sample of the others. Verdicts already given are kept.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from dalil.ids import make_id, value_hash
from dalil.records import Article, Copy, fit_text
from dalil.text.dates import parse_date
from retrieval.duplicates import DuplicateSettings, Member, copies

HERE = Path(__file__).parent
CHECKED = 50
DOUBTFUL = 20
SEED = 2018


def articles(path: Path) -> tuple[list[Article], dict[str, str]]:
    """The collection as articles, and article id → its id in the collection."""
    found, names = [], {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            title, text = fit_text(row["title"] or ""), fit_text(row["text"] or "")
            content = value_hash([title, text])
            day = parse_date(row["published"] or "")
            article = Article(
                id=make_id("article", row["id"], content),
                document_id=make_id("document", row["url"]),
                url=row["url"],
                title=title,
                text=text,
                outlet=row["source"],
                published=day.iso if day else None,
                content_hash=content,
            )
            found.append(article)
            names[article.id] = row["id"]
    return found, names


def main() -> None:
    """Measure, print, write."""
    found, names = articles(Path(os.environ["DALIL_DATA"]) / "ant_multisource" / "articles.jsonl.gz")
    outlet = {article.id: article.outlet for article in found}
    began, used = time.monotonic(), time.process_time()
    rows = copies(map(Member, found), DuplicateSettings())
    seconds, spent = time.monotonic() - began, time.process_time() - used
    clusters: dict[str, list[Copy]] = defaultdict(list)
    for row in rows:
        clusters[row.of].append(row)
    report: dict[str, Any] = {
        "articles": len(found),
        "copies": len(rows),
        "clusters": len(clusters),
        "by_size": dict(sorted(Counter(len(each) + 1 for each in clusters.values()).items())),
        "by_reason": dict(Counter(row.why for row in rows).most_common()),
        "across_outlets": sum(
            len({outlet[key] for key in (of, *(row.id for row in each))}) > 1 for of, each in clusters.items()
        ),
        "wall_seconds": round(seconds, 1),
        "cpu_seconds": round(spent, 1),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    (HERE / "duplicates_ant.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    _write(chosen(clusters), names)
    json.dump(report, sys.stdout, indent=1)


def chosen(clusters: dict[str, list[Copy]]) -> list[tuple[str, list[Copy]]]:
    """The clusters to check."""
    ordered = sorted(clusters.items(), key=lambda each: (-len(each[1]), _least(each[1]), each[0]))
    large = [each for each in ordered if len(each[1]) > 1][: CHECKED - DOUBTFUL]
    rest = [each for each in ordered if each not in large]
    rest.sort(key=lambda each: (_least(each[1]), each[0]))
    sample = random.Random(SEED).sample(
        rest[DOUBTFUL:], min(len(rest[DOUBTFUL:]), CHECKED - DOUBTFUL - len(large))
    )
    return [*large, *rest[:DOUBTFUL], *sample]


def _least(rows: list[Copy]) -> float:
    return min(row.similarity or 0.0 for row in rows)


def _write(picked: list[tuple[str, list[Copy]]], names: dict[str, str]) -> None:
    path = HERE / "duplicates_ant_clusters.csv"
    known: dict[str, str] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            known = {row["ids"]: row["verdict"] for row in csv.DictReader(file)}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["ids", "why", "least_similarity", "verdict"])
        for of, rows in picked:
            ids = " ".join([names[of], *(names[row.id] for row in rows)])
            writer.writerow(
                [ids, "+".join(sorted({row.why for row in rows})), _least(rows), known.get(ids, "")]
            )


if __name__ == "__main__":
    main()
