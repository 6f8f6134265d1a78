"""How soon a judgement is stored while twenty people submit at once.

    python benchmarks/annotate_submit.py [--people 20] [--pairs 200] [--think 2] [--out FILE.json]

A real server (uvicorn, loopback) serves a corpus of `pairs` pairs, two annotators each; `people` clients
judge until nothing is left, `think` seconds an item (0: as fast as they can, far faster than people read).
Measured are the time from sending a form to its answer, and that of the next item's page. Beside them, in
the same run: judgements written by as many threads, with the same pauses, straight into the store (what
the database and the rules of the rounds cost without a page). What is stored is counted against what was
sent.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from statistics import median, quantiles

import requests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import annotationkit as kit
from browserkit import running

from annotation.app.server import create_app
from annotation.rounds.queue import open_assignments
from dalil.records import Annotation

_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_FORM = re.compile(r'<form id="answer"[^>]*action="([^"]+)".*?</form>', re.DOTALL)
LABELS = ("agree", "disagree", "discuss", "unrelated")


def spread(seconds: list[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum in milliseconds."""
    p95 = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
    return {
        "n": len(seconds),
        "median_ms": round(1000 * median(seconds), 1),
        "p95_ms": round(1000 * p95, 1),
        "max_ms": round(1000 * max(seconds), 1),
    }


class Client:
    """One annotator; remembers what was sent and how long each answer took."""

    def __init__(self, base: str, name: str, secret: str, think: float):
        self.base, self.name, self.think = base, name, think
        self.session = requests.Session()
        self.submits: list[float] = []
        self.pages: list[float] = []
        self.sent: dict[str, str] = {}
        self.session.post(base + "/join", data={"secret": secret}, timeout=60)
        page = self.session.get(base + "/work", timeout=60)
        while "/notice/" in page.url:
            fields = dict(_HIDDEN.findall(page.text.split('action="/notice/')[1]))
            page = self.session.post(page.url, data=fields, timeout=60)

    def work(self) -> None:
        page = self.session.get(self.base + "/work", timeout=60).text
        while (form := _FORM.search(page)) is not None:
            action = form[1]
            fields = {name: unescape(value) for name, value in _HIDDEN.findall(form[0])}
            label = LABELS[len(self.sent) % 4]
            time.sleep(self.think)
            began = time.perf_counter()
            answer = self.session.post(
                self.base + action, data={**fields, "label": label}, timeout=60, allow_redirects=False
            )
            stored = time.perf_counter()
            if answer.status_code != 303:
                raise RuntimeError(f"a submit was answered with {answer.status_code}")
            page = self.session.get(self.base + answer.headers["location"], timeout=60).text
            self.pages.append(time.perf_counter() - stored)
            self.submits.append(stored - began)
            self.sent[action.rsplit("/", 1)[1]] = label


def through_the_page(folder: Path, people: int, pairs: int, think: float) -> dict[str, object]:
    """Everybody works through the page."""
    with kit.make(folder, pairs) as corpus:
        secrets = kit.people(corpus, [f"annotator {n:02d}" for n in range(people)])
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        with running(create_app(corpus)) as base, ThreadPoolExecutor(people) as pool:
            clients = [Client(base, name, secret, think) for name, secret in secrets.items()]
            clients[0].session.get(base + "/work", timeout=60)
            began = time.perf_counter()
            while any(open_assignments(corpus.store, name) for name in secrets):
                list(pool.map(Client.work, clients))
            whole = time.perf_counter() - began
        sent = sum(len(client.sent) for client in clients)
        stored = list(corpus.store.all(Annotation))
        if len(stored) != sent or any(one.number != 1 for one in stored):
            raise RuntimeError(f"{sent} were sent and {len(stored)} stored")
        return {
            "judgements": sent,
            "lost_or_doubled": 0,
            "judgements_a_second": round(sent / whole, 1),
            "submit": spread([t for client in clients for t in client.submits]),
            "next_page": spread([t for client in clients for t in client.pages]),
        }


def straight(folder: Path, people: int, pairs: int, think: float) -> dict[str, object]:
    """The same judgements written by threads, without a page."""
    with kit.make(folder, pairs) as corpus:
        names = [f"annotator {n:02d}" for n in range(people)]
        kit.people(corpus, names)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        desk = kit.judging(corpus)
        times: list[float] = []
        lock = threading.Lock()

        def work(name: str) -> None:
            own = []
            for place, one in enumerate(open_assignments(corpus.store, name)):
                time.sleep(think)
                began = time.perf_counter()
                desk.judge(one, kit.Answer(label=LABELS[place % 4]), kit.Shown(0, "hash", "1", 1.0))
                own.append(time.perf_counter() - began)
            with lock:
                times.extend(own)

        with ThreadPoolExecutor(people) as pool:
            list(pool.map(work, names))
        return {"submit": spread(times)}


def main() -> None:
    parser = argparse.ArgumentParser(description="How soon a judgement is stored.")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        page = through_the_page(Path(root) / "page", given.people, given.pairs, given.think)
        plain = straight(Path(root) / "plain", given.people, given.pairs, given.think)
    found = {
        "people": given.people,
        "pairs": given.pairs,
        "think_seconds": given.think,
        "page": page,
        "store_alone": plain,
        "p95_ratio": round(page["submit"]["p95_ms"] / plain["submit"]["p95_ms"], 2),  # type: ignore[index]
    }
    text = json.dumps(found, indent=2)
    print(text)
    if given.out:
        given.out.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
