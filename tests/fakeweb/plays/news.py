"""News sites that behave: listings with paging, articles, robots, validators, compression.

`a.news.example`, `b.news.example` … have 12 articles each. `bulk0.test` … have as many pages as
one asks for (benchmarks).
"""

from __future__ import annotations

import gzip

from fakeweb.play import Answer, Asked, Play, page

ARTICLES = 12
PER_PAGE = 5
SENTENCE = "قالت الوزارة في بيان إن الأعمال في الجسر الجديد تسير كما خطط لها وإن الافتتاح في موعده."

news = Play("*.news.example")
bulk = Play("*.bulk.example", *(f"bulk{number}.test" for number in range(64)))


@news.at("/robots.txt")
def robots(asked: Asked) -> Answer:
    return Answer(200, b"User-agent: *\nDisallow: /private/\n", (("Content-Type", "text/plain"),))


@news.at("/list")
def listing(asked: Asked) -> Answer:
    number = int(asked.params.get("page", "1"))
    first = (number - 1) * PER_PAGE + 1
    links = "".join(
        f'<li><a class="item" href="/article/{n}">خبر {n}</a></li>'
        for n in range(first, min(first + PER_PAGE, ARTICLES + 1))
    )
    more = (
        f'<a class="next" href="/list?page={number + 1}">التالي</a>' if first + PER_PAGE <= ARTICLES else ""
    )
    return page(f"<html><body><ul>{links}</ul>{more}</body></html>")


@news.at("/article/{number}")
def article(asked: Asked, number: str) -> Answer:
    if not number.isdigit() or int(number) > ARTICLES:
        return page("<title>404</title>", status=404)
    tag = f'"{asked.host}-{number}"'
    headers = (("ETag", tag), ("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT"))
    if asked.headers.get("if-none-match") == tag:
        return Answer(304, b"", headers)
    html = (
        f'<html lang="ar"><head><title>خبر {number} من {asked.host}</title>'
        f'<meta property="article:published_time" content="2019-03-{int(number):02d}T08:00:00Z">'
        f'<link rel="canonical" href="http://{asked.host}/article/{number}"></head>'
        f"<body><article><h1>خبر {number} من {asked.host}</h1>"
        + f"<p>{SENTENCE} رقم {number}.</p>" * 6
        + "</article></body></html>"
    )
    made = page(html, headers=headers)
    if int(number) % 2 == 0 and "gzip" in asked.headers.get("accept-encoding", ""):
        return Answer(200, gzip.compress(made.body, mtime=0), (*made.headers, ("Content-Encoding", "gzip")))
    return made


@news.at("/changing")
def changing(asked: Asked) -> Answer:
    """Another text each time."""
    return page(f"<title>v{asked.count}</title><p>{SENTENCE * asked.count}</p>")


@news.at("/chunked/{number}")
def chunked(asked: Asked, number: str) -> Answer:
    made = page(f"<title>{number}</title><p>{SENTENCE}</p>")
    pieces = [made.body[start : start + 50] for start in range(0, len(made.body), 50)]
    return Answer(200, b"", made.headers, chunks=pieces)


BULK = ("<p>" + SENTENCE + "</p>\n").encode() * 180
"""some 30 kB"""


@bulk.at("/robots.txt")
def bulk_robots(asked: Asked) -> Answer:
    return Answer(200, b"User-agent: *\nAllow: /\n", (("Content-Type", "text/plain"),))


@bulk.at("/page/{number}")
def bulk_page(asked: Asked, number: str) -> Answer:
    head = f"<html><head><title>{asked.host} {number}</title></head><body>".encode()
    return Answer(200, head + BULK + b"</body></html>", (("Content-Type", "text/html; charset=utf-8"),))


turn = Play("turn.example", "*.turn.example")


@turn.at("/{path*}")
def take_turns(asked: Asked, path: str) -> Answer:
    """Each answer takes 20 ms: two that overlap would be seen."""
    return Answer(404) if path == "robots.txt" else page(SENTENCE, delay=0.02)
