"""Domains that refused again and again, and are left alone for a while. Kept in the ledger."""

from __future__ import annotations

from dalil.records import utc_now
from dalil.state import ledger
from dalil.state.store import Store

STAGE = "domains"
"""the ledger keeps a row a domain under this name: `version` is the number of refusals in a row and
the last sign of one, `retry_after` until when the domain is left alone"""


def stopped(store: Store) -> dict[str, tuple[str, str]]:
    """Domain → (UTC time until which it is left alone, what it answered), sorted by name."""
    now = utc_now()
    rows = ledger.entries(store, STAGE)
    return {
        name: (row.retry_after, row.version.partition(" ")[2])
        for name, row in sorted(rows.items())
        if row.retry_after is not None and row.retry_after > now
    }
