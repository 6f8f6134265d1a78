"""Names of annotators never leave the corpus: a keyed hash stands for each (HMAC-SHA-256).

The key lies in the corpus folder (`annotators.key`), is made once, and is in no release: without it a name
cannot be tried against a pseudonym. The same corpus gives the same pseudonyms in every release.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path

from dalil.errors import StateError
from dalil.state.keys import own_key

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
        return cls(own_key(corpus / FILE, "the annotators' pseudonyms"))

    @classmethod
    def kept(cls, corpus: Path) -> Pseudonyms | None:
        """With the corpus's own key; None where it has never given a pseudonym."""
        return cls.of(corpus) if (corpus / FILE).exists() else None

    def __call__(self, name: str) -> str:
        """The pseudonym of a name. Raises StateError should two names share one."""
        found = hmac.new(self._key, name.encode("utf-8"), hashlib.sha256).digest()
        made = "annotator-" + base64.b32encode(found).decode("ascii").lower()[:LETTERS]
        if self._names.setdefault(made, name) != name:
            raise StateError(
                "two annotators have the same pseudonym", todo=f"remove {FILE} and release again"
            )
        return made
