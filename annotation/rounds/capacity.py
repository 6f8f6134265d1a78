"""EffiARA's capacity formula, solved for any one unknown.

    k = ρ·t·n / (2d + (1 + r)(1 − d))

k items in all, ρ items an hour, t hours a person, n people, d the share of items that two people annotate,
r the share of the other items that the same person annotates again. (EffiARA, Cook et al.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from dalil.errors import UsageError

QUANTITIES = ("items", "rate", "hours", "people", "double", "again")
SHARES = ("double", "again")
DEFAULTS = {"double": 1.0, "again": 0.0}
"""Everything judged by two, nothing again: how AraStance and SCRum-9 were made."""


@dataclass(frozen=True)
class Capacity:
    """All six quantities, and which of them was computed."""

    items: float
    rate: float
    hours: float
    people: float
    double: float
    again: float
    unknown: str

    @property
    def judgements(self) -> float:
        """How many judgements that makes."""
        return self.items * judgements_an_item(self.double, self.again)

    def whole(self) -> int | None:
        """The unknown as a whole number, where only whole ones make sense: items down, people up."""
        if self.unknown == "items":
            return math.floor(self.items + 1e-9)
        return math.ceil(self.people - 1e-9) if self.unknown == "people" else None


def judgements_an_item(double: float, again: float) -> float:
    """2d + (1 + r)(1 − d)."""
    return 2 * double + (1 + again) * (1 - double)


def solve(given: Mapping[str, float]) -> Capacity:
    """The sixth quantity from five. Raises UsageError where more or less than one is missing, a value
    is out of range, or no value of the unknown fits.
    """
    missing = [name for name in QUANTITIES if name not in given]
    if len(missing) != 1:
        raise UsageError(
            f"{len(missing)} of the six quantities are unknown"
            + (f": {', '.join(missing)}" if missing else ""),
            todo=f"give all but one of {', '.join(QUANTITIES)}",
        )
    for name, value in given.items():
        share = name in SHARES
        if not math.isfinite(value) or value < 0 or (share and value > 1) or (not share and value == 0):
            todo = "give a share from 0 to 1" if share else "give a number above 0"
            raise UsageError(f"{name} = {value:g} makes no sense", todo=todo)
    unknown = missing[0]
    values = dict(given)
    values[unknown] = _solved(unknown, values)
    if not math.isfinite(values[unknown]) or (values[unknown] == 0 and unknown not in SHARES):
        raise UsageError(
            f"no {unknown} comes of numbers that large or small", todo="check the quantities given"
        )
    return Capacity(**values, unknown=unknown)


def _solved(unknown: str, known: dict[str, float]) -> float:
    if unknown in ("items", "rate", "hours", "people"):
        each = judgements_an_item(known["double"], known["again"])
        if unknown == "items":
            return known["rate"] * known["hours"] * known["people"] / each
        others = math.prod(known[name] for name in ("rate", "hours", "people") if name != unknown)
        return known["items"] * each / others if others else math.inf
    # ρtn/k judgements an item = 1 + r + d(1 − r), symmetric in d and r
    possible = known["rate"] * known["hours"] * known["people"] / known["items"]
    other = known["again" if unknown == "double" else "double"]
    if other == 1:
        raise UsageError(
            f"{unknown} makes no difference when the other share is 1", todo="ask for another quantity"
        )
    share = (possible - 1 - other) / (1 - other)
    if not -1e-9 <= share <= 1 + 1e-9:
        raise UsageError(
            f"no {unknown} from 0 to 1 fits: people can judge each item {possible:.3g} times",
            todo="change items, rate, hours or people",
        )
    return min(max(share, 0.0), 1.0)
