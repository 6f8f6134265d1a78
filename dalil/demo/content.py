"""The content of the demo corpus: fifteen checks, some hundred articles, three people's labels.

It lies as files that people edit in data/demo (see its README.md). Everything in it was written
for dalil: outlets, people and events are invented.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from dalil.errors import InputError
from dalil.resources import data

SITE_HOST = "haqiqa.example"
LISTING = f"http://{SITE_HOST}/list"
"""Address of the first listing page of the fact-checking site, newest claim first."""


Row = TypeVar("Row", bound=BaseModel)


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DemoClaim(_Plain):
    """One check of the fact-checking site, as data/demo/claims.toml spells it."""

    id: int
    title: str
    printed: str
    """the date as printed; empty where the page has none"""
    reviewed: str
    """the ISO day that `printed` means; empty where there is none"""
    iso: str = ""
    """`datetime` attribute, where the page has one"""
    verdict: str
    category: str
    claim: str
    """text of the claim box; empty where the page has none"""
    body: tuple[str, ...]
    ld: str = ""
    """where ClaimReview markup sits: graph, list or nowhere"""
    ld_date: str = ""
    image: bool = False
    """the page is a picture without text"""

    @property
    def url(self) -> str:
        return f"http://{SITE_HOST}/check/{self.id}"


class Outlet(_Plain):
    """A news domain, as data/demo/outlets.toml spells it."""

    host: str
    name: str
    template: str
    motto: str


class DemoArticle(_Plain):
    """One article of an outlet, as the files in data/demo/articles spell it.

    `kind` is plain, or what is wrong or special with its page: twin (served by the `m.` and `amp.`
    hosts too), cp1256 (windows-1256 bytes, no charset in the header), challenge (only a browser
    check is served), soft404 (status 200, "not found"), paywall (first paragraph only), english.
    """

    url: str
    outlet: str
    title: str
    published: str
    """ISO time without zone"""
    printed: str
    """the date as the outlet prints it"""
    section: str
    author: str = ""
    kind: str = "plain"
    keywords: str = ""
    copy_of: str = ""
    """url of the agency's article whose text this one repeats under its own headline"""
    text: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """A number for page furniture: the digits of its publishing time."""
        return int("".join(filter(str.isdigit, self.published)))

    @property
    def readable(self) -> bool:
        """Whether its page gives the whole text in Arabic."""
        return self.kind in ("plain", "twin", "cp1256")


class LabelRow(NamedTuple):
    """One judgement of one person on one pair."""

    claim_url: str
    article_url: str
    worker: str
    round: str
    label: str


def _toml(*parts: str) -> dict[str, Any]:
    path = data("demo", *parts)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no valid TOML: {error}", where=path) from error


def _read(kind: type[Row], value: dict[str, Any], where: str) -> Row:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{key}: {first['msg']}", where=where) from error


@cache
def claims() -> tuple[DemoClaim, ...]:
    """The checks of the site, newest first, as its listing shows them."""
    rows = _toml("claims.toml")["claim"]
    return tuple(_read(DemoClaim, row, f"claims.toml: claim {n}") for n, row in enumerate(rows, 1))


@cache
def outlets() -> dict[str, Outlet]:
    """Short name → outlet."""
    rows = _toml("outlets.toml")
    return {name: _read(Outlet, row, f"outlets.toml: {name}") for name, row in rows.items()}


@cache
def articles() -> tuple[DemoArticle, ...]:
    """All articles, by address; the text of a syndicated copy is filled in."""
    found: dict[str, DemoArticle] = {}
    for path in sorted(data("demo", "articles").glob("*.toml")):
        for number, row in enumerate(_toml("articles", path.name)["article"], 1):
            article = _read(DemoArticle, row, f"articles/{path.name}: article {number}")
            if article.url in found or article.outlet not in outlets():
                raise InputError("url met twice, or outlet unknown", where=f"{path.name}: {article.url}")
            found[article.url] = article
    for url, article in found.items():
        if article.copy_of:
            if article.copy_of not in found:
                raise InputError(f"copy_of names no article: {article.copy_of}", where=url)
            found[url] = article.model_copy(update={"text": found[article.copy_of].text})
    return tuple(found[url] for url in sorted(found))


def twins(article: DemoArticle) -> tuple[str, ...]:
    """Other addresses that serve the same article (`m.` and `amp.` hosts)."""
    if article.kind != "twin":
        return ()
    return tuple(article.url.replace("://", f"://{prefix}.", 1) for prefix in ("m", "amp"))


def search_rows() -> tuple[dict[str, str], ...]:
    """What a search service knows of the outlets: rows of url, title, text and published, by url.

    Twins are separate rows, as they are in real results; pages that answer with a challenge, a
    wall or "not found" today have the text that the service once saw.
    """
    rows = [
        {
            "url": url,
            "title": article.title,
            "text": "\n".join((*article.text, article.keywords)).strip(),
            "published": article.published[:10],
        }
        for article in articles()
        for url in (article.url, *twins(article))
    ]
    return tuple(sorted(rows, key=lambda row: row["url"]))


def label_rows() -> Iterator[LabelRow]:
    """Every judgement on every pair (claim with documents × article), by claim and article.

    Rows of data/demo/labels.csv, and for pairs that it does not name those of labels.toml: the
    default label by each of the claim's workers.
    """
    said: dict[tuple[str, str], list[LabelRow]] = {}
    with data("demo", "labels.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            label = LabelRow(**row)
            said.setdefault((label.claim_url, label.article_url), []).append(label)
    rules = _toml("labels.toml")
    for claim in rules["claim"]:
        for article in articles():
            explicit = said.get((claim["url"], article.url))
            yield from explicit or (
                LabelRow(claim["url"], article.url, worker, claim["round"], rules["default"])
                for worker in claim["workers"]
            )
