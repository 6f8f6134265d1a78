"""A SearXNG server, at `searxng.example`; `plain.searxng.example` has JSON switched off.

Pages of uneven length, results of several engines, undated and outside any window, one with an
address that is none. «محجوب» is a query that no engine behind it answered.
"""

from __future__ import annotations

from typing import Any

from fakeweb.play import Answer, Asked, Play, data, page
from fakeweb.press import PIECES

searxng = Play("searxng.example")
plain = Play("plain.searxng.example")


@searxng.at("/search")
def search(asked: Asked) -> Answer:
    params = asked.params
    if params.get("format") != "json":
        return page("<html><title>searxng</title></html>")
    if "محجوب" in params["q"]:
        silent = [["google", "too many requests"], ["brave", "timeout"]]
        return data({"query": params["q"], "results": [], "unresponsive_engines": silent})
    if "كثرة" in params["q"]:
        return page("<title>429 Too Many Requests</title>", status=429)
    number = int(params.get("pageno", "1"))
    pages = {1: PIECES[:7], 2: PIECES[7:9]}
    results: list[dict[str, Any]] = [
        {
            "url": piece.url,
            "title": piece.title,
            "content": piece.body[:50],
            "engine": "google",
            "engines": ["google", "mojeek"],
            "publishedDate": None if piece.number % 3 == 0 else f"{piece.day}T00:00:00",
            "score": 1.0,
        }
        for piece in pages.get(number, ())
    ]
    if number == 1:
        results.append({"url": "magnet:?xt=urn:btih:0", "title": "ملف", "content": "", "engine": "files"})
    return data(
        {"query": params["q"], "number_of_results": 0, "results": results, "unresponsive_engines": []}
    )


@plain.at("/search")
def forbidden(asked: Asked) -> Answer:
    return page("<!doctype html><title>403 Forbidden</title><h1>Forbidden</h1>", status=403)
