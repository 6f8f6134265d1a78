"""GDELT DOC 2.0, at `gdelt-api.example`: plain-text errors under HTTP 200, illegal escapes, English words.

The word `hasty` is asked too fast (once), `always` is always too fast, `odd` brings illegal escapes,
`broken` half an answer, `page` a page of HTML, `nothing` no article.
"""

from __future__ import annotations

import json
import re

from fakeweb.play import Answer, Asked, Play
from fakeweb.press import PIECES

gdelt = Play("gdelt-api.example")
TOO_FAST = "Please limit requests to one every 5 seconds or contact the project for larger queries."


def text(words: str, status: int = 200) -> Answer:
    return Answer(status, words.encode(), (("Content-Type", "text/html; charset=utf-8"),))


@gdelt.at("/api/v2/doc/doc")
def doc(asked: Asked) -> Answer:
    params = asked.params
    words = re.sub(r"\w+:\w+", "", params["query"]).replace('"', "").split()
    if any(re.search("[\u0600-\u06ff]", word) for word in words):
        return text("Native-language search is not supported.")
    if any(len(word) < 3 for word in words):
        return text("The specified phrase is too short.\n")
    if "always" in words or ("hasty" in words and asked.count == 1):
        return text(TOO_FAST, 200 if "always" in words else 429)
    if "page" in words:
        return text("<html><body>Service unavailable</body></html>")
    if "nothing" in words:
        return text("{}")
    start, end = params["startdatetime"], params["enddatetime"]
    pieces = [piece for piece in PIECES if start[:8] <= piece.day.replace("-", "") <= end[:8]]
    articles = [
        {
            "url": piece.url,
            "url_mobile": "",
            "title": f"{piece.title} {'@@' if 'odd' in words else ''}",
            "seendate": piece.day.replace("-", "") + "T101500Z",
            "domain": "press.example",
            "language": "Arabic",
            "sourcecountry": "Egypt",
        }
        for piece in pieces[: int(params.get("maxrecords", "75"))]
    ]
    body = json.dumps({"articles": articles}, ensure_ascii=False).replace("@@", "\\'قال\\' \\x \\\\ \t")
    if "broken" in words:
        body = body[: len(body) // 2]
    return Answer(200, body.encode(), (("Content-Type", "application/json"),))
