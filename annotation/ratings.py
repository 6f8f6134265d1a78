"""Ratings: who gave which item which label, as a few integer arrays.

One rating is one place in `item`, `worker`, `label`, `confidence`, `second` and `round`; texts (keys of
items, names of workers, labels) are held once each. A million ratings are six arrays, never a million
objects. All of agreement and aggregation works on this type; it is read from a CSV file by
`annotation.ratings_csv` and from a corpus by `annotation.ratings_records`.

The round travels with every rating, because it decides what a rating may be used for: a third rater who
was asked *because* two disagreed must never enter a coefficient of agreement
(see `annotation.ratings_views`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dalil.errors import InputError, UsageError

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

PILOT, MAIN, THIRD, ADJUDICATION = range(4)
ROUNDS = ("pilot", "main", "third", "adjudication")
"""Kinds of round: everybody judged everything; the first raters of a pair; the one asked where they
disagreed; a ruling. Only the first two kinds are independent of how others judged."""

RoundKind = Literal["pilot", "main", "third", "adjudication", "ignore"]
LABELS_SEEN = "the labels seen"
IGNORED_ROUND = "ignore"
DEFAULT_ROUNDS: Mapping[str, str] = dict.fromkeys(
    ("training", "qualification", "expert", "hidden", "again"), IGNORED_ROUND
)
"""rounds that teach or test annotators, and what one judged once more: no independent data"""
NO_SECOND = -1
HIGHLY_UNCERTAIN = -2
NO_CONFIDENCE = 0


@dataclass(frozen=True, eq=False)
class Before:
    """First choice, confidence and second choice of each rating as they stood before its item was discussed
    or given to a third rater (`annotation.ratings_blind`); elsewhere they are those of the last revision.
    """

    label: Codes
    """−1 where this judgement chose a label that is out of scope"""
    confidence: Codes
    second: Codes

    def select(self, keep: Mask) -> Before:
        """The ratings where `keep` holds."""
        return Before(self.label[keep], self.confidence[keep], self.second[keep])


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of n items by workers with K labels; arrays are m long (one place a rating).

    `claim` and `lang` are codes per item (length n), or None where unknown: then items count as their
    own clusters, and there is no table per language.
    """

    item: Codes
    worker: Codes
    label: Codes
    confidence: Codes
    """1 … levels; 0 where none was given"""
    second: Codes
    """code of the second choice; NO_SECOND; HIGHLY_UNCERTAIN"""
    round: Codes
    """index into ROUNDS"""
    items: Sequence[str] = field(repr=False)
    workers: Sequence[str] = field(repr=False)
    labels: tuple[str, ...]
    labels_from: str
    """where K comes from: the scheme, the --labels given, or the labels seen"""
    claim: Codes | None = None
    claims: Sequence[str] = field(default=(), repr=False)
    lang: Codes | None = None
    langs: tuple[str, ...] = ()
    levels: int = 5
    """highest confidence"""
    rounds_named: bool = True
    """False where the file has no rounds: all ratings then count as main"""
    proven: tuple[Codes, Codes, Codes] | None = field(default=None, repr=False)
    """(item, worker, round) that were found to hold no rating twice: `unrepeated` asks if they are these"""
    origin: str = ""
    notes: tuple[str, ...] = field(default=())
    before: Before | None = field(default=None, repr=False)
    """None where no judgement was revised"""
    revised: tuple[int, int] = (0, 0)
    """first judgements that were revised, and those of them whose `before` differs from the last revision"""

    @property
    def labels_ordered(self) -> bool:
        """Whether somebody gave the labels in this order; those only seen are sorted by their letters."""
        return self.labels_from != LABELS_SEEN

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_labels(self) -> int:
        return len(self.labels)

    def __len__(self) -> int:
        return len(self.item)

    def select(self, keep: Mask) -> Ratings:
        """The ratings where `keep` holds; items, workers and labels stay coded as they are."""
        item, worker, kind = self.item[keep], self.worker[keep], self.round[keep]
        return replace(
            self,
            item=item,
            worker=worker,
            label=self.label[keep],
            confidence=self.confidence[keep],
            second=self.second[keep],
            round=kind,
            proven=(item, worker, kind) if self.unrepeated else None,  # a part of a sound whole is sound
            before=self.before.select(keep) if self.before is not None else None,
        )

    def blind(self) -> Ratings:
        """Each judgement as it stood before raters could know of each other: agreement is measured on it."""
        if self.before is None:
            return self
        found = self.before
        made = replace(self, label=found.label, confidence=found.confidence, second=found.second, before=None)
        return made if (found.label >= 0).all() else made.select(found.label >= 0)

    @property
    def unrepeated(self) -> bool:
        """Whether these very arrays were found to hold no worker twice on an item in a round."""
        return self.proven is not None and all(
            found is own for found, own in zip(self.proven, (self.item, self.worker, self.round), strict=True)
        )

    def without_repeats_proven(self) -> Ratings:
        """The same, marked as checked: call it where `repeated` found nothing."""
        return replace(self, proven=(self.item, self.worker, self.round))

    def of_rounds(self, *kinds: int) -> Ratings:
        """The ratings of these kinds of round."""
        keep = np.zeros(len(self), dtype=bool)
        for kind in kinds:
            keep |= self.round == kind
        return self if keep.all() else self.select(keep)

    def votes(self) -> Ratings:
        """All judgements of raters: everything except rulings. What aggregation works on."""
        return self.of_rounds(PILOT, MAIN, THIRD)

    def counts(self) -> Floats:
        """r_ik: how often item i got label k (n × K)."""
        cells = self.item.astype(np.int64)
        cells *= self.n_labels
        cells += self.label
        flat = np.bincount(cells, minlength=self.n_items * self.n_labels)
        return flat.reshape(self.n_items, self.n_labels).astype(np.float64)

    def clusters(self) -> tuple[NDArray[np.int64], int, str]:
        """Cluster code of each item, how many clusters there are, and what a cluster is."""
        if self.claim is None:
            return np.arange(self.n_items, dtype=np.int64), self.n_items, "item"
        return self.claim.astype(np.int64), len(self.claims), "claim"

    def has_confidence(self) -> Mask:
        out: Mask = self.confidence != NO_CONFIDENCE
        return out

    def label_code(self, name: str) -> int:
        """Code of a label; UsageError where it is none of them."""
        try:
            return self.labels.index(name)
        except ValueError:
            raise UsageError(
                f"{name!r} is not a label here", todo=f"labels are: {', '.join(self.labels)}"
            ) from None


