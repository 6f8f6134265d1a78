"""Where tests find real data: the folder that the environment variable `DALIL_DATA` names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def data_dir(name: str = "") -> Path:
    """The real-data folder, or its sub-folder `name` (`data_dir("baly2018")`).

    Absent data skips the test that asks, unless `data` is among the comma-separated kinds of
    `DALIL_REQUIRE`: then the test fails, so that a run meant to cover real data cannot pass without.
    """
    root = os.environ.get("DALIL_DATA", "").strip()
    if not root:
        _absent("DALIL_DATA is not set: it names the folder of real data")
    path = Path(root) / name
    if not path.is_dir():
        _absent(f"no folder {name or 'of real data'} where DALIL_DATA points")
    return path


def _absent(reason: str) -> None:
    kinds = {kind.strip() for kind in os.environ.get("DALIL_REQUIRE", "").split(",")}
    if "data" in kinds:
        pytest.fail(f"{reason}, and DALIL_REQUIRE names data", pytrace=False)
    pytest.skip(reason)
