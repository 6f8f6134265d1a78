"""The card's words in both languages: data/release/en.toml and ar.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from dalil.resources import data
from dalil.wording import counted

LANGUAGES = ("en", "ar")


class Words:
    """Headings and sentences by name; `table_titles` and `file_list` are mappings; `titles`: label → name."""

    def __init__(self, language: str, values: Mapping[str, Any], titles: Mapping[str, str] | None = None):
        self.language = language
        self.titles = titles or {}
        self.table_titles: Mapping[str, str] = values["table_titles"]
        self.file_list: Mapping[str, str] = values["file_list"]
        self._terms: Mapping[str, str] = values.get("glossary", {})
        self._values = values

    def term(self, word: str) -> str:
        """A word of the tables in this language; names stay as they are."""
        return self._terms.get(word, word)

    def calling(self, titles: Mapping[str, str]) -> Words:
        """The same words, with labels called as their scheme calls them."""
        return Words(self.language, self._values, titles)

    def label(self, name: str) -> str:
        """What a label is called: as its scheme says, else as a word of the tables."""
        return self.titles.get(name) or self.term(name)

    def counted(self, number: int, noun: str) -> str:
        """A number with its English noun; alone in Arabic, whose sentences name the thing before it."""
        return counted(number, noun) if self.language == "en" else f"{number:,}"

    def figure_of(self, text: str) -> str:
        """A figure, its sign kept before it within Arabic."""
        return f"\u2066{text}\u2069" if self.language == "ar" and text[:1] in "+-" else text

    def country(self, code: str) -> str:
        """A country's name; what is no code stays as it is."""
        return _names(self.language, "territories").get(code, code)

    def tongue(self, code: str) -> str:
        """A language's name; what is no code stays as it is."""
        return _names(self.language, "languages").get(code.lower(), code)

    def __getattr__(self, name: str) -> str:
        try:
            return str(self._values[name])
        except KeyError:
            raise AttributeError(f"the card has no word {name!r} ({self.language})") from None


@cache
def _names(language: str, what: str) -> Mapping[str, str]:
    """Names of territories or languages (Unicode CLDR, by babel)."""
    from babel import Locale

    return dict(getattr(Locale(language), what))


@cache
def words(language: str) -> Words:
    """The words of a language: en or ar."""
    return Words(language, tomllib.loads(data("release", f"{language}.toml").read_text("utf-8")))


@cache
def column_meanings() -> Mapping[str, str]:
    """Column of the release's table → what it means."""
    found: Mapping[str, str] = tomllib.loads(data("release", "columns.toml").read_text("utf-8"))
    return found
