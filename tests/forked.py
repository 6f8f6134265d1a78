"""The crawl process, forked instead of started: the same work without a second to load everything."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import afterfork

# imported here so that no child has to
import protego  # noqa: F401
import queuelib  # noqa: F401
import warcio.archiveiterator
import warcio.warcwriter  # noqa: F401

import spiders.crawl.child
import spiders.crawl.download
import spiders.crawl.parent
from dalil.state import failpoints
from spiders.crawl.domains import domain_of

domain_of("http://warm.example/")  # reads the list of public suffixes


@dataclass
class Forked:
    """A forked child, with the face of a Popen."""

    pid: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status; -signal when it was killed."""
        _, code = os.waitpid(self.pid, 0)
        return -os.WTERMSIG(code) if os.WIFSIGNALED(code) else os.WEXITSTATUS(code)

    def kill(self) -> None:
        """Kill it."""
        os.kill(self.pid, 9)


def start(arguments: list[str], errors: IO[bytes]) -> Forked:
    """Fork a crawl process."""
    to_child, from_parent = os.pipe()
    to_parent, from_child = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            afterfork.forget()
            os.close(from_parent)
            os.close(to_parent)
            os.dup2(errors.fileno(), 2)
            counts: dict[str, str] = {}
            failpoints.hand_over(counts)
            os.environ.update(counts)
            with os.fdopen(from_child, "w") as out:
                status = spiders.crawl.child.main(arguments, given=os.fdopen(to_child, "rb"), out=out)
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)
    os.close(to_child)
    os.close(from_child)
    return Forked(pid, os.fdopen(from_parent, "wb"), os.fdopen(to_parent, "rb"))


@contextmanager
def forked_crawls() -> Iterator[None]:
    """Inside the block crawls are forked."""
    before = spiders.crawl.parent.start
    spiders.crawl.parent.start = start
    try:
        yield
    finally:
        spiders.crawl.parent.start = before
