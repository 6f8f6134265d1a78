"""How alike methods are: mean cosine between what they say of each item (SCRum-9, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotation.aggregate.base import Aggregated
from annotation.ratings import Floats


def method_agreement(results: Sequence[Aggregated]) -> Floats:
    """Mean cosine over items between each two methods (methods × methods)."""
    directions = [_directions(result) for result in results]
    voted = results[0].voted
    size = max(int(voted.sum()), 1)
    out = np.eye(len(results))
    for a in range(len(results)):
        for b in range(a):
            out[a, b] = out[b, a] = float(np.einsum("ik,ik->", directions[a], directions[b]) / size)
    return out


def order_by_agreement(matrix: Floats) -> list[int]:
    """Methods by their mean agreement with the others, the most agreeing first."""
    others = (matrix.sum(axis=1) - 1) / max(len(matrix) - 1, 1)
    return [int(place) for place in np.argsort(-others, kind="stable")]


def _directions(result: Aggregated) -> Floats:
    vectors = result.vectors()
    length = np.sqrt(np.einsum("ik,ik->i", vectors, vectors))[:, None]
    out: Floats = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return out
