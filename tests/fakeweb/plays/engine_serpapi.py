"""SerpApi, at `serpapi.example`: ten a page, Google's windows, errors in `error` with several statuses.

«نفدت» is an account without searches, «ساعة» its hourly throughput (once), «عطل» a search that failed.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from fakeweb.play import Answer, Asked, Play, data
from fakeweb.press import PIECES

serpapi = Play("serpapi.example")
KEY = "serp-right-key"


@serpapi.at("/search.json")
def search(asked: Asked) -> Answer:
    params = asked.params
    if params.get("api_key") != KEY:
        said = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
        return data({"error": said}, status=401)
    text = params.get("q", "")
    if not text:
        return data({"error": "Missing query `q` parameter."}, status=400)
    if "نفدت" in text:
        return data({"error": "Your account has run out of searches."}, status=429)
    if "ساعة" in text and asked.count == 1:
        return data({"error": "Your account has exceeded the hourly throughput limit."}, status=429)
    if "عطل" in text:
        failed = {"search_metadata": {"status": "Error"}, "error": "Google took too long to answer."}
        return data(failed)
    return data(answer(params, asked.params.get("api_key", "")))


def answer(params: dict[str, str], key: str) -> dict[str, Any]:
    """A page of answers. It repeats the key in the address of the next page, as a careless service may."""
    start = int(params.get("start", "0"))
    pieces = list(PIECES)
    limits = re.fullmatch(r"cdr:1,cd_min:(\d+)/(\d+)/(\d+),cd_max:(\d+)/(\d+)/(\d+)", params.get("tbs", ""))
    if limits:
        month, day, year, to_month, to_day, to_year = map(int, limits.groups())
        first, last = date(year, month, day).isoformat(), date(to_year, to_month, to_day).isoformat()
        pieces = [piece for piece in pieces if first <= piece.day <= last]
    shown = pieces[start : start + 10]
    found: dict[str, Any] = {"search_metadata": {"status": "Success"}}
    if not shown:
        said = "Google hasn't returned any results for this query."
        return found | {"search_information": {"organic_results_state": "Fully empty"}, "error": said}
    found["organic_results"] = [
        {
            "position": place + 1,
            "title": piece.title,
            "link": piece.url,
            "date": f"{int(piece.day[8:])}\u200f/{int(piece.day[5:7])}\u200f/{piece.day[:4]}",
            "snippet": piece.body[:50],
        }
        for place, piece in enumerate(shown)
    ]
    if len(pieces) > start + 10:
        found["serpapi_pagination"] = {
            "next": f"https://serpapi.com/search.json?start={start + 10}&api_key={key}"
        }
    return found
