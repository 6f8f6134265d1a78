"""Analyzers by name. A backend's file, and its libraries, are imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from dalil.errors import UsageError
from retrieval.analyzers.base import Analysis, Analyzer, Constituent, Entity, Token

BACKENDS = {
    "embedded": "retrieval.analyzers.embedded",
    "stanza": "retrieval.analyzers.stanza",
    "camel": "retrieval.analyzers.camel",
    "corenlp": "retrieval.analyzers.corenlp",
}
"""name → module with `load() -> Analyzer` and `missing() -> str | None` (why it cannot run). One whose
models are not shipped has `download()` and `ABOUT` (what it brings, and under which licence) too."""

AUTO = ("stanza", "embedded")
"""What `auto` tries, best first; it never downloads."""

__all__ = [
    "AUTO",
    "BACKENDS",
    "Analysis",
    "Analyzer",
    "Constituent",
    "Entity",
    "Token",
    "load",
    "resolve",
]


def resolve(name: str = "auto") -> str:
    """The backend's own name: `auto` becomes the first of `AUTO` that can run here.

    Raises UsageError for a name that is not registered.
    """
    if name in BACKENDS:
        return name
    if name != "auto":
        known = ", ".join(["auto", *BACKENDS])
        raise UsageError(f"no analyzer is called {name!r}", where="analyzer", todo=f"use one of: {known}")
    for candidate in AUTO:
        if candidate in BACKENDS and import_module(BACKENDS[candidate]).missing() is None:
            return candidate
    return AUTO[-1]


def load(name: str = "auto") -> Analyzer:
    """The analyzer of that name, its models loaded.

    Raises UsageError for an unknown name, and what the backend raises when its models are
    missing: one line with the command that brings them.
    """
    analyzer: Analyzer = import_module(BACKENDS[resolve(name)]).load()
    return analyzer
