"""Places where a test may kill the process, as a power cut would.

`DALIL_FAILPOINT=commit:3` sends SIGKILL to this process at its third `commit`. Points: `commit`
(before a transaction is committed), `write` (in the middle of a WARC record), `send` (a request is
journalled and not yet sent), `sent` (it is answered and the answer is not yet stored).
"""

from __future__ import annotations

import os
import signal
from collections import Counter

POINTS = ("commit", "write", "send", "sent")
VARIABLE = "DALIL_FAILPOINT"
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


def reset() -> None:
    """Begin counting anew (a forked test child)."""
    _passed.clear()
