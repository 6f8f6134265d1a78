"""Killing a process at a failpoint, cheaply: a forked child that has everything imported already."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable

import afterfork

from dalil.state import failpoints


def run_in_child(work: Callable[[], object], failpoint: str | None = None) -> int:
    """Run `work` in a forked child. Returns its exit status: 0, 1, or -9 when it was killed."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            afterfork.forget()
            failpoints.reset()
            os.environ.pop(failpoints.VARIABLE, None)
            if failpoint is not None:
                os.environ[failpoints.VARIABLE] = failpoint
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, code = os.waitpid(child, 0)
    return -os.WTERMSIG(code) if os.WIFSIGNALED(code) else os.WEXITSTATUS(code)


KILLED = -signal.SIGKILL
