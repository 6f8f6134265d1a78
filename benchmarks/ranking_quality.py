"""The named rankers on real data, and the floors of the frozen one (`retrieval.rankers.FROZEN`).

    DALIL_DATA=… python benchmarks/ranking_quality.py [--processes 2]     everything; writes .md and .json
    DALIL_DATA=… python benchmarks/ranking_quality.py --check             the floors (what the test runs)

Every ranker puts in order what an engine found, as in pairing, and nothing is trained:

- checkthat: 30 claims of CheckThat! 2019 task 2 with Google's results; relevant is a page of usefulness
  label 1. Once by title and snippet as Google showed them, once by the pages' own titles and texts (as
  `retrieval.extract` reads them; title and snippet where it refuses the page).
- ans: 1,261 "agree" headlines of ANS against the bodies of ANT (31,525 articles without their titles);
  the engine is a local collection over lead and body, its first 30 results are put in order, the next
  70 stay behind them.
- baly: claims of Baly et al. (2018) against the 2,897 bodies they judged; relevant is a related body of
  the claim; the same engine, 50 of its results put in order.

Equals are ordered by a hash, never by the engine's rank. Intervals: paired bootstrap over queries
(dalil.stats), 10,000 resamples, seed 0. Half-splits: the ranker that is best on a random half of the
claims, judged on the other half against the engine's order.
ranking_ans_candidates.json holds what the engine answered for 60 queries (ids alone), for --check.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dalil.collection import Collection, build
from dalil.ids import value_hash
from dalil.records import Article
from dalil.stats import bootstrap
from retrieval.ablation.measures import NAMES, mean, per_query
from retrieval.rankers import FROZEN, RANKERS, Asked, make_ranker, usem3

HERE = Path(__file__).parent
ENGINE = "engine"
SPLITS = 200
SAMPLE = 60
FLOORS = {
    "checkthat nDCG@10": 0.64,
    "checkthat low end of the gain": 0.0,
    "ans sample RR": 0.62,
    "ans sample Success@10": 0.78,
}
"""Figure of the frozen ranker → what it must be above"""


@dataclass(frozen=True)
class Task:
    """Queries to rank for."""

    articles: Mapping[str, Article]
    asked: Mapping[str, Asked]
    behind: Mapping[str, tuple[str, ...]]
    """what follows the candidates, untouched"""
    qrels: Mapping[str, Mapping[str, int]]


class Remembering:
    """The encoder of sentence vectors, which two of the rankers ask for the same texts."""

    def __init__(self, inner: Any):
        self.inner = inner
        self.known: dict[str, Any] = {}

    def encode(self, texts: list[str]) -> Any:
        """Vectors of the texts, each computed once."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        if new:
            self.known |= zip(new, self.inner.encode(new), strict=True)
        return np.stack([self.known[text] for text in texts])


def article(key: str, title: str | None, text: str) -> Article:
    """An article that only has what rankers look at."""
    return Article(id=key, document_id=key, title=title, text=text, content_hash=key)


def orders(task: Task, name: str) -> dict[str, list[str]]:
    """Query → documents, best first."""
    if name == ENGINE:
        return {query: [*one.orders[0], *task.behind.get(query, ())] for query, one in task.asked.items()}
    ranker = make_ranker(name, task.articles, {})
    found = {}
    for (query, one), scores in zip(
        task.asked.items(), ranker.scores(list(task.asked.values())), strict=True
    ):
        ranked = sorted(one.candidates, key=lambda key: (-scores[key], value_hash([query, key])))
        found[query] = [*ranked, *task.behind.get(query, ())]
    return found


