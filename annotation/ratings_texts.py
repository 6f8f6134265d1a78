"""A column's distinct texts, held as Arrow has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_BLOCK = 65_536


class Texts(Sequence[str]):
    """Distinct texts of a column, held as one Arrow array and made into `str` when asked for."""

    def __init__(self, array: Any):
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [str(text) for text in self._array.to_pylist()[place]]
        return str(self._array[int(place)].as_py())

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self._array), _BLOCK):
            yield from self._array.slice(start, _BLOCK).to_pylist()

    def empty(self) -> NDArray[np.int64]:
        """Codes of empty texts (none or one)."""
        import pyarrow.compute as pc

        found: NDArray[np.int64] = np.flatnonzero(
            pc.equal(pc.utf8_length(self._array), 0).to_numpy(zero_copy_only=False)
        )
        return found
