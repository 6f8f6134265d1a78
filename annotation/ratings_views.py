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
from dalil.wording import counted

FEWEST_TO_SUSPECT = 5
UNLIKELY = 1e-4


@dataclass(frozen=True, eq=False)
class FirstRatings:
    """Ratings that were given independently of how others judged: what agreement is measured on.

    However it is made, it refuses rounds that followed a disagreement, a worker who rated an item
    twice, and (where rounds are not named) the shape that an adjudicating third leaves behind,
    finished or not.
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
                f"{worker!r} rated {item!r} more than once ({counted(len(again), 'repeated rating')})",
                where=found.origin or None,
                todo="agreement needs one rating by a worker: read the file with repeats first or last",
            )
        if not found.rounds_named and looks_adjudicated(self.counts):
            raise InputError(
                "items with more raters are those on which they differ: "
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
    """The pilot round: everyone judged everything. Each judgement as it stood before the discussion."""
    return FirstRatings(ratings.of_rounds(PILOT).blind(), "pilot round, all raters")


def first_two(ratings: Ratings) -> FirstRatings:
    """The main round: the raters that a pair was given first (two a pair in AraStance and SCRum-9).

    Each judgement as it stood before a third rater was asked.
    """
    words = "main round, first raters" if ratings.rounds_named else "all ratings (the file names no rounds)"
    return FirstRatings(ratings.of_rounds(MAIN).blind(), words)


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

    Items are compared by their number of raters: those with fewest (two, mostly) and those with more; with
    under five on either side small samples would look guilty. The shape is there where all with more differ
    and all others are unanimous; or, when the third round is unfinished or a stray item breaks the shape,
    where far more of those with more raters differ than could if more had been asked for other reasons.
    """
    raters = counts.sum(axis=1)
    shared = raters >= 2
    if not shared.any() or raters[shared].min() == raters.max():
        return False
    counts, raters = counts[shared], raters[shared]
    more = raters > raters.min()
    if min(more.sum(), (~more).sum()) < FEWEST_TO_SUSPECT:
        return False
    differ = counts.max(axis=1) < raters
    if differ[more].all() and not differ[~more].any():
        return True
    return _too_many_differ(counts[~more], raters[more], int(differ[more].sum()))


def _too_many_differ(fewest: Floats, raters: Floats, differing: int) -> bool:
    """Whether `differing` of the items with more `raters` is beyond chance, given how the others agree.

    r raters who do not all agree make at least r − 1 of r(r−1)/2 pairs that differ, so with an agreement of
    p_a at most r/2 · (1 − p_a) of the items can differ, however hard they are. p_a is taken as low as the
    items with fewest raters allow (Clopper & Pearson 1934), the number that differ as binomial.
    """
    from scipy.stats import beta, binom

    size = fewest[0].sum()
    agreeing = ((fewest * (fewest - 1)).sum(axis=1) / (size * (size - 1))).sum()
    if not agreeing:
        return False
    p_a = float(beta.ppf(UNLIKELY, agreeing, len(fewest) - agreeing + 1))
    most = float(np.minimum(raters / 2 * (1 - p_a), 1.0).mean())
    return bool(binom.sf(differing - 1, len(raters), most) < UNLIKELY)
