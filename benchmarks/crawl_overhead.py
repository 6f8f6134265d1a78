"""Pages a second of the crawl process against bare Scrapy doing the same downloads.

    python benchmarks/crawl_overhead.py [--pages 3000] [--domains 16] [--rounds 5]

One local server plays the domains. Both sides download the same pages with the same concurrency (one
request a domain, all domains side by side), AutoThrottle and delays off. Bare Scrapy throws each page
away; the crawl journals each request before it is sent, stores every response in the WARC with a
sync, and commits Fetch and ledger rows. Rounds alternate; the ratio is of the medians.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

BARE = """
import scrapy, sys, time, json
from scrapy.crawler import AsyncCrawlerProcess
urls, proxy, concurrency = json.load(open(sys.argv[1])), sys.argv[2], int(sys.argv[3])
seen = []
class Bare(scrapy.Spider):
    name = "bare"
    async def start(self):
        for url in urls:
            yield scrapy.Request(url, meta={"proxy": proxy}, dont_filter=True)
    def parse(self, response):
        seen.append(len(response.body))
process = AsyncCrawlerProcess({
    "CONCURRENT_REQUESTS": concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "ROBOTSTXT_OBEY": True, "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Bare)
began, cpu = time.perf_counter(), time.process_time()
process.start()
seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
print(json.dumps({"seconds": seconds, "cpu": cpu, "pages": len(seen)}))
"""
OURS = """
import json, sys, time
from dalil.corpus import Corpus
from spiders.crawl.work import Count, live
from spiders.articles import FetchArticles
with Corpus.open(sys.argv[1]) as corpus:
    count = Count()
    began, cpu = time.perf_counter(), time.process_time()
    live(corpus, FetchArticles(corpus), "benchmark", refresh=False, count=count, autothrottle=False)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(json.dumps({"seconds": seconds, "cpu": cpu, "pages": count.counts["records"]}))
"""


def once(code: str, *arguments: str) -> tuple[float, float]:
    """Pages a second, and milliseconds of processor a page, of one run in a process of its own."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path[:2])}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment, check=True
    )
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["pages"] == PAGES, found
    return found["pages"] / found["seconds"], found["cpu"] / found["pages"] * 1000


def main() -> None:
    """Run and print the ratio as JSON."""
    from crawling import corpus_of, searched
    from fakeweb.client import VARIABLE, running

    bare: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    urls = [f"http://bulk{number % DOMAINS}.test/page/{number}" for number in range(PAGES)]
    with running() as web, tempfile.TemporaryDirectory() as folder:
        os.environ[VARIABLE] = web.address
        plain = Path(folder) / "urls.json"
        plain.write_text(json.dumps(urls), "utf-8")
        for round_ in range(ROUNDS):
            bare.append(once(BARE, str(plain), f"http://{web.address}", str(DOMAINS)))
            toml = f'[corpus]\nname = "b"\n[crawl]\nconcurrency = {DOMAINS}\n'
            with corpus_of(Path(folder) / f"c{round_}", (), toml) as corpus:
                searched(corpus, urls)
            ours.append(once(OURS, str(Path(folder) / f"c{round_}")))
            print(
                f"round {round_ + 1}: pages/s, CPU ms a page: bare {bare[-1]}, dalil {ours[-1]}",
                file=sys.stderr,
            )
    speed = [statistics.median(rate for rate, _ in side) for side in (bare, ours)]
    cost = [statistics.median(cpu for _, cpu in side) for side in (bare, ours)]
    report = {
        "pages": PAGES, "domains": DOMAINS, "rounds": ROUNDS,
        "pages_per_second": {"bare": round(speed[0]), "dalil": round(speed[1])},
        "cpu_ms_a_page": {"bare": round(cost[0], 3), "dalil": round(cost[1], 3)},
        "overhead": round(speed[0] / speed[1] - 1, 3), "overhead_cpu": round(cost[1] / cost[0] - 1, 3),
        "target": 0.25, "date": time.strftime("%Y-%m-%d"),
    }  # fmt: skip
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--domains", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    PAGES, DOMAINS, ROUNDS = options.pages, options.domains, options.rounds
    main()
