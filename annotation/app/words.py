"""The page's own texts, in Arabic and English."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from dalil.errors import DalilError

LANGUAGES = ("ar", "en")
RIGHT_TO_LEFT = frozenset({"ar", "fa", "ur", "he", "ps", "sd", "ckb", "ug", "yi", "dv"})


@cache
def _words() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


@cache
def _reasons() -> dict[str, str]:
    return {texts[1]: key for key, texts in _words().items() if key.startswith("why_")}


class Words:
    """`words("key", name=…)` in one language. Raises DalilError for a key that words.toml lacks."""

    def __init__(self, language: str):
        self.language = language if language in LANGUAGES else LANGUAGES[0]
        self._place = LANGUAGES.index(self.language)

    def __call__(self, key: str, **values: Any) -> str:
        try:
            text = _words()[key][self._place]
        except KeyError:
            raise DalilError(f"the page has no text {key!r}", where="annotation/app/words.toml") from None
        return text.format(**values) if values else text

    def why(self, reason: str | None) -> str:
        """Why a figure is undefined, which agreement says in English; as it is, and set apart from the
        sentence around it, where no text is like it.
        """
        key = _reasons().get(reason or "")
        if key or not reason:
            return self(key) if key else ""
        return reason if self.direction == "ltr" else f"\u2066{reason}\u2069"

    def flag(self, flag: str) -> str:
        """What a flag of cleaning says (`needs_edit:nominal`); a flag without a text stands as it is."""
        key = "flag_" + flag.removeprefix("needs_edit:").replace(":", "_")
        return self(key) if key in _words() else flag

    def round(self, name: str) -> str:
        """What a round is called; one that only a file has brought may be called anything."""
        key = f"round_{name}"
        return self(key) if key in _words() else name

    @property
    def direction(self) -> str:
        """`rtl` or `ltr`."""
        return direction_of(self.language)


def direction_of(language: str | None) -> str:
    """Direction of a language: from the language alone, never from the first letter of a text."""
    return "rtl" if (language or "ar").split("-")[0].lower() in RIGHT_TO_LEFT else "ltr"


def keys() -> set[str]:
    """All keys, for tests."""
    return set(_words())
