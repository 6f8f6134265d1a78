"""The card's words in both languages: data/release/en.toml and ar.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from dalil.resources import data

LANGUAGES = ("en", "ar")


class Words:
    """Headings and sentences by name; `table_titles` and `file_list` are mappings."""

    def __init__(self, language: str, values: Mapping[str, Any]):
        self.language = language
        self.table_titles: Mapping[str, str] = values["table_titles"]
        self.file_list: Mapping[str, str] = values["file_list"]
        self._terms: Mapping[str, str] = values.get("glossary", {})
        self._values = values

    def term(self, word: str) -> str:
        """A word of the tables in this language; names stay as they are."""
        return self._terms.get(word, word)

    def __getattr__(self, name: str) -> str:
        try:
            return str(self._values[name])
        except KeyError:
            raise AttributeError(f"the card has no word {name!r} ({self.language})") from None


@cache
def words(language: str) -> Words:
    """The words of a language: en or ar."""
    return Words(language, tomllib.loads(data("release", f"{language}.toml").read_text("utf-8")))


@cache
def column_meanings() -> Mapping[str, str]:
    """Column of the release's table → what it means."""
    found: Mapping[str, str] = tomllib.loads(data("release", "columns.toml").read_text("utf-8"))
    return found
