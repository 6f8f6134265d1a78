"""Which claims come out of a pairing without any pair, and what helps."""

from __future__ import annotations

from collections import Counter

from dalil.records import Dropped
from dalil.state.store import Store
from dalil.wording import counted, fitting

NO_LISTED_OUTLET = "no_listed_outlet"
NO_ARTICLE = "no_article"
NOT_SEARCHED = "not_searched"
NONE_LEFT = "none_left"
_OUTLETS = 3
"""outlets that are named as examples"""


def lost(store: Store, keep: int) -> tuple[str, ...]:
    """A line for each reason by which the last pairing left whole claims without a pair.

    `keep` is that of `[pair]`. Drops of single articles (an unlisted outlet beside listed ones) are no loss
    of a claim, and `dalil status` counts them.
    """
    gone = {
        reason: [drop.key for drop in store.all(Dropped, stage="pair", reason=reason)]
        for reason in (NO_LISTED_OUTLET, NONE_LEFT, NO_ARTICLE, NOT_SEARCHED)
    }
    return tuple(
        f"{counted(len(claims), 'claim')} {fitting(len(claims), 'has', 'have')} no pair because "
        + _why(reason, claims, store, keep)
        for reason, claims in gone.items()
        if claims
    )


def _why(reason: str, claims: list[str], store: Store, keep: int) -> str:
    theirs = fitting(len(claims), "its own", "theirs")
    if reason == NO_LISTED_OUTLET:
        return (
            f"no article of {theirs} is of a listed outlet: of more than {counted(keep, 'article')} only "
            f"those of listed outlets stay{_examples(claims, store)}; add a file of domains to [pair] "
            "outlets, or set listed_only = false there: docs/3-retrieval.md, Ten a claim"
        )
    if reason == NONE_LEFT:
        return f"each article of {theirs} was dropped by [pair.leakage] or outside_window: see dalil status"
    if reason == NO_ARTICLE:
        return (
            f"nothing that was found for {fitting(len(claims), 'it', 'them')} became an article, or nothing "
            "was found: dalil status has what was dropped and why"
        )
    return f"{fitting(len(claims), 'it was', 'they were')} not searched for: dalil status says why"


def _examples(claims: list[str], store: Store) -> str:
    """` (not listed, most often: a.example (12), b.example (9))`: the outlets that the lists do not have."""
    wanted = set(claims)
    outlets = Counter(
        _domain(drop.detail)
        for drop in store.all(Dropped, stage="pair", reason="unlisted_outlet")
        if drop.detail and drop.key.split()[0] in wanted
    )
    named = ", ".join(f"{outlet} ({number})" for outlet, number in outlets.most_common(_OUTLETS))
    return f" (not listed, most often: {named})" if named else ""


def _domain(outlets: str) -> str:
    """Of an article's outlets one that can be listed, a domain; else a name."""
    names = outlets.split(", ")
    return next((name for name in names if "." in name and " " not in name), f"«{names[0]}»")
