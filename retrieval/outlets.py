"""Lists of outlets that people edit: one domain a line, its subdomains included."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dalil.errors import InputError, UsageError
from dalil.resources import data
from dalil.text.urls import host


class Outlets:
    """A set of domains. `in` is true for a domain itself and for everything below it."""

    def __init__(self, domains: Iterable[str]):
        self.domains = frozenset(domains)
        self._known: dict[object, bool] = {None: False}

    def __contains__(self, outlet: object) -> bool:
        known = self._known.get(outlet)
        if known is None:
            labels = str(outlet).lower().split(".")
            known = any(".".join(labels[start:]) in self.domains for start in range(len(labels)))
            self._known[outlet] = known
        return known

    def __or__(self, other: Outlets) -> Outlets:
        return Outlets(self.domains | other.domains)


def read(path: Path) -> Outlets:
    """Read a list. Raises UsageError when it is missing, InputError (file:line) for what is no domain."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"this list of outlets cannot be read: {error}",
            where=path,
            todo="check the path and that it is UTF-8",
        ) from error
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        domain = line.partition("#")[0].strip().lower()
        if not domain:
            continue
        try:
            found.append(host(f"http://{domain}/"))
        except InputError as error:
            raise InputError(
                f"{domain!r} is no domain",
                where=f"{path}:{number}",
                todo="write one domain a line, without http://",
            ) from error
    return Outlets(found)


def shipped(name: str) -> Outlets:
    """A list of data/outlets/: news, stance_work or fact_checkers."""
    return read(data("outlets", f"{name}.txt"))
