"""The crawl process: opens the corpus, does the work, says how far it is. See `spiders.crawl.parent`."""

from __future__ import annotations

import argparse
import fcntl
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.net.secrets import redact
from dalil.resources import entry_point
from dalil.state import failpoints
from spiders.crawl.work import NOTES, Count, live

LOCK = ".crawl.lock"
EVERY = 0.1
"""seconds between two words of progress"""


class Voice:
    """Says how far the work is, as lines of JSON."""

    def __init__(self, out: IO[str]):
        self.out = out
        self._did = 0
        self._spoke = 0.0

    def step(self) -> None:
        """One visit is done."""
        self._did += 1
        if time.monotonic() - self._spoke > EVERY:
            self._flush()

    def end(self, count: Count, error: DalilError | None) -> None:
        """The last message."""
        self._flush()
        told = (
            [type(error).__name__, redact(error.what), error.where, error.todo] if error is not None else None
        )
        counted = failpoints.counts() if os.environ.get(failpoints.VARIABLE) else {}
        notes = list(dict.fromkeys(count.notes))[:NOTES]
        self._say({"counts": dict(count.counts), "notes": notes, "error": told, "failpoints": counted})

    def _flush(self) -> None:
        if self._did:
            self._say({"did": self._did})
            self._did = 0
            self._spoke = time.monotonic()

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self.out.write(json.dumps(message) + "\n")
            self.out.flush()
        except (BrokenPipeError, ValueError):
            os._exit(1)  # nobody listens: the parent is gone


def main(arguments: Sequence[str], *, given: IO[bytes] | None = None, out: IO[str] | None = None) -> int:
    """Run one stage's crawl. Returns the exit status (0, or that of the error)."""
    parser = argparse.ArgumentParser(
        prog="python -m spiders.crawl", description="The crawl process; dalil starts it."
    )
    parser.add_argument("corpus")
    parser.add_argument("stage", help="entry point, such as spiders.articles:FetchArticles")
    parser.add_argument("run")
    parser.add_argument("--refresh", action="store_true")
    options = parser.parse_args(arguments)
    failpoints.take_over()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the parent, which lets go of us
    _end_with(sys.stdin.buffer if given is None else given)
    logging.getLogger().addHandler(logging.NullHandler())
    voice = Voice(sys.stdout if out is None else out)
    count = Count(step=voice.step)
    error: DalilError | None = None
    try:
        with _alone(Path(options.corpus)), Corpus.open(options.corpus) as corpus:
            live(
                corpus, entry_point(options.stage)(corpus), options.run, refresh=options.refresh, count=count
            )
    except DalilError as problem:
        error = problem
    voice.end(count, error)
    return error.exit_status if error is not None else 0


@contextmanager
def _alone(corpus: Path) -> Iterator[None]:
    """Wait until no other crawl process writes to this corpus.

    The lock of a run is its parent's. When that is killed, a new run can begin before the old crawl
    process has noticed; two must never write to one WARC file.
    """
    handle = os.open(corpus / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _end_with(given: IO[bytes]) -> None:
    """End this process when the pipe from its parent ends."""

    descriptor = given.fileno()

    def watch() -> None:
        # not the buffered reader: a thread that waits inside one aborts an interpreter that ends
        while os.read(descriptor, 4096):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent").start()
