"""A release of Baly's claims searched in Baly's articles and ANT, with Baly's labels as gold.

    DALIL_DATA=… python benchmarks/release_baly_ant.py FOLDER

FOLDER may be that of `baly_ant.py`: its collection is used again. Labels are imported (claims, articles,
pairs, final labels), the claims are run against the collection, and what has a label is released, checked
by `dalil dataset verify`, and read back with pandas. New pairs without a label stay out; claims all of
whose documents are unrelated are dropped. Texts stay in FOLDER.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pandas
from baly_ant import command, write_articles

from dalil.corpus import Corpus
from dalil.records import Dropped, Gold, Pair

TOML = """[corpus]
name = "Baly 2018 + ANT"

[search]
engines = ["collection"]
variants = ["claim"]
allow_unedited = true

[engines.collection]
path = "../collection"
results = 50

[release]
apart = ["claim", "cluster", "related"]
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    own = arguments.parse_args()
    root = Path(os.environ["DALIL_DATA"])
    own.folder.mkdir(parents=True, exist_ok=True)
    if not (own.folder / "collection" / "manifest.json").exists():
        write_articles(root, own.folder)
        ant = root / "ant_multisource" / "articles.jsonl.gz"
        baly = own.folder / "baly.jsonl.gz"
        command(
            "index", "--quiet", "--skip-bad", "--out", str(own.folder / "collection"), str(baly), str(ant)
        )
    path, out = own.folder / "labelled", own.folder / "released"
    if not path.exists():
        Corpus.create(path, TOML).close()
        command("import", "labels", "--quiet", str(root / "baly2018"), str(path))
    command("run", "--quiet", str(path))
    began = time.process_time()
    if not out.exists():
        command("release", str(out), str(path))
    seconds = time.process_time() - began
    command("dataset", "verify", str(out))
    report: dict[str, Any] = {"release CPU s": round(seconds, 1)}
    with Corpus.open(path, writable=False) as corpus:
        pairs, gold = corpus.store.ids(Pair), corpus.store.ids(Gold)
        report |= {
            "pairs": len(pairs),
            "with a label": len(gold),
            "new, without a label": len(pairs - gold),
            "claims dropped as all unrelated": corpus.store.count(
                Dropped, stage="release", reason="all_unrelated"
            ),
        }
    frame = pandas.read_parquet(out / "pairs.parquet")
    report |= {
        "released pairs": len(frame),
        "claims": int(frame["claim_id"].nunique()),
        "splits": {str(key): int(count) for key, count in frame["split"].value_counts().items()},
        "labels": {str(key): int(count) for key, count in frame["label"].value_counts().items()},
    }
    json.dump(report, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
