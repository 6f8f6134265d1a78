"""Content codings undone, and bombs not."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.net.encoding import Undecodable, decode


def raw_deflate(body: bytes) -> bytes:
    machine = zlib.compressobj(wbits=-15)
    return machine.compress(body) + machine.flush()


CODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "identity": bytes,
}


@given(body=st.binary(max_size=5000), names=st.lists(st.sampled_from(sorted(CODERS)), max_size=3))
def test_what_was_encoded_is_decoded(body: bytes, names: list[str]) -> None:
    packed = body
    for name in names:
        packed = CODERS[name](packed)
    assert decode(packed, ", ".join(names)) == body


@given(st.binary(max_size=2000))
def test_raw_deflate_is_known(body: bytes) -> None:
    assert decode(raw_deflate(body), "deflate") == body


def test_several_gzip_members_are_one_body() -> None:
    assert decode(gzip.compress(b"a") + gzip.compress(b"b"), "gzip") == b"ab"


def test_a_body_that_is_not_encoded_after_all() -> None:
    assert decode(b"<html>", "gzip") == b"<html>"


@given(st.integers(0, 400))
def test_a_body_cut_short_gives_what_there_is(cut: int) -> None:
    whole = b"<p>" + bytes(range(256)) * 3
    found = decode(gzip.compress(whole)[:cut], "gzip")
    assert whole.startswith(found) or cut < 3


@pytest.mark.parametrize("name", ["gzip", "deflate", "br"])
def test_a_bomb_is_not_unpacked(name: str) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(CODERS[name](b"\0" * 3_000_000), name, limit=1_000_000)
    assert caught.value.reason == "bomb"


def test_a_bomb_in_a_bomb() -> None:
    with pytest.raises(Undecodable) as caught:
        decode(gzip.compress(gzip.compress(b"\0" * 5_000_000)), "gzip, gzip", limit=1_000_000)
    assert caught.value.reason == "bomb"


@pytest.mark.parametrize(
    ("name", "reason"), [("compress", "unknown_encoding"), ("gzip, gzip, gzip, gzip", "unknown_encoding")]
)
def test_other_codings_are_named(name: str, reason: str) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(b"x", name)
    assert caught.value.reason == reason


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "gzip, br", "", None, "zstd"]))
def test_any_bytes_are_decoded_or_refused(body: bytes, name: str | None) -> None:
    for start in (b"", b"\x1f\x8b\x08"):
        reason = "fine"
        try:
            decode(start + body, name, limit=10_000)
        except Undecodable as error:
            reason = error.reason
        assert reason in ("fine", "bomb", "bad_encoding", "unknown_encoding")


def test_a_body_of_very_many_members_costs_what_its_bytes_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """zlib copies what it is given beyond a member: giving it all the rest each time is quadratic."""
    given, real = 0, zlib.decompressobj

    class Counting:
        def __init__(self, bits: int):
            self.machine = real(bits)

        def decompress(self, piece: bytes, most: int) -> bytes:
            nonlocal given
            given += len(piece)
            return self.machine.decompress(piece, most)

        def __getattr__(self, name: str) -> object:
            return getattr(self.machine, name)

    body = b"".join(gzip.compress(b"%d" % n, mtime=0) for n in range(3000))
    monkeypatch.setattr(zlib, "decompressobj", Counting)
    assert decode(body, "gzip") == b"".join(b"%d" % n for n in range(3000))
    assert given < 20 * len(body)


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 70_000, 300_000])
def test_members_of_any_size_follow_each_other(size: int) -> None:
    import random

    parts = [random.Random(seed).randbytes(size) for seed in range(3)]
    assert decode(b"".join(map(gzip.compress, parts)) + b"tail", "gzip") == b"".join(parts)
