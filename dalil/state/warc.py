"""The corpus's WARC files: every response as it came, appended, synced, and only then committed.

Order of things: append → fsync → commit (file, offset, length) with the Fetch row. What lies behind
the last committed offset is the torn tail of a killed run and is cut off when writing begins again
(a torn gzip member would lose every later record). Files that the database does not know (copied
here from elsewhere) are read, and never cut or appended to.

Records (WARC/1.1, ISO 28500:2017): `response` with the body as it came (Content-Encoding is not
undone), `revisit` for a page that has not changed (profiles server-not-modified and
identical-payload-digest), `metadata` with a `fetchError` for a request that was not answered.
"""

from __future__ import annotations

import io
import os
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from dalil.errors import StateError
from dalil.net.secrets import redact_known
from dalil.state import failpoints
from dalil.state.store import Store
from dalil.state.tables import WARC_FILES
from dalil.wording import counted

if TYPE_CHECKING:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.recordloader import ArcWarcRecord
    from warcio.warcwriter import WARCWriter as RecordWriter

ROTATE = 1 << 30
"""bytes after which a new file is begun"""
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
FAILURE = "fetchError"
KINDS = ("response", "revisit", "failure")
"""the records that dalil has a use for"""


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

    def content(self, limit: int | None = None) -> bytes:
        """The body without its Content-Encoding. Raises dalil.net.encoding.Undecodable (a bomb, damage)."""
        from dalil.net.encoding import LARGEST, decode

        return decode(self.body, self.header("Content-Encoding"), LARGEST if limit is None else limit)


@dataclass(frozen=True)
class Captured:
    """A response to be stored. `truncated` says why its body is not all there; `same_as` that it is
    the one captured at that time (url, WARC date) again."""

    url: str
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""
    truncated: str | None = None
    address: str | None = None
    """IP address that answered"""
    same_as: tuple[str, str] | None = None


@dataclass(frozen=True)
class Failure:
    """A request that was not answered, to be stored: a replay fails in the same way."""

    url: str
    error: str


@dataclass(frozen=True)
class Stored:
    """One record of a file, as a reader meets it. `response` is None for a failure."""

    kind: str
    """response, revisit or failure"""
    url: str
    date: str
    location: Location
    response: Response | None = None
    error: str | None = None
    truncated: str | None = None


