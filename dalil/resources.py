"""Where the files that people edit lie: `data/` of a clone, or `dalil/_data` of a wheel."""

from __future__ import annotations

import hashlib
import importlib
from pathlib import Path
from typing import Any

from dalil.errors import DalilError


def data(*parts: str) -> Path:
    """Path of a file or folder under data/, e.g. `data("cleaning", "rules.toml")`.

    Raises DalilError when it is not there (a broken installation).
    """
    package = Path(__file__).resolve().parent
    for root in (package / "_data", package.parent / "data"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise DalilError(f"the shipped file data/{'/'.join(parts)} is missing", todo="install dalil again")


def content_hash(path: Path) -> str:
    """Hash over a file's bytes, or over names and bytes of all files below a folder."""
    total = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            total.update(file.relative_to(path.parent).as_posix().encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:16]


def entry_point(target: str) -> Any:
    """What `"package.module:name"` names. Imported here, so that a table costs nothing to read."""
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)
