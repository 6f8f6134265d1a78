"""Telling limits apart: what to wait for, and what no waiting helps.

A *rate* limit passes in seconds or minutes. A spent *quota* (a day, a month, a cap) or spent
*credits* do not: asking again in a loop costs nothing but goodwill, so the run stops (exit status 3).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

LONGEST_WAIT = 30 * 86400.0
"""seconds: a service that asks for a longer wait is asked again after this (no calendar holds some)"""


class Kind(StrEnum):
    """What a refusal is."""

    RATE = "rate limit"
    QUOTA = "spent quota"
    CREDITS = "spent credits"
    AUTH = "refused key"
    BUSY = "busy service"
    OTHER = "other"


_QUOTA = re.compile(
    r"dailyLimitExceeded|quotaExceeded|quota.?exceeded|daily.?limit|per day|monthly|usage[-_ ]?cap"
    r"|UsageCapExceeded"
    r"|limit.?exceeded.?unreg|billing|plan limit|searches for the month|run out of searches|subscription",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"rateLimitExceeded|userRateLimitExceeded|rate.?limit|per minute|per second|too many requests"
    r"|slow down|one every",
    re.IGNORECASE,
)
_CREDITS = re.compile(
    r"creditsDepleted|credits? (?:are |is )?(?:depleted|exhausted|spent)"
    r"|insufficient (?:credit|fund|balance)"
    r"|payment required",
    re.IGNORECASE,
)
_AUTH = re.compile(
    r"keyInvalid|API[_ ]KEY[_ ]INVALID|API key not valid"
    r"|invalid.{0,12}(?:api.?key|token|credential)|unauthorized",
    re.IGNORECASE,
)


def kind(status: int, headers: Mapping[str, str], body: str) -> Kind | None:
    """What a refusal is, or None where the answer is none (2xx, 3xx, 404 …).

    Google (`error.errors[].reason`), X (`title`, `type`), SerpApi and Brave (messages) are told
    apart by what they say, not by the status alone: each of them uses 403 or 429 for several things.
    """
    if status in (401, 407):
        return Kind.AUTH
    if status == 402:
        return Kind.CREDITS
    if status in (500, 502, 503, 504):
        return Kind.BUSY
    if status not in (400, 403, 429):
        return None
    said = " ".join(_said(body))[:4000]
    if _CREDITS.search(said):
        return Kind.CREDITS
    if status in (403, 429):
        reasons = " ".join(_reasons(body))
        if re.search(r"\b(?:user)?rateLimitExceeded\b", reasons, re.IGNORECASE) and not _QUOTA.search(
            reasons
        ):
            return Kind.QUOTA if re.search(r"per day", said, re.IGNORECASE) else Kind.RATE
        if _QUOTA.search(said):
            return Kind.QUOTA
        if status == 429 or _RATE.search(said):
            return Kind.RATE
    if status == 403 or _AUTH.search(said):
        return Kind.AUTH
    return Kind.OTHER if status != 400 else None


def retry_after(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Seconds to wait as the answer says: Retry-After (seconds or a date), or x-rate-limit-reset (epoch).

    Between 0 and LONGEST_WAIT; None where it says nothing that can be understood.
    """
    said = _said_wait(headers, time.time() if now is None else now)
    return None if said is None else min(max(0.0, said), LONGEST_WAIT)


def _said_wait(headers: Mapping[str, str], moment: float) -> float | None:
    lowered = {name.lower(): value.strip() for name, value in headers.items()}
    value = lowered.get("retry-after", "")
    if re.fullmatch(r"\d{1,9}(?:\.\d+)?", value):
        return float(value)
    if value:
        try:
            return parsedate_to_datetime(value).timestamp() - moment
        except (ValueError, TypeError, OverflowError):
            pass
    reset = lowered.get("x-rate-limit-reset", "")
    if re.fullmatch(r"\d{9,12}", reset) and lowered.get("x-rate-limit-remaining", "0") == "0":
        return float(reset) - moment
    return None


def _said(body: str) -> Iterable[str]:
    """The texts in an error answer: all strings of its JSON, or the body itself."""
    try:
        yield from _strings(json.loads(body))
    except (ValueError, RecursionError):
        yield re.sub(r"<[^>]{0,500}>", " ", body[:20_000])


def _reasons(body: str) -> Iterable[str]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return
    error = value.get("error") if isinstance(value, dict) else None
    for row in (
        error.get("errors", []) if isinstance(error, dict) and isinstance(error.get("errors"), list) else []
    ):
        if isinstance(row, dict):
            yield str(row.get("reason", ""))


def _strings(value: Any, depth: int = 0) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif depth < 8 and isinstance(value, dict):
        for item in value.values():
            yield from _strings(item, depth + 1)
    elif depth < 8 and isinstance(value, list):
        for item in value[:50]:
            yield from _strings(item, depth + 1)
