"""Sites that misbehave, one host a fault."""

from __future__ import annotations

import gzip
import zlib

from fakeweb.play import Answer, Asked, Play, endless, page, redirect

TEXT = "<p>" + "نص عربي يكفي لأن يكون صفحة حقيقية. " * 20 + "</p>"
CHALLENGE = (
    "<!DOCTYPE html><html><head><title>Just a moment...</title></head>"
    "<body><noscript>"
    "Enable JavaScript and cookies to continue</noscript>"
    "<script>window._cf_chl_opt={cType:'managed'};</script></body></html>"
)

slow = Play("slow.example")
lost = Play("lost.example")
loops = Play("loops.example")
inward = Play("inward.example")
files = Play("files.example")
bombs = Play("bombs.example")
walls = Play("walls.example", "forbidden.example")
busy = Play("busy.example")
jammed = Play("jammed.example")
sleepy = Play("sleepy.example")
closed = Play("closed.example")
sick = Play("sick.example")
flaky = Play("flaky.example")
gone = Play("gone.example", "*.gone.example")


@slow.at("/page")
def slow_page(asked: Asked) -> Answer:
    return page(TEXT, delay=5.0)


@slow.at("/drip")
def drip(asked: Asked) -> Answer:
    """Bytes without end, one now and then."""
    return Answer(200, b"", (("Content-Type", "text/html"),), chunks=endless(b"<p>"), pause=0.05)


@lost.at("/drop")
def drop(asked: Asked) -> Answer:
    return Answer(drop=True)


@lost.at("/cut")
def cut(asked: Asked) -> Answer:
    """Half of what Content-Length promises."""
    made = page(TEXT)
    return Answer(200, made.body, made.headers, cut=len(made.body) // 2)


@lost.at("/chunks")
def broken_chunks(asked: Asked) -> Answer:
    return Answer(200, b"", (("Content-Type", "text/html"),), chunks=[TEXT.encode()], broken_chunks=True)


@loops.at("/endless/{number}")
def endless_redirects(asked: Asked, number: str) -> Answer:
    return redirect(f"/endless/{int(number) + 1}")


@loops.at("/circle/{name}")
def circle(asked: Asked, name: str) -> Answer:
    return redirect("/circle/b" if name == "a" else "/circle/a", 301)


@loops.at("/twice")
def twice(asked: Asked) -> Answer:
    return redirect("/once", 301)


@loops.at("/once")
def once(asked: Asked) -> Answer:
    return redirect("http://a.news.example/article/1?utm_source=x", 302)


@inward.at("/{name}")
def to_private(asked: Asked, name: str) -> Answer:
    """Redirects into the asker's own network."""
    to = {
        "metadata": "http://169.254.169.254/latest/meta-data/",
        "loopback": "http://127.0.0.1:22/",
        "decimal": "http://2130706433/",
        "mapped": "http://[::ffff:10.0.0.1]/",
        "file": "file:///etc/passwd",
        "router": "http://192.168.1.1/",
        "name": "http://printer.local/",
    }
    return redirect(to[name]) if name in to else Answer(404)


@files.at("/report")
def pdf(asked: Asked) -> Answer:
    return Answer(200, b"%PDF-1.7\n" + b"0" * 200_000, (("Content-Type", "application/pdf"),))


@files.at("/unnamed")
def unnamed(asked: Asked) -> Answer:
    """A PDF that says it is HTML."""
    return Answer(200, b"%PDF-1.7\n" + b"0" * 2000, (("Content-Type", "text/html"),))


@files.at("/clip.mp4")
def video(asked: Asked) -> Answer:
    return Answer(200, b"\0" * 300_000, (("Content-Type", "video/mp4"),))


@files.at("/huge")
def huge(asked: Asked) -> Answer:
    return Answer(200, b"x" * (3 << 20), (("Content-Type", "text/html"),))


@files.at("/huge-chunks")
def huge_chunks(asked: Asked) -> Answer:
    return Answer(200, b"", (("Content-Type", "text/html"),), chunks=endless(b"x" * 65536))


@bombs.at("/gzip")
def gzip_bomb(asked: Asked) -> Answer:
    return Answer(200, BOMB, (("Content-Type", "text/html"), ("Content-Encoding", "gzip")))


@bombs.at("/nested")
def nested_bomb(asked: Asked) -> Answer:
    return Answer(
        200, gzip.compress(BOMB, mtime=0), (("Content-Type", "text/html"), ("Content-Encoding", "gzip, gzip"))
    )


@bombs.at("/damaged")
def damaged(asked: Asked) -> Answer:
    """gzip with a broken middle."""
    whole = bytearray(gzip.compress(TEXT.encode() * 40, mtime=0))
    whole[40:60] = b"\xff" * 20
    return Answer(200, bytes(whole), (("Content-Type", "text/html"), ("Content-Encoding", "gzip")))


BOMB = gzip.compress(b"\0" * (60 << 20), compresslevel=9, mtime=0)
assert len(BOMB) < 100_000
assert zlib.crc32(BOMB) is not None


@walls.at("/{path*}")
def wall(asked: Asked, path: str) -> Answer:
    if path == "robots.txt":
        return Answer(404)
    if asked.host == "forbidden.example":
        return page("<h1>Forbidden</h1>", status=403)
    return page(CHALLENGE, status=200)


@busy.at("/{path*}")
def busy_once(asked: Asked, path: str) -> Answer:
    """429 with Retry-After, then the page."""
    if path == "robots.txt":
        return Answer(404)
    if asked.count == 1:
        return Answer(429, b"slow down", (("Retry-After", "1"), ("Content-Type", "text/plain")))
    return page(TEXT)


@jammed.at("/{path*}")
def jammed_always(asked: Asked, path: str) -> Answer:
    """429 without Retry-After, always."""
    return Answer(404) if path == "robots.txt" else Answer(429, b"no", (("Content-Type", "text/plain"),))


@sleepy.at("/{path*}")
def sleepy_always(asked: Asked, path: str) -> Answer:
    """429 that asks to come back in an hour."""
    return Answer(404) if path == "robots.txt" else Answer(429, b"no", (("Retry-After", "3600"),))


@closed.at("/robots.txt")
def closed_robots(asked: Asked) -> Answer:
    return Answer(
        200,
        "\ufeffUser-agent: dalil\nDisallow: /\n\nUser-agent: *\nAllow: /".encode(),
        (("Content-Type", "text/plain"),),
    )


@closed.at("/{path*}")
def never(asked: Asked, path: str) -> Answer:
    return page("must not be asked")


@sick.at("/robots.txt")
def sick_robots(asked: Asked) -> Answer:
    return Answer(503)


@sick.at("/{path*}")
def sick_page(asked: Asked, path: str) -> Answer:
    return page("must not be asked while robots.txt is out of order")


@flaky.at("/{path*}")
def flaky_page(asked: Asked, path: str) -> Answer:
    """503, then the page."""
    if path == "robots.txt":
        return Answer(404)
    return Answer(503, b"busy") if asked.count == 1 else page(TEXT)


@gone.at("/{path*}")
def gone_page(asked: Asked, path: str) -> Answer:
    return page("<title>404</title>", status=404 if path != "gone" else 410)
