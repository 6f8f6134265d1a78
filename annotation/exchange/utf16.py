"""Offsets of browsers count UTF-16 units: a letter beyond U+FFFF (an emoji) is two of them."""

from __future__ import annotations


def units_in(text: str, start: int, end: int) -> tuple[int, int]:
    """Offsets in characters as offsets in UTF-16 units."""
    before = _units(text[:start])
    return before, before + _units(text[start:end])


def offsets_in(text: str, start: int, end: int, marked: object = None) -> tuple[int, int]:
    """Offsets of a browser as offsets in characters.

    Where the marked text is known, they are taken as they lead to it: some tools count characters.
    """
    if isinstance(marked, str) and marked and text[start:end] == marked:
        return start, end
    encoded = text.encode("utf-16-le", "surrogatepass")
    first = len(encoded[: 2 * start].decode("utf-16-le", "ignore"))
    return first, first + len(encoded[2 * start : 2 * end].decode("utf-16-le", "ignore"))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
