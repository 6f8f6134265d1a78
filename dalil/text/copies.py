"""Finding copies: texts that share most of their word sequences (agency news, mirrored pages).

Shingles of words (Broder 1997) in the search form; MinHash with locality-sensitive hashing
(datasketch) proposes pairs, the exact Jaccard similarity of the shingle sets decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from dalil.text.normal import search_form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shingles = NDArray[np.uint64]

_PERMUTATIONS = 128
_WORD = re.compile(r"\w+")


class Cluster(NamedTuple):
    """Texts that are one again: the first by id, and each other one with its similarity to it."""

    of: str
    copies: tuple[tuple[str, float], ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids, sorted."""
        return (self.of, *(name for name, _ in self.copies))


def near_duplicates(
    texts: Iterable[tuple[str, str]], threshold: float = 0.8, shingle: int = 3
) -> list[Cluster]:
    """Clusters of (id, text) whose Jaccard similarity over shingles of `shingle` words reaches `threshold`.

    Clusters are the connected components, so two members of one may be less alike than the
    threshold. Sorted by id; the order of the texts makes no difference. Texts shorter than a shingle
    are one shingle; texts without words are in no cluster. An id given twice counts once, with its
    first text. Raises ValueError for a threshold outside (0, 1] or a shingle below 1.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"a threshold lies above 0 and is at most 1, not {threshold}")
    if shingle < 1:
        raise ValueError(f"a shingle has at least one word, not {shingle}")
    sets: dict[str, Shingles] = {}
    for name, text in texts:
        if name not in sets and (hashes := _shingles(text, shingle)).size:
            sets[name] = hashes
    parents = {name: name for name in sorted(sets)}
    for first, second in _proposed(sets, threshold):
        if _jaccard(sets[first], sets[second]) >= threshold:
            roots = sorted((_root(parents, first), _root(parents, second)))
            parents[roots[1]] = roots[0]  # the smallest id is the root
    members: dict[str, list[str]] = {}
    for name in parents:
        members.setdefault(_root(parents, name), []).append(name)
    return [
        Cluster(of, tuple((name, round(_jaccard(sets[of], sets[name]), 6)) for name in names if name != of))
        for of, names in members.items()
        if len(names) > 1
    ]


def similarity(first: str, second: str, shingle: int = 3) -> float:
    """Jaccard similarity, 0 to 1, of two texts' word sequences, as `near_duplicates` decides by it.

    Texts without words are like nothing, themselves included.
    """
    one, other = _shingles(first, shingle), _shingles(second, shingle)
    return round(_jaccard(one, other), 6) if one.size and other.size else 0.0


def _shingles(text: str, size: int) -> Shingles:
    """Sorted 64-bit hashes of the text's word sequences."""
    import numpy as np

    words = _WORD.findall(search_form(text))
    sequences = (
        {" ".join(words[at : at + size]) for at in range(max(1, len(words) - size + 1))} if words else ()
    )
    hashes = [int.from_bytes(blake2b(each.encode(), digest_size=8).digest(), "big") for each in sequences]
    return np.array(sorted(hashes), dtype=np.uint64)


def _proposed(sets: dict[str, Shingles], threshold: float) -> Iterable[tuple[str, str]]:
    """Pairs that may reach the threshold, each once."""
    import numpy as np
    from datasketch import MinHash, MinHashLSH

    # misses cost more than proposals: those are checked
    index = MinHashLSH(threshold=threshold, num_perm=_PERMUTATIONS, weights=(0.1, 0.9))
    empty = MinHash(num_perm=_PERMUTATIONS, hashfunc=int)
    for name in sorted(sets):
        sketch = empty.copy()
        sketch.update_batch((sets[name] & np.uint64(0xFFFFFFFF)).tolist())
        for other in sorted(index.query(sketch)):
            yield other, name
        index.insert(name, sketch)


def _jaccard(first: Shingles, second: Shingles) -> float:
    import numpy as np

    shared = np.intersect1d(first, second, assume_unique=True).size
    return float(shared / (first.size + second.size - shared))


def _root(parents: dict[str, str], name: str) -> str:
    while parents[name] != name:
        parents[name] = parents[parents[name]]
        name = parents[name]
    return name
