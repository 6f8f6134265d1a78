"""What can go wrong, told in one line. The command line turns these into messages, once.

Exit status: 0 done; 1 failed; 2 wrong arguments or configuration; 3 stopped by a limit
(quota, rate, credits), safe to run again.
"""

from __future__ import annotations

from pathlib import Path


class DalilError(Exception):
    """Something failed. `what` says what was wrong, `where` file, line or key, `todo` what to do."""

    exit_status = 1

    def __init__(self, what: str, *, where: str | Path | None = None, todo: str | None = None):
        self.what = what
        self.where = str(where) if where is not None else None
        self.todo = todo
        super().__init__(self.line())

    def line(self) -> str:
        """The whole message as one line: where, what was wrong, what to do."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        return " ".join(f"{text}; {self.todo}".split()) if self.todo else " ".join(text.split())


class UsageError(DalilError):
    """Wrong arguments or configuration (exit status 2)."""

    exit_status = 2


class InputError(DalilError):
    """A file that cannot be read as what it claims to be; `where` is file:line or file: field."""


class StateError(DalilError):
    """A corpus that cannot be opened, read or written: missing, locked, too new, disk full."""


class LimitReached(DalilError):
    """Stopped by a quota, a rate or spent credits (exit status 3): safe to run again later."""

    exit_status = 3
