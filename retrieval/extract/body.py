"""From the bytes of a response to the bytes of a page: content codings undone, other formats told."""

from __future__ import annotations

import re
import zlib

LIMIT = 20_000_000
"""bytes of a page beyond which nothing is read: a few kB of gzip can hold gigabytes"""

_FORMATS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "PDF"), (b"\x89PNG", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF8", "GIF"), (b"RIFF", "RIFF"),
    (b"PK\x03\x04", "ZIP"), (b"\xd0\xcf\x11\xe0", "Office"), (b"OggS", "Ogg"), (b"ID3", "MP3"),
)  # fmt: skip
_PAGES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", "")
_FEED = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<\?[^>]*>\s*)*<(rss|feed|rdf:RDF|sitemapindex|urlset)\b", re.S
)


def undo_codings(body: bytes, coding: str | None) -> bytes:
    """Undo `Content-Encoding` (gzip, deflate, br; several in turn). What is not so coded stays.

    A torn stream gives what can be read of it; more than LIMIT bytes are not unpacked.
    """
    for name in reversed([part.strip().lower() for part in (coding or "").split(",")]):
        if name in ("gzip", "x-gzip") or (name == "deflate" and body):
            body = _inflate(body)
        elif name == "br":
            body = _unbrotli(body)
    return body[:LIMIT]


def other_format(body: bytes, content_type: str | None) -> str | None:
    """The name of the format if this is no HTML, else None. The bytes count more than the header."""
    head = body[:2048].lstrip(b"\xef\xbb\xbf \t\r\n")
    for magic, name in _FORMATS:
        if head.startswith(magic):
            return name
    feed = _FEED.match(head)
    if feed:
        return feed[1].decode("ascii")
    if head[:1] in (b"{", b"[") and b"<html" not in body[:4096].lower():
        return "JSON"
    kind = (content_type or "").partition(";")[0].strip().lower()
    if kind not in _PAGES and b"<html" not in body[:4096].lower():
        return kind
    return None


def _inflate(body: bytes) -> bytes:
    for window in (47, -15):  # gzip or zlib by its head; a bare deflate stream
        unpacker = zlib.decompressobj(window)
        try:
            found = unpacker.decompress(body, LIMIT)
        except zlib.error:
            continue
        while unpacker.unused_data and len(found) < LIMIT:  # gzip members one after another
            rest = unpacker.unused_data
            unpacker = zlib.decompressobj(window)
            try:
                found += unpacker.decompress(rest, LIMIT - len(found))
            except zlib.error:
                break
        return found
    return body


def _unbrotli(body: bytes) -> bytes:
    import brotli

    unpacker = brotli.Decompressor()
    found = b""
    try:
        for start in range(0, len(body), 1 << 16):
            found += unpacker.process(body[start : start + (1 << 16)])
            if len(found) > LIMIT:
                break
    except brotli.error:
        return found or body
    return found
