"""The card's picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotation.dataset.rows import DataSet, label_counts
from dalil.plots import heat_map, save


def draw_labels(data: DataSet, path: Path) -> Path:
    """Labels by split: each split's share of each label, with counts."""
    splits = data.splits
    counts = [label_counts((row for row in data.rows if row.split == name), data.labels) for name in splits]
    values = np.array([list(found.values()) for found in counts], dtype=np.float64)
    whole = values.sum(axis=1, keepdims=True)
    shares = np.divide(values, whole, out=np.zeros_like(values), where=whole > 0)
    cells = [
        [f"{share:.0%}\n({int(number):,})" for share, number in zip(*pair, strict=True)]
        for pair in zip(shares, values, strict=True)
    ]
    made = heat_map(
        shares,
        list(splits),
        list(data.labels),
        title="Labels by split",
        down="split",
        across="label",
        cells=cells,
        row_height=0.6,
    )
    return save(made, path)
