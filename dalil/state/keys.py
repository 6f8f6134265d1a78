"""Keys of a corpus: secrets made by dalil itself, in files that their owner alone may read.

`dalil dump` takes them along; no release holds them.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from dalil.errors import StateError

HEX_DIGITS = 64


def own_key(path: Path, what: str) -> bytes:
    """The key in a file, made if there is none. `what` names its use in errors.

    Raises StateError when it cannot be read or made, or is shorter than it was made.
    """
    try:
        if not path.exists():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(HEX_DIGITS // 2) + "\n")
        key = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StateError(
            f"the key of {what} cannot be read or made", where=path, todo="check permissions"
        ) from error
    if len(key) < HEX_DIGITS:
        raise StateError(f"the key of {what} is too short", where=path, todo="restore it from a dump")
    return key.encode("ascii")
