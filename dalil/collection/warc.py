"""WARC(.gz) as a source of documents: captured pages go through an extraction that the caller brings.

The extraction takes a stream of pages and gives each back with what it found, in any order: so it may
use all cores and give up a page that hangs. A page's identity is its canonical url; of several captures
of one page the first counts. The date of a capture is never a published date.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dalil.collection.documents import Item, Placed, Problem, StoredDocument
from dalil.collection.jsonl import Hashed
from dalil.errors import InputError
from dalil.text.urls import canonical_url
from dalil.wording import counted

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

LARGEST = 32 * 2**20
"""bytes of a page; what is larger is no article"""


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """A response as it came, without its transfer encoding."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    captured_at: str | None
    where: str
    """`file: record at OFFSET`"""


@dataclass(frozen=True, slots=True)
class NoArticle:
    """Why a page is no document."""

    reason: str
    detail: str = ""


Extraction = Callable[[Iterator[CapturedPage]], Iterator[tuple[CapturedPage, StoredDocument | NoArticle]]]
"""`StoredDocument.id` is of no account: the canonical url of the page takes its place."""


class WarcSource:
    """The pages of a WARC file, gzipped or not."""

    def __init__(self, path: Path, extraction: Extraction):
        self.path = path
        self.extraction = extraction
        self.sha256 = ""
        self.size = 0
        self.ignored: set[str] = set()

    def read(self) -> Iterator[Item]:
        """Documents, and for every page that is none a Problem that says why."""
        with Hashed(self.path) as raw, io.BufferedReader(raw, 2**18) as stream:
            self._unread: list[Problem] = []
            for page, found in self.extraction(self._pages(stream, raw)):
                yield from self._unread_now()
                yield _item(page, found)
            yield from self._unread_now()
            while stream.read(2**20):  # what lies behind the last record belongs to the hash
                pass
            self.sha256, self.size = raw.sha256(), raw.size

    def _unread_now(self) -> Iterator[Problem]:
        found, self._unread = self._unread, []
        yield from found

    def _pages(self, stream: io.BufferedReader[Hashed], raw: Hashed) -> Iterator[CapturedPage]:
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed

        walker = ArchiveIterator(stream)
        end = 0
        while True:
            try:
                record = next(walker, None)
                if record is None:
                    break
                body = _body(record)
                while record.raw_stream.read(2**20):
                    pass
                at, length = walker.get_record_offset(), walker.get_record_length()  # known once it is read
            except (
                ArchiveLoadFailed,
                EOFError,
                zlib.error,
                ValueError,
                AttributeError,
            ) as error:  # warcio's own
                told = (
                    "a record with headers missing"
                    if isinstance(error, AttributeError)
                    else f"{type(error).__name__} {error}"
                )
                self._broken(end, " ".join(told.split())[:200])
                return
            if getattr(record.raw_stream, "limit", 0):
                self._broken(at, "the file ends within this record")
                return
            end = at + length
            page = self._page(record, body, f"{self.path}: record at {at}")
            if page is not None:
                yield page
        while stream.read(2**20):
            pass
        if end == 0:
            raise InputError(
                "no WARC file: it has no record", where=self.path, todo="give a WARC or JSONL file"
            )
        if end < raw.size:  # of a member cut off near its beginning, warcio says nothing
            self._broken(end, f"no whole record in its last {counted(raw.size - end, 'byte')}")

    def _broken(self, at: int, detail: str) -> None:
        self._unread.append(Problem(f"{self.path}: record at {at}", "broken_file", f"broken: {detail}"))

    def _page(self, record: ArcWarcRecord, body: bytes, where: str) -> CapturedPage | None:
        """A captured page; None for requests, metadata, DNS answers."""
        url = record.rec_headers.get_header("WARC-Target-URI") or ""
        if record.rec_type != "response" or record.http_headers is None or not url.startswith("http"):
            return None
        if len(body) > LARGEST:
            self._unread.append(
                Problem(where, "too_large", f"{url}: more than {LARGEST // 2**20} MB", bad=False)
            )
            return None
        code = record.http_headers.get_statuscode()
        headers = [(str(name), str(value)) for name, value in record.http_headers.headers]
        return CapturedPage(
            url=url,
            status=int(code) if code.isdigit() else 0,
            headers=tuple(header for header in headers if header[0].lower() != "transfer-encoding"),
            body=body,
            captured_at=record.rec_headers.get_header("WARC-Date"),
            where=where,
        )


def _body(record: ArcWarcRecord) -> bytes:
    """The body without its transfer encoding; content encodings stay, and their header tells of them."""
    from warcio.bufferedreaders import ChunkedDataReader

    stream = record.raw_stream
    if (
        record.http_headers is not None
        and (record.http_headers.get_header("transfer-encoding") or "").lower() == "chunked"
    ):
        stream = ChunkedDataReader(stream)
    parts, size = [], 0
    while size <= LARGEST and (part := stream.read(2**18)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _item(page: CapturedPage, found: StoredDocument | NoArticle) -> Item:
    if isinstance(found, NoArticle):
        return Problem(page.where, found.reason, f"{page.url} {found.detail}".strip(), bad=False)
    try:
        key = canonical_url(page.url)
    except InputError as error:
        return Problem(page.where, "bad_url", error.what, bad=False)
    values = {name: getattr(found, name) for name in StoredDocument.__slots__}
    return Placed(StoredDocument(**(values | {"id": key, "url": page.url})), page.where, revisit=True)
