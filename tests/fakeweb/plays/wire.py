"""Answers byte for byte: pages that break HTTP itself, and robots.txt files that break their own rules."""

from __future__ import annotations

import gzip

from fakeweb.play import Answer, Asked, Play

BODY = b"<p>" + "نص عربي. ".encode() * 60 + b"</p>"
PLAIN = b"Content-Type: text/html; charset=utf-8\r\n"
WHOLE = PLAIN + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY

FORBIDDING = b"User-agent: *\nDisallow: /\n"

PAGES: dict[str, bytes] = {
    "early-hints": b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\n" + WHOLE,
    "continue": b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 200 OK\r\n" + WHOLE,
    "too-long": b"HTTP/1.1 200 OK\r\n" + WHOLE + b"and more than Content-Length says",
    "no-reason": b"HTTP/1.1 200\r\n" + WHOLE,
    "no-length": b"HTTP/1.1 200 OK\r\n" + PLAIN + b"\r\n" + BODY,
    "partial": b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/9000\r\n" + WHOLE,
    "old": b"HTTP/1.0 200 OK\r\n" + WHOLE,
    "same-length-twice": b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(BODY) + WHOLE,
    "odd-headers": b"HTTP/1.1 200 OK\r\nX-A: a\x85c\x1cWARC-Type: x\r\nX-B: \xff\xfe\r\n"
    b"Set-Cookie: =\r\n" + WHOLE,
    "odd-name": b"HTTP/1.1 200 OK\r\nX-\xd8\xae: a\r\n" + WHOLE,
    "nul-header": b"HTTP/1.1 200 OK\r\nX-A: a\x00b\r\n" + WHOLE,
    "nameless": b"HTTP/1.1 200 OK\r\n: nameless\r\n" + WHOLE,
    "folded": b"HTTP/1.1 200 OK\r\nX-Long: one\r\n two\r\n\tthree\r\n" + WHOLE,
    "many-headers": b"HTTP/1.1 200 OK\r\n" + b"X-Many: v\r\n" * 5000 + WHOLE,
    "status-999": b"HTTP/1.1 999 Go Away\r\n" + WHOLE,
    "empty": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
    "no-content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "reset-content": b"HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n",
    "not-modified": b"HTTP/1.1 304 Not Modified\r\n\r\n",
    "moved-nowhere": b"HTTP/1.1 302 Found\r\n" + WHOLE,
    "moved-empty": b"HTTP/1.1 302 Found\r\nLocation: \r\n" + WHOLE,
    "moved-oddly": b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n" + WHOLE,
    "moved-to-port": b"HTTP/1.1 302 Found\r\nLocation: http://wire.example:99999/\r\n" + WHOLE,
    "moved-to-nul": b"HTTP/1.1 302 Found\r\nLocation: http://wire.example/\x00\x85\xff\r\n" + WHOLE,
    "moved-in-utf-8": b"HTTP/1.1 302 Found\r\nLocation: /\xd8\xae\xd8\xa8\xd8\xb1?q=\xd8\xae\r\n" + WHOLE,
    "moved-in-cp1256": b"HTTP/1.1 302 Found\r\nLocation: /\xce\xc8\xd1\r\n" + WHOLE,
    "busy-for-ever": b"HTTP/1.1 503 Busy\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 -1200\r\n" + WHOLE,
    "reset-for-ever": b"HTTP/1.1 429 No\r\nx-rate-limit-reset: 999999999999\r\n" + WHOLE,
    "not-a-number": b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" + BODY,
    "negative": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n" + BODY,
    "two-lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n" + BODY,
    "unknown-transfer": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "both": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
    + PLAIN
    + b"Content-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "bad-chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n",
    "huge-chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\nhello\r\n",
    "long-line": b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000 + b"\r\n" + WHOLE,
    "headers-cut": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "colonless": b"HTTP/1.1 200 OK\r\nthis is no header\r\n" + WHOLE,
    "no-http": BODY,
    "icy": b"ICY 200 OK\r\n" + WHOLE,
    "status-word": b"HTTP/1.1 fine OK\r\n" + WHOLE,
    "status-huge": b"HTTP/1.1 99999999999999999999 OK\r\n" + WHOLE,
    "status-minus": b"HTTP/1.1 -7 OK\r\n" + WHOLE,
    "switching": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x05hello",
    "silence": b"",
    "only-newlines": b"\r\n\r\n\r\n\r\n",
    "tls": b"\x15\x03\x01\x00\x02\x02\x46",
}

DAMAGED = gzip.compress(b"", mtime=0)[:10] + b"\xff" * 40

RULES: dict[str, bytes] = {
    "pdf": b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n" + FORBIDDING,
    "octets": b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n" + FORBIDDING,
    "huge": b"HTTP/1.1 200 OK\r\n\r\n" + FORBIDDING + b"# padding\n" * 60_000,
    "packed-huge": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    + gzip.compress(FORBIDDING + b"# padding\n" * 150_000, mtime=0),
    "bom": b"HTTP/1.1 200 OK\r\n\r\n\xef\xbb\xbf" + FORBIDDING,
    "old-macintosh": b"HTTP/1.1 200 OK\r\n\r\n" + FORBIDDING.replace(b"\n", b"\r"),
    "nuls": b"HTTP/1.1 200 OK\r\n\r\n\x00\x00\xff\n" + FORBIDDING,
    "moved": b"HTTP/1.1 301 Moved\r\nLocation: http://bom.rules.example/robots.txt\r\n"
    b"Content-Length: 0\r\n\r\n",
    "bomb": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"#" * (60 << 20), mtime=0),
    "damaged": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + DAMAGED,
    "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nUser-agent: *\n",
    "too-large": b"HTTP/1.1 200 OK\r\n\r\n" + FORBIDDING + b"# padding\n" * 150_000,
    "sick": b"HTTP/1.1 599 Sick\r\nContent-Length: 0\r\n\r\n",
    "crowded": b"HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n",
    "html": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><p>Disallow: /</p></html>",
    "private": b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/robots.txt\r\nContent-Length: 0\r\n\r\n",
    "circle": b"HTTP/1.1 302 Found\r\nLocation: /robots.txt\r\nContent-Length: 0\r\n\r\n",
    "nothing": b"HTTP/1.1 204 No Content\r\n\r\n",
    "refused": b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n",
    "delay": b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nCrawl-delay: nan\nRequest-rate: 1/0s\n",
}
"""`http://NAME.rules.example/robots.txt`"""

wire = Play("wire.example")
rules = Play("*.rules.example")


@wire.at("/{name}")
def answer(asked: Asked, name: str) -> Answer:
    return Answer(raw=PAGES[name]) if name in PAGES else Answer(404)


@rules.at("/robots.txt")
def rules_of(asked: Asked) -> Answer:
    return Answer(raw=RULES[asked.host.partition(".")[0]])


@rules.at("/{name}")
def page_of(asked: Asked, name: str) -> Answer:
    return Answer(raw=b"HTTP/1.1 200 OK\r\n" + WHOLE)
