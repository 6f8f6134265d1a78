"""English words of a claim, as a file has them: a column with `;`, or a list."""

from __future__ import annotations

from typing import Any

import pytest

from dalil.formats.rows import BadField, terms_of


@pytest.mark.parametrize(
    ("value", "terms"),
    [
        ("Suez Canal; bridge ;", ("Suez Canal", "bridge")),
        (["Suez Canal", " bridge", ""], ("Suez Canal", "bridge")),
        ("bridge", ("bridge",)),
        ("", ()),
        (None, ()),
        ([], ()),
    ],
)
def test_terms(value: Any, terms: tuple[str, ...]) -> None:
    assert terms_of({"english": value}, "english") == terms
    assert terms_of({}, "english") == ()


@pytest.mark.parametrize("value", [[1], {"a": 1}, True])
def test_what_are_no_terms(value: Any) -> None:
    with pytest.raises(BadField):
        terms_of({"english": value}, "english")
