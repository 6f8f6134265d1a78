"""Two forms of a text: the one that is kept, and the one that is searched.

`keep` is what every record holds: NFC, fit to be stored. `search_form` is what matching compares:
without marks, tatweel and invisible characters, letters that writers exchange folded into one,
digits in ASCII, Latin letters in lower case (`dalil.text.folding` has the rule). It is never shown
or stored as the text; `search_form_with_offsets` and `span_in_original` lead back to the original.

Short texts go through `str.translate`, long ones through array look-ups in numpy; both read
the same table and a property test holds them equal. Figures: benchmarks/text_throughput.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from dalil.records import fit_text
from dalil.text.folding import images

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.unsignedinteger]

_SEVERAL = "\uffff"
"""Stands in the arrays for an image of several characters (a noncharacter, so hardly ever itself)."""

_SHORT = 50
"""Characters up to which `str.translate` is faster than setting up arrays (measured)."""

_ARABIC = re.compile(
    "[\u0620-\u064a\u066e\u066f\u0671-\u06d3\u06d5\u06e5\u06e6\u06ee\u06ef\u06fa-\u06fc\u06ff\u0750-\u077f"
    "\u0870-\u0887\u0889-\u088e\u08a0-\u08c9\ufb50-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb"
    "\ufe70-\ufe74\ufe76-\ufefc]+"
)


def keep(text: str) -> str:
    """The text as it is kept: NFC, without NUL and lone surrogates (as in every record)."""
    return fit_text(text)


def search_form(text: str) -> str:
    """The text as matching compares it. Never raises; folding twice changes nothing."""
    if len(text) <= _SHORT:
        return text.translate(_translation())
    return _fold_array(text)


def search_form_with_offsets(text: str) -> tuple[str, list[int]]:
    """The search form, and for each of its characters the index of the original that it came from.

    One offset more closes the list: `offsets[len(form)] == len(text)`. Offsets never fall.
    `span_in_original` turns a span of the form into one of the text.
    """
    codes, arrays = _codes(text)
    single = arrays.single.take(codes)
    folded = _text(single)
    if _SEVERAL in folded:
        spread, origin = _spread(codes, arrays)
        folded = _text(spread)
    else:
        origin = single.nonzero()[0]
        folded = folded.replace("\x00", "")
    offsets: list[int] = origin.tolist()
    offsets.append(len(text))
    return folded, offsets


def span_in_original(offsets: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The span of the original that a span of the search form stands for.

    Marks that follow the last letter belong to it; a letter from a ligature brings the whole
    ligature. Raises ValueError where the span does not lie within the search form.
    """
    if not 0 <= start <= end < len(offsets):
        raise ValueError(
            f"span {start}:{end} does not lie within a search form of {len(offsets) - 1} characters"
        )
    if start == end:
        return offsets[start], offsets[start]
    return offsets[start], max(offsets[end], offsets[end - 1] + 1)


def arabic_share(text: str) -> float:
    """Share of a text's letters that are of the Arabic script, 0 to 1 (0 where it has no letters)."""
    letters = sum(map(str.isalpha, text))
    if not letters:
        return 0.0
    return (len(text) - len(_ARABIC.sub("", text))) / letters


class _Translation(dict[int, str]):
    """A table for `str.translate` that learns characters without an image instead of raising."""

    def __missing__(self, code: int) -> str:
        self[code] = character = chr(code)
        return character


@cache
def _translation() -> _Translation:
    return _Translation(images())


class _Arrays(NamedTuple):
    """The table as arrays over code points, for one width of character."""

    single: Codes
    """image where it is one character, U+0000 where it is none, U+FFFF where it is more"""
    lengths: NDArray[np.int64]
    starts: NDArray[np.int64]
    """where in `flat` the image of a code point begins"""
    flat: Codes


@cache
def _arrays(wide: bool) -> _Arrays:
    import numpy as np

    size = 0x110000 if wide else 0x10000
    table = {code: text for code, text in images().items() if code < size}
    single: Codes = np.arange(size, dtype=np.uint32) if wide else np.arange(size, dtype=np.uint16)
    lengths = np.ones(size, dtype=np.int64)
    starts = np.arange(size, dtype=np.int64)
    flat = list(range(size))
    for code, text in table.items():
        simple = len(text) == 1 and ord(text) < size
        single[code] = ord(text) if simple else 0xFFFF if text else 0
        lengths[code] = len(text)
        starts[code] = len(flat)
        flat.extend(map(ord, text))
    single = single.astype(single.dtype.newbyteorder("<"))  # as `_text` reads it, on any machine
    return _Arrays(single, lengths, starts, np.array(flat, dtype="<u4"))


def _codes(text: str) -> tuple[Codes, _Arrays]:
    """The text's code points, in the narrower width where every one fits (lone surrogates do)."""
    import numpy as np

    narrow = text.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, dtype="<u2"), _arrays(False)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4"), _arrays(True)


def _text(codes: Codes) -> str:
    return codes.tobytes().decode("utf-16-le" if codes.itemsize == 2 else "utf-32-le")


def _fold_array(text: str) -> str:
    codes, arrays = _codes(text)
    folded = _text(arrays.single.take(codes))
    if _SEVERAL in folded:  # rare: a ligature, …, or the character itself
        return _text(_spread(codes, arrays)[0])
    return folded.replace("\x00", "")


def _spread(codes: Codes, arrays: _Arrays) -> tuple[Codes, NDArray[np.int64]]:
    """Images of any length laid one after another, and the index that each character came from."""
    import numpy as np

    lengths = arrays.lengths[codes]
    origin = np.repeat(np.arange(len(codes)), lengths)
    before = np.cumsum(lengths) - lengths
    return arrays.flat[np.arange(len(origin)) + (arrays.starts[codes] - before)[origin]], origin