def repeated(ratings: Ratings, *, by_round: bool = True) -> NDArray[np.int64]:
    """Places of ratings that repeat an earlier one of the same item and worker (and round)."""
    key = ratings.item.astype(np.int64) * max(len(ratings.workers), 1) + ratings.worker
    if by_round:
        key = key * len(ROUNDS) + ratings.round
    ordered = np.sort(key)
    if not (ordered[1:] == ordered[:-1]).any():  # nearly always: no need to know where they lie
        return np.empty(0, dtype=np.int64)
    order = np.argsort(key, kind="stable")
    return np.sort(order[1:][key[order][1:] == key[order][:-1]]).astype(np.int64)


def item_order(ratings: Ratings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places sorted by item (stable), and where each item starts in them (length n + 1)."""
    order = np.argsort(ratings.item, kind="stable")
    sizes = np.bincount(ratings.item, minlength=ratings.n_items)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return order.astype(np.int64), starts.astype(np.int64)


def ratings_of(
    rows: Sequence[tuple[str, str, str]] | Sequence[Sequence[str]],
    labels: Sequence[str] | None = None,
    *,
    rounds: Sequence[str] | None = None,
    confidence: Sequence[int] | None = None,
    second: Sequence[str | int] | None = None,
    claims: Sequence[str] | None = None,
    langs: Sequence[str] | None = None,
) -> Ratings:
    """Ratings from rows of (item, worker, label): for Python users and tests with small data.

    `confidence`, `second` (label, "" or HIGHLY_UNCERTAIN), `rounds`, `claims` and `langs` lie beside the
    rows. Raises InputError for a label outside `labels` and for an item that is repeated by a worker.
    """
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    item, items = encode(columns[0])
    worker, workers = encode(columns[1])
    given = tuple(labels) if labels is not None else tuple(sorted(set(columns[2])))
    codes = {name: code for code, name in enumerate(given)}
    unknown = sorted(set(columns[2]) - set(given))
    if unknown:
        raise InputError(f"labels outside the given ones: {', '.join(unknown)}")
    size = len(item)
    seconds = [_second_code(value, codes) for value in second] if second is not None else [NO_SECOND] * size
    kinds = [ROUNDS.index(name) for name in rounds] if rounds is not None else [MAIN] * size
    made = Ratings(
        item=item,
        worker=worker,
        label=np.array([codes[name] for name in columns[2]], dtype=np.int32),
        confidence=np.array(confidence if confidence is not None else [NO_CONFIDENCE] * size, dtype=np.int32),
        second=np.array(seconds, dtype=np.int32),
        round=np.array(kinds, dtype=np.int32),
        items=items,
        workers=workers,
        labels=given,
        labels_from="given" if labels is not None else LABELS_SEEN,
        rounds_named=rounds is not None,
    )
    if repeated(made).size:
        place = int(repeated(made)[0])
        raise InputError(f"row {place + 1} repeats item {columns[0][place]!r} by {columns[1][place]!r}")
    made = made.without_repeats_proven()
    if claims is not None:
        code, names = encode(claims)
        made = replace(made, claim=per_item(item, code, len(items)), claims=names)
    if langs is not None:
        code, names = encode(langs)
        made = replace(made, lang=per_item(item, code, len(items)), langs=tuple(names))
    return made


def encode(values: Sequence[str]) -> tuple[Codes, tuple[str, ...]]:
    """Codes in order of first appearance, and the distinct values."""
    seen: dict[str, int] = {}
    codes = np.fromiter((seen.setdefault(v, len(seen)) for v in values), dtype=np.int32, count=len(values))
    return codes, tuple(seen)


def per_item(item: Codes, code: Codes, n_items: int) -> Codes:
    """A code per item from a code per rating (the first one; callers check that all agree)."""
    out = np.zeros(n_items, dtype=np.int32)
    out[item[::-1]] = code[::-1]
    return out


def _second_code(value: str | int, codes: dict[str, int]) -> int:
    if value == HIGHLY_UNCERTAIN:
        return HIGHLY_UNCERTAIN
    return codes[str(value)] if value != "" and value != NO_SECOND else NO_SECOND
