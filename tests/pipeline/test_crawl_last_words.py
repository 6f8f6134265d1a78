"""A crawl process that fails says what failed: waiting for its parent must not turn that into an abort."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import toycorpus


def test_an_unexpected_error_is_the_last_line_and_no_abort(tmp_path: Path) -> None:
    toycorpus.make(tmp_path / "c").close()
    command = [sys.executable, "-m", "spiders.crawl", str(tmp_path / "c"), "no_such_module:Stage", "run"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read()
        last = child.stderr.read().decode().strip().split("\n")[-1]
        assert child.wait() == 1
    assert last == "ModuleNotFoundError: No module named 'no_such_module'"
