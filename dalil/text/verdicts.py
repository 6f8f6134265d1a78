"""From a verdict as printed to a veracity: true, false, mixed or unknown."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache

from dalil.resources import data
from dalil.text.normal import search_form

VERACITIES = ("true", "false", "mixed", "unknown")
TABLE = "sites/common/verdicts.toml"
LONGEST = 400
"""characters of a verdict that are looked at"""
_EDGES = " \t\n.،,:;!؟?\"'«»“”()[]-–—"


def veracity_of(verdict: str | None, own: Mapping[str, str] | None = None) -> str:
    """The veracity of a printed verdict (`understood`); unknown for one that no table knows."""
    return understood(verdict or "", own) or "unknown"


def understood(verdict: str, own: Mapping[str, str] | None = None) -> str | None:
    """What a printed verdict says, by the site's own table, then the common one; None where neither can tell.

    A whole verdict counts before a phrase inside one; of phrases the longest covers those within it
    («زائف جزئيًا» is not «زائف»). Phrases that contradict each other, and denials of one, tell nothing.
    """
    form = _form(verdict[:LONGEST])
    site = {_form(printed): veracity for printed, veracity in (own or {}).items()}
    for table in (site, _common()):
        if form in table:
            return table[form]
    for table in (site, _common()):
        found = _inside(form, table)
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _inside(form: str, table: Mapping[str, str]) -> set[str]:
    """The veracities of the phrases in a text, each place counted once, longest first."""
    found: set[str] = set()
    rest = f" {form} "
    for phrase in sorted(table, key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w)[وف]?{re.escape(phrase)}(?!\w)")
        match = pattern.search(rest)
        if match is not None:
            before = rest[: match.start()].split()
            rest = pattern.sub(" ", rest)
            if before and before[-1] in _NOT:
                found |= {table[phrase], "unknown"}
            else:
                found.add(table[phrase])
    return found


_NOT = frozenset(
    search_form(word)
    for word in ("ليس", "ليست", "غير", "لا", "not", "no", "nie", "není", "pas", "não", "isn't", "isnt")
)


def _form(text: str) -> str:
    return " ".join(search_form(text).strip(_EDGES).split()).strip(_EDGES)


@cache
def _common() -> Mapping[str, str]:
    tables = tomllib.loads(data(*TABLE.split("/")).read_text("utf-8"))
    return {
        _form(phrase): veracity
        for veracity, rows in tables.items()
        for row in rows.values()
        for phrase in row
    }
