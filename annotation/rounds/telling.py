"""Mistakes that the page tells in its own language."""

from __future__ import annotations

from dalil.errors import UsageError


class Told(UsageError):
    """A mistake with a text of the page: `key` of words.toml, and the values that fill it in.

    `what` and `todo` are for the command line, as in every error.
    """

    def __init__(self, key: str, what: str, *, todo: str | None = None, **values: str | int):
        self.key = key
        self.values = values
        super().__init__(what, todo=todo)
