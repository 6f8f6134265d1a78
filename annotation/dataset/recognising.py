"""Whether files in a published data set's form are that data set: many others are written in its form."""

from __future__ import annotations

from annotation.dataset.published import Published
from annotation.dataset.rows import DataSet
from dalil.wording import counted

TIMES = 2
"""files with fewer than 1/TIMES or more than TIMES of the stated pairs are not the published ones"""


def why_not(data: DataSet, stated: Published) -> str | None:
    """Why rows are not taken for a published data set, or None: they are, and must have its figures.

    A cut or edited copy is still taken for it, so that `verify` says what it lacks: its claims come from
    the stated sources (where rows say), and it has half to twice the stated pairs.
    """
    rows = data.rows
    named = [place for row in rows if (place := row.site or row.claim_url)]
    if stated.sources and named:
        known = sum(stated.source_of(place) is not None for place in named)
        if TIMES * known < len(named):
            return f"{known:,} of {counted(len(named), 'pair')} that name a source name one of its own"
    if not stated.pairs <= TIMES * len(rows) <= TIMES * TIMES * stated.pairs:
        return f"{counted(len(rows), 'pair')}, not about {stated.pairs:,}"
    return None
