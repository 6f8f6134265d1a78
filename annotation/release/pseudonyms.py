"""Names of annotators never leave the corpus: a keyed hash stands for each (HMAC-SHA-256).

The key lies in the corpus folder (`annotators.key`), is made once, and is in no release: without it a name
cannot be tried against a pseudonym. The same corpus gives the same pseudonyms in every release.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from dalil.errors import StateError

FILE = "annotators.key"
LETTERS = 8
"""40 bits: two of a thousand annotators share one with a chance of 5 in 10 million; that is refused"""


class Pseudonyms:
    """Name → pseudonym. Raises StateError when the key cannot be read or made."""

    def __init__(self, key: bytes):
        self._key = key
        self._names: dict[str, str] = {}

    @classmethod
    def of(cls, corpus: Path) -> Pseudonyms:
        """With the corpus's own key, made if there is none."""
        path = corpus / FILE
        try:
            if not path.exists():
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "w", encoding="ascii") as file:
                    file.write(secrets.token_hex(32) + "\n")
            key = path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise StateError(
                "the key of the annotators' pseudonyms cannot be read or made",
                where=path,
                todo="check permissions",
            ) from error
        if len(key) < 32:
            raise StateError("this key is too short to hide names", where=path, todo="restore it from a copy")
        return cls(key.encode("ascii"))

    def __call__(self, name: str) -> str:
        """The pseudonym of a name. Raises StateError should two names share one."""
        found = hmac.new(self._key, name.encode("utf-8"), hashlib.sha256).digest()
        made = "annotator-" + base64.b32encode(found).decode("ascii").lower()[:LETTERS]
        if self._names.setdefault(made, name) != name:
            raise StateError(
                "two annotators have the same pseudonym", todo=f"remove {FILE} and release again"
            )
        return made
