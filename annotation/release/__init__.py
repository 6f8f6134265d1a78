"""release: the data set that may be given away, with a card that says how it came to be."""

from __future__ import annotations

from dalil.config import Settings


class ReleaseSettings(Settings):
    """`[release]` of corpus.toml."""

    licence: str | None = None
    """licence of the annotations, e.g. CC-BY-4.0: named on the card"""
