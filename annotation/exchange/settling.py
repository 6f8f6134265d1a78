"""After an import: third ratings where first choices differ now, and none where they agree now.

A transaction for a few pairs each: nobody's submit waits for long, and what a kill cut short is done by the
same import again, or by the next deal.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from annotation.rounds.following import Follower, needs_third
from annotation.rounds.kinds import MAIN, THIRD
from annotation.rounds.reading import latest, tied
from annotation.rounds.writing import writing
from dalil.progress import Reporter, Silent
from dalil.records import Annotation, Assignment
from dalil.state.store import Store

AT_ONCE = 10
"""pairs in a transaction: about a tenth of a second"""
PAUSE = 0.12
"""seconds between two: SQLite asks for a lock that it waits for every tenth of a second, and who takes it
again at once keeps everybody out"""


def settle(store: Store, follower: Follower, pairs: Iterable[str], reporter: Reporter | None = None) -> None:
    """Let third ratings follow on these pairs."""
    waiting = unsettled(store, pairs)
    said = reporter or Silent()
    said.begin("third ratings", len(waiting))
    for start in range(0, len(waiting), AT_ONCE):
        if start:
            time.sleep(PAUSE)
        with writing(store) as writer:
            for pair in waiting[start : start + AT_ONCE]:
                follower.after(writer, pair, MAIN)
                said.step()
    said.done(None)


def unsettled(store: Store, pairs: Iterable[str]) -> list[str]:
    """Those whose first choices differ with no third asked, or agree with a third still asked for."""
    wanted = set(pairs)
    labels: dict[str, list[str]] = {}
    for (pair, _, _), one in latest(store.all(Annotation, round=MAIN)).items():
        labels.setdefault(pair, []).append(one.label)
    asked = {one.pair_id for one in store.all(Assignment, round=THIRD) if one.withdrawn is None}
    agreed = {pair for pair in asked if pair in labels and not tied(labels[pair])}
    return sorted(wanted & (needs_third(store) | agreed))
