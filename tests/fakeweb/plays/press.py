"""The site whose articles the search services find."""

from __future__ import annotations

from fakeweb.play import Answer, Asked, Play, page
from fakeweb.press import HOST, PIECES

press = Play(HOST)


@press.at("/robots.txt")
def robots(asked: Asked) -> Answer:
    return Answer(200, b"User-agent: *\nAllow: /\n", (("Content-Type", "text/plain"),))


@press.at("/news/{number}")
def news(asked: Asked, number: str) -> Answer:
    if not number.isdigit() or int(number) >= len(PIECES):
        return page("<title>404</title>", status=404)
    piece = PIECES[int(number)]
    return page(
        f'<html lang="ar" dir="rtl"><head><title>{piece.title}</title>'
        f'<meta property="article:published_time" content="{piece.day}T08:00:00Z"></head>'
        f"<body><article><h1>{piece.title}</h1>"
        + "".join(f"<p>{sentence}.</p>" for sentence in piece.body.split(". "))
        + "</article></body></html>"
    )
