"""Memory of the crawl process over many pages: it must be flat.

    python benchmarks/crawl_memory.py [--pages 20000]

One local server plays 16 domains of 30 kB pages; the resident memory of the crawl process is noted
every 500 pages. Flat means: the last quarter is no more than 10 % above the second quarter.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
EVERY = 500


def resident() -> float:
    """Megabytes of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def crawl(folder: str) -> None:
    """The crawl process: prints what it used."""
    from dalil.corpus import Corpus
    from spiders.articles import FetchArticles
    from spiders.crawl.work import Count, live

    used: list[float] = []
    count = Count()

    def step() -> None:
        if count.counts["worked"] % EVERY == 0:
            used.append(round(resident(), 1))

    count.step = step
    began = time.perf_counter()
    with Corpus.open(folder) as corpus:
        live(corpus, FetchArticles(corpus), "benchmark", refresh=False, count=count, autothrottle=False)
    print(
        json.dumps(
            {
                "pages": count.counts["records"],
                "seconds": round(time.perf_counter() - began),
                "megabytes": used,
            }
        )
    )


def main(pages: int) -> None:
    """Run and print the report as JSON."""
    from crawling import TOML, corpus_of, searched
    from fakeweb.client import VARIABLE, running

    with running() as web, tempfile.TemporaryDirectory() as folder:
        os.environ[VARIABLE] = web.address
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
        with corpus_of(Path(folder) / "c", (), TOML) as corpus:
            searched(corpus, (f"http://bulk{number % 16}.test/page/{number}" for number in range(pages)))
        command = [sys.executable, __file__, "--crawl", str(Path(folder) / "c")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["pages"] == pages, found
    used = found["megabytes"]
    quarter = len(used) // 4
    second, last = statistics.mean(used[quarter : 2 * quarter]), statistics.mean(used[-quarter:])
    report = found | {
        "growth_second_to_last_quarter": round(last / second - 1, 3),
        "flat": last <= second * 1.1,
    }
    print(json.dumps(report | {"date": time.strftime("%Y-%m-%d")}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        crawl(options.crawl)
    else:
        main(options.pages)
