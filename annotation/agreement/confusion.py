"""Which labels raters confuse with which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.alpha import coincidences
from annotation.ratings import Floats
from annotation.ratings_views import FirstRatings


@dataclass(frozen=True, eq=False)
class Confusion:
    """Coincidences o_ck of labels (K × K, symmetric): each item counts as many times as it has raters."""

    labels: tuple[str, ...]
    coincidences: Floats

    def shares(self) -> Floats:
        """Given one rater's label (down), how often another rater chose each (rows sum to 1; NaN: unused)."""
        whole = self.coincidences.sum(axis=1, keepdims=True)
        out = np.full_like(self.coincidences, np.nan)
        np.divide(self.coincidences, whole, out=out, where=whole > 0)
        return out

    def most_confused(self) -> list[dict[str, Any]]:
        """Pairs of labels by how much of all disagreement they make up, the most first."""
        apart = np.triu(self.coincidences, k=1)
        whole = apart.sum()
        found = [
            {
                "labels": [self.labels[a], self.labels[b]],
                "share_of_disagreement": float(apart[a, b] / whole),
            }
            for a, b in zip(*np.nonzero(apart), strict=True)
        ]
        return sorted(found, key=lambda row: (-row["share_of_disagreement"], row["labels"]))


def confusion_between_raters(first: FirstRatings) -> Confusion:
    """Krippendorff's coincidence matrix over all raters who share items."""
    return Confusion(first.ratings.labels, coincidences(first.counts))
