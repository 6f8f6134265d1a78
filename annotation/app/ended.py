"""Sessions that people ended before their time: a file beside the key that signs sessions.

One line a session: when it would have ended, and a hash of its nonce. Lines are appended; those whose time
has come are dropped when a server starts. Every process that serves the corpus sees what another appended.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.app.security import KEY_FILE
from dalil.errors import StateError

FILE = "sessions.ended"


class Ended:
    """The ended sessions of a corpus folder. Raises StateError where the folder cannot be read or written."""

    def __init__(self, folder: Path):
        self._path = folder / FILE
        self._key = folder / KEY_FILE
        self._turn = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._known: dict[str, int] = {}
        with self._alone():
            self._drop_past()

    def end(self, nonce: str, until: int) -> None:
        """Keep in mind, beyond a kill, that this session is over."""
        with self._alone():
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                size = os.fstat(handle).st_size
                # a line that a full disk cut off stands alone
                torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
                line = b"\n" * torn + f"{until} {_hash(nonce)}\n".encode("ascii")
                if os.write(handle, line) != len(line):
                    raise OSError("the disk is full")
                os.fsync(handle)
            finally:
                os.close(handle)

    def has(self, nonce: str) -> bool:
        """Whether a session was ended. Costs a look at the file's size and time."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._error(error) from error
        seen = (found.st_ino, found.st_size, found.st_mtime_ns)
        with self._turn:
            if seen != self._seen:
                try:
                    self._known = self._read()
                except OSError as error:
                    raise self._error(error) from error
                self._seen = seen
            return _hash(nonce) in self._known

    def _read(self) -> dict[str, int]:
        lines = (line.split() for line in self._path.read_bytes().decode("ascii", "replace").splitlines())
        return {part[1]: int(part[0]) for part in lines if len(part) == 2 and part[0].isdecimal()}

    def _drop_past(self) -> None:
        if not self._path.exists():
            return
        known = self._read()
        kept = {key: until for key, until in known.items() if until > time.time()}
        if len(kept) < len(known):
            beside = self._path.with_name(f".{FILE}.new")
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.writelines(f"{until} {key}\n" for key, until in kept.items())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One at a time, among processes, too."""
        try:
            with self._turn, self._key.open("rb") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX)
                yield
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> StateError:
        return StateError(
            f"ended sessions cannot be kept: {error.strerror or error}",
            where=self._path,
            todo="check the disk, permissions and the mount",
        )


def _hash(nonce: str) -> str:
    return hashlib.sha256(nonce.encode("utf-8", "replace")).hexdigest()[:32]
