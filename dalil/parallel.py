"""The adapter around pebble: a function over many inputs, on processes that can be killed one by one.

Pages come from anywhere, and a parser at work on one cannot be interrupted: only its process can end.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import Any, TypeVar

from dalil.errors import DalilError
from dalil.stages import Drop, Result

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""inputs a process that wait in line: enough to keep it busy, few enough to keep memory flat"""
GRACE = 10.0
"""seconds past the limit after which a process ends itself: whoever would have ended it was killed"""


@dataclass(frozen=True)
class TimedOut:
    """The work took too long; its process was killed."""


@dataclass(frozen=True)
class Broken:
    """The work raised, or its process died."""

    error: BaseException

    @property
    def detail(self) -> str:
        """Kind and message on one line."""
        return " ".join(f"{type(self.error).__name__}: {self.error}".split())[:200]


Failed = TimedOut | Broken


@dataclass(frozen=True)
class _Bounded:
    """Work that outlives nobody: the system ends its process, though a parser holds the interpreter."""

    work: Callable[[Any], Any]
    seconds: float

    def __call__(self, argument: Any) -> Any:
        if not hasattr(signal, "setitimer"):  # not a POSIX system
            return self.work(argument)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)  # SIGALRM has no handler: it ends the process
        try:
            return self.work(argument)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def over_processes(
    work: Callable[[Any], R],
    items: Iterator[T],
    argument: Callable[[T], Any],
    seconds: float,
    processes: int | None = None,
    *,
    module: str = __name__,
) -> Iterator[tuple[T, R | Failed]]:
    """Items with what `work(argument(item))` gave, in order; each may take `seconds`.

    `work` and its arguments are pickled (they are the program's own, never from outside). `module`, and
    that of `work`, are imported by each process before its first item, so that no item's time is spent on
    them. No process starts for no items. Leaving the generator early stops the processes; where this
    process is killed, they end by themselves once the time of their item is over.
    """
    first = next(items, None)
    if first is None:
        return
    from pebble import ProcessPool

    count = processes or os.cpu_count() or 1
    # a fork of a program with threads may hang, and would inherit the database
    context = multiprocessing.get_context("forkserver")
    modules = sorted({__name__, module, _module_of(work)} - {"__main__"})
    context.set_forkserver_preload(modules)
    waiting: deque[tuple[T, Any]] = deque()
    bounded = _Bounded(work, seconds + GRACE)
    pool: Any = ProcessPool(max_workers=count, context=context, initializer=_imported, initargs=(modules,))
    try:
        for item in chain((first,), items):
            waiting.append((item, pool.schedule(bounded, args=[argument(item)], timeout=seconds)))
            if len(waiting) >= AHEAD * count:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        pool.stop()
        pool.join()


def result_of(outcome: Result | Failed, seconds: float) -> Result:
    """What a stage makes of a page's outcome: a page that took too long or broke its parser is dropped.

    Raises the page's own DalilError: that is no fault of the page's.
    """
    if isinstance(outcome, TimedOut):
        return Result(drops=(Drop("timed_out", f"more than {seconds:g} s"),))
    if isinstance(outcome, Broken):
        if isinstance(outcome.error, DalilError):
            raise outcome.error
        return Result(drops=(Drop("parser_failed", outcome.detail),))
    return outcome


def _module_of(work: Callable[..., Any]) -> str:
    return str(getattr(work, "func", work).__module__)  # a partial's own module says nothing


def _imported(modules: list[str]) -> None:
    for name in modules:
        import_module(name)


def _outcome(item: T, future: Any) -> tuple[T, Any]:
    try:
        return item, future.result()
    except FutureTimeout:
        return item, TimedOut()
    except Exception as error:  # whatever one page does to the parser is that page's outcome
        return item, Broken(error)
