"""A run that is killed leaves no process behind that a page keeps busy for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SCRIPT = """
import sys, time
from pathlib import Path

import dalil.parallel

def endless(beat):
    while True:
        Path(beat).write_text(str(time.monotonic()))
        time.sleep(0.02)

if __name__ == "__main__":
    dalil.parallel.GRACE = float(sys.argv[2])
    list(dalil.parallel.over_processes(endless, iter(sys.argv[3:]), str, float(sys.argv[1]), 2))
"""


def beats(files: list[Path], seconds: float = 0.5) -> list[bool]:
    """Which of these processes write something within this time."""
    before = [file.read_text() for file in files]
    time.sleep(seconds)
    return [file.read_text() != then for file, then in zip(files, before, strict=True)]


def test_processes_end_though_whoever_would_have_ended_them_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(SCRIPT, "utf-8")
    files = [tmp_path / "first", tmp_path / "second"]
    house = os.pathsep.join(path for path in (os.getcwd(), os.environ.get("PYTHONPATH")) if path)
    run = subprocess.Popen(
        [sys.executable, str(script), "3.0", "0.5", *map(str, files)],
        env=os.environ | {"PYTHONPATH": house},
    )
    end = time.monotonic() + 60
    while not all(file.is_file() and file.read_text() for file in files):
        assert time.monotonic() < end, "the processes did not start"
        time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.wait()
    end = time.monotonic() + 30
    while any(beats(files)):
        assert time.monotonic() < end, "a process works on, for nobody"
