"""Known-item search over the 31,525 articles of ANT, and its floors.

The task: an "agree" headline pair of ANS (Khouja 2020) whose first headline is the title of an ANT article
asks, with its second, for that article (any article of that title is right): 1,261 queries, 27 of
them with several right articles. Titles are compared with punctuation as spaces. MRR counts ranks
to 100.

    DALIL_DATA=… python benchmarks/collection_known_item.py            build, search, compare; writes the .md
    DALIL_DATA=… python benchmarks/collection_known_item.py --check    floors alone (what the test runs)

Compared, in one run: what a user would take instead, TF-IDF of scikit-learn over the bodies and
SQLite's FTS5 over folded text.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import re
import resource
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dalil.collection import Collection, build
from dalil.collection.search import BOOSTS, Match
from dalil.text.normal import search_form

ARTICLES = "ant_multisource/articles.jsonl.gz"
PAIRS = tuple(f"ans_khouja2020/data/stance/{part}.csv" for part in ("train", "dev", "test"))
SHA256 = {
    ARTICLES: "f5f96d867d54e827043f769cbbe8f1f91c39ed6c77b13d499486310d2c148809",
    PAIRS[0]: "48efb4136ed9ba1958664b68be011c5b5f287262c99e5ed552ac7dbee1c1ae4a",
    PAIRS[1]: "66e3f4ce64312497d05d42c3435cddd92725e1f8246c90d9bf24e648fb027591",
    PAIRS[2]: "d47c360122ebb8da6ca52b07b2796ecfb3cf28dea00a4fbfc8f10d32c54f89cd",
}
BODIES: Mapping[str, float] = {"lead": 1.0, "body": 1.0}
FLOORS: dict[str, tuple[float, float]] = {
    "bodies without titles": (0.54, 0.74),
    "title and body": (0.84, 0.93),
}
"""Setting → least MRR and hit@10, in match mode `any`"""
DEPTH = 100


@dataclass(frozen=True)
class Asked:
    """A query and the ids of the articles that are right."""

    text: str
    right: frozenset[str]


@dataclass(frozen=True)
class Score:
    """How well and how fast a setting answered. `per_cpu_second` does not depend on what else runs."""

    hit1: float
    hit10: float
    mrr: float
    per_second: float
    per_cpu_second: float

    def row(self) -> str:
        """For the table."""
        quality = f"{self.hit1:.3f} | {self.hit10:.3f} | {self.mrr:.3f}"
        return f"{quality} | {self.per_second:,.0f} | {self.per_cpu_second:,.0f}"


def queries(data: Path, stance: str = "agree") -> list[Asked]:
    """The known-item queries of the data folder."""
    titles: dict[str, set[str]] = defaultdict(set)
    for row in articles(data):
        titles[plain(row["title"])].add(row["id"])
    found = []
    for part in PAIRS:
        with (data / part).open(encoding="utf-8-sig", newline="") as file:
            for pair in csv.DictReader(file):
                if pair["stance"] == stance and plain(pair["s1"]) in titles:
                    found.append(Asked(pair["s2"], frozenset(titles[plain(pair["s1"])])))
    return found


def articles(data: Path) -> list[dict[str, str]]:
    """The rows of ANT."""
    with gzip.open(data / ARTICLES, "rt", encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


def plain(title: str) -> str:
    """A title with punctuation as spaces and white space collapsed."""
    return " ".join(re.sub(r"[^\w\s]", " ", title).split())


def score(asked: list[Asked], answer: Callable[[str], list[str]]) -> Score:
    """Ranks of the right articles among the answers."""
    ranks = []
    began, cpu = time.perf_counter(), time.process_time()
    for one in asked:
        ids = answer(one.text)
        ranks.append(next((rank for rank, key in enumerate(ids, 1) if key in one.right), 0))
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    count = len(asked)
    return Score(
        sum(rank == 1 for rank in ranks) / count,
        sum(1 <= rank <= 10 for rank in ranks) / count,
        sum(1 / rank for rank in ranks if rank) / count,
        count / took,
        count / cpu,
    )


def asks(
    collection: Collection,
    boosts: Mapping[str, float],
    match: Match = "any",
    limit: int = DEPTH,
    **window: str,
) -> Callable[[str], list[str]]:
    """A collection as a function from text to ids."""

    def answer(text: str) -> list[str]:
        results = collection.search(text, match=match, limit=limit, boosts=boosts, **window)
        return [found.document.id for found in results.found]

    return answer


def failures(data: Path, folder: Path) -> list[str]:
    """What falls short: changed data, or a score below its floor."""
    wrong = [
        f"{name} is not the file that was measured" for name in SHA256 if hash_of(data / name) != SHA256[name]
    ]
    build([data / ARTICLES], folder)
    collection = Collection.open(folder)
    asked = queries(data)
    if len(asked) != 1261 or len(collection) != 31525:
        wrong.append(f"{len(asked)} queries over {len(collection)} articles, not 1261 over 31525")
    for (name, (mrr, hit10)), boosts in zip(FLOORS.items(), (BODIES, BOOSTS), strict=True):
        got = score(asked, asks(collection, boosts))
        print(f"{name}: MRR {got.mrr:.4f} (floor {mrr}), hit@10 {got.hit10:.4f} (floor {hit10})")
        if got.mrr < mrr or got.hit10 < hit10:
            wrong.append(f"{name}: MRR {got.mrr:.4f}, hit@10 {got.hit10:.4f}, below {mrr} and {hit10}")
    return wrong


def hash_of(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tfidf(rows: list[dict[str, str]]) -> tuple[Callable[[str], list[str]], float]:
    """scikit-learn's TF-IDF over folded bodies, and the seconds it took to fit."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    began = time.perf_counter()
    vectorizer = TfidfVectorizer(preprocessor=search_form)
    matrix = vectorizer.fit_transform(row["text"] for row in rows).T.tocsr()
    took = time.perf_counter() - began

    def answer(text: str) -> list[str]:
        scores = (vectorizer.transform([text]) @ matrix).toarray()[0]
        best = np.argpartition(-scores, DEPTH)[:DEPTH]
        return [rows[at]["id"] for at in best[np.argsort(-scores[best], kind="stable")]]

    return answer, took


