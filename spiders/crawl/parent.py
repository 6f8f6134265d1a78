"""Starting the crawl process and listening to it.

The child speaks through the store; on its standard output it only says how far it is. It ends when
its standard input ends, so it never outlives the process that started it, however that dies.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol

from dalil.errors import DalilError, LimitReached, StateError, UsageError
from dalil.stages import Gathering
from dalil.state import failpoints

KINDS: dict[str, type[DalilError]] = {
    kind.__name__: kind for kind in (DalilError, LimitReached, StateError, UsageError)
}
LAST_WORDS = 2000
"""bytes of its standard error that are looked at when it dies"""


class Child(Protocol):
    """A crawl process as its parent sees it."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None

    def wait(self, timeout: float | None = None) -> int: ...

    def kill(self) -> None: ...


def _start(arguments: list[str], errors: IO[bytes]) -> Child:
    environment = dict(os.environ)
    failpoints.hand_over(environment)
    return subprocess.Popen(
        [sys.executable, "-m", "spiders.crawl", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment,
    )  # fmt: skip


start: Callable[[list[str], IO[bytes]], Child] = _start
"""how the process is started (tests fork instead: it is the same work)"""


def crawl(stage: Any, run: Gathering) -> None:
    """Run a stage in a crawl process. Raises what it raised there; LimitReached after what came before it."""
    target = f"{type(stage).__module__}:{type(stage).__qualname__}"
    arguments = [str(run.corpus.path), target, run.run_id, *(["--refresh"] if run.refresh else [])]
    with tempfile.TemporaryFile() as errors:
        child = start(arguments, errors)
        try:
            end = _listen(child, run)
        except BaseException:
            _stop(child)
            raise
        finally:
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()
        code = child.wait()
        failpoints.fall_with(code == -signal.SIGKILL)
        if end is None:
            raise DalilError(
                f"the crawl process died ({_how(code)}){_last_words(errors)}",
                todo="run again: what was stored is kept",
            )
    failpoints.take_over(end["failpoints"]) if end["failpoints"] else None
    run.counts.update(end["counts"])
    run.notes += end["notes"]
    if end["error"] is not None:
        kind, what, where, todo = end["error"]
        raise KINDS.get(kind, DalilError)(what, where=where, todo=todo)


def _listen(child: Child, run: Gathering) -> dict[str, Any] | None:
    """Pass on its progress. Returns its last message, or None when it died without one."""
    for message in _messages(child):
        for _ in range(message.get("did", 0)):
            run.step()
        if "counts" in message:
            return message
    return None


def _messages(child: Child) -> Iterator[dict[str, Any]]:
    assert child.stdout is not None
    for line in child.stdout:
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found


def _stop(child: Child) -> None:
    """Let it end: its standard input ends. What it has not committed is done again next time."""
    if child.stdin is not None:
        child.stdin.close()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"status {code}"


def _last_words(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - LAST_WORDS))
    lines = [line.strip() for line in errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {lines[-1][:300]}" if lines else ""
