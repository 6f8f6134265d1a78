"""The cleaned claims of Matsda2sh against ANT: import, clean, search, pair, on real fact-checks.

    DALIL_DATA=… python benchmarks/matsda2sh_ant.py FOLDER [--collection ANT_COLLECTION]

Makes FOLDER/corpus (kept). Matsda2sh's records have no dates, so the query is `claim`; claims flagged
needs_edit are left out, as they would be for a user who has not edited yet. No relevance is known here:
reported are counts, drops by reason, and how alike claim and best article are. Texts stay in FOLDER.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from dalil.cli import main as dalil
from dalil.corpus import Corpus
from dalil.records import Dropped, Pair
from dalil.status import status

TOML = """[corpus]
name = "Matsda2sh + ANT"

[search]
engines = ["collection"]
variants = ["claim"]

[engines.collection]
path = "{path}"
results = 50
texts = "collection"
"""


def command(*words: str) -> None:
    """One dalil command; a failure ends the benchmark."""
    try:
        dalil(list(words))
    except SystemExit as stop:
        if stop.code:
            raise


def measure(path: Path) -> dict[str, Any]:
    """Counts of the corpus, and the scores of the best article of each claim."""
    with Corpus.open(path, writable=False) as corpus:
        report = status(corpus)
        best: dict[str, float] = {}
        for pair in corpus.store.all(Pair):
            best[pair.claim_id] = max(pair.score, best.get(pair.claim_id, 0.0))
        drops: dict[str, int] = {}
        for drop in corpus.store.all(Dropped):
            key = f"{drop.stage}: {drop.reason.partition(':')[0]}"
            drops[key] = drops.get(key, 0) + 1
    deciles = statistics.quantiles(best.values(), n=10) if len(best) > 1 else []
    return {
        "rows": report.rows, "dropped": dict(sorted(drops.items())), "claims with pairs": len(best),
        "TF-IDF of the best article, deciles": [round(value, 3) for value in deciles],
    }  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--collection", type=Path)
    own = arguments.parse_args()
    root = Path(os.environ["DALIL_DATA"])
    own.folder.mkdir(parents=True, exist_ok=True)
    collection = own.collection or own.folder / "collection"
    if not (collection / "manifest.json").exists():
        source = root / "ant_multisource" / "articles.jsonl.gz"
        command("index", "--quiet", "--out", str(collection), str(source))
    path = own.folder / "corpus"
    if not path.exists():
        Corpus.create(path, TOML.format(path=collection.resolve())).close()
        command(
            "import",
            "claims",
            "--quiet",
            str(root / "matsda2sh" / "claims.jsonl.gz"),
            str(path),
            "--skip-bad",
        )
    began = time.perf_counter()
    command("run", "--quiet", str(path))
    report = measure(path) | {"run s": round(time.perf_counter() - began, 1)}
    json.dump(report, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
