"""Numbers and the words that go with them, in what people read."""

from __future__ import annotations

_IRREGULAR = {"person": "people", "datum": "data"}
_HISSING = ("s", "x", "z", "ch", "sh")


def counted(number: int, noun: str, several: str | None = None) -> str:
    """`1 claim`, `2 claims`, `1,200 queries`; `several` for a noun whose plural is not made at its end."""
    return f"{number:,} {fitting(number, noun, several or plural(noun))}"


def fitting(number: int, one: str, several: str) -> str:
    """The word that goes with a number: `is` or `are`, `it` or `them`, `claim` or `claims`."""
    return one if number == 1 else several


def plural(noun: str) -> str:
    """The plural of an English noun, or of the last word of a few."""
    before, space, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        last = f"{last[:-1]}ies"
    elif last.endswith(_HISSING):
        last = f"{last}es"
    else:
        last = f"{last}s"
    return f"{before}{space}{last}"
