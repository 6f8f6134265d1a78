"""`dalil run` on real input: Baly's 422 claims against Baly's articles plus ANT (about 34,000 documents).

    DALIL_DATA=… python benchmarks/baly_ant.py FOLDER [--match any] [--results 50]

Makes FOLDER/corpus (kept, so that it can be looked at and run again), with the claims of Baly et al.
(2018) and one collection of Baly's articles and ANT. Baly's claims have no dates, so of the paper's five
variants only `claim` can run; `claim+entities`, `vp` and `vp+entities` are undated diagnostics, each in
a run of its own under its own name. Reported: pairs, and how many of the known related articles (Baly's
agree, disagree, discuss; copies and near-copies counted once) are among the ten. Texts stay in FOLDER.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

from dalil.cli import main as dalil
from dalil.corpus import Corpus
from dalil.formats.baly import Baly
from dalil.formats.rows import LabelRow, Options
from dalil.ids import make_id, value_hash
from dalil.records import Article, Copy, Pair
from dalil.text.normal import search_form

RUNS = (
    ("claim",),
    ("claim+entities",),
    ("vp",),
    ("vp+entities",),
    ("claim", "claim+entities", "vp", "vp+entities"),
)

TOML = """[corpus]
name = "Baly 2018 + ANT"

[search]
engines = ["collection"]
variants = {variants}
allow_unedited = true     # Baly's claims are sentences already: what the rules flag is searched as it stands

[engines.collection]
path = "../collection"
match = "{match}"
results = {results}
texts = "collection"
"""


def command(*words: str) -> None:
    """One dalil command; a failure ends the benchmark."""
    try:
        dalil(list(words))
    except SystemExit as stop:
        if stop.code:
            raise


def gold(root: Path) -> dict[str, set[str]]:
    """Claim text → keys of its related articles."""
    related: dict[str, set[str]] = {}
    for item in Baly().read(root / "baly2018", "labels", Options()):
        row = item.row if hasattr(item, "row") else item
        assert isinstance(row, LabelRow), row
        found = related.setdefault(row.claim.raw, set())
        if row.label != "unrelated":
            found.add(text_key(row.article.text))
    return related


def text_key(text: str) -> str:
    """What makes two bodies the same for counting: their letters."""
    return value_hash(" ".join(search_form(text).split()))


def write_articles(root: Path, folder: Path) -> dict[str, int]:
    """Baly's articles as JSONL (one a body and url), and ANT beside them."""
    seen: set[str] = set()
    with gzip.open(folder / "baly.jsonl.gz", "wt", encoding="utf-8", newline="\n", compresslevel=1) as file:
        for item in Baly().read(root / "baly2018", "articles", Options()):
            row = item.row if hasattr(item, "row") else item
            key = make_id("baly", row.url or "", row.text)
            if key not in seen and row.text.strip():
                seen.add(key)
                file.write(
                    json.dumps({"id": key, "url": row.url, "body": row.text}, ensure_ascii=False) + "\n"
                )
    return {"baly": len(seen)}


def measure(path: Path, related: dict[str, set[str]]) -> dict[str, Any]:
    """Pairs and known related articles among them."""
    from dalil.records import Claim

    with Corpus.open(path, writable=False) as corpus:
        store = corpus.store
        claims = {claim.id: claim.raw for claim in store.all(Claim)}
        keys = {article.id: text_key(article.text) for article in store.all(Article)}
        copies: dict[str, set[str]] = {}
        for copy in store.all(Copy):
            copies.setdefault(copy.of, set()).add(keys[copy.id])
        found: dict[str, set[str]] = {}
        pairs = 0
        for pair in store.all(Pair):
            pairs += 1
            found.setdefault(claims[pair.claim_id], set()).update(
                {keys[pair.article_id], *copies.get(pair.article_id, ())}
            )
    known = sum(len(wanted) for wanted in related.values())
    hit = sum(len(wanted & found.get(claim, set())) for claim, wanted in related.items())
    with_related = [claim for claim, wanted in related.items() if wanted]
    reached = sum(bool(related[claim] & found.get(claim, set())) for claim in with_related)
    return {
        "pairs": pairs, "known related": known, "of them among the ten": hit, "share": round(hit / known, 4),
        "claims with a related article": len(with_related), "of them with one among the ten": reached,
    }  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--match", default="any")
    arguments.add_argument("--results", type=int, default=50)
    own = arguments.parse_args()
    root = Path(os.environ["DALIL_DATA"])
    own.folder.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {"match": own.match, "results": own.results}
    if not (own.folder / "collection").exists():
        report |= write_articles(root, own.folder)
        began = time.perf_counter()
        ant = root / "ant_multisource" / "articles.jsonl.gz"
        command(
            "index",
            "--quiet",
            "--out",
            str(own.folder / "collection"),
            str(own.folder / "baly.jsonl.gz"),
            str(ant),
        )
        report["index s"] = round(time.perf_counter() - began, 1)
    related = gold(root)
    for variants in RUNS:
        path = own.folder / "-".join(variants).replace("+", "_")
        if not path.exists():
            Corpus.create(
                path, TOML.format(variants=json.dumps(list(variants)), match=own.match, results=own.results)
            ).close()
            command("import", "claims", "--quiet", str(root / "baly2018"), str(path))
        began = time.perf_counter()
        command("run", "--quiet", str(path))
        report[" ".join(variants)] = measure(path, related) | {"run s": round(time.perf_counter() - began, 1)}
    report["peak memory MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    json.dump(report, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
