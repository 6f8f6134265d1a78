"""Debian's Chromium through Playwright, and the annotators' page on a real port.

A browser test asks for the fixture `chromium` (tests/browser/conftest.py). Where Chromium is absent it is
skipped, unless `browser` is among the comma-separated kinds of `DALIL_REQUIRE`: then it fails.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn
from fastapi import FastAPI

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
WIDE = """() => document.documentElement.scrollWidth > document.documentElement.clientWidth
  ? [...document.querySelectorAll('main *, header *')].filter(node => {
      const box = node.getBoundingClientRect();
      return box.left < -1 || box.right > innerWidth + 1;
    }).map(node => node.outerHTML.slice(0, 120)) : []"""
"""Script: what makes a page wider than its window."""


def need_chromium() -> None:
    """Skip, or fail where browsers are required, when Chromium is not here."""
    if CHROMIUM.exists():
        return
    kinds = {kind.strip() for kind in os.environ.get("DALIL_REQUIRE", "").split(",")}
    if "browser" in kinds:
        pytest.fail("Chromium is absent, and DALIL_REQUIRE names browser", pytrace=False)
    pytest.skip("Chromium is absent (make system)")


@contextmanager
def browser() -> Iterator[Browser]:
    """A running Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        try:
            yield found
        finally:
            found.close()


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """The application on a free port of loopback, in a thread. Yields its address."""
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, access_log=False, log_level="warning", lifespan="off"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        for _ in range(400):
            if server.started:
                break
            time.sleep(0.025)
        else:
            raise RuntimeError("the server did not start")
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
