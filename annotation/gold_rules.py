"""From votes to a gold label, or the reason why there is none yet.

A ruling always decides (`adjudicated`). Else, with enough votes: all the same (`unanimous`); one label chosen
more often than any other (`majority`: two of three, in AraStance and SCRum-9); or what an aggregation method
says (its name). Ties never become gold by themselves: they go to adjudication.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotation.aggregate.base import Aggregated
from annotation.ratings import ADJUDICATION, Codes, Ratings

Rule = Literal["unanimous", "majority"]
RULES: tuple[Rule, ...] = ("unanimous", "majority")
ADJUDICATED, UNANIMOUS, MAJORITY = "adjudicated", "unanimous", "majority"

NO_VOTES, TOO_FEW_VOTES, NOT_UNANIMOUS = "no_votes", "too_few_votes", "not_unanimous"
TIE, OUT_OF_SCOPE, RESERVED = "needs_adjudication", "out_of_scope", "reserved"
REASONS: Mapping[str, str] = {
    NO_VOTES: "nobody has judged it",
    TOO_FEW_VOTES: "fewer votes than needed",
    NOT_UNANIMOUS: "the raters differ, and the rule asks that they do not",
    TIE: "no label leads",
    OUT_OF_SCOPE: "most chose a label that is out of scope",
    RESERVED: "experts alone judge it: others are trained and tested with it",
}
FEWEST = 2


@dataclass(frozen=True)
class Outcome:
    """`label` and `how` it came, or the `reason` (a key of REASONS) why there is no label."""

    label: str | None
    how: str | None
    reason: str | None
    votes: dict[str, int]


def gold_of(
    votes: Mapping[str, int] | Iterable[str],
    rule: Rule = "majority",
    *,
    ruling: str | None = None,
    fewest: int = FEWEST,
) -> Outcome:
    """Gold of one item from its first choices (label → number, or one label a vote)."""
    counted = dict(votes) if isinstance(votes, Mapping) else _counted(votes)
    counted = {label: number for label, number in sorted(counted.items()) if number > 0}
    if ruling is not None:
        return Outcome(ruling, ADJUDICATED, None, counted)
    total = sum(counted.values())
    if not total:
        return Outcome(None, None, NO_VOTES, counted)
    if total < fewest:
        return Outcome(None, None, TOO_FEW_VOTES, counted)
    top = max(counted.values())
    leading = [label for label, number in counted.items() if number == top]
    if top == total:
        return Outcome(leading[0], UNANIMOUS, None, counted)
    if rule == "unanimous":
        return Outcome(None, None, NOT_UNANIMOUS, counted)
    if len(leading) > 1:
        return Outcome(None, None, TIE, counted)
    return Outcome(leading[0], MAJORITY, None, counted)


@dataclass(frozen=True, eq=False)
class GoldTable:
    """Gold of all items of some ratings, as arrays (length n)."""

    ratings: Ratings
    label: Codes
    """−1 where there is none"""
    kind: Codes
    """index into `kinds`: how, or the reason why not"""
    kinds: tuple[str, ...]
    counts: NDArray[np.float64]

    def tally(self) -> dict[str, int]:
        """How many items came to their label in which way, or have none for which reason."""
        found = np.bincount(self.kind, minlength=len(self.kinds))
        return {name: int(number) for name, number in zip(self.kinds, found, strict=True) if number}

    def labels(self) -> dict[str, int]:
        """How many items have each label (all labels, in their order)."""
        found = np.bincount(self.label[self.label >= 0], minlength=self.ratings.n_labels)
        return {name: int(number) for name, number in zip(self.ratings.labels, found, strict=True)}

    def rows(self) -> Iterator[tuple[str, Outcome]]:
        """(item, outcome), in the order of the items."""
        names = self.ratings.labels
        for place, item in enumerate(self.ratings.items):
            kind = self.kinds[self.kind[place]]
            code = int(self.label[place])
            votes = {
                name: int(number) for name, number in zip(names, self.counts[place], strict=True) if number
            }
            if code < 0:
                yield item, Outcome(None, None, kind, votes)
            else:
                yield item, Outcome(names[code], kind, None, votes)


def gold_table(
    ratings: Ratings,
    rule: Rule = "majority",
    *,
    method: Aggregated | None = None,
    ties: Literal["adjudicate", "seed"] = "adjudicate",
    fewest: int = FEWEST,
    removed: Codes | None = None,
) -> GoldTable:
    """Gold of every item by a rule, or by an aggregation method fitted on the same ratings.

    With a method, ties go to adjudication unless `ties="seed"` lets the method's seeded choice stand.
    `removed` are items that are out of scope (`annotation.aggregate.scope`).
    """
    counts = ratings.votes().counts()
    total, top = counts.sum(axis=1), counts.max(axis=1, initial=0)
    how = method.method if method is not None else MAJORITY
    kinds = (ADJUDICATED, UNANIMOUS, how, NO_VOTES, TOO_FEW_VOTES, NOT_UNANIMOUS, TIE, OUT_OF_SCOPE)
    if method is not None:
        label = method.label.copy()
        kind = np.full(len(label), kinds.index(how), dtype=np.int32)
        if ties == "adjudicate":
            kind[method.tied] = kinds.index(TIE)
    else:
        label = counts.argmax(axis=1).astype(np.int32)
        leading = (counts == top[:, None]).sum(axis=1)
        kind = np.where(leading > 1, kinds.index(TIE), kinds.index(how)).astype(np.int32)
        if rule == "unanimous":
            kind[:] = kinds.index(NOT_UNANIMOUS)
        kind[top == total] = kinds.index(UNANIMOUS)
    kind[total < fewest] = kinds.index(TOO_FEW_VOTES)
    kind[total == 0] = kinds.index(NO_VOTES)
    rulings = ratings.of_rounds(ADJUDICATION)
    label[rulings.item] = rulings.label
    kind[rulings.item] = kinds.index(ADJUDICATED)
    if removed is not None:
        kind[removed] = kinds.index(OUT_OF_SCOPE)
    label[kind >= kinds.index(NO_VOTES)] = -1
    return GoldTable(ratings, label, kind, kinds, counts)


def _counted(votes: Iterable[str]) -> dict[str, int]:
    out: dict[str, int] = {}
    for label in votes:
        out[label] = out.get(label, 0) + 1
    return out
