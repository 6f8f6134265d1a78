"""`dalil why` in a large corpus, against what a user would take instead: grep over a dump.

    python benchmarks/why_speed.py

A written corpus: 9,000 claims, each with a search, ten hits and one pair, and 90,000 drops. Told are the
seconds (medians) of the whole report of a pair; of reading every drop to find those that count (as it
was done without an index); and of `grep` with the claim's, the answer's and the documents' ids over
dropped.jsonl of `dalil dump`, which finds the same rows and is not given the time that dumping takes.
Writes why_speed.json beside itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from dalil.corpus import Corpus
from dalil.records import Article, Claim, CleanedClaim, Document, Dropped, Hit, Pair, Query, SearchPage
from dalil.state.dump import dump
from retrieval.why import why

CLAIMS = 9_000
PAIRS = (7, 4_500, 8_993)
ANSWER = "x" * 4_000


def main() -> None:
    """Make the corpus, measure, print and write."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "corpus"
        with Corpus.create(folder, '[corpus]\nname = "large"\n') as corpus:
            for start in range(0, CLAIMS, 500):
                with corpus.store.transaction() as writer:
                    writer.put(record for n in range(start, start + 500) for record in _claim(n))
            dump(corpus, Path(place) / "dump", stable=True)
        drops = Path(place) / "dump" / "dropped.jsonl"
        with Corpus.open(folder, writable=False) as corpus:
            out = {
                "claims": CLAIMS,
                "drops": corpus.store.count(Dropped),
                "why_seconds": _timed(lambda n: len(why(corpus, f"pair-{n}").dropped)),
                "every_drop_seconds": _timed(lambda n: _every(corpus, n)),
                "grep_seconds": _timed(lambda n: _grep(drops, n)),
            }
    out["every_drop_over_why"] = round(out["every_drop_seconds"] / out["why_seconds"], 1)
    out["why_over_grep"] = round(out["why_seconds"] / out["grep_seconds"], 2)
    text = json.dumps(out, indent=2)
    Path(__file__).with_suffix(".json").write_text(text + "\n", "utf-8")
    sys.stdout.write(text + "\n")


def _claim(number: int) -> list[object]:
    key, page = f"claim-{number}", f"page-{number}"
    urls = [f"https://a.example/{number}/{rank}" for rank in range(10)]
    drops = [(f"{key} claim+date", "query", "no_query:undated")]
    drops += [(f"{page} hit-{number}-{rank}", "hits", "outside_window") for rank in range(3)]
    drops += [(f"document-{number}-{rank}", "fetch", "timed_out") for rank in range(3)]
    drops += [(f"{key} article-{number}-{rank}", "pair", "beyond_ten") for rank in range(3)]
    return [
        Claim(id=key, site="s", raw=f"ادعاء {number}"),
        CleanedClaim(id=key, raw=f"ادعاء {number}", text=f"ادعاء {number}"),
        Query(id=f"query-{number}", claim_id=key, variants=("claim",), text="نص", question=f"q{number}"),
        SearchPage(id=page, engine="e", question=f"q{number}", text="نص", answer=ANSWER),
        *(Document(id=f"document-{number}-{rank}", url=url, host="a") for rank, url in enumerate(urls)),
        *(
            Hit(
                id=f"hit-{number}-{rank}", page_id=page, question=f"q{number}", engine="e", rank=rank + 1,
                url=url, document_id=f"document-{number}-{rank}",
            )
            for rank, url in enumerate(urls)
        ),
        Article(id=f"article-{number}", document_id=f"document-{number}-0", text="نص", content_hash="h"),
        Pair(
            id=f"pair-{number}", claim_id=key, article_id=f"article-{number}", rank=1, score=0.5,
            hits=(f"hit-{number}-0",),
        ),
        *(Dropped(id=f"drop-{at}", stage=stage, key=at, reason=reason) for at, stage, reason in drops),
    ]  # fmt: skip


def _about(number: int) -> list[str]:
    return [f"claim-{number}", f"page-{number}", *(f"document-{number}-{rank}" for rank in range(10))]


def _every(corpus: Corpus, number: int) -> int:
    about = set(_about(number))
    return sum(not about.isdisjoint(drop.key.split(" ")) for drop in corpus.store.all(Dropped))


def _grep(path: Path, number: int) -> int:
    asked = [word for key in _about(number) for word in ("-e", f'"key":"{key}"', "-e", f'"key":"{key} ')]
    found = subprocess.run(["grep", "-F", *asked, str(path)], capture_output=True, check=True)
    return found.stdout.count(b"\n")


def _timed(call: Callable[[int], int]) -> float:
    """Median seconds over some pairs; each finds its ten drops."""
    taken = []
    for number in PAIRS:
        began = time.perf_counter()
        found = call(number)
        taken.append(time.perf_counter() - began)
        if found != 10:
            raise SystemExit(f"found {found} drops of 10")
    return round(median(taken), 4)


if __name__ == "__main__":
    main()
