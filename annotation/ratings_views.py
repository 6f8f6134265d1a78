"""Which ratings a coefficient of agreement may see.

Coefficients take a `FirstRatings`, and there is no way to make one that holds a rater who was asked
because others disagreed. Over such ratings κ measures the procedure, not the raters: simulated at 4,063
items with a true κ of .59, the first two raters give .59, and the first two with a third where they
disagreed give .71.

- `pilot(ratings)`: the round in which everybody judged everything;
- `first_two(ratings)`: the main round's own raters, two a pair by design.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotation.ratings import ADJUDICATION, MAIN, PILOT, THIRD, Floats, Ratings, repeated
from dalil.errors import InputError

FEWEST_TO_SUSPECT = 5


@dataclass(frozen=True, eq=False)
class FirstRatings:
    """Ratings that were given independently of how others judged: what agreement is measured on.

    However it is made, it refuses rounds that followed a disagreement, a worker who rated an item
    twice, and (where rounds are not named) the shape that an adjudicating third leaves behind.
    Raises InputError.
    """

    ratings: Ratings
    selection: str
    """what was selected, in words, for every output"""

    def __post_init__(self) -> None:
        found = self.ratings
        if ((found.round == THIRD) | (found.round == ADJUDICATION)).any():
            raise InputError(
                "a third rater or a ruling is among the ratings",
                where=found.origin or None,
                todo="agreement is measured on the pilot or the first raters only",
            )
        one_round = len(found) == 0 or bool((found.round == found.round[0]).all())
        again = [] if found.unrepeated and one_round else repeated(found, by_round=False).tolist()
        if again:
            place = again[0]
            item, worker = found.items[found.item[place]], found.workers[found.worker[place]]
            raise InputError(
                f"{worker!r} rated {item!r} more than once ({len(again)} repeated ratings)",
                where=found.origin or None,
                todo="agreement needs one rating by a worker: read the file with repeats first or last",
            )
        if not found.rounds_named and looks_adjudicated(self.counts):
            raise InputError(
                "every item with more raters is one on which they differ, and every other item is unanimous: "
                "a third rater seems to have been asked only where two disagreed",
                where=found.origin or None,
                todo="say which ratings came first: add a column `round` (pilot, main, third, adjudication)",
            )

    @cached_property
    def counts(self) -> Floats:
        """r_ik of every item (n × K); items without a rating here have a row of zeros."""
        return self.ratings.counts()

    @cached_property
    def cluster(self) -> tuple[NDArray[np.int64], int, str]:
        return self.ratings.clusters()


def pilot(ratings: Ratings) -> FirstRatings:
    """The pilot round: everyone judged everything."""
    return FirstRatings(ratings.of_rounds(PILOT), "pilot round, all raters")


def first_two(ratings: Ratings) -> FirstRatings:
    """The main round: the raters that a pair was given first (two a pair in AraStance and SCRum-9)."""
    words = "main round, first raters" if ratings.rounds_named else "all ratings (the file names no rounds)"
    return FirstRatings(ratings.of_rounds(MAIN), words)


def of_language(first: FirstRatings, code: int) -> FirstRatings:
    """The same selection, items of one language only."""
    if first.ratings.lang is None:
        raise InputError("these ratings have no languages", todo="add a column `lang`")
    keep = first.ratings.lang[first.ratings.item] == code
    # a part of a sound selection is sound; its shape alone says nothing, so rounds count as named

    part = replace(first.ratings.select(keep), rounds_named=True)
    return FirstRatings(part, f"{first.selection}, {first.ratings.langs[code]}")


def looks_adjudicated(counts: Floats) -> bool:
    """Whether counts (n × K) have the shape of "two raters, a third where they disagreed".

    True where items differ in their number of raters, those with most are never unanimous, and those
    with fewer always are. At least five items on each side, so that small samples do not look guilty.
    """
    raters = counts.sum(axis=1)
    shared = raters >= 2
    if not shared.any() or raters[shared].min() == raters.max():
        return False
    counts, raters = counts[shared], raters[shared]
    unanimous = counts.max(axis=1) == raters
    more = raters > raters.min()
    if min(more.sum(), (~more).sum()) < FEWEST_TO_SUSPECT:
        return False
    return bool(not unanimous[more].any() and unanimous[~more].all())
