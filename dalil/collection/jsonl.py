"""JSONL(.gz) as a source of documents: a line at a time, hashed as it is read."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from dalil.collection.documents import KNOWN, BadRow, Item, Placed, Problem, document_from
from dalil.errors import InputError
from dalil.text.jsons import NotJson, parse_json

LONGEST_LINE = 64 * 2**20
"""bytes; a longer line is no document"""


class Source(Protocol):
    """Where documents come from. After `read` has ended, `sha256` and `size` tell of the file."""

    path: Path
    sha256: str
    size: int
    ignored: set[str]
    """fields that are not known and were left out"""

    def read(self) -> Iterator[Item]:
        """Documents, and problems in the place of what is none. Raises InputError (unreadable file)."""
        ...


class Hashed(io.RawIOBase):
    """A file being read, whose bytes are hashed and counted on the way."""

    def __init__(self, path: Path):
        try:
            self._file = path.open("rb", buffering=0)
        except OSError as error:
            raise InputError(
                f"cannot be read: {error.strerror}", where=path, todo="check the path"
            ) from error
        self._hash = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill a buffer, as RawIOBase asks."""
        count = self._file.readinto(buffer) or 0
        self._hash.update(memoryview(buffer)[:count])
        self.size += count
        return count

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def sha256(self) -> str:
        """Hash of what was read so far."""
        return self._hash.hexdigest()


class JsonlSource:
    """Documents of a JSONL file, gzipped or not (its first bytes say which). Raises InputError for CSV."""

    def __init__(self, path: Path):
        if path.name.removesuffix(".gz").lower().endswith((".csv", ".tsv")):
            raise InputError(
                "a CSV file: a collection is made of JSONL or WARC",
                where=path,
                todo="write each row as one JSON object a line, the columns as its fields",
            )
        self.path = path
        self.sha256 = ""
        self.size = 0
        self.ignored: set[str] = set()

    def read(self) -> Iterator[Item]:
        """Documents in order; a bad row is a Problem at `file:line`."""
        with Hashed(self.path) as raw, io.BufferedReader(raw, 2**18) as stream:
            packed = stream.peek(2)[:2] == b"\x1f\x8b"
            lines = gzip.GzipFile(fileobj=stream) if packed else stream
            number = 0
            try:
                while line := lines.readline(LONGEST_LINE + 1):
                    number += 1
                    if line.strip():
                        yield self._item(line, f"{self.path}:{number}")
            except (EOFError, OSError, zlib.error) as error:
                detail = f"broken after this line: {' '.join(str(error).split())}"
                yield Problem(f"{self.path}:{number}", "broken_file", detail)
            self.sha256, self.size = raw.sha256(), raw.size

    def _item(self, line: bytes, where: str) -> Item:
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"a line longer than {LONGEST_LINE // 2**20} MB", where=where, todo="one document a line"
            )
        try:
            row = parse_json(line)
            document = document_from(row)
        except NotJson as error:
            return Problem(where, error.reason, error.what)
        except BadRow as error:
            return Problem(where, error.reason, error.detail)
        self.ignored |= row.keys() - KNOWN
        if not document.body.strip() and not document.title:
            return Problem(where, "empty", "neither title nor body", bad=False)
        return Placed(document, where)
