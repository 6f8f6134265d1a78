"""`[annotate]` of corpus.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from annotation.schemes import Scheme, scheme_of
from dalil.config import Settings


class AnnotateSettings(Settings):
    """Rounds and the annotators' page."""

    scheme: str = "arastance"
    """a shipped scheme, or a TOML file relative to the corpus"""
    sentences: bool | None = None
    """whether the sentences that carry the stance can be marked; default: what the scheme says"""
    information: str | None = None
    """information sheet (TOML, relative to the corpus); default: a shipped one to be filled in"""
    seed: int = 0
    """of every draw: samples, the circle, the order of queues, who is asked third"""
    order: Literal["claim", "random"] = "claim"
    """a claim's articles one after another, or mixed"""
    third: bool = True
    """a third annotator where the first choices of two differ"""
    adjudicate: Literal["ties", "all"] = "ties"
    """what waits for a ruling: pairs where no label leads, or every disagreement"""
    hidden_every: int = Field(default=0, ge=0)
    """a hidden gold item after so many others; 0: none"""
    hidden_pass: float = Field(default=0.7, gt=0, le=1)
    """below this share of hidden gold a rater is shown to the lead as careless"""
    per_day: int | None = Field(default=None, ge=1)
    """judgements a person and day (UTC), at most"""
    idle_seconds: float = Field(default=300.0, gt=0)
    """longest time on one item that counts as work"""
    similar: int = Field(default=3, ge=0)
    """how many sentences most like the claim are lightly marked"""
    language: Literal["ar", "en"] = "ar"
    """of the page, until somebody chooses another"""
    host: str = "127.0.0.1"
    """address to listen on: this machine alone unless told otherwise"""
    port: int = Field(default=8765, ge=0, le=65535)
    """0: any free one"""
    address: str | None = None
    """public address of the page, when a proxy stands before it (https://…)"""

    @field_validator("address")
    @classmethod
    def _whole(cls, value: str | None) -> str | None:
        """Links are made of it, and the page knows its own host by it."""
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            right = None
        if not right or parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
            raise ValueError(f"{value!r} is not of the form https://HOST")
        return value

    session_hours: float = Field(default=72.0, gt=0)
    """how long a session lasts; the personal link begins another"""

    def read_scheme(self, folder: Path) -> Scheme:
        """The scheme, with this corpus's choice about marking sentences."""
        found = scheme_of(self.scheme, folder)
        return found if self.sentences is None else found.model_copy(update={"sentences": self.sentences})
