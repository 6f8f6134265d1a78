"""What every aggregation method takes, gives and states."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np

from annotation.ratings import Codes, Floats, Mask, Ratings
from annotation.ratings_vectors import VoteOptions

NO_LABEL = -1
TIE = 1e-9
"""weights closer than this, as a share of the item's whole weight, are tied"""


@dataclass(frozen=True)
class Settings:
    """All options of all methods, with the defaults; each output states those its method used."""

    votes: VoteOptions = field(default_factory=VoteOptions)
    seed: int = 0
    iterations: int = 100
    tolerance: float = 1e-5
    smoothing: float = 0.0
    floor: float = 1e-10
    likelihood_among: Literal["any", "others"] = "any"
    rest: Literal["second", "uniform"] = "second"


@dataclass(frozen=True, eq=False)
class Aggregated:
    """A label and a distribution for each item that has a vote (length n; items as in the ratings)."""

    method: str
    soft: bool
    items: Sequence[str]
    labels: tuple[str, ...]
    label: Codes
    """NO_LABEL where an item has no vote"""
    weights: Floats
    """n × K, rows sum to 1 (0 where an item has no vote)"""
    tied: Mask
    """more than one label had the highest weight; the seed chose"""
    settings: dict[str, Any]
    """the options this method used"""

    @property
    def voted(self) -> Mask:
        """Which items have a label."""
        out: Mask = self.label != NO_LABEL
        return out

    def vectors(self) -> Floats:
        """What the method says of each item: its distribution, or one-hot for a hard method."""
        if self.soft:
            return self.weights
        out = np.zeros_like(self.weights)
        where = np.flatnonzero(self.voted)
        out[where, self.label[where]] = 1.0
        return out


class Method(Protocol):
    """An aggregation method. `fit` learns about the workers (most methods have nothing to learn)."""

    name: ClassVar[str]
    soft: ClassVar[bool]

    def __init__(self, settings: Settings) -> None: ...

    def fit(self, ratings: Ratings) -> Self:
        """Learn from ratings (rulings are no votes and are left out)."""
        ...

    def predict(self, ratings: Ratings) -> Aggregated:
        """Label and distribution of each item."""
        ...


class Voting:
    """A method that adds up weights of labels: what differs is `totals`."""

    name: ClassVar[str]
    soft: ClassVar[bool]

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def fit(self, ratings: Ratings) -> Self:
        """Nothing to learn."""
        return self

    def predict(self, ratings: Ratings) -> Aggregated:
        """The vectors' sum of each item, its label and its share of the whole."""
        votes = ratings.votes()
        return aggregated(self.name, self.soft, votes, self.totals(votes), self.settings.seed, self.used())

    def totals(self, votes: Ratings) -> Floats:
        """Summed weight of each label for each item (n × K)."""
        raise NotImplementedError

    def used(self) -> dict[str, Any]:
        """The options this method used, for the output."""
        return {}


def summed(votes: Ratings, vectors: Floats) -> Floats:
    """Vectors (m × K) added up by item (n × K)."""
    columns = [np.bincount(votes.item, weights=column, minlength=votes.n_items) for column in vectors.T]
    return np.stack(columns, axis=1).astype(np.float64)  # without votes they are integers


def aggregated(
    name: str, soft: bool, votes: Ratings, totals: Floats, seed: int, used: dict[str, Any]
) -> Aggregated:
    """Totals (n × K) to labels and distributions. Equal weights are decided by seed and item key."""
    voted = np.bincount(votes.item, minlength=votes.n_items) > 0
    label, tied = decide(totals, voted, votes.items, votes.labels, seed)
    whole = totals.sum(axis=1, keepdims=True)
    weights = np.divide(totals, whole, out=np.zeros_like(totals), where=whole > 0)
    unsure = voted & (whole[:, 0] <= 0)  # every vote weighs nothing: nothing is known
    weights[unsure] = 1 / votes.n_labels
    settings = {"seed": seed, "labels_from": votes.labels_from, "K": votes.n_labels} | used
    return Aggregated(name, soft, votes.items, votes.labels, label, weights, tied, settings)


def decide(
    totals: Floats, voted: Mask, items: Sequence[str], labels: tuple[str, ...], seed: int
) -> tuple[Codes, Mask]:
    """Label of the highest total; ties by a hash of seed and item key among the tied labels by name.

    So neither the order of rows nor that of labels decides, and the same seed always decides the same.
    """
    top = totals.max(axis=1, keepdims=True)
    near = TIE * np.maximum(totals.sum(axis=1, keepdims=True), 1e-300)
    best = totals >= top - near
    tied = voted & (best.sum(axis=1) > 1)
    label = np.where(voted, totals.argmax(axis=1), NO_LABEL).astype(np.int32)
    for place in np.flatnonzero(tied):
        among = sorted(np.flatnonzero(best[place]), key=lambda code: labels[code])
        label[place] = among[draw(seed, items[int(place)], len(among))]
    return label, tied


def draw(seed: int, key: str, among: int) -> int:
    """A number below `among` that seed and key decide alone."""
    digest = hashlib.blake2b(f"{seed}\x00{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % among


def vote_settings(options: VoteOptions, *names: str) -> dict[str, Any]:
    """Those of the vote options that a method used."""
    return {name: value for name, value in asdict(options).items() if name in names}
