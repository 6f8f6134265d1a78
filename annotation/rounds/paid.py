"""Paid time: what somebody spent it on."""

from __future__ import annotations

from dalil.ids import make_id
from dalil.records import Work, utc_now


def spent(on: str, person: str, what: str, seconds: float, name: str | None = None) -> Work:
    """Seconds of somebody's work, in a round if it is one's. `on` is the id of what they were spent on: the
    same thing is paid once.
    """
    return Work(
        id=make_id("work", on),
        person=person,
        what=what,
        round=name,
        seconds=round(seconds, 1),
        at=utc_now(),
    )
