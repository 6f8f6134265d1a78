"""Where the page is: a running server leaves its address in the corpus folder, for links made elsewhere.

The kernel frees the lock on that file when the server ends, however it ends: an address nobody holds is old.
"""

from __future__ import annotations

import fcntl
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.rounds.settings import AnnotateSettings

FILE = ".page"
_TRIES = 20


@contextmanager
def announced(folder: Path, address: str) -> Iterator[None]:
    """While the page of a corpus is at an address. Of two servers the first is told of, then the other."""
    try:
        handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:  # links say then that the page is not running
        yield
        return
    over = threading.Event()
    waiting = threading.Thread(target=_wait, args=(handle, address, over), daemon=True)
    # somebody who looks holds it for a moment, too
    if not any(_announce(handle, address) or over.wait(0.01) for _ in range(_TRIES)):
        waiting.start()
    try:
        yield
    finally:
        over.set()
        if waiting.is_alive():
            waiting.join()
        os.close(handle)


def _announce(handle: int, address: str) -> bool:
    """Whether the address is written: no other server holds the file."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    os.ftruncate(handle, 0)
    os.pwrite(handle, address.encode(), 0)
    return True


def _wait(handle: int, address: str, over: threading.Event) -> None:
    """The turn of this server comes when the one before it ends."""
    while not over.wait(0.5) and not _announce(handle, address):
        pass


def running_at(folder: Path) -> str | None:
    """The address of the server that runs now; None where none does."""
    try:
        handle = os.open(folder / FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(handle, 500, 0).decode("utf-8", "replace").strip() or None
    finally:
        os.close(handle)
    return None


def address_of(host: str, port: int) -> str:
    """The address of a page that listens there."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 (compared, not bound)
        host = socket.gethostname()  # all addresses of this machine: none of them is a name of it
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def link_of(own: AnnotateSettings, folder: Path, secret: str) -> tuple[str, str | None]:
    """A personal link, and what to say where it leads nowhere yet."""
    path = f"/join/{secret}"
    found = own.address or running_at(folder)
    if found:
        return found.rstrip("/") + path, None
    if own.port == 0:
        return path, "the page is not running: put the address before it that dalil annotate serve prints"
    return address_of(own.host, own.port) + path, (
        f"the page is not running: dalil annotate serve opens it; with another --port than {own.port}, "
        "the link needs that one"
    )
