"""`Collection.search` against raw tantivy on one index: queries a second of both, in one run.

    DALIL_DATA=… python benchmarks/local_search_speed.py [COLLECTION]

Both ask the index of the 31,525 articles of ANT (COLLECTION, or one built here) the 1,261 known-item
queries, ten results each. Raw tantivy is what a user would write: the index's analyzer, one boolean query
of boosted terms over the same fields, the searcher, and the stored document of each hit read back and
parsed (it is JSON: without that nobody has a title or url). A second figure leaves the parsing out, so
that raw tantivy gives bytes where dalil gives documents. dalil does all that with modes of matching, ties
broken, and documents checked into their fields. They
alternate, query by query. Each query counts with the fastest of its rounds, as timeit does: on a busy
machine one query that was put off weighs as a hundred. Ratios of wall clock and of processor time.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dalil.collection import Collection, build
from dalil.collection.analysis import prepare
from dalil.collection.manifest import Manifest
from dalil.collection.search import BOOSTS
from dalil.collection.tantivy_index import _TOKENIZER, analyzer

HERE = Path(__file__).parent
RESULTS = 10
ROUNDS = 5


def raw(folder: Path, read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    """tantivy, bare; `read` is what is made of a stored document."""
    import tantivy
    from tantivy import Occur, Query

    index = tantivy.Index.open(str(folder / Manifest.read(folder).index))
    index.register_tokenizer(_TOKENIZER, analyzer())
    index.reload()
    searcher, schema, words = index.searcher(), index.schema, analyzer()

    def answer(text: str) -> list[Any]:
        terms = dict.fromkeys(words.analyze(prepare(text)))
        query = Query.boolean_query(
            [
                (Occur.Should, Query.boost_query(Query.term_query(schema, field, term, "freq"), boost))
                for term in terms
                for field, boost in BOOSTS.items()
            ]
        )
        hits = searcher.search(query, RESULTS).hits
        return [read(bytes(searcher.doc(place).get_first("stored")).decode()) for _, place in hits]

    return answer


def ours(folder: Path) -> Callable[[str], list[Any]]:
    """dalil."""
    collection = Collection.open(folder)
    return lambda text: list(collection.search(text, match="any", limit=RESULTS).found)


def compare(folder: Path, texts: list[str]) -> dict[str, Any]:
    """Both, alternating."""
    ways: dict[str, Callable[[str], list[Any]]] = {
        "raw tantivy": raw(folder, json.loads),
        "raw tantivy, bytes": raw(folder, str),
        "dalil": ours(folder),
    }
    for answer in ways.values():
        for text in texts[:100]:
            answer(text)
    best = {name: [(float("inf"), float("inf"))] * len(texts) for name in ways}
    same = 0
    for number in range(ROUNDS):
        for at, text in enumerate(texts):
            found = {}
            for name in (list(ways), list(ways)[::-1])[number % 2]:
                cpu, wall = time.process_time(), time.perf_counter()
                found[name] = ways[name](text)
                took = (time.perf_counter() - wall, time.process_time() - cpu)
                best[name][at] = (min(best[name][at][0], took[0]), min(best[name][at][1], took[1]))
            same += {each["id"] for each in found["raw tantivy"]} == {
                each.document.id for each in found["dalil"]
            }
    wall_of = {name: sum(wall for wall, _ in rows) for name, rows in best.items()}
    cpu_of = {name: sum(cpu for _, cpu in rows) for name, rows in best.items()}
    return {
        "queries": len(texts),
        "rounds": ROUNDS,
        "results a query": RESULTS,
        "queries a second": {name: round(len(texts) / wall_of[name]) for name in ways},
        "ratio": {name: round(wall_of[name] / wall_of["dalil"], 3) for name in ways if name != "dalil"},
        "ratio of processor time": {
            name: round(cpu_of[name] / cpu_of["dalil"], 3) for name in ways if name != "dalil"
        },
        "same ten documents": round(same / (ROUNDS * len(texts)), 4),
        "load average": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Compare, print, write."""
    sys.path.insert(0, str(HERE))
    import collection_known_item as known

    data = Path(os.environ["DALIL_DATA"])
    texts = [one.text for one in known.queries(data)]
    with tempfile.TemporaryDirectory() as held:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(held) / "ant"
        if not (folder / "manifest.json").exists():
            build([data / known.ARTICLES], folder)
        report = compare(folder, texts)
    print(json.dumps(report, indent=1))
    (HERE / "local_search_speed.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