def checkthat(data: Path, pages: Mapping[str, tuple[str | None, str]] | None = None) -> Task:
    """By title and snippet, or (given pages by url) by the pages' own title and text."""
    folder = data / "checkthat2019"
    with (folder / "pages_usefulness.csv").open(encoding="utf-8", newline="") as file:
        useful = {row["page_id"]: int(row["label"] == "1") for row in csv.DictReader(file)}
    articles, asked, qrels = {}, {}, {}
    with gzip.open(folder / "claims_with_results.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            order = tuple(found["pageID"] for found in sorted(row["results"], key=lambda each: each["rank"]))
            for found in row["results"]:
                title, text = found["title"], found["snippet"] or ""
                if pages and found["url"] in pages:
                    own, text = pages[found["url"]]
                    title = own or title
                articles[found["pageID"]] = article(found["pageID"], title, text)
            asked[row["claimID"]] = Asked(row["text"], order, (order,))
            qrels[row["claimID"]] = {key: useful.get(key, 0) for key in order}
    return Task(articles, asked, {}, qrels)


def ans(data: Path, answers: Mapping[int, Sequence[str]], depth: int = 30) -> Task:
    """The queries (by their number) for which the engine's answers are given."""
    sys.path.insert(0, str(HERE))
    import collection_known_item as known

    rows = {row["id"]: row for row in known.articles(data)}
    queries = known.queries(data)
    asked, behind, qrels, wanted = {}, {}, {}, set()
    for number, answer in answers.items():
        key = f"ans-{number}"
        first = tuple(answer[:depth])
        wanted.update(first)
        asked[key] = Asked(queries[number].text, first, (first,))
        behind[key] = tuple(answer[depth:])
        qrels[key] = dict.fromkeys(sorted(queries[number].right), 1)
    return Task({key: article(key, None, rows[key]["text"]) for key in sorted(wanted)}, asked, behind, qrels)


def ans_answers(data: Path, folder: Path) -> dict[int, list[str]]:
    """What a collection over lead and body answers to every query."""
    sys.path.insert(0, str(HERE))
    import collection_known_item as known

    if not (folder / "ant" / "manifest.json").exists():
        build([data / known.ARTICLES], folder / "ant")
    answer = known.asks(Collection.open(folder / "ant"), known.BODIES)
    return {number: answer(query.text) for number, query in enumerate(known.queries(data))}


def baly(data: Path, folder: Path, depth: int = 50) -> Task:
    """Claims against all judged bodies."""
    from dalil.formats.baly import Baly
    from dalil.formats.rows import LabelRow, Options

    bodies: dict[str, str] = {}
    claims: dict[str, str] = {}
    qrels: dict[str, dict[str, int]] = {}
    for row in Baly().read(data / "baly2018", "labels", Options()):
        if isinstance(row, LabelRow):
            body = value_hash(row.article.text)
            bodies[body] = row.article.text
            claims[str(row.claim.key)] = row.claim.raw
            if row.label != "unrelated":
                qrels.setdefault(str(row.claim.key), {})[body] = 1
    path = folder / "baly.jsonl"
    rows = [json.dumps({"id": key, "body": text}, ensure_ascii=False) + "\n" for key, text in bodies.items()]
    path.write_text("".join(rows), "utf-8")
    build([path], folder / "baly")
    collection = Collection.open(folder / "baly")
    asked, behind = {}, {}
    for key in qrels:
        found = collection.search(claims[key], match="any", limit=100, boosts={"lead": 1.0, "body": 1.0})
        answer = tuple(one.document.id for one in found.found)
        asked[key] = Asked(claims[key], answer[:depth], (answer[:depth],))
        behind[key] = answer[depth:]
    return Task({key: article(key, None, text) for key, text in bodies.items()}, asked, behind, qrels)


def pages_of(data: Path, folder: Path, processes: int) -> dict[str, tuple[str | None, str]]:
    """url → title and text of the pages that extraction takes for articles; kept in `folder`."""
    kept = folder / "pages.json"
    if kept.exists():
        held = json.loads(kept.read_text("utf-8"))
        return {url: (title, text) for url, (title, text) in held.items()}
    sys.path.insert(0, str(HERE))
    import extract_checkthat

    from dalil.parallel import over_processes
    from retrieval.extract import Extracted, extract

    pages = extract_checkthat.pages(data / "checkthat2019")
    results = over_processes(extract, iter(pages), lambda page: page, 120.0, processes)
    read = {page.url: (found.title, found.text) for page, found in results if isinstance(found, Extracted)}
    kept.write_text(json.dumps(read, ensure_ascii=False), "utf-8")
    return read


def gain(values: Mapping[str, float], base: Mapping[str, float]) -> dict[str, float]:
    """Mean difference and its interval."""
    apart = np.array([[values[query] - base[query], 1.0] for query in sorted(base)])
    interval = bootstrap(apart, lambda sums: sums[..., 0] / sums[..., 1], seed=0, replicates=10_000)
    assert interval is not None
    return {
        "gain": round(float(apart[:, 0].mean()), 4),
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
    }


def measured(
    task: Task, names: Sequence[str], key: str
) -> tuple[dict[str, Any], dict[str, dict[str, float]]]:
    """Ranker → figures, with the gain in the measure `key`; and ranker → query → that measure."""
    table: dict[str, Any] = {}
    values: dict[str, dict[str, float]] = {}
    for name in (ENGINE, *names):
        found = per_query(task.qrels, orders(task, name))
        values[name] = found[key]
        table[name] = {measure: round(mean(found[measure]) or 0.0, 4) for measure in NAMES}
        if name != ENGINE:
            table[name] |= gain(values[name], values[ENGINE])
        print(name, table[name], file=sys.stderr, flush=True)
    return table, values


def half_splits(values: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Choose on one half, judge on the other, `SPLITS` times; the engine's order can be chosen too."""
    queries = sorted(values[ENGINE])
    chance = random.Random(0)
    gains, chosen = [], []
    for _ in range(SPLITS):
        half = set(chance.sample(queries, len(queries) // 2))
        best = max(sorted(values), key=lambda name: sum(values[name][query] for query in half))
        rest = [query for query in queries if query not in half]
        gains.append(sum(values[best][query] - values[ENGINE][query] for query in rest) / len(rest))
        chosen.append(best)
    return {
        "splits": SPLITS,
        "mean gain": round(float(np.mean(gains)), 4),
        "splits with a loss": sum(value < 0 for value in gains),
        "chosen": by_frequency(chosen),
    }


def by_frequency(names: Sequence[str]) -> dict[str, int]:
    """Name → how often it is there, the most frequent first, equals by name."""
    return dict(sorted(Counter(names).items(), key=lambda each: (-each[1], each[0])))


def failures(data: Path) -> list[str]:
    """What falls below its floor."""
    found = {}
    table, _ = measured(checkthat(data), [FROZEN], "nDCG@10")
    found["checkthat nDCG@10"] = table[FROZEN]["nDCG@10"]
    found["checkthat low end of the gain"] = table[FROZEN]["low"]
    held = json.loads((HERE / "ranking_ans_candidates.json").read_text("utf-8"))
    task = ans(data, {int(number): answer for number, answer in held.items()})
    table, _ = measured(task, [FROZEN], "RR")
    found["ans sample RR"], found["ans sample Success@10"] = table[FROZEN]["RR"], table[FROZEN]["Success@10"]
    print(json.dumps(found, indent=1))
    low = [name for name, floor in FLOORS.items() if not found[name] > floor]
    return [f"{name}: {found[name]}, not above {FLOORS[name]}" for name in low]


def rows_of(title: str, about: str, table: Mapping[str, Any], key: str) -> list[str]:
    """A table of Markdown."""
    usual = {"AP": "MAP", "RR": "MRR", "Success@10": "hit@10"}
    names = [usual.get(name, name) for name in NAMES]
    shown = usual.get(key, key)
    lines = [f"## {title}", "", about, "", f"| ranker | {' | '.join(names)} | gain in {shown} [95%] |"]
    lines += ["|---|" + "---:|" * (len(names) + 1)]
    for name, found in table.items():
        label = f"**{name}** (frozen)" if name == FROZEN else "the engine's order" if name == ENGINE else name
        apart = (
            f"{found['gain']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]" if "gain" in found else "–"
        )
        lines.append(f"| {label} | {' | '.join(f'{found[measure]:.3f}' for measure in NAMES)} | {apart} |")
    return [*lines, ""]


def report(data: Path, folder: Path, processes: int) -> None:
    """Measure everything and write it."""
    names = list(RANKERS)
    remembering = Remembering(usem3._encoder())
    usem3._encoder = lambda: remembering  # type: ignore[assignment]
    held: dict[str, Any] = {}
    lines = ["# Rankers on real data", "", "`DALIL_DATA=… python benchmarks/ranking_quality.py`", ""]
    for title, pages in (("title and snippet", None), ("pages", pages_of(data, folder, processes))):
        table, values = measured(checkthat(data, pages), names, "nDCG@10")
        splits = half_splits(values)
        held[f"checkthat, {title}"] = {"rankers": table, "half-splits": splits}
        chosen = ", ".join(f"{name} {count}" for name, count in splits["chosen"].items())
        about = (
            "30 claims, Google's results; one claim (072) has no useful page and scores 0. Chosen on one "
            f"half and judged on the other, {SPLITS} times: mean gain over Google's order in nDCG@10 "
            f"{splits['mean gain']:+.3f}, a loss in {splits['splits with a loss']} of them "
            f"(chosen: {chosen})."
        )
        lines += rows_of(f"CheckThat! 2019, {title}", about, table, "nDCG@10")
    answers = ans_answers(data, folder)
    sample = sorted(random.Random(0).sample(sorted(answers), SAMPLE))
    (HERE / "ranking_ans_candidates.json").write_text(
        json.dumps({number: answers[number][:30] for number in sample}, indent=0) + "\n", "utf-8"
    )
    held["baly"], _ = measured(baly(data, folder), names, "nDCG@10")
    held["ans"], _ = measured(ans(data, answers), names, "RR")
    about = f"{len(answers):,} queries; 30 results put in order, 70 more behind them."
    lines += rows_of("ANS headlines, ANT bodies without titles", about, held["ans"], "RR")
    about = "Claims with a related body, over all bodies judged for any claim; 50 results put in order."
    lines += rows_of("Baly 2018, claim to related body", about, held["baly"], "nDCG@10")
    floors = "; ".join(f"{name} > {floor}" for name, floor in FLOORS.items())
    lines += [f"Floors of `{FROZEN}` (a test holds them): {floors}.", ""]
    (HERE / "ranking_quality.md").write_text("\n".join(lines), "utf-8", newline="\n")
    (HERE / "ranking_quality.json").write_text(json.dumps(held, indent=1) + "\n", "utf-8", newline="\n")


def main() -> int:
    """Exit status 1 when a floor does not hold."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--folder", type=Path, help="keep the collection here")
    own = arguments.parse_args()
    data = Path(os.environ["DALIL_DATA"])
    if own.check:
        wrong = failures(data)
        print("\n".join(wrong) or "all floors hold")
        return bool(wrong)
    with tempfile.TemporaryDirectory() as folder:
        report(data, own.folder or Path(folder), own.processes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
