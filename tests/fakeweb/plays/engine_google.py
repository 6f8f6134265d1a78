"""Google's Custom Search JSON API, at `google-api.example`: its paging, limits and errors.

Ten results a page, a hundred a question. Its dates are estimates: article 9 it thinks a week older.
Words in the query make it misbehave: «يومي» the daily quota, «دقيقة» the rate of a minute, once.
"""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import parse_qs

from fakeweb.play import Answer, Asked, Play, data
from fakeweb.press import PIECES, Piece

google = Play("google-api.example")
KEY = "AIza-right-key"
LONGEST = 2048
LATE = 9
MANY = 137


def error(status: int, reason: str, message: str) -> Answer:
    details = [{"reason": reason, "message": message, "domain": "usageLimits"}]
    return data({"error": {"code": status, "message": message, "errors": details}}, status=status)


def estimated(piece: Piece) -> str:
    return "2019-03-02" if piece.number == LATE else piece.day


@google.at("/customsearch/v1")
def search(asked: Asked) -> Answer:
    text = asked.query
    if asked.method == "POST":
        if asked.headers.get("x-http-method-override") != "GET":
            return error(404, "notFound", "no such method")
        text = asked.body.decode()
    elif len(f"https://{asked.host}{asked.path}?{asked.query}") > LONGEST:
        return Answer(414, b"<title>Error 414 (Request-URI Too Large)!!1</title>")
    params = {name: values[-1] for name, values in parse_qs(text).items()}
    if params.get("key") != KEY:
        return error(400, "badRequest", "API key not valid. Please pass a valid API key.")
    start, count = int(params.get("start", "1")), int(params.get("num", "10"))
    if not params.get("cx") or not 1 <= count <= 10 or start + count > 101:
        return error(400, "badRequest", "Request contains an invalid argument.")
    if "يومي" in params["q"]:
        return error(403, "dailyLimitExceeded", "Daily Limit Exceeded")
    if "دقيقة" in params["q"] and asked.count == 1:
        message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'"
        return error(429, "rateLimitExceeded", message)
    return data(results(params, start, count))


def results(params: dict[str, str], start: int, count: int) -> dict[str, Any]:
    """A page of answers. Without a window it finds more than it gives."""
    if params.get("sort", "").startswith("date:r:"):
        first, last = (f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in params["sort"].split(":")[2:])
        pieces = [piece for piece in PIECES if first <= estimated(piece) <= last]
    elif "نادر" in params["q"]:
        pieces = []
    else:
        pieces = [PIECES[number % len(PIECES)] for number in range(MANY)]
    shown = pieces[start - 1 : start - 1 + count]
    answer: dict[str, Any] = {
        "kind": "customsearch#search",
        "searchInformation": {"totalResults": str(len(pieces)), "searchTime": 0.2},
        "queries": {"request": [{"startIndex": start, "count": len(shown)}]},
    }
    if shown:
        answer["items"] = [item(piece, start + place) for place, piece in enumerate(shown)]
    if len(pieces) > start - 1 + count:
        answer["queries"]["nextPage"] = [{"startIndex": start + count}]
    return answer


def item(piece: Piece, rank: int) -> dict[str, Any]:
    day = date.fromisoformat(estimated(piece))
    url = piece.url if rank <= len(PIECES) else f"{piece.url}?again={rank}"
    return {
        "kind": "customsearch#result",
        "title": piece.title,
        "link": url,
        "snippet": f"{day:%b} {day.day}, {day.year} ... {piece.body[:60]}",
        "pagemap": {"metatags": [{"article:published_time": f"{piece.day}T08:00:00Z"}]},
    }
