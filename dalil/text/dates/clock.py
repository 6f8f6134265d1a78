"""The time of day that stands beside a date."""

from __future__ import annotations

import re

_TIME = re.compile(
    r"(?<![\d:])(?<!\d\.)(?P<h>[01]?\d|2[0-3])(?::|\s?h\s?)(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:[.,]\d+)?)?(?![\d:])"
    r"(?:\s{0,3}(?P<half>a\.?m\b\.?|p\.?m\b\.?|صباحا|مساء|ظهرا|ص|م)(?!\w))?"
    r"(?:\s{0,3}(?P<zone>z|utc|gmt|[+-](?:0\d|1[0-4]):?[0-5]\d)(?![\w:-]))?"
)
_AFTER, _BEFORE = 40, 20
"""Characters within which a time belongs to a date."""


def time_beside(form: str, start: int, end: int) -> tuple[str | None, str | None]:
    """Time (`16:24`, with seconds if stated) and zone (`Z`, `+03:00`) beside the date at start:end.

    The first one that begins soon after the date, else the last one that ends just before it.
    """
    match = _TIME.search(form, end, min(len(form), end + _AFTER + 20))
    if match is None or match.start() - end > _AFTER:
        before = [m for m in _TIME.finditer(form, max(0, start - _BEFORE), start) if m.end() <= start]
        match = before[-1] if before else None
    if match is None:
        inside = _TIME.search(form, start, end)  # words such as `today at 10:33` are one match
        match = inside
    if match is None:
        return None, None
    hour = _hour(int(match["h"]), match["half"] or "")
    time = f"{hour:02}:{match['m']}" + (f":{match['s']}" if match["s"] else "")
    return time, _zone(match["zone"])


def _hour(hour: int, half: str) -> int:
    if half in ("مساء", "م") or half.startswith("p"):
        return hour + 12 if hour < 12 else hour
    if half == "ظهرا":  # noon: from 11 to 4
        return hour + 12 if hour < 5 else hour
    if half and hour == 12:
        return 0
    return hour


def _zone(zone: str | None) -> str | None:
    if zone is None:
        return None
    if zone in ("z", "utc", "gmt"):
        return "Z"
    return f"{zone[:3]}:{zone[-2:]}"
