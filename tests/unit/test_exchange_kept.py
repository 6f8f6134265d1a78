"""What an undone import leaves behind is never written over."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from annotation.exchange.undoing import fresh_file


def test_files_of_the_same_name_and_second_stand_beside_each_other(tmp_path: Path) -> None:
    def keep(number: int) -> Path:
        path, handle = fresh_file(tmp_path / "judged-20261130T060000Z.jsonl")
        with os.fdopen(handle, "w") as file:
            file.write(str(number))
        return path

    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(keep, range(16)))
    assert {path.read_text() for path in paths} == {str(number) for number in range(16)}
    assert all(path.suffix == ".jsonl" and path.stat().st_mode & 0o077 == 0 for path in paths)
