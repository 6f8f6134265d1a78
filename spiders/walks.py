"""Walks over a site's listings: the first sees everything, a later one only what is new.

A walk is begun by `dalil collect --new` and kept in the ledger (its number and the time it began), so
that a walk that was stopped goes on where it was. Its listings are requests of its own.
"""

from __future__ import annotations

from dalil.records import ApiPage, Fetch, utc_now
from dalil.stages import Request
from dalil.state import ledger
from dalil.state.ledger import Entry
from dalil.state.store import Store
from spiders.pages import Context, page_request

STAGE = "walks"
"""the ledger keeps a row a site under this name: `version` is the walk's number and when it began"""


def current(store: Store, site: str) -> int | None:
    """The number of a site's latest walk; None for the first."""
    row = ledger.entry(store, STAGE, site)
    return int(row.version.partition(" ")[0]) if row is not None else None


def begin(store: Store, site: str) -> int:
    """Begin another walk. Returns its number (2, 3, …)."""
    number = (current(store, site) or 1) + 1
    with store.transaction() as writer:
        ledger.write(writer, STAGE, site, Entry("", f"{number} {utc_now()}", "done", None), "")
    return number


def listing(url: str, site: str, walk: int | None, *, depth: int = 0) -> Request:
    """The request for a listing in a walk."""
    if walk is None:
        return page_request(url, "listing", site, depth=depth)
    return Request("web", {"url": url, "purpose": "listing", "walk": walk}, context=Context(site, depth))


def known_before(store: Store, site: str, walk: int) -> set[str]:
    """Fingerprints of a site's pages that were stored before a walk began."""
    row = ledger.entry(store, STAGE, site)
    number, _, began = row.version.partition(" ") if row is not None else ("", "", "")
    if not began or number != str(walk):
        return set()
    fetches = store.all(Fetch, purpose="claim", site=site)
    return {
        fetch.fingerprint
        for fetch in fetches
        if fetch.status is not None and (fetch.fetched_at or "") < began
    }


def walked(store: Store, site: str) -> bool:
    """Whether anything of a site is stored: else its first walk is still to come."""
    return (
        next(store.all(Fetch, site=site), None) is not None
        or next(store.all(ApiPage, site=site), None) is not None
    )
