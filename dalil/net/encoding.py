"""Undoing Content-Encoding, with a limit: a small body may be a bomb."""

from __future__ import annotations

import zlib
from collections.abc import Callable

LARGEST = 20 << 20
"""bytes of a decoded page"""
ACCEPTED = "gzip, deflate"
"""what dalil asks for: codings that need nothing installed"""


class Undecodable(ValueError):
    """A body that its Content-Encoding does not fit.

    `reason` is `bomb`, `bad_encoding` or `unknown_encoding`.
    """

    def __init__(self, reason: str, detail: str):
        self.reason = reason
        super().__init__(detail)


def decode(body: bytes, coding: str | None, limit: int = LARGEST) -> bytes:
    """A body without its Content-Encoding (several are undone from the last to the first).

    A body cut short gives what there is of it; one that is not encoded after all is given back as it is.
    Raises Undecodable for more than `limit` bytes, a damaged body, an unknown coding.
    """
    codings = [part.strip().lower() for part in (coding or "").split(",") if part.strip()]
    if len(codings) > 3:
        raise Undecodable("unknown_encoding", f"{len(codings)} codings on top of each other")
    for name in reversed(codings):
        body = _decoder(name)(body, limit)
    if len(body) > limit:
        raise Undecodable("bomb", f"more than {limit >> 20} MB")
    return body


def _decoder(name: str) -> Callable[[bytes, int], bytes]:
    known: dict[str, Callable[[bytes, int], bytes]] = {
        "gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "br": _brotli,
        "identity": _as_it_is, "none": _as_it_is, "utf-8": _as_it_is,
    }  # fmt: skip
    if name not in known:
        raise Undecodable("unknown_encoding", name[:40])
    return known[name]


def _as_it_is(body: bytes, limit: int) -> bytes:
    return body


def _gzip(body: bytes, limit: int) -> bytes:
    if not body.startswith(b"\x1f\x8b"):
        return body  # servers and caches that forget the header are common
    parts: list[bytes] = []
    size, at = 0, 0
    while body.startswith(b"\x1f\x8b", at):
        part, at = _inflate(body, at, 31, limit - size)
        size += len(part)
        parts.append(part)
    return b"".join(parts)


def _deflate(body: bytes, limit: int) -> bytes:
    try:
        return _inflate(body, 0, 15, limit)[0]
    except Undecodable as error:
        if error.reason == "bomb":
            raise
        return _inflate(body, 0, -15, limit)[0]  # raw deflate, as some servers send it


def _inflate(body: bytes, at: int, bits: int, limit: int) -> tuple[bytes, int]:
    """The stream that begins at an offset, and where it ends. What is there of a stream cut short is kept.

    It is fed in growing pieces: zlib copies what follows a stream, and a body can be made of very many.
    """
    machine = zlib.decompressobj(bits)
    parts: list[bytes] = []
    size, piece = 0, 256
    while at < len(body) and not machine.eof:
        try:
            part = machine.decompress(body[at : at + piece], limit + 1 - size)
        except zlib.error as error:
            raise Undecodable("bad_encoding", str(error)) from error
        at = min(at + piece, len(body)) - len(machine.unused_data)
        size += len(part)
        parts.append(part)
        if size > limit:
            raise Undecodable("bomb", f"{len(body)} bytes become more than {limit >> 20} MB")
        piece = min(piece * 2, 1 << 16)
    return b"".join(parts), at


def _brotli(body: bytes, limit: int) -> bytes:
    try:
        import brotli
    except ImportError:
        raise Undecodable("unknown_encoding", "br") from None
    machine = brotli.Decompressor()
    try:
        data: bytes = machine.process(body, output_buffer_limit=limit + 1)
        while len(data) <= limit and not machine.is_finished():
            more = machine.process(b"", output_buffer_limit=limit + 1)
            if not more:
                break
            data += more
    except (brotli.error, TypeError) as error:
        raise Undecodable("bad_encoding", str(error)) from error
    if len(data) > limit:
        raise Undecodable("bomb", f"{len(body)} bytes become more than {limit >> 20} MB")
    return data
