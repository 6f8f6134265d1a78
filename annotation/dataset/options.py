"""From the options of `dalil dataset split` (and `[release]`) to what is asked of a split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.dataset.published import published
from annotation.dataset.splitting import SHARES, Ask, folds
from annotation.dataset.ties import DEFAULT, THRESHOLD
from dalil.errors import UsageError


def asked(
    *,
    shares: Mapping[str, float] | None = None,
    folds_: int | None = None,
    by: str = "rows",
    stratify: Sequence[str] = ("label", "veracity", "site"),
    apart: Sequence[str] = DEFAULT,
    threshold: float = THRESHOLD,
    undated: str | None = None,
    seed: int = 0,
    like: str | None = None,
) -> Ask:
    """What is asked. `by` site or country keeps those whole: they join what is kept apart.

    Raises UsageError for options that contradict each other.
    """
    if sum(found is not None for found in (shares, folds_, like)) > 1:
        raise UsageError("shares, folds and like are three ways to say the sizes", todo="give one of them")
    counts = dict(published(like).splits) if like else None
    wanted: Mapping[str, float] = shares or SHARES
    if folds_ is not None:
        wanted = folds(folds_)
    if counts:
        whole = sum(sum(cells.values()) for cells in counts.values())
        wanted = {name: sum(cells.values()) / whole for name, cells in counts.items()}
        stratify = ("label",)
    whole_kinds = tuple(apart)
    if by in ("site", "country"):
        whole_kinds = tuple(dict.fromkeys((*apart, by)))
        stratify = tuple(name for name in stratify if name != by)
    return Ask(
        shares=wanted,
        stratify=tuple(stratify),
        apart=whole_kinds,
        threshold=threshold,
        by="time" if by == "time" else "rows",
        undated=undated,
        seed=seed,
        counts=counts,
    )


def parse_shares(given: Sequence[str]) -> dict[str, float] | None:
    """`train=0.8` … as given on the command line; numbers that add up to another total are scaled."""
    if not given:
        return None
    found: dict[str, float] = {}
    for word in given:
        name, _, number = word.partition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError as error:
            raise UsageError(f"--share {word!r} is no NAME=NUMBER", todo="e.g. --share train=0.8") from error
    total = sum(found.values())
    if total <= 0 or any(number <= 0 for number in found.values()):
        raise UsageError("shares are numbers above 0")
    return {name: number / total for name, number in found.items()}


def words(text: str) -> tuple[str, ...]:
    """A list given as `a,b,c`."""
    return tuple(word.strip() for word in text.split(",") if word.strip())
