"""Where the definition of a site lies, and what is written in it: `spiders.sites` says what it means."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from dalil.errors import UsageError
from dalil.resources import data
from dalil.text.verdicts import VERACITIES

DEEPEST = 3
"""definitions that are like each other, one after another"""


def definition_file(name: str, folder: Path | None = None) -> Path | None:
    """NAME.toml in a corpus's folder sites/, else the shipped one; None where there is neither."""
    if not name or "/" in name or "\\" in name or name.startswith("."):
        return None
    folders = [data("sites")] if folder is None else [folder / "sites", data("sites")]
    try:
        return next((path for one in folders if (path := one / f"{name}.toml").is_file()), None)
    except OSError:  # longer than a file's name may be: a site as a file of claims names it
        return None


def definition(path: Path) -> dict[str, Any]:
    """What a definition says; what it does not say is taken from the one that it is `like`, beside it.

    Raises OSError, UnicodeDecodeError and TOMLDecodeError as they come, and UsageError for a `like`
    that leads nowhere.
    """
    return _values(path, 0)


def own_verdicts(name: str, folder: Path | None = None) -> dict[str, str]:
    """The table [verdicts] of a site's definition: printed verdict → veracity. {} where there is none.

    Raises UsageError for a definition that cannot be read, or a value that is no veracity.
    """
    path = definition_file(name, folder)
    if path is None:
        return {}
    try:
        found = definition(path).get("verdicts", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", where=path, todo="mend it") from error
    if not isinstance(found, dict) or any(value not in VERACITIES for value in found.values()):
        raise UsageError(
            "[verdicts] must say of each printed verdict true, false, mixed or unknown",
            where=path,
            todo="see docs/how-to-add-a-site.md",
        )
    return found


def _values(path: Path, depth: int) -> dict[str, Any]:
    found = tomllib.loads(path.read_text("utf-8"))
    other = found.pop("like", None)
    if other is None:
        return found
    if depth > DEEPEST or not isinstance(other, str) or not (path.parent / f"{other}.toml").is_file():
        raise UsageError(
            f"like: no site {other!r} beside this file", where=path, todo="name one of its neighbours"
        )
    base = _values(path.parent / f"{other}.toml", depth + 1)
    for table in ("verdicts", "domains"):
        if table in base and table in found:
            found[table] = {**base[table], **found[table]}
    return {**base, **found}
