"""Names of rounds, and the order in which somebody works through them."""

from __future__ import annotations

TRAINING, QUALIFICATION, EXPERT = "training", "qualification", "expert"
PILOT, MAIN, THIRD, HIDDEN, ADJUDICATION = "pilot", "main", "third", "hidden", "adjudication"

STAGES: tuple[frozenset[str], ...] = (
    frozenset({TRAINING}),
    frozenset({QUALIFICATION}),
    frozenset({EXPERT}),
    frozenset({PILOT}),
    frozenset({MAIN, THIRD, HIDDEN}),
)
"""A stage begins when the one before it has nothing left. Within the last, nobody can tell rounds apart."""

AGAIN = "again"
"""a pair judged once more by the same person, which files of other tools have: it says how steady they are
and decides nothing about the pair"""

NAMES = tuple(name for stage in STAGES for name in sorted(stage))
EVERYBODY = (TRAINING, QUALIFICATION, EXPERT, PILOT)
"""rounds in which each has the same pairs as all others: nobody takes over what somebody leaves"""
COUNTED = (PILOT, MAIN, THIRD)
"""rounds whose judgements decide about a pair"""
UNEQUAL = {HIDDEN: MAIN, THIRD: MAIN}
"""what an annotator is told instead of the round's own name"""


def stage_of(name: str) -> int:
    """Place of a round in the order of work."""
    return next((place for place, stage in enumerate(STAGES) if name in stage), len(STAGES))


def told(name: str) -> str:
    """The round as an annotator may know it: hidden gold and third ratings look like all others."""
    return UNEQUAL.get(name, name)
