"""Whether a date lies outside the window that a query asked for.

`outside_window` is marked on a Hit by the engine's own date, and on a Pair by its article's: an
engine's date may be an estimate, or the day on which it found the page.
"""

from __future__ import annotations

import re

_ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?(?=\Z|[T ])")
OUTSIDE = "outside_window"


def outside(when: str | None, start: str | None, end: str | None) -> bool:
    """Whether a date (YYYY, YYYY-MM or an ISO date or time) surely lies outside the days start … end.

    An unknown date, one in another form (imported results have what their engine wrote), and one
    that is only known to a month that the window touches, does not.
    """
    found = _ISO.match(when) if when is not None else None
    if found is None:
        return False
    known = found[0]
    before = start is not None and known < start[: len(known)]
    after = end is not None and known > end[: len(known)]
    return before or after
