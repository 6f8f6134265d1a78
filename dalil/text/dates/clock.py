"""The time of day that stands beside a date."""

from __future__ import annotations

import re

_TIME = re.compile(
    r"(?<![\d:])(?<!\d\.)(?P<h>[01]?\d|2[0-3])(?::|\s?h\s?)(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:[.,]\d+)?)?(?![\d:])"
    r"(?:\s{0,3}(?P<half>a\.?m\b\.?|p\.?m\b\.?|صباحا|مساء|ظهرا|ص|م)(?!\w))?"
    r"(?:\s{0,3}(?P<zone>z|utc|gmt|[+-](?:0\d|1[0-4]):?[0-5]\d)(?![\w:-]))?"
)
_AFTER, _BEFORE = 40, 20
"""Characters, white space apart, within which a time belongs to a date."""
_WINDOW = 300


def time_beside(form: str, start: int, end: int) -> tuple[str | None, str | None]:
    """Time (`16:24`, with seconds if stated) and zone (`Z`, `+03:00`) beside the date at start:end.

    The first one that begins soon after the date, else the last one that ends just before it.
    """
    match = _TIME.search(form, end, end + _WINDOW)
    if match is None or _length(form[end : match.start()]) > _AFTER:
        *_, match = None, *_TIME.finditer(form, max(0, start - _WINDOW), start)
        if match is None or _length(form[match.end() : start]) > _BEFORE:
            return None, None
    hour = _hour(int(match["h"]), match["half"] or "")
    time = f"{hour:02}:{match['m']}" + (f":{match['s']}" if match["s"] else "")
    return time, _zone(match["zone"])


def _length(text: str) -> int:
    return len("".join(text.split()))


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
