"""Brave Search, at `brave-api.example`: twenty a page, offsets 0–9, windows by day of discovery.

A wrong key is a 422 there; «شهري» is a spent month, «ثانية» a rate (once), «رصيد» spent credits.
"""

from __future__ import annotations

import re
from typing import Any

from fakeweb.play import Answer, Asked, Play, data
from fakeweb.press import PIECES

brave = Play("brave-api.example")
KEY = "BSA-right-key"


def error(status: int, code: str, detail: str, meta: dict[str, Any], **more: Any) -> Answer:
    found = {"id": "x", "status": status, "code": code, "detail": detail, "meta": meta}
    return data({"type": "ErrorResponse", "error": found, "time": 1}, status=status, **more)


@brave.at("/res/v1/web/search")
def search(asked: Asked) -> Answer:
    params, key = asked.params, asked.headers.get("x-subscription-token")
    if key is None:
        return error(
            422, "VALIDATION", "Unable to validate", {"errors": [{"loc": ["header", "x-subscription-token"]}]}
        )
    if key != KEY:
        said = "The provided subscription token is invalid."
        return error(422, "SUBSCRIPTION_TOKEN_INVALID", said, {"component": "authentication"})
    offset, count = int(params.get("offset", "0")), int(params.get("count", "20"))
    text = params["q"]
    if not 0 <= offset <= 9 or not 1 <= count <= 20 or len(text) > 400 or len(text.split()) > 50:
        return error(422, "VALIDATION", "Unable to validate request parameter(s)", {"errors": []})
    left = {"plan": "Base", "rate_limit": 1, "rate_current": 1, "quota_limit": 5000}
    if "شهري" in text:
        headers = (("X-RateLimit-Limit", "1, 5000"), ("X-RateLimit-Remaining", "1, 0"))
        meta = left | {"quota_current": 5000}
        return error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", meta, headers=headers)
    if "ثانية" in text and asked.count == 1:
        headers = (("X-RateLimit-Limit", "1, 5000"), ("X-RateLimit-Remaining", "0, 4100"))
        meta = left | {"quota_current": 900}
        return error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", meta, headers=headers)
    if "رصيد" in text:
        return error(402, "PAYMENT_REQUIRED", "Payment required", {})
    return data(answer(params, offset, count))


def answer(params: dict[str, str], offset: int, count: int) -> dict[str, Any]:
    """A page of answers; without a window there are some more than a page."""
    pieces = list(PIECES)
    window = re.fullmatch(r"(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)", params.get("freshness", ""))
    if window:
        pieces = [piece for piece in pieces if window[1] <= piece.day <= window[2]]
    shown = pieces[offset * count : (offset + 1) * count]
    results = [
        {
            "type": "search_result",
            "title": f"{piece.title} &amp; غيره",
            "url": piece.url,
            "description": f"<strong>{piece.title}</strong> {piece.body[:40]}",
            "page_age": f"{piece.day}T09:00:00",
            "age": "March 1, 2019",
            "language": "ar",
        }
        for piece in shown
    ]
    more = len(pieces) > (offset + 1) * count
    query = {"original": params["q"], "more_results_available": more}
    found: dict[str, Any] = {"type": "search", "query": query}
    return found | {"web": {"type": "search", "results": results}} if results else found
