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
_PART = 0.8
"""likeness of a name that holds the wanted one among its words: below that of a slip in the whole name"""
_ABOUT = frozenset((
    "id", "ids", "number", "num", "no", "nr", "count", "date", "time", "day", "url", "link", "title",
    "hash", "language", "lang", "site", "outlet", "note",
))  # fmt: skip
"""words that make a name one of something else: `claim_id` is no claim, `edit_number` no edit"""


def check_columns(
    path: Path,
    found: Sequence[str],
    needed: Sequence[tuple[str, ...]],
    known: Collection[str] = (),
    *,
    todo: str | None = None,
) -> None:
    """Raise InputError where a header lacks a column; of each tuple in `needed` one name is enough.

    `known` are names that mean something else, so that none of them is proposed, nor one that is needed
    itself; `todo` is what helps beside renaming.
    """
    lacking = [names for names in needed if not set(names) & set(found)]
    if not lacking:
        return
    taken = {*known, *(name for names in needed for name in names)}
    free = [name for name in found if name and name not in taken]
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
    """Of these names the one most like `wanted`, or another name of the same; None where none is.

    A name that says of something that it is *about* the wanted one (`claim_id`) is never it.
    """
    scored = [(max(_likeness(name, one) for one in (wanted, *others)), name) for name in among]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
    return best[1] if best[0] >= ALIKE else None


def _likeness(name: str, wanted: str) -> float:
    form = name.strip().casefold().replace(" ", "_").replace("-", "_")
    parts = form.split("_")
    if any(part in _ABOUT and part not in wanted for part in parts if len(parts) > 1):
        return 0.0
    like = SequenceMatcher(None, form, wanted).ratio()
    return max(_PART, like) if wanted in parts and len(parts) > 1 else like


def _or(names: tuple[str, ...]) -> str:
    first, *others = names
    return f"{first} (or {', '.join(others)})" if others else first
