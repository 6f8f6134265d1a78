"""Site definitions: one TOML a site in data/sites/, or a file of the user's own in sites/ of a corpus.

How to write one: docs/how-to-add-a-site.md.
"""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.definitions import definition, definition_file
from dalil.errors import UsageError
from dalil.resources import data
from dalil.text.verdicts import VERACITIES

Way = Literal["template", "wordpress", "api"]
RawFrom = Literal["claim", "claimreview", "title"]


def _listed(value: Any) -> Any:
    """One selector is a list of one."""
    return (value,) if isinstance(value, str) else value


def _check(selectors: tuple[str, ...]) -> tuple[str, ...]:
    from parsel.csstranslator import HTMLTranslator

    for selector in selectors:
        try:
            HTMLTranslator().css_to_xpath(selector)
        except Exception as error:
            raise ValueError(f"not a CSS selector: {selector!r} ({error})") from error
    return selectors


Css = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""CSS selectors, tried in order; the first that finds something wins"""


class Selectors(BaseModel):
    """CSS selectors of one layout. `::text` and `::attr()` as in parsel; an element is its whole text."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str = "only"
    probe: Css = ()
    """the layout is that of a page where this finds something; without it, of every page"""
    links: Css = ()
    """links to claims on a listing"""
    next: Css = ()
    title: Css = ()
    claim: Css = ()
    verdict: Css = ()
    category: Css = ()
    claim_date: Css = ()
    date: Css = ()
    date_attribute: Css = ()
    body: Css = ()
    posts: Css = ()
    """where links to posts are looked for; without it, in the body and the structured data"""
    drop: Css = ()
    """parts that are taken out before anything is read: related claims, share bars"""
    unverified: str | None = None
    """why this layout's selectors are in doubt, where those of the site's others are not"""

    @field_validator(
        "probe",
        "links",
        "next",
        "title",
        "claim",
        "verdict",
        "category",
        "claim_date",
        "date",
        "date_attribute",
        "body",
        "posts",
        "drop",
    )
    @classmethod
    def _css(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _check(value)


class ArchivePart(BaseModel):
    """Which captures of the Wayback Machine stand in for a site, or beside it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    url: str
    """what is listed: a host, or the beginning of addresses"""
    match: Literal["exact", "prefix", "host", "domain"] = "host"
    start: str | None = None
    until: str | None = None
    """YYYYMMDD: captures after it are another owner's"""
    service: str = "http://web.archive.org"


class ApiPart(BaseModel):
    """Which API, and what it is asked."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: Literal["dbkf", "dbkf_sparql", "demagog_cz", "google_factcheck"]
    url: str
    page_size: int = Field(default=50, ge=1, le=500)
    max_pages: int = Field(default=200, ge=1)
    ask: dict[str, str] = Field(default_factory=dict)
    """parameters, as the API names them"""


class Site(BaseModel):
    """A site that claims come from."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    title: str | None = None
    kind: Literal["fact_checker", "news"] = "fact_checker"
    """`news`: its pages are candidates for true claims (headlines), not claims"""
    way: Way = "template"
    verified: bool = True
    """false: built from thin facts, never run against pages of the site; its records say so"""
    unverified: str | None = None
    """what the definition rests on, where that is no page of the site; such a site is not `verified`"""
    note: str | None = None
    """what is known of its state: gone, hijacked, behind a wall"""
    hosts: tuple[str, ...] = ()
    """the site's own hosts; a page elsewhere is not its"""
    hosts_as: dict[str, str] = Field(default_factory=dict)
    """host → the host under which its pages are known (a pre-rendered copy of a site)"""
    handles: tuple[str, ...] = ()
    """the site's own handles on X: their posts are no evidence"""
    start: tuple[str, ...] = ()
    feed: str | None = None
    """wordpress: where the REST interface does not answer"""
    page_pattern: str | None = None
    """regular expression that addresses of claims match"""
    country: str | None = None
    language: str = "ar"
    version: int = 1
    """raised when selectors change: pages are then parsed again from the WARC"""
    raw: tuple[RawFrom, ...] = ("claim", "claimreview", "title")
    """what the raw claim is taken from: the first that the page has"""
    verdict: str | None = None
    """the verdict of every page, where the site prints none"""
    ours: Css = ()
    """something that every page of the site has; a page without it is another owner's"""
    selectors: Selectors | None = None
    layouts: tuple[Selectors, ...] = ()
    archive: ArchivePart | None = None
    api: ApiPart | None = None
    verdicts: dict[str, str] = Field(default_factory=dict)
    """printed verdict → true, false, mixed (beside those of data/sites/common/verdicts.toml)"""
    domains: dict[str, str] = Field(default_factory=dict)
    """site category → domain"""

    @field_validator("ours")
    @classmethod
    def _css(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _check(value)

    @field_validator("page_pattern")
    @classmethod
    def _regex(cls, value: str | None) -> str | None:
        try:
            re.compile(value or "")
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return value

    @field_validator("verdicts")
    @classmethod
    def _veracity(cls, value: dict[str, str]) -> dict[str, str]:
        for printed, veracity in value.items():
            if veracity not in VERACITIES:
                raise ValueError(f"{printed!r} is {veracity!r}: use true, false, mixed or unknown")
        return value

    @model_validator(mode="after")
    def _whole(self) -> Site:
        if self.unverified and self.verified:
            raise ValueError("a site with a line `unverified` needs verified = false")
        if self.way == "api" and self.api is None:
            raise ValueError("a site of the way api needs a table [api]")
        if self.way != "api" and not self.all_layouts:
            raise ValueError("a site needs [selectors] or [[layouts]]")
        if self.way != "api" and not (self.start or self.archive):
            raise ValueError("a site needs `start` or a table [archive]")
        return self

    @property
    def all_layouts(self) -> tuple[Selectors, ...]:
        """Its layouts, those with a probe first."""
        every = (*self.layouts, *([self.selectors] if self.selectors is not None else []))
        return tuple(sorted(every, key=lambda one: not one.probe))

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is unverified, and why: the site as a whole, else some of its layouts."""
        if not self.verified:
            return (self.unverified,) if self.unverified else ()
        return tuple(f"layout {one.name}: {one.unverified}" for one in self.layouts if one.unverified)

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """`page_pattern`, compiled."""
        return re.compile(self.page_pattern) if self.page_pattern else None

    def address(self, url: str) -> str:
        """A page's address with the host under which it is known."""
        scheme, _, rest = url.partition("://")
        name, slash, path = rest.partition("/")
        return f"{scheme}://{self.hosts_as.get(name, name)}{slash}{path}"

    @property
    def definition(self) -> str:
        """All that decides what a page is read as."""
        return self.model_dump_json()


class CollectSettings(Settings):
    """`[sites]` of corpus.toml."""

    names: tuple[str, ...] = ()
    """which sites: names of data/sites/*.toml, or of sites/*.toml in the corpus folder"""
    max_listings: int = Field(default=100, ge=1)
    """pages of a listing that are followed, at most"""
    stop_after_known: int = Field(default=20, ge=1)
    """`dalil collect --new`: a listing with so many pages in a row that are known already is the last"""
    seconds_per_page: float = Field(default=20.0, gt=0)
    """time after which reading a page is given up"""


def sites_of(corpus: Corpus) -> dict[str, Site]:
    """The sites that a corpus names, by name. Raises UsageError as `load_site` does."""
    return {name: load_site(name, corpus.path) for name in corpus.section("sites", CollectSettings).names}


def load_site(name: str, folder: Path | None = None) -> Site:
    """The definition of a site: NAME.toml in the corpus's folder sites/, else the shipped one.

    Raises UsageError naming the file and key for a bad or missing definition.
    """
    path = definition_file(name, folder)
    if path is None:
        raise UsageError(
            f"unknown site {name!r}",
            where="corpus.toml: sites.names",
            todo=f"one of {', '.join(known_sites())}",
        )
    return read_site(path)


def read_site(path: Path) -> Site:
    """The definition in a file; its name is the site's. Raises UsageError naming the file and key.

    `like = "other"` takes what the definition does not say from another one beside it.
    """
    try:
        return Site.model_validate(definition(path) | {"name": path.stem})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not valid TOML: {error}", where=path, todo="mend the line") from error
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=path, todo="name a site's TOML"
        ) from error
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(map(str, problem["loc"]))
        said = problem["msg"].removeprefix("Value error, ")
        raise UsageError(
            f"{key}: {said}" if key else said, where=path, todo="see docs/how-to-add-a-site.md"
        ) from error


def known_sites() -> list[str]:
    """Names of the shipped definitions."""
    return sorted(file.stem for file in data("sites").glob("*.toml"))
