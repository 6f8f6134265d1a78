"""Site definitions: one TOML a site in data/sites/, or a file of the user's own."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dalil.errors import UsageError
from dalil.resources import data


class Selectors(BaseModel):
    """CSS selectors of one layout. `::text` and `::attr()` as in parsel."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    links: str
    """links to claims on a listing"""
    next: str | None = None
    title: str
    claim: str | None = None
    verdict: str | None = None
    category: str | None = None
    date: str | None = None
    date_attribute: str | None = None
    body: str | None = None


class Site(BaseModel):
    """A site that claims come from."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    start: tuple[str, ...]
    country: str | None = None
    language: str = "ar"
    version: int = 1
    """raised when selectors change: pages are then parsed again from the WARC"""
    selectors: Selectors
    verdicts: dict[str, str] = Field(default_factory=dict)
    """printed verdict → true, false, mixed"""
    domains: dict[str, str] = Field(default_factory=dict)
    """site category → domain"""


def load_site(name: str, folder: Path | None = None) -> Site:
    """The definition of a site: NAME.toml beside the corpus, else the shipped one.

    Raises UsageError naming the file and key for a bad or missing definition.
    """
    own = folder / "sites" / f"{name}.toml" if folder is not None else None
    path = own if own is not None and own.is_file() else data("sites") / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in data("sites").glob("*.toml")))
        raise UsageError(f"unknown site {name!r}", where="corpus.toml: sites.names", todo=f"one of {known}")
    try:
        return Site.model_validate(tomllib.loads(path.read_text("utf-8")) | {"name": name})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not valid TOML: {error}", where=path, todo="mend the line") from error
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(map(str, problem["loc"]))
        raise UsageError(f"{key}: {problem['msg']}", where=path, todo="see docs/2-claims.md") from error
