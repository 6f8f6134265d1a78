"""What ties rows together: the same claim, rumour, article, site. Tied rows belong in one split.

A *tie* of a kind is a key that rows share. Ties serve twice: to say which rows leak (a key that occurs
in two splits), and to make groups that no split may tear (the connected components over all kinds
asked for).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.dataset.rows import Row
from dalil.errors import UsageError
from dalil.progress import Reporter

KINDS = ("claim", "cluster", "body", "article", "related", "site", "country")
"""claim: the same id or the same words; cluster: one rumour on two sites, the true claims of one seed;
body: the same article text; article: nearly the same text; related: the same, among articles that bear on
their claim (not unrelated); site, country: of the claim"""

UNRELATED = "unrelated"
DEFAULT = ("claim", "cluster", "article")
THRESHOLD = 0.8
Keys = Sequence[str | None]


@dataclass(frozen=True)
class Leak:
    """A key of a tie whose rows lie in several splits."""

    kind: str
    key: str
    splits: tuple[str, ...]
    rows: tuple[int, ...]


def tie_keys(
    rows: Sequence[Row], kind: str, threshold: float = THRESHOLD, reporter: Reporter | None = None
) -> Keys:
    """One key a row (None: tied to nothing in this way). `reporter` is told of each text that is compared.

    Raises UsageError for an unknown kind.
    """
    makers: Mapping[str, Callable[[Sequence[Row]], Keys]] = {
        "claim": _claims,
        "cluster": _clusters,
        "body": lambda found: [row.article_hash for row in found],
        "article": lambda found: _articles(found, threshold, reporter),
        "related": lambda found: _related(found, threshold, reporter),
        "site": lambda found: [row.site for row in found],
        "country": lambda found: [row.country for row in found],
    }
    if kind not in makers:
        raise UsageError(f"rows cannot be kept apart by {kind!r}", todo=f"one of {', '.join(KINDS)}")
    return makers[kind](rows)


def _clusters(rows: Sequence[Row]) -> Keys:
    """The cluster of each row; a claim that others name as their cluster (their seed) is in it."""
    named = {row.cluster for row in rows if row.cluster}
    return [row.cluster or (row.claim_id if row.claim_id in named else None) for row in rows]


def all_keys(
    rows: Sequence[Row], kinds: Iterable[str], threshold: float = THRESHOLD, reporter: Reporter | None = None
) -> dict[str, Keys]:
    """Keys of several kinds; those of the claim always, since no split may tear a claim."""
    asked = list(dict.fromkeys(["claim", *kinds]))
    return {kind: tie_keys(rows, kind, threshold, reporter) for kind in asked}


def groups(keys: Mapping[str, Keys]) -> NDArray[np.int64]:
    """A group code for each row: the connected components over all keys, in order of appearance."""
    size = len(next(iter(keys.values())))
    parents = list(range(size))
    for column in keys.values():
        first: dict[str, int] = {}
        for place, key in enumerate(column):
            if key is not None:
                _join(parents, first.setdefault(key, place), place)
    codes: dict[int, int] = {}
    roots = [_root(parents, place) for place in range(size)]
    return np.array([codes.setdefault(root, len(codes)) for root in roots], dtype=np.int64)


def leaks(keys: Keys, splits: Sequence[str | None], kind: str) -> list[Leak]:
    """Keys whose rows lie in several splits, in order of appearance."""
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        if key is not None and splits[place] is not None:
            places.setdefault(key, []).append(place)
    found = []
    for key, rows in places.items():
        names = sorted({str(splits[row]) for row in rows})
        if len(names) > 1:
            found.append(Leak(kind, key, tuple(names), tuple(rows)))
    return found


def leaking_rows(found: Iterable[Leak]) -> int:
    """How many rows are part of a leak."""
    return len({row for leak in found for row in leak.rows})


def _claims(rows: Sequence[Row]) -> Keys:
    """Claims of one id, or whose words are the same in the search form."""
    from dalil.text.normal import search_form

    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while parents.setdefault(name, name) != name:
            name = parents[name]
        return name

    for row in rows:
        words = " ".join(search_form(row.claim).split())
        ends = sorted((root(f"id {row.claim_id}"), root(f"words {words}" if words else f"id {row.claim_id}")))
        parents[ends[1]] = ends[0]
    return [root(f"id {row.claim_id}") for row in rows]


def _articles(rows: Sequence[Row], threshold: float, reporter: Reporter | None) -> Keys:
    """Articles whose texts are the same, or nearly (MinHash, then exact Jaccard of word trigrams)."""
    from dalil.text.copies import near_duplicates

    texts = {row.article_hash: row.article for row in rows if row.article}
    of = {
        name: cluster.of
        for cluster in near_duplicates(_told(sorted(texts.items()), reporter), threshold)
        for name in cluster.ids
    }
    return [of.get(row.article_hash, row.article_hash) for row in rows]


def _told(texts: Sequence[tuple[str, str]], reporter: Reporter | None) -> Iterator[tuple[str, str]]:
    if reporter is not None:
        reporter.begin("compare articles", len(texts))
    for text in texts:
        yield text
        if reporter is not None:
            reporter.step()
    if reporter is not None:
        reporter.done(None)


def _related(rows: Sequence[Row], threshold: float, reporter: Reporter | None) -> Keys:
    """As `_articles`, for pairs that are not unrelated: a chance hit of two searches ties nothing."""
    keys = _articles([row for row in rows if row.label != UNRELATED], threshold, reporter)
    following = iter(keys)
    return [None if row.label == UNRELATED else next(following) for row in rows]


def _root(parents: list[int], place: int) -> int:
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = parents[place]
    return place


def _join(parents: list[int], first: int, second: int) -> None:
    ends = sorted((_root(parents, first), _root(parents, second)))
    parents[ends[1]] = ends[0]
