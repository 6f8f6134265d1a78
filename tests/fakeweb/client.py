"""Starting the fake web from tests and benchmarks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "DALIL_LOCAL_WEB"


@dataclass(frozen=True)
class FakeWeb:
    """A running fake web."""

    address: str
    """host:port: the value of DALIL_LOCAL_WEB"""

    def at(self, host: str, path: str = "/") -> str:
        """The address of a play on the server itself."""
        return f"http://{self.address}/_at/{host}{path}"

    def log(self) -> list[dict[str, Any]]:
        """The requests since the last reset."""
        found: list[dict[str, Any]] = json.loads(self._get("/_log"))
        return found

    def asked(self, host: str | None = None) -> list[str]:
        """`host/path?query` of the requests since the last reset, in order."""
        return [
            f"{row['host']}{row['path']}" + (f"?{row['query']}" if row["query"] else "")
            for row in self.log()
            if host is None or row["host"] == host
        ]

    def reset(self) -> None:
        """Forget requests and counts."""
        self._get("/_reset")

    def _get(self, path: str) -> bytes:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://{self.address}{path}", timeout=10) as answer:
            found: bytes = answer.read()
        return found


@contextmanager
def running() -> Iterator[FakeWeb]:
    """Start the server process; it ends with the block, or with this process."""
    tests = Path(__file__).resolve().parents[1]
    environment = os.environ | {"PYTHONPATH": str(tests)}
    command = [sys.executable, "-m", "fakeweb.server"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    )
    try:
        assert process.stdout is not None
        yield FakeWeb(process.stdout.readline().strip())
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.terminate()
        process.wait(10)
        process.stdout.close()
