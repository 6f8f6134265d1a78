"""One stage writer a corpus."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dalil.errors import StateError

FILE = ".lock"


@contextmanager
def stage_lock(corpus: Path, doing: str) -> Iterator[None]:
    """Hold the corpus for a run; the kernel frees it when the process dies, however it dies.

    Raises StateError naming who holds it.
    """
    path = corpus / FILE
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StateError(
            f"the corpus cannot be written here: {error.strerror}",
            where=corpus,
            todo="check permissions and the mount",
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "another process"
            raise StateError(
                f"this corpus is at work: {holder}", where=corpus, todo="wait until it has ended, or stop it"
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"dalil {doing} (process {os.getpid()})".encode(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)
