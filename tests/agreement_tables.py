"""Published tables of ratings, and ratings made from counts."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.ratings import Ratings, ratings_of
from annotation.ratings_views import FirstRatings, first_two

FLEISS_1971 = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0],
    [0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0],
    [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
]  # fmt: skip
"""30 patients × 5 diagnoses, 6 raters (Fleiss 1971)"""
TEN_BY_FOURTEEN = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
"""10 items × 5 labels, 14 raters: the worked example of Wikipedia's article on Fleiss' kappa"""
KRIPPENDORFF = [
    "11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555", "..11", "..3.",
]  # fmt: skip
"""12 units, 4 raters, gaps (Krippendorff 2011)"""


def from_counts(counts: Sequence[Sequence[int]], labels: Sequence[str] | None = None) -> Ratings:
    """Ratings with these counts: item i's raters are numbered, labels in order."""
    names = list(labels) if labels is not None else [f"k{code}" for code in range(len(counts[0]))]
    rows = []
    for item, row in enumerate(counts):
        chosen = [name for name, number in zip(names, row, strict=True) for _ in range(number)]
        rows += [(f"i{item}", f"w{worker}", name) for worker, name in enumerate(chosen)]
    return ratings_of(rows, names, rounds=["main"] * len(rows))


def first_from_counts(counts: Sequence[Sequence[int]], labels: Sequence[str] | None = None) -> FirstRatings:
    return first_two(from_counts(counts, labels))


def krippendorff_units() -> FirstRatings:
    rows = [
        (f"u{unit}", f"r{rater}", value)
        for unit, values in enumerate(KRIPPENDORFF)
        for rater, value in enumerate(values)
        if value != "."
    ]
    return first_two(ratings_of(rows, ["1", "2", "3", "4", "5"]))
