"""Progress of long work: a bar in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

EVERY = 10.0
"""seconds between plain lines"""


class Reporter:
    """Tells how far a stage is. `begin`, then `step` for each unit, then `done`."""

    def __init__(self, *, quiet: bool = False):
        self.console = Console(stderr=True, soft_wrap=True)
        self.quiet = quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._stage = ""
        self._count = 0
        self._spoke = 0.0

    def __enter__(self) -> Reporter:
        if self.console.is_terminal and not self.quiet:
            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
            )
            self._bar = Progress(*columns, console=self.console, transient=True)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, stage: str, total: int | None = None) -> None:
        """A stage begins; `total` units where that is known."""
        self._stage, self._count, self._spoke = stage, 0, time.monotonic()
        if self._bar is not None:
            self._task = self._bar.add_task(stage, total=total)

    def step(self) -> None:
        """One unit is done."""
        self._count += 1
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task)
        elif not self.quiet and time.monotonic() - self._spoke > EVERY:
            self._spoke = time.monotonic()
            self.say(f"{self._stage}: {self._count} …")

    def done(self, summary: str | None) -> None:
        """The stage has ended; None: with nothing to tell."""
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
        if summary is not None:
            self.say(summary)

    def say(self, line: str) -> None:
        """One line for the user."""
        if not self.quiet:
            self.console.print(line, markup=False, highlight=False)


class Silent(Reporter):
    """Says nothing (tests, `--json`)."""

    def __init__(self) -> None:
        super().__init__(quiet=True)


def stdout_is_terminal() -> bool:
    """Whether reports go to a person's terminal."""
    return sys.stdout.isatty()