class WarcWriter:
    """Appends records to the newest file of a corpus."""

    def __init__(self, folder: Path, store: Store):
        self.folder = folder
        self.store = store
        self._lock = threading.Lock()
        self.committed = {row[0]: int(row[1]) for row in store.rows(sa.select(WARC_FILES))}
        self._repair()
        self._number = self._next_number()

    def append(
        self, url: str, status: int, reason: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> Location:
        """Write one response record and sync it. Raises StateError when the disk is full."""
        return self.write([Captured(url, status, reason, tuple(headers), body)])[0]

    def write(self, items: Sequence[Captured | Failure]) -> list[Location]:
        """Write records and sync them together. Raises StateError when the disk is full."""
        with self._lock:
            found = [self._append(_record(item)) for item in items]
            for name in dict.fromkeys(where.file for where in found):
                self._sync(self.folder / name)
            return found

    def _append(self, data: bytes) -> Location:
        path = self._current(len(data))
        try:
            with path.open("ab") as file:
                offset = file.tell()
                half = len(data) // 2
                file.write(data[:half])
                file.flush()
                failpoints.passed("write")
                file.write(data[half:])
        except OSError as error:
            raise _full(path, error) from error
        return Location(path.name, offset, len(data))

    def _sync(self, path: Path) -> None:
        try:
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise _full(path, error) from error

    def _current(self, size: int) -> Path:
        path = self._path(self._number)
        if path.name in self.committed and path.exists() and path.stat().st_size + size > ROTATE:
            self._number += 1
            path = self._path(self._number)
        if path.name not in self.committed:
            # the database knows a file before it has a byte: what it does not know is not dalil's to cut
            with self.store.transaction() as writer:
                writer.warc_good(path.name, 0)
            self.committed[path.name] = 0
        return path

    def _path(self, number: int) -> Path:
        return self.folder / f"dalil-{number:05d}.warc.gz"

    def _next_number(self) -> int:
        """The newest file of one's own, or the number after all that lie here."""
        numbers = {
            int(path.name[6:11]): path.name
            for path in self.folder.glob("dalil-?????.warc.gz")
            if path.name[6:11].isdigit()
        }
        if not numbers:
            return 1
        newest = max(numbers)
        return newest if numbers[newest] in self.committed else newest + 1

    def _repair(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, good in self.committed.items():
            path = self.folder / name
            size = path.stat().st_size if path.is_file() else 0
            if size < good:
                raise StateError(
                    f"{counted(good - size, 'byte')} that the database knows are missing from its end",
                    where=path,
                    todo="restore the file from a backup",
                )
            if size > good:
                os.truncate(path, good)


def read(folder: Path, where: Location) -> Response:
    """The response at a location. Raises StateError when the file does not hold it."""
    path = folder / where.file
    try:
        with path.open("rb") as file:
            file.seek(where.offset)
            data = file.read(where.length)
        found = next(_walk(io.BytesIO(data), path.name, where.offset), None)
    except OSError as error:
        raise StateError(f"cannot be read: {error.strerror}", where=path, todo="restore the file") from error
    if found is None or found.response is None:
        raise StateError(f"no response at offset {where.offset}", where=path, todo="restore the file")
    return found.response


def records(path: Path) -> Iterator[Stored]:
    """The records of a file, one after the other, in the memory of one.

    What cannot be read is passed over: a damaged record costs itself, not those behind it.

    Raises StateError when the file cannot be opened.
    """
    try:
        with path.open("rb") as file:
            end: int | None = 0
            while end is not None:
                file.seek(end)
                for stored in _walk(file, path.name, 0):
                    end = stored.location.offset + stored.location.length
                    if stored.kind in KINDS:
                        yield stored
                end = _next_member(file, end)
    except OSError as error:
        raise StateError(f"cannot be read: {error.strerror}", where=path, todo="check the path") from error


def files(folder: Path) -> list[Path]:
    """The WARC files of a folder, oldest first."""
    return sorted(folder.glob("*.warc.gz"))


def _walk(file: io.BufferedIOBase, name: str, base: int) -> Iterator[Stored]:
    """Records of an open file whose first byte is at offset `base`."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    walker = ArchiveIterator(file)
    last: Stored | None = None
    try:
        for record in walker:
            found = _stored(record, name, base, walker)
            if last is not None:
                yield last
            last = found
    except (ArchiveLoadFailed, EOFError, zlib.error, ValueError, AttributeError):
        if last is not None:
            yield last
        return
    if last is not None and _whole(file, last.location, base):
        yield last


def _next_member(file: io.BufferedIOBase, after: int) -> int | None:
    """Where the next record begins behind one that cannot be read; None where none does."""
    file.seek(after + 1)
    held, at = b"", after + 1
    while piece := file.read(1 << 20):
        held += piece
        found = held.find(_MEMBER)
        while found >= 0:
            resume = file.tell()
            file.seek(at + found)
            begins = _begins_record(file.read(4096))
            file.seek(resume)
            if begins:
                return at + found
            found = held.find(_MEMBER, found + 1)
        at += max(0, len(held) - len(_MEMBER) + 1)
        held = held[-len(_MEMBER) + 1 :]
    return None


_MEMBER = b"\x1f\x8b\x08"
"""how a gzip member begins (RFC 1952)"""


def _begins_record(data: bytes) -> bool:
    try:
        return zlib.decompressobj(31).decompress(data, 8).startswith(b"WARC/1.")
    except zlib.error:
        return False


def _stored(record: ArcWarcRecord, name: str, base: int, walker: ArchiveIterator) -> Stored:
    """What a record holds; of those that dalil has no use for the kind and the place."""
    head = record.rec_headers
    date, url = head.get_header("WARC-Date") or "", head.get_header("WARC-Target-URI") or ""
    body = record.raw_stream.read()
    where = Location(name, base + walker.get_record_offset(), walker.get_record_length())
    if record.rec_type in ("response", "revisit") and record.http_headers is not None:
        response = _response(record, url, body)
        return Stored(
            record.rec_type, url, date, where, response, truncated=head.get_header("WARC-Truncated")
        )
    if record.rec_type == "metadata" and body.startswith(FAILURE.encode()):
        return Stored(
            "failure", url, date, where, error=body.decode("utf-8", "replace").partition(":")[2].strip()
        )
    return Stored(record.rec_type, url, date, where)


def _whole(file: io.BufferedIOBase, where: Location, base: int) -> bool:
    """Whether the last member of a file has its end (its content can be complete without it)."""
    file.seek(where.offset - base)
    machine = zlib.decompressobj(31)
    try:
        machine.decompress(file.read(where.length))
    except zlib.error:
        return False
    return machine.eof


def _response(record: ArcWarcRecord, url: str, body: bytes) -> Response:
    http = record.http_headers
    code = http.get_statuscode()
    return Response(
        url=url,
        status=int(code) if code.isdigit() else 0,
        headers=tuple((str(name), str(value)) for name, value in http.headers),
        body=body,
    )


def _record(item: Captured | Failure) -> bytes:
    """One record as a gzip member of its own."""
    from warcio.warcwriter import WARCWriter

    memory = io.BytesIO()
    writer = WARCWriter(memory, gzip=True, warc_version="1.1")
    if isinstance(item, Failure):
        note = f"{FAILURE}: {' '.join(_line(item.error).split())}\r\n".encode()
        record = writer.create_warc_record(
            _line(item.url),
            "metadata",
            payload=io.BytesIO(note),
            length=len(note),
            warc_content_type="application/warc-fields",
        )
    else:
        record = _response_record(writer, item)
    writer.write_record(record)
    return memory.getvalue()


def _response_record(writer: RecordWriter, item: Captured) -> ArcWarcRecord:
    from warcio.statusandheaders import StatusAndHeaders

    headers = [(_line(name), _line(value)) for name, value in item.headers]
    http = StatusAndHeaders(_line(f"{item.status} {item.reason}").strip(), headers, protocol="HTTP/1.1")
    more: dict[str, str] = {}
    if item.truncated:
        more["WARC-Truncated"] = item.truncated
    if item.address:
        more["WARC-IP-Address"] = item.address
    kind, body = "response", item.body
    if item.same_as is not None:
        kind, body = "revisit", b""
        more["WARC-Profile"] = NOT_MODIFIED if item.status == 304 else SAME_PAYLOAD
        more["WARC-Refers-To-Target-URI"], more["WARC-Refers-To-Date"] = map(_line, item.same_as)
        if item.status != 304:
            more["WARC-Payload-Digest"] = _payload_digest(item.body)
    return writer.create_warc_record(
        _line(item.url),
        kind,
        payload=io.BytesIO(body),
        length=len(body),
        http_headers=http,
        warc_headers_dict=more,
    )


def _line(text: str) -> str:
    """One line without secrets: nothing that a server says can begin a header of the record."""
    return " ".join(redact_known(text).replace("\0", "").splitlines()) if text else text


def _payload_digest(body: bytes) -> str:
    import base64
    import hashlib

    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def _full(path: Path, error: OSError) -> StateError:
    return StateError(
        f"the page cannot be stored: {error.strerror}", where=path, todo="free some space and run again"
    )
