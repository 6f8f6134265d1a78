"""WARC files as a source: pages, captures of the same page, torn tails."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dalil.collection import Collection, build
from dalil.collection.documents import Placed, Problem, StoredDocument
from dalil.collection.warc import CapturedPage, NoArticle, WarcSource
from dalil.errors import InputError

Page = tuple[str, str, dict[str, str]]
REQUEST = b"GET / HTTP/1.1\r\n\r\n"


def warc(path: Path, *pages: Page, packed: bool = True) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=packed)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "a crawler"}))
        for url, body, headers in pages:
            http = StatusAndHeaders(
                "200 OK", [("Content-Type", "text/html"), *headers.items()], protocol="HTTP/1.1"
            )
            payload = body.encode()
            writer.write_record(
                writer.create_warc_record(url, "request", payload=io.BytesIO(REQUEST), length=len(REQUEST))
            )
            writer.write_record(
                writer.create_warc_record(
                    url, "response", payload=io.BytesIO(payload), length=len(payload), http_headers=http
                )
            )
    return path


def text_of(pages: Iterator[CapturedPage]) -> Iterator[tuple[CapturedPage, StoredDocument | NoArticle]]:
    """An extraction that takes the body for the text, and nothing from a page without any."""
    for page in pages:
        text = page.body.decode()
        yield (
            page,
            StoredDocument(id="", body=text, title="عنوان") if text else NoArticle("empty", "no bytes"),
        )


def read(path: Path) -> tuple[list[StoredDocument], list[Problem]]:
    items = list(WarcSource(path, text_of).read())
    return [i.document for i in items if isinstance(i, Placed)], [i for i in items if isinstance(i, Problem)]


@pytest.mark.parametrize("packed", [True, False])
def test_pages_become_documents_known_by_their_canonical_url(tmp_path: Path, packed: bool) -> None:
    path = warc(
        tmp_path / "x.warc",
        ("http://www.news.example/a?utm_source=x", "نص أول", {}),
        ("https://news.example/b", "نص ثان", {}),
        packed=packed,
    )
    source = WarcSource(path, text_of)
    found = [item.document for item in source.read() if isinstance(item, Placed)]
    assert [(one.id, one.url, one.body) for one in found] == [
        ("https://news.example/a", "http://www.news.example/a?utm_source=x", "نص أول"),
        ("https://news.example/b", "https://news.example/b", "نص ثان"),
    ]
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert source.size == path.stat().st_size


def test_of_several_captures_the_first_counts_and_pages_without_article_are_listed(tmp_path: Path) -> None:
    path = warc(
        tmp_path / "x.warc.gz",
        ("https://news.example/a", "نص أول", {}),
        ("https://m.news.example/a", "نص تغير", {}),
        ("https://news.example/b", "", {}),
    )
    manifest = build([WarcSource(path, text_of)], tmp_path / "c")
    assert manifest.skipped == {"captured_again": 1, "empty": 1}
    stored = Collection.open(tmp_path / "c").get("https://news.example/a")
    assert stored is not None
    assert stored.body == "نص أول"
    rows = (tmp_path / "c" / manifest.index / "skipped.jsonl").read_text("utf-8").splitlines()
    assert json.loads(rows[1])["detail"] == "https://news.example/b no bytes"


def test_the_date_of_a_capture_is_no_published_date(tmp_path: Path) -> None:
    found, _ = read(warc(tmp_path / "x.warc.gz", ("https://news.example/a", "نص", {})))
    assert found[0].published is None


def test_transfer_encoding_is_undone(tmp_path: Path) -> None:
    first, second = ("نص ".encode(), "مقطع".encode())
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (first, second, b"")).decode()
    found, _ = read(
        warc(tmp_path / "x.warc.gz", ("https://news.example/a", chunked, {"Transfer-Encoding": "chunked"}))
    )
    assert found[0].body == "نص مقطع"


@pytest.mark.parametrize(("packed", "lost"), [(True, 30), (True, 100), (False, 30), (False, 1000)])
def test_a_torn_file_gives_what_is_whole_and_says_so(tmp_path: Path, packed: bool, lost: int) -> None:
    noise = [hashlib.sha256(b"%d" % n).hexdigest() * 40 for n in range(6)]
    whole = warc(
        tmp_path / "x.warc",
        *((f"https://news.example/{n}", text, {}) for n, text in enumerate(noise)),
        packed=packed,
    )
    torn = tmp_path / "torn.warc"
    data = whole.read_bytes()
    torn.write_bytes(data[: len(data) - lost])
    found, problems = read(torn)
    assert [one.body for one in found] == noise[:5]
    assert [problem.reason for problem in problems] == ["broken_file"]
    assert problems[0].bad
    with pytest.raises(InputError, match="broken"):
        build([WarcSource(torn, text_of)], tmp_path / "c")
    assert build([WarcSource(torn, text_of)], tmp_path / "c", skip_bad=True).documents == 5


def test_a_page_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalil.collection.warc.LARGEST", 1000)
    path = warc(
        tmp_path / "x.warc.gz",
        ("https://news.example/a", "x" * 1001, {}),
        ("https://news.example/b", "نص", {}),
    )
    found, problems = read(path)
    assert [one.body for one in found] == ["نص"]
    assert [problem.reason for problem in problems] == ["too_large"]


def test_a_record_without_headers_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(b"WARC/1.0\r\nWARC-Type: response\r\n\r\n")
    with pytest.raises(InputError, match="broken: a record with headers missing"):
        build([WarcSource(path, text_of)], tmp_path / "c")


@pytest.mark.parametrize("data", [b"", b"plain text\n", gzip.compress(b"plain text\n", mtime=0)])
def test_what_is_no_warc_file_is_said(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"no WARC file|broken"):
        build([WarcSource(path, text_of)], tmp_path / "c")
