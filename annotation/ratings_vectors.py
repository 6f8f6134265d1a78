"""An annotation as a vector over labels: first choice, weighted by confidence, with the second choice.

What SCRum-9 leaves open is an option here, with its default, and goes into the settings of every output:

- *normalisation* of a confidence of 1 … levels: `effiara` 1/K + (K−1)/K · (conf−1)/(levels−1) (default:
  the least confident first choice still weighs what chance would give it), `share` conf/levels,
  `zero-to-one` (conf−1)/(levels−1);
- *second*: the weight of a second choice beside a first of weight c, "discounted by 2 times the normalised
  confidence score": `c/2` (default), `1-c`, or `1-2c` (0 where that is negative);
- *Highly Uncertain* instead of a second choice: what is left of 1 goes evenly to the other labels.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from annotation.ratings import HIGHLY_UNCERTAIN, Floats, Ratings
from dalil.errors import InputError, UsageError
from dalil.wording import counted, fitting

Normalisation = Literal["effiara", "share", "zero-to-one"]
SecondWeight = Literal["c/2", "1-c", "1-2c"]
NORMALISATIONS: tuple[Normalisation, ...] = ("effiara", "share", "zero-to-one")
SECOND_WEIGHTS: tuple[SecondWeight, ...] = ("c/2", "1-c", "1-2c")


@dataclass(frozen=True)
class VoteOptions:
    """How confidence and second choice become weights."""

    normalisation: Normalisation = "effiara"
    second: SecondWeight = "c/2"
    missing_confidence: int | None = None
    """confidence to assume where none was given; None refuses"""

    def settings(self) -> dict[str, Any]:
        """The options as an output states them."""
        return asdict(self)


def confidences(ratings: Ratings, options: VoteOptions) -> Floats:
    """Normalised confidence of each rating, in [0, 1]. InputError where one is missing."""
    conf = ratings.confidence
    missing = ~ratings.has_confidence()
    if missing.any():
        if options.missing_confidence is None:
            raise _missing(ratings, missing)
        if not 1 <= options.missing_confidence <= ratings.levels:
            raise UsageError(
                f"a confidence lies within 1 to {ratings.levels}, not {options.missing_confidence}"
            )
        conf = np.where(missing, options.missing_confidence, conf)
    return normalise(conf.astype(np.float64), ratings.n_labels, ratings.levels, options.normalisation)


def normalise(confidence: Floats, n_labels: int, levels: int, how: Normalisation) -> Floats:
    """Confidence 1 … levels to [0, 1] (EffiARA, Cook et al. 2025, for the default)."""
    if how == "share":
        return confidence / levels
    scaled = (confidence - 1) / (levels - 1)
    return scaled if how == "zero-to-one" else 1 / n_labels + (n_labels - 1) / n_labels * scaled


def second_weights(first: Floats, how: SecondWeight) -> Floats:
    """Weight of a second choice beside a first of weight `first`; never negative."""
    if how == "c/2":
        return first / 2
    return np.maximum(1 - first if how == "1-c" else 1 - 2 * first, 0.0)


def one_hot(ratings: Ratings) -> Floats:
    """First choice alone (m × K)."""
    out = np.zeros((len(ratings), ratings.n_labels))
    out[np.arange(len(ratings)), ratings.label] = 1.0
    return out


def first_weighted(ratings: Ratings, options: VoteOptions) -> Floats:
    """First choice weighted by confidence (m × K)."""
    out = np.zeros((len(ratings), ratings.n_labels))
    out[np.arange(len(ratings)), ratings.label] = confidences(ratings, options)
    return out


def first_and_second(ratings: Ratings, options: VoteOptions) -> Floats:
    """First choice weighted by confidence, second choice, Highly Uncertain spread (m × K)."""
    first = confidences(ratings, options)
    out = np.zeros((len(ratings), ratings.n_labels))
    unsure = np.flatnonzero(ratings.second == HIGHLY_UNCERTAIN)
    if unsure.size and ratings.n_labels > 1:
        out[unsure] = ((1 - first[unsure]) / (ratings.n_labels - 1))[:, None]
    chosen = np.flatnonzero(ratings.second >= 0)
    out[chosen, ratings.second[chosen]] = second_weights(first[chosen], options.second)
    out[np.arange(len(ratings)), ratings.label] = first
    return out


def _missing(ratings: Ratings, missing: np.ndarray[Any, np.dtype[np.bool_]]) -> InputError:
    place = int(np.argmax(missing))
    item, worker = ratings.items[ratings.item[place]], ratings.workers[ratings.worker[place]]
    return InputError(
        f"{int(missing.sum())} of {counted(len(ratings), 'rating')} "
        f"{fitting(int(missing.sum()), 'has', 'have')} no confidence (first: {item!r} by {worker!r})",
        where=ratings.origin or None,
        todo="use a method without confidence, or say what to assume: --missing-confidence 5",
    )
