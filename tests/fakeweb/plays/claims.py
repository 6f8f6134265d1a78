"""Sites that claims come from: WordPress in three states, an archive, APIs, shorteners."""

from __future__ import annotations

import json
from collections.abc import Callable

from fakeweb.play import Answer, Asked, Play, data, page, redirect

wp = Play("wp.example")
feed = Play("wpfeed.example")
html = Play("wphtml.example")
listing = Play("listing.example")
captured = Play("captures.example")
statements = Play("statements.example")
factcheck = Play("factcheck.example")
shortener = Play("short.example")
perma = Play("perma.example")
spam = Play("hijacked.example")

POSTS = 205
"""posts of the site with the REST interface: three pages of it"""
NEW: list[int] = []
"""numbers of claims that listing.example publishes later"""


def check(host: str, number: int, links: str = "") -> Answer:
    return page(
        f'<html lang="ar"><title>تحقيق {number}</title><h1>حقيقة الخبر رقم {number} عن المدينة</h1>'
        f'<b class="verdict">زائف</b><time datetime="2021-03-{number % 28 + 1:02d}">x</time>'
        f'<div class="body"><p>نفت الجهات المعنية الخبر رقم {number}.</p>{links}</div>'
    )


def checks(play: Play, host: str) -> Callable[[Asked, str], Answer]:
    @play.at("/check/{number}")
    def one(asked: Asked, number: str) -> Answer:
        return check(host, int(number))

    return one


for each, name in ((wp, "wp.example"), (feed, "wpfeed.example"), (html, "wphtml.example")):
    checks(each, name)


@wp.at("/wp-json/wp/v2/posts")
def rest(asked: Asked) -> Answer:
    number, size = int(asked.params["page"]), int(asked.params["per_page"])
    numbers = range(POSTS - (number - 1) * size, max(0, POSTS - number * size), -1)
    if not numbers:
        return data({"code": "rest_post_invalid_page_number"}, status=400)
    return data([{"id": n, "link": f"http://wp.example/check/{n}"} for n in numbers])


@feed.at("/wp-json/{path*}")
def no_rest(asked: Asked, path: str) -> Answer:
    return page("<p>forbidden</p>", status=404)


@feed.at("/feed/")
def rss(asked: Asked) -> Answer:
    number = int(asked.params.get("paged", "1"))
    if number > 2:
        return page("<p>none</p>", status=404)
    items = "".join(
        f"<item><title>ت</title><link>http://wpfeed.example/check/{n}</link></item>"
        for n in range(number * 3, number * 3 - 3, -1)
    )
    body = f'<?xml version="1.0"?><rss version="2.0"><channel><link>http://wpfeed.example</link>{items}</channel></rss>'
    return Answer(200, body.encode(), (("Content-Type", "application/rss+xml"),))


@html.at("/")
def front(asked: Asked) -> Answer:
    return page('<h2><a href="/check/2">2</a></h2><h2><a href="/check/1">1</a></h2>')


@listing.at("/list")
def newest_first(asked: Asked) -> Answer:
    numbers = sorted((*range(1, 31), *NEW), reverse=True)
    number = int(asked.params.get("page", "1"))
    shown = numbers[(number - 1) * 5 : number * 5]
    more = f'<a class="next" href="/list?page={number + 1}">next</a>' if number * 5 < len(numbers) else ""
    return page("".join(f'<h2><a href="/check/{n}">{n}</a></h2>' for n in shown) + more)


@listing.at("/check/{number}")
def linked(asked: Asked, number: str) -> Answer:
    links = ""
    if number == "1":
        links = '<a href="https://perma.cc/AB12-CD34">1</a> <a href="https://t.co/Abc123">2</a> <a href="https://t.co/Dead99">3</a>'
    return check("listing.example", int(number), links)


@captured.at("/cdx/search/cdx")
def cdx(asked: Asked) -> Answer:
    names = asked.params["fl"].split(",")
    rows = [
        {
            "timestamp": f"2019010{n}000000",
            "original": f"http://www.past.example/check/{n}",
            "statuscode": "200",
            "mimetype": "text/html",
            "digest": f"D{n}",
        }
        for n in range(1, 5)
    ] + [
        {
            "timestamp": "20190101000000",
            "original": "http://www.past.example/about",
            "statuscode": "200",
            "mimetype": "text/html",
            "digest": "A",
        }
    ]
    body: list[list[str]] = [names, *([row[name] for name in names] for row in rows)]
    return Answer(200, json.dumps(body).encode(), (("Content-Type", "application/json"),))


@captured.at("/web/{stamp}id_/{url*}")
def replay(asked: Asked, stamp: str, url: str) -> Answer:
    return check("past.example", int(url.rsplit("/", 1)[1]))


@statements.at("/graphql")
def graphql(asked: Asked) -> Answer:
    if asked.method != "POST":
        return data({"errors": [{"message": "POST"}]}, status=405)
    variables = json.loads(asked.body)["variables"]
    numbers = range(variables["offset"], min(variables["offset"] + variables["limit"], 5))
    return data(
        {
            "data": {
                "statements": [
                    {
                        "id": str(n),
                        "content": f"Výrok číslo {n}",
                        "assessment": {"veracity": {"name": "Pravda"}},
                    }
                    for n in numbers
                ]
            }
        }
    )


@factcheck.at("/v1alpha1/claims:search")
def search(asked: Asked) -> Answer:
    if asked.params.get("key") != "a-secret-key":
        return data({"error": {"code": 403, "message": "denied"}}, status=403)
    second = asked.params.get("pageToken") == "two"
    review = {
        "url": f"https://checks.example/{'b' if second else 'a'}",
        "textualRating": "زائف",
        "languageCode": "ar",
    }
    found = {"claims": [{"text": "ادعاء عن جسر", "claimReview": [review]}]}
    return data(found if second else {**found, "nextPageToken": "two"})


@shortener.at("/Abc123")
def to_post(asked: Asked) -> Answer:
    return redirect("http://forbidden-x.example/from-t-co")


@perma.at("/api/v1/public/archives/{key}/")
def archived(asked: Asked, key: str) -> Answer:
    return data({"guid": key, "url": "https://twitter.com/somebody/status/1402000000000000001"})


@spam.at("/{path*}")
def casino(asked: Asked, path: str) -> Answer:
    return page(
        '<title>Slot Gacor Casino Online</title><h2><a href="/check/1">judi</a></h2><a>togel</a><a>maxwin</a>'
    )
