"""The header of a CSV file: which columns it lacks, and which of those that it has may be meant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from dalil.errors import InputError
from dalil.wording import fitting

ALIKE = 0.75
"""likeness (Ratcliff/Obershelp) from which a column is taken for a slip of the pen"""
_SHOWN = 30


def check_columns(
    path: Path,
    found: Sequence[str],
    needed: Sequence[tuple[str, ...]],
    known: Collection[str] = (),
    *,
    todo: str | None = None,
) -> None:
    """Raise InputError where a header lacks a column; of each tuple in `needed` one name is enough.

    `known` are names that mean something else, so that none of them is proposed; `todo` is what helps beside
    renaming.
    """
    lacking = [names for names in needed if not set(names) & set(found)]
    if not lacking:
        return
    free = [name for name in found if name and name not in known]
    near = {first: nearest(first, free, others) for first, *others in lacking}
    hints = [f"rename the column {column!r} to {name}" for name, column in near.items() if column]
    absent = [name for name, column in near.items() if not column]
    if absent:
        hints.append(f"add {fitting(len(absent), 'a column', 'columns')} {', '.join(absent)}")
    columns = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    raise InputError(
        f"no {fitting(len(lacking), 'column', 'columns')} {', '.join(map(_or, lacking))}; "
        f"the columns are: {columns}",
        where=f"{path}:1",
        todo=", ".join([*hints, todo] if todo else hints),
    )


def nearest(wanted: str, among: Sequence[str], others: Sequence[str] = ()) -> str | None:
    """Of these names the one most like `wanted`, or another name of the same; None where none is."""
    scored = [(max(_likeness(name, one) for one in (wanted, *others)), name) for name in among]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
    return best[1] if best[0] >= ALIKE else None


def _likeness(name: str, wanted: str) -> float:
    form = name.strip().casefold().replace(" ", "_").replace("-", "_")
    if wanted in form.split("_"):
        return 0.9
    return SequenceMatcher(None, form, wanted).ratio()


def _or(names: tuple[str, ...]) -> str:
    first, *others = names
    return f"{first} (or {', '.join(others)})" if others else first
