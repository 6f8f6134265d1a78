"""Offsets of marked text: in characters, as Label Studio has them, or in a browser's UTF-16 units.

A letter beyond U+FFFF (an emoji) is one character and two units; older editors counted units.
"""

from __future__ import annotations


def offsets_in(text: str, start: int, end: int, marked: object = None) -> tuple[int, int]:
    """Offsets in characters. Those that lead to the marked text only as units are taken for units."""
    if not isinstance(marked, str) or not marked or text[start:end] == marked:
        return start, end
    encoded = text.encode("utf-16-le", "surrogatepass")
    found = _characters(encoded, start), _characters(encoded, end)
    return found if text[slice(*found)] == marked else (start, end)


def _characters(encoded: bytes, place: int) -> int:
    return len(encoded[: 2 * max(place, 0)].decode("utf-16-le", "ignore"))
