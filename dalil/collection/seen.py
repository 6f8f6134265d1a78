"""Which ids a build has met: in a private file that the system removes, so memory stays bounded."""

from __future__ import annotations

import sqlite3
from types import TracebackType


class Seen:
    """Ids with the hash of their document and the place they came from."""

    def __init__(self) -> None:
        self._rows = sqlite3.connect("", isolation_level=None)  # "": on disk, unnamed, gone when closed
        self._rows.execute("PRAGMA journal_mode = OFF")
        self._rows.execute("PRAGMA synchronous = OFF")
        self._rows.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, hash TEXT, place TEXT) WITHOUT ROWID")
        self._rows.execute("BEGIN")

    def __enter__(self) -> Seen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rows.close()

    def met(self, key: str, content: str, place: str) -> tuple[str, str] | None:
        """Hash and place of the document that had this id before, or None (and it is noted now)."""
        try:
            self._rows.execute("INSERT INTO seen VALUES (?, ?, ?)", (key, content, place))
        except sqlite3.IntegrityError:
            row = self._rows.execute("SELECT hash, place FROM seen WHERE id = ?", (key,)).fetchone()
            return str(row[0]), str(row[1])
        return None
