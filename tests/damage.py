"""Damaged pages: seeded mutations of pages, into a WARC, through extraction."""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from fakeweb.play import Asked, Play
from fakeweb.server import find_plays

from dalil.corpus import Corpus
from dalil.ids import digest, make_id
from dalil.progress import Silent
from dalil.records import Article, Dropped, Fetch
from dalil.runner import run_stage
from dalil.state import warc
from dalil.state.warc import Captured, WarcWriter
from retrieval.extract import REASONS, Extract

PLAYS = Path(__file__).parent / "fakeweb" / "plays"
TAG = re.compile(rb"<[^>]{1,200}>")
Damage = Callable[[random.Random, bytes], bytes]


def cut(dice: random.Random, body: bytes) -> bytes:
    return body[: dice.randrange(len(body) + 1)]


def wrong_charset(dice: random.Random, body: bytes) -> bytes:
    text = body.decode("utf-8", "replace")
    name = dice.choice(("windows-1256", "iso-8859-6", "utf-16", "utf-32", "latin-1", "utf-7"))
    says = dice.choice(("utf-8", "windows-1256", "x-unknown", "utf-16", "\x00", "'"))
    made = text.encode(name, "ignore")
    return re.sub(rb"charset=[\"']?[\w-]+", b"charset=" + says.encode(), made)


def swapped_tags(dice: random.Random, body: bytes) -> bytes:
    tags = [match.group() for match in TAG.finditer(body)]
    dice.shuffle(tags)
    rest = iter(tags)
    return TAG.sub(lambda _: next(rest), body)


def lost_tags(dice: random.Random, body: bytes) -> bytes:
    return TAG.sub(lambda match: b"" if dice.random() < 0.3 else match.group(), body)


def huge_attribute(dice: random.Random, body: bytes) -> bytes:
    name = dice.choice((b"class", b"content", b"href", b"id", b"style", b"data-x"))
    size = dice.choice((10_000, 300_000, 1_500_000))
    return TAG.sub(
        lambda match: match.group()[:-1] + b" " + name + b'="' + b"A" * size + b'">', body, count=1
    )


def nuls(dice: random.Random, body: bytes) -> bytes:
    made = bytearray(body)
    for _ in range(dice.choice((1, 50, 500))):
        made.insert(dice.randrange(len(made) + 1), 0)
    return bytes(made)


def random_bytes(dice: random.Random, body: bytes) -> bytes:
    made = bytearray(body or b"x")
    for _ in range(dice.choice((1, 20, 400))):
        made[dice.randrange(len(made))] = dice.randrange(256)
    return bytes(made)


def nested(dice: random.Random, body: bytes) -> bytes:
    tag = dice.choice((b"div", b"span", b"b", b"table", b"font"))
    return (b"<" + tag + b">") * dice.choice((50, 300, 5000)) + body


def broken_scripts(dice: random.Random, body: bytes) -> bytes:
    odd = dice.choice(
        (
            b"<script type='application/ld+json'>{\"@type\":",
            b"<!--",
            b"<![CDATA[",
            b"<script>",
            b"<style>",
            b"<title>",
        )
    )
    at = dice.randrange(len(body) + 1)
    return body[:at] + odd + body[at:]


def twice(dice: random.Random, body: bytes) -> bytes:
    return body + body[dice.randrange(len(body) + 1) :]


DAMAGES: tuple[Damage, ...] = (
    cut, wrong_charset, swapped_tags, lost_tags, huge_attribute, nuls, random_bytes, nested, broken_scripts,
    twice,
)  # fmt: skip


def fixtures() -> list[bytes]:
    """Pages of the fake web."""
    plays = {host: play for play in find_plays(PLAYS) for host in play.hosts}
    play: Play = plays["*.news.example"]
    asked = [
        Asked("GET", "a.news.example", path, "", {}, b"", 1, "x")
        for path in ("/article/1", "/article/3", "/list", "/changing")
    ]
    return [play.answer(one).body for one in asked]


def damaged(pages: list[bytes], many: int, seed: int) -> Iterator[tuple[str, Captured]]:
    """Damaged pages, with what was done to them."""
    dice = random.Random(seed)
    for number in range(many):
        damage, body = DAMAGES[number % len(DAMAGES)], dice.choice(pages)
        body = damage(dice, body)
        if dice.random() < 0.2:
            damage = dice.choice(DAMAGES)
            body = damage(dice, body)
        headers = [
            (
                "Content-Type",
                dice.choice(
                    ("text/html", "text/html; charset=utf-8", "text/html; charset=windows-1256", "", "x/y;")
                ),
            )
        ]
        if dice.random() < 0.15:
            body = gzip.compress(body, 1, mtime=0)
            body = body if dice.random() < 0.5 else random_bytes(dice, body)
            headers.append(("Content-Encoding", "gzip"))
        yield damage.__name__, Captured(f"http://damaged.example/{number}", 200, "OK", tuple(headers), body)


def store(corpus: Corpus, pages: list[Captured]) -> None:
    """Into the WARC, with their Fetch rows."""
    writer = WarcWriter(corpus.warc, corpus.store)
    rows = [
        Fetch(
            id=make_id("fetch", page.url), fingerprint=page.url, url=page.url, final_url=page.url,
            document_id=make_id("document", page.url), purpose="article", status=200,
            content_hash=digest(page.body), fetched_at="2024-01-01T00:00:00Z",
            warc_file=where.file, warc_offset=where.offset, warc_length=where.length,
        )
        for page, where in zip(pages, writer.write(pages), strict=True)
    ]  # fmt: skip
    with corpus.store.transaction() as transaction:
        transaction.put(rows)


def outcomes(folder: Path, pages: list[bytes], many: int, seed: int) -> Counter[str]:
    """Reason, or `article`, of each damaged page."""
    made = list(damaged(pages, many, seed))
    with Corpus.create(folder, '[corpus]\nname = "damaged"\n[extract]\nseconds_per_page = 30.0\n') as corpus:
        store(corpus, [page for _, page in made])
        assert [record.url for path in warc.files(corpus.warc) for record in warc.records(path)] == [
            page.url for _, page in made
        ]
        tally = run_stage(corpus, Extract(corpus), Silent())
        assert (tally.worked, tally.failed) == (many, 0)
        articles = {row.document_id for row in corpus.store.all(Article)}
        reasons = {row.key: row.reason for row in corpus.store.all(Dropped)}
        assert set(reasons.values()) <= set(REASONS)
        assert not articles & set(reasons)
        assert articles | set(reasons) == {make_id("document", page.url) for _, page in made}
        for article in corpus.store.all(Article):
            article.text.encode()
            assert "\x00" not in article.text
        return Counter(["article"] * len(articles) + list(reasons.values()))
