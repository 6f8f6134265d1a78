"""What a forked child must not take over from the test process: it is not there in the child."""

from __future__ import annotations

import asyncio
from multiprocessing import forkserver


def forget() -> None:
    """Forget the parent's running event loop and its fork server (no child of this process)."""
    asyncio._set_running_loop(None)
    server = forkserver._forkserver
    server._forkserver_pid = server._forkserver_alive_fd = server._forkserver_address = None
