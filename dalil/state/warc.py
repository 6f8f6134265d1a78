"""The corpus's WARC files: every response as it came, appended, synced, and only then committed.

Order of things: append → fsync → commit (file, offset, length) with the Fetch row. What lies behind
the last committed offset is the torn tail of a killed run and is cut off when writing begins again
(a torn gzip member would lose every later record). WARC/1.1, ISO 28500:2017.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from dalil.errors import StateError
from dalil.state import failpoints
from dalil.state.store import Store
from dalil.state.tables import WARC_FILES

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

ROTATE = 1 << 30
"""bytes after which a new file is begun"""


@dataclass(frozen=True)
class Location:
    """Where a record lies."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True)
class Response:
    """A stored response: status line, headers and body as they came (not decoded)."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first header of this name, or None."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class WarcWriter:
    """Appends response records to the newest file of a corpus."""

    def __init__(self, folder: Path, store: Store):
        self.folder = folder
        self.committed = {row[0]: int(row[1]) for row in store.rows(sa.select(WARC_FILES))}
        self._repair()
        self._number = max((int(path.name[6:11]) for path in self._files()), default=1)

    def append(self, url: str, status: int, reason: str, headers: Iterable[tuple[str, str]], body: bytes) -> Location:
        """Write one response record and sync it. Raises StateError when the disk is full."""
        data = self._record(url, status, reason, list(headers), body)
        path = self._current(len(data))
        try:
            with path.open("ab") as file:
                offset = file.tell()
                half = len(data) // 2
                file.write(data[:half])
                file.flush()
                failpoints.passed("write")
                file.write(data[half:])
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StateError(
                f"the page cannot be stored: {error.strerror}", where=path, todo="free some space and run again"
            ) from error
        return Location(path.name, offset, len(data))

    def _record(
        self, url: str, status: int, reason: str, headers: list[tuple[str, str]], body: bytes
    ) -> bytes:
        from warcio.statusandheaders import StatusAndHeaders
        from warcio.warcwriter import WARCWriter as Writer

        memory = io.BytesIO()
        writer = Writer(memory, gzip=True, warc_version="1.1")
        http = StatusAndHeaders(f"{status} {reason}", headers, protocol="HTTP/1.1")
        record = writer.create_warc_record(url, "response", payload=io.BytesIO(body), length=len(body), http_headers=http)
        writer.write_record(record)
        return memory.getvalue()

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("dalil-*.warc.gz"))

    def _current(self, size: int) -> Path:
        path = self.folder / f"dalil-{self._number:05d}.warc.gz"
        if path.exists() and path.stat().st_size + size > ROTATE:
            self._number += 1
            path = self.folder / f"dalil-{self._number:05d}.warc.gz"
        return path

    def _repair(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self._files():
            good = self.committed.get(path.name, 0)
            size = path.stat().st_size
            if size < good:
                raise StateError(
                    f"{good - size} bytes that the database knows are missing from its end",
                    where=path,
                    todo="restore the file from a backup",
                )
            if size > good:
                os.truncate(path, good)


def read(folder: Path, where: Location) -> Response:
    """The response at a location. Raises StateError when the file does not hold it."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    path = folder / where.file
    try:
        with path.open("rb") as file:
            file.seek(where.offset)
            data = file.read(where.length)
        record = next(iter(ArchiveIterator(io.BytesIO(data))))
        return _response(record)
    except (OSError, ArchiveLoadFailed, StopIteration) as error:
        raise StateError(
            f"no record at offset {where.offset}: {error or 'end of file'}", where=path, todo="restore the file"
        ) from error


def _response(record: ArcWarcRecord) -> Response:
    http = record.http_headers
    return Response(
        url=record.rec_headers.get_header("WARC-Target-URI"),
        status=int(http.get_statuscode()),
        headers=tuple((str(name), str(value)) for name, value in http.headers),
        body=record.raw_stream.read(),
    )
