"""Bayesian soft vote (BSV): each annotator's confidence recalibrated by their agreement with others.

Source: Wu et al., *Don't waste a single annotation* (2023), as SCRum-9 uses it. From c̃ in [0, 1]:

    π = (c̃/K) / [c̃/K + (1 − 1/K)(1 − c̃)]
    L_ak = #{a = k and some other = k} / #{label k present}
    N_ak = #{a = k and some other ≠ k} / #{some other ≠ k}
    c′ = π L / (π L + (1 − π) N)

counted over items that annotator a judged together with others. A ratio with fewer than three items above
or below the line is replaced by π. "Label k present" counts any annotator including a (`any`, default) or
the others alone (`others`). What c′ leaves goes to the second choice, up to the weight of the first, and
then evenly to the other labels (`rest="second"`, default, as EffiARA does), or evenly at once (`uniform`).
An item's distribution is the mean over its annotators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from annotation.aggregate.base import Aggregated, Settings, aggregated, summed, vote_settings
from annotation.ratings import Floats, Ratings
from annotation.ratings_vectors import confidences
from dalil.errors import UsageError

FEWEST = 3


class BayesianSoftVote:
    """Recalibrated soft labels. `fit` counts agreement with others, `predict` applies it."""

    name: ClassVar[str] = "bsv"
    soft: ClassVar[bool] = True

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workers: Sequence[str] | None = None
        self.agreeing: Floats = np.empty((0, 0))
        self.disagreeing: Floats = np.empty((0, 0))

    def fit(self, ratings: Ratings) -> Self:
        """Count L and N of each annotator and label; NaN where there are too few items."""
        votes = ratings.votes()
        self.workers = votes.workers
        among = self.settings.likelihood_among
        self.agreeing, self.disagreeing = agreement_with_others(votes, among == "others")
        return self

    def predict(self, ratings: Ratings) -> Aggregated:
        """Distributions by recalibrated confidence. Annotators that were not seen keep their π."""
        if self.workers is None:
            raise UsageError("Bayesian soft vote has learnt nothing yet", todo="call fit first")
        votes = ratings.votes()
        if self.agreeing.shape[1] != votes.n_labels:
            raise UsageError("these ratings have other labels than those learnt from")
        calibrated = self._calibrated(votes)
        totals = summed(votes, soft_labels(votes, calibrated, self.settings.rest))
        return aggregated(self.name, self.soft, votes, totals, self.settings.seed, self.used())

    def used(self) -> dict[str, Any]:
        """Options of BSV and the normalisation of confidence."""
        own = {"likelihood_among": self.settings.likelihood_among, "rest": self.settings.rest}
        return own | vote_settings(self.settings.votes, "normalisation", "missing_confidence")

    def _calibrated(self, votes: Ratings) -> Floats:
        pi = prior(confidences(votes, self.settings.votes), votes.n_labels)
        place = {name: code for code, name in enumerate(self.workers or ())}
        known = np.array([place.get(name, -1) for name in votes.workers], dtype=np.int64)[votes.worker]
        seen = known >= 0
        likely, unlikely = np.full(len(votes), np.nan), np.full(len(votes), np.nan)
        likely[seen] = self.agreeing[known[seen], votes.label[seen]]
        unlikely[seen] = self.disagreeing[known[seen], votes.label[seen]]
        likely, unlikely = np.where(np.isnan(likely), pi, likely), np.where(np.isnan(unlikely), pi, unlikely)
        up = pi * likely
        whole = up + (1 - pi) * unlikely
        out: Floats = np.divide(up, whole, out=pi.copy(), where=whole > 0)
        return out


def prior(confidence: Floats, n_labels: int) -> Floats:
    """π from a normalised confidence: K = 4, confidence 1–5 gives .1, .2059, .3571, .5909, 1."""
    right = confidence / n_labels
    return right / (right + (1 - 1 / n_labels) * (1 - confidence))


def agreement_with_others(votes: Ratings, others_only: bool) -> tuple[Floats, Floats]:
    """L and N (workers × K), NaN where fewer than three items are above or below the line."""
    counts = votes.counts()
    raters = counts.sum(axis=1)
    w, k = len(votes.workers), votes.n_labels
    shared = raters[votes.item] >= 2
    item, worker, own = votes.item[shared], votes.worker[shared].astype(np.int64), votes.label[shared]
    among_others = counts[item]
    among_others[np.arange(len(item)), own] -= 1
    size = raters[item] - 1
    own_hot = np.zeros((len(item), k), dtype=bool)
    own_hot[np.arange(len(item)), own] = True
    some_k = among_others > 0
    some_not_k = size[:, None] - among_others > 0
    present = some_k if others_only else some_k | own_hot

    def count(what: NDArray[np.bool_]) -> Floats:
        columns = [np.bincount(worker, weights=column, minlength=w) for column in what.T]
        return np.stack(columns, axis=1)

    likely = _ratio(count(own_hot & some_k), count(present))
    return likely, _ratio(count(own_hot & some_not_k), count(some_not_k))


def soft_labels(votes: Ratings, confidence: Floats, rest: str) -> Floats:
    """One distribution a rating (m × K): `confidence` on the first choice, the rest as `rest` says."""
    k = votes.n_labels
    places = np.arange(len(votes))
    left = 1 - confidence
    second = np.zeros(len(votes))
    chosen = votes.second >= 0
    if rest == "second":
        second[chosen] = np.minimum(left, confidence)[chosen] if k > 2 else left[chosen]
    else:
        chosen = np.zeros(len(votes), dtype=bool)
    open_labels = np.where(chosen, k - 2, k - 1)
    even = np.divide(left - second, open_labels, out=np.zeros(len(votes)), where=open_labels > 0)
    out = np.repeat(even[:, None], k, axis=1)
    where = np.flatnonzero(chosen)
    out[where, votes.second[where]] = second[where]
    out[places, votes.label] = confidence
    return out


def _ratio(above: Floats, below: Floats) -> Floats:
    enough = (above >= FEWEST) & (below >= FEWEST)
    out: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=enough)
    return out
