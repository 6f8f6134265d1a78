"""Word clusters: words that occur in like company share numbers, at three grains.

The table ships with the weights (`clusters.tsv.gz`: folded word and its cluster among 64, 256 and
1,024). How it is made: `retrieval.analyzers.train_clusters`.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

from dalil.errors import InputError

FILE = "clusters.tsv.gz"
GRAINS = (64, 256, 1024)
NUMBER = "0"
"""The word that stands for every number."""

Clusters = Mapping[str, tuple[int, ...]]


def load(path: Path) -> Clusters:
    """Folded word → its cluster at each grain. Raises InputError for a line that is none."""
    table: dict[str, tuple[int, ...]] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            word, *numbers = line.rstrip("\n").split("\t")
            if len(numbers) != len(GRAINS) or not all(part.isdigit() for part in numbers):
                raise InputError("is no line of a cluster table", where=f"{path}:{number}")
            table[word] = tuple(map(int, numbers))
    return table


def write(path: Path, table: Clusters) -> None:
    """The table, sorted by cluster and word (smaller when compressed); the same bytes each time."""
    lines = sorted((numbers, word) for word, numbers in table.items())
    text = "".join(f"{word}\t{chr(9).join(map(str, numbers))}\n" for numbers, word in lines)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
