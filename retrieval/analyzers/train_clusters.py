"""Train the word clusters on unlabelled news: `dalil models train clusters`.

Words are described by the words two before to two after them (positive pointwise mutual
information, each position for itself), reduced by a truncated SVD, and grouped by k-means at
three grains. Seeded, on one thread: the same bytes on one machine and one numpy/SciPy build.
Elsewhere sums may differ in their last digits, and k-means then ends in other, equally good
clusters: the CRFs are trained on the table as it ships.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalil.errors import InputError
from dalil.text.normal import search_form
from retrieval.analyzers.clusters import GRAINS, NUMBER, Clusters, write

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEWS = ("ant_multisource", "articles.jsonl.gz")
FEWEST = 8
"""how often a word must occur"""
MOST_WORDS = 40_000
CONTEXTS = 2_000
DIMENSIONS = 120
OFFSETS = (-2, -1, 1, 2)
SEED = 0
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")


def train(root: Path, out: Path, say: Callable[[str], None]) -> Clusters:
    """Read the news below `root`, write the table to `out`, return it."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    say("reading the news")
    texts = [tokens for tokens in map(_tokens, _texts(root.joinpath(*NEWS))) if tokens]
    counts: Counter[str] = Counter()
    for tokens in texts:
        counts.update(tokens)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    vocabulary = [word for word, count in ranked if count >= FEWEST][:MOST_WORDS]
    index = {word: number for number, word in enumerate(vocabulary)}
    stream = np.array([index.get(word, -1) for tokens in texts for word in (*tokens, "", "")], dtype=np.int32)
    say(f"{sum(counts.values()):,} tokens, {len(vocabulary):,} words; describing them by their neighbours")
    columns = []
    with threadpool_limits(1):  # sums in one order: the same table each time
        vectors = _vectors(stream, len(vocabulary))
        for grain in GRAINS:
            say(f"grouping into {grain:,} clusters")
            columns.append(_groups(vectors, grain))
    table = {word: tuple(column[number] for column in columns) for number, word in enumerate(vocabulary)}
    write(out, table)
    return table


def _vectors(stream: NDArray[np.int32], size: int) -> Any:
    """One row of unit length a word."""
    import numpy as np
    from scipy.sparse import coo_matrix, csr_matrix, hstack
    from sklearn.utils.extmath import randomized_svd

    contexts = min(CONTEXTS, size)
    blocks = []
    for offset in OFFSETS:
        word, near = stream[2:-2], stream[2 + offset : len(stream) - 2 + offset]
        seen = (word >= 0) & (near >= 0) & (near < contexts)
        ones = np.ones(int(seen.sum()), dtype=np.float32)
        block = coo_matrix((ones, (word[seen], near[seen])), shape=(size, contexts)).tocsr()
        block.sum_duplicates()
        blocks.append(block)
    counts = hstack(blocks).tocoo()
    of_word = np.asarray(counts.sum(axis=1)).ravel()
    of_context = np.asarray(counts.sum(axis=0)).ravel()
    information = np.log(counts.data * counts.sum() / (of_word[counts.row] * of_context[counts.col]))
    positive = information > 0
    table = csr_matrix(
        (information[positive], (counts.row[positive], counts.col[positive])), shape=counts.shape
    )
    dimensions = min(DIMENSIONS, size - 1)
    left, strengths, _ = randomized_svd(table, n_components=dimensions, random_state=SEED, n_iter=4)
    vectors = left * np.sqrt(strengths)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    return vectors.astype(np.float32)


def _groups(vectors: Any, grain: int) -> list[int]:
    from sklearn.cluster import KMeans

    model = KMeans(min(grain, len(vectors)), random_state=SEED, n_init=1, max_iter=60)
    return [int(label) for label in model.fit(vectors).labels_]


def _tokens(text: str) -> list[str]:
    return [NUMBER if token.isdigit() else token for token in _TOKEN.findall(search_form(text))]


def _texts(path: Path) -> Iterator[str]:
    """Titles and bodies, each text once."""
    seen: set[str] = set()
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                try:
                    row = json.loads(line)
                except json.JSONDecodeError as error:
                    raise InputError(f"is no JSON: {error}", where=f"{path}:{number}") from error
                for text in (row.get("title"), row.get("text")):
                    if text and text not in seen:
                        seen.add(text)
                        yield text
    except FileNotFoundError as error:
        raise InputError("is missing", where=path, todo="point --data at the folder that holds it") from error
