"""Offsets of browsers count UTF-16 units: a letter beyond U+FFFF (an emoji) is two of them."""

from __future__ import annotations


def units_in(text: str, start: int, end: int) -> tuple[int, int]:
    """Offsets in characters as offsets in UTF-16 units. Beyond the text, which may be gone, both are one."""
    return _units(text, start), _units(text, end)


def offsets_in(text: str, start: int, end: int, marked: object = None) -> tuple[int, int]:
    """Offsets of a browser as offsets in characters.

    Where these do not lead to the marked text and offsets in characters do, they are taken for such.
    """
    encoded = text.encode("utf-16-le", "surrogatepass")
    found = _characters(encoded, start), _characters(encoded, end)
    if isinstance(marked, str) and marked and text[slice(*found)] != marked and text[start:end] == marked:
        return start, end
    return found


def _units(text: str, place: int) -> int:
    before = text[:place]
    return len(before.encode("utf-16-le", "surrogatepass")) // 2 + place - len(before)


def _characters(encoded: bytes, place: int) -> int:
    before = encoded[: 2 * max(place, 0)]
    return len(before.decode("utf-16-le", "ignore")) + place - len(before) // 2
