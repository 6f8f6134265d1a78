"""Which sites there are: those that dalil ships, a corpus's own, and the names that lead to none."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dalil.config import FILE, Config
from dalil.errors import DalilError
from spiders.sites import CollectSettings, known_sites, load_site


@dataclass(frozen=True)
class Listed:
    """One line of `dalil sites list`. A definition that is wrong has a note that says so, and no way."""

    name: str
    title: str | None = None
    way: str | None = None
    kind: str | None = None
    language: str | None = None
    country: str | None = None
    verified: bool | None = None
    """false: none of it was checked; `unverified` says what, where it is only a part"""
    unverified: tuple[str, ...] = ()
    """what was never checked against pages of the site, and why"""
    note: str | None = None
    own: bool = False
    """defined in the corpus, beside or in the place of a shipped one"""
    named: bool = False
    """by [sites] names of the corpus"""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)


def listed(corpus: Path) -> list[Listed]:
    """The sites by name; `corpus` may be any folder: without a corpus.toml, the shipped ones alone.

    Raises UsageError for a corpus.toml that cannot be read.
    """
    names: tuple[str, ...] = ()
    own: set[str] = set()
    if (corpus / FILE).is_file():
        names = Config.read(corpus / FILE).section("sites", CollectSettings).names
        own = {file.stem for file in (corpus / "sites").glob("*.toml")}
    return [
        _line(name, corpus if own else None, name in own, name in names)
        for name in sorted({*known_sites(), *own, *names})
    ]


def _line(name: str, folder: Path | None, own: bool, named: bool) -> Listed:
    try:
        site = load_site(name, folder)
    except DalilError as error:
        return Listed(name, note=f"{error.where}: {error.what}", own=own, named=named)
    return Listed(
        name,
        site.title,
        site.way,
        site.kind,
        site.language,
        site.country,
        site.verified,
        site.doubts,
        site.note,
        own,
        named,
    )
