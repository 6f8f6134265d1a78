"""A Wayback Machine: CDX listings with resume keys, raw replay, and one that says 429."""

from __future__ import annotations

import json

from fakeweb.play import Answer, Asked, Play, page, redirect

archive = Play("archive.example")
tired = Play("tired-archive.example")

CAPTURES = {
    "http://www.gone.example/story": ("20110105000000", "20180301120000", "20190610080000", "20240101000000"),
    "http://www.gone.example/moved": ("20190102030405",),
    "http://www.gone.example/leads-out": ("20190102030405",),
}
MANY = tuple(f"http://www.gone.example/item/{number}" for number in range(25))


@archive.at("/robots.txt")
def robots(asked: Asked) -> Answer:
    """As on the real one, crawling the archive's own pages is not wanted; replay is a service."""
    return Answer(200, b"User-agent: *\nDisallow: /\n", (("Content-Type", "text/plain"),))


@archive.at("/cdx/search/cdx")
def cdx(asked: Asked) -> Answer:
    names = asked.params.get("fl", "timestamp,original").split(",")
    rows = _rows(asked.params["url"], asked.params.get("matchType", "exact"))
    begin = int(asked.params.get("resumeKey", "0") or 0)
    limit = min(int(asked.params.get("limit", "10")), 10)
    shown = rows[begin : begin + limit]
    body: list[list[str]] = [[row[name] for name in names] for row in shown]
    if body:
        body.insert(0, names)
    if asked.params.get("showResumeKey") == "true" and begin + limit < len(rows):
        body += [[], [str(begin + limit)]]
    return Answer(200, json.dumps(body).encode(), (("Content-Type", "application/json"),))


def _rows(url: str, match: str) -> list[dict[str, str]]:
    rows = []
    for original, stamps in [*CAPTURES.items(), *((one, ("20150101000000",)) for one in MANY)]:
        if original == url or (match == "prefix" and original.startswith(url)):
            rows += [
                {
                    "timestamp": stamp,
                    "original": original,
                    "statuscode": "200",
                    "mimetype": "text/html",
                    "digest": f"D{stamp}",
                }
                for stamp in stamps
            ]
    return rows


@archive.at("/web/{stamp}id_/{url*}")
def replay(asked: Asked, stamp: str, url: str) -> Answer:
    if url.endswith("/leads-out"):
        return redirect("http://a.news.example/article/1")
    if url.endswith("/moved") and stamp == "20190102030405":
        return redirect(f"http://archive.example/web/20190102030406id_/{url}")
    return page(
        f"<title>{stamp}</title><article>"
        + f"<p>كما كانت الصفحة في {stamp}: نص طويل يكفي لأن يكون مقالا.</p>" * 12
        + "</article>"
    )


@tired.at("/{path*}")
def always(asked: Asked, path: str) -> Answer:
    return Answer(429, b"Too Many Requests", (("Content-Type", "text/plain"),))