def fts5(rows: list[dict[str, str]], path: Path) -> tuple[Callable[[str], list[str]], float]:
    """SQLite's FTS5 with BM25 over folded title and body, and the seconds it took to build."""
    began = time.perf_counter()
    database = sqlite3.connect(path)
    database.execute("CREATE VIRTUAL TABLE a USING fts5(id UNINDEXED, title, body)")
    database.executemany(
        "INSERT INTO a VALUES (?, ?, ?)",
        ((row["id"], search_form(row["title"]), search_form(row["text"])) for row in rows),
    )
    database.commit()
    took = time.perf_counter() - began
    ask = f"SELECT id FROM a WHERE a MATCH ? ORDER BY bm25(a, 0, 3, 1) LIMIT {DEPTH}"

    def answer(text: str) -> list[str]:
        terms = dict.fromkeys(re.findall(r"\w+", search_form(text)))
        return [row[0] for row in database.execute(ask, (" OR ".join(f'"{term}"' for term in terms),))]

    return answer, took


def report(data: Path, folder: Path) -> str:
    """Everything measured, as Markdown."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began = time.perf_counter()
    cpu = time.process_time()
    manifest = build([data / ARTICLES], folder / "ant")
    built, cpu = time.perf_counter() - began, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = sum(file.stat().st_size for file in (folder / "ant").rglob("*") if file.is_file()) / 1e6
    collection = Collection.open(folder / "ant")
    asked = queries(data)
    lines = []

    def measure(name: str, answer: Callable[[str], list[str]], note: str = "") -> Score:
        for one in asked[:50]:
            answer(one.text)
        got = score(asked, answer)
        lines.append(f"| {name} | {got.row()} | {note} |")
        print(lines[-1], flush=True)
        return got

    ours: dict[tuple[str, str], Score] = {}
    for name, boosts in (("bodies without titles", BODIES), ("title and body", BOOSTS)):
        for match in ("any", "most", "all"):
            ours[name, match] = measure(f"collection, {name}, `{match}`", asks(collection, boosts, match))
    measure("collection, title and body, `most`, 10 results", asks(collection, BOOSTS, "most", 10))
    window = {"start": "2018-03-01", "end": "2018-06-30"}
    measure(
        "the same within a window of four months",
        asks(collection, BOOSTS, "most", 10, **window),
        "speed alone: right articles may lie outside",
    )
    floors = [f"{name} MRR ≥ {mrr}, hit@10 ≥ {hit}" for name, (mrr, hit) in FLOORS.items()]
    rows = articles(data)
    answer, took = fts5(rows, folder / "fts5.db")
    other = measure("SQLite FTS5, folded, title × 3 and body", answer, f"built in {took:.0f} s")
    faster = ours["title and body", "any"].per_cpu_second / other.per_cpu_second
    answer, took = tfidf(rows)
    measure("scikit-learn TF-IDF, folded bodies", answer, f"fitted in {took:.0f} s")
    return "\n".join(
        [
            "# Known-item search in a local collection\n",
            f"`DALIL_DATA=… python benchmarks/collection_known_item.py`: {len(asked):,} queries over",
            f"{manifest.documents:,} articles; the script says what the task is. "
            f"{os.cpu_count()} cores, shared with other work.\n",
            f"Build: {built:.1f} s ({cpu:.1f} s of processor time; "
            f"{manifest.documents / built:,.0f} documents a second), "
            f"{size:.0f} MB on disk with the whole documents, "
            f"peak memory {peak:.0f} MB ({before:.0f} MB before).\n",
            "| | hit@1 | hit@10 | MRR | queries a second | a second of processor time | |",
            "|---|---|---|---|---|---|---|",
            *lines,
            "",
            "100 results a query, the collection's with their whole documents, unless the row says 10.",
            f"Title and body, `any`: {faster:.1f} times the queries of FTS5 in a second of processor time.",
            f"Floors (a test holds them): {'; '.join(floors)}.",
            "",
        ]
    )


def main(arguments: list[str]) -> int:
    """Exit status 1 when a floor does not hold."""
    data = Path(os.environ["DALIL_DATA"])
    with tempfile.TemporaryDirectory() as folder:
        if "--check" in arguments:
            wrong = failures(data, Path(folder) / "ant")
            print("\n".join(wrong) or "all floors hold")
            return bool(wrong)
        text = report(data, Path(folder))
    Path(__file__).with_suffix(".md").write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
