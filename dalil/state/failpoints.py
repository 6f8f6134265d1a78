"""Places where a test may kill the process, as a power cut would.

`DALIL_FAILPOINT=commit:3` sends SIGKILL to this process at its third `commit`. Points: `commit`
(before a transaction is committed), `write` (in the middle of a WARC record), `send` (a request is
journalled and not yet sent), `sent` (it is answered and the answer is not yet stored), `migrate`
(an older database is about to become a new one).
"""

from __future__ import annotations

import json
import os
import signal
from collections import Counter

POINTS = ("commit", "write", "send", "sent", "migrate")
VARIABLE = "DALIL_FAILPOINT"
COUNTS = "DALIL_FAILPOINT_COUNTS"
_passed: Counter[str] = Counter()


def passed(point: str) -> None:
    """Count one passing of `point`; kill this process if the test asked for it."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return
    _passed[point] += 1
    if wanted == f"{point}:{_passed[point]}":
        os.kill(os.getpid(), signal.SIGKILL)


def counts() -> dict[str, int]:
    """How often each point was passed (only counted while the variable is set)."""
    return dict(_passed)


def hand_over(environment: dict[str, str]) -> None:
    """For a child process that does part of the work: it goes on counting where this one is."""
    if os.environ.get(VARIABLE):
        environment[COUNTS] = json.dumps(_passed)


def take_over(found: dict[str, int] | None = None) -> None:
    """Go on counting where the parent was (a child), or where the child ended (its parent, `found`)."""
    given = json.loads(os.environ.get(COUNTS, "{}")) if found is None else found
    _passed.clear()
    _passed.update(given)


def fall_with(child_killed: bool) -> None:
    """A failpoint that killed the child kills its parent too, as a power cut does."""
    if child_killed and os.environ.get(VARIABLE):
        os.kill(os.getpid(), signal.SIGKILL)


def reset() -> None:
    """Begin counting anew (a forked test child)."""
    _passed.clear()
