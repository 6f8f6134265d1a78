"""A site's fixtures: pages that imitate its own, and the records that must come of them.

A fixture is two files in a folder with the site's name: `LAYOUT.html` (or `api.answer` for an API) and
`LAYOUT.json` with the page's `url`, `snapshot_at` (when it was seen), and `records` (the fields of each
claim or headline) or, for a listing, `links` and `next`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dalil.errors import InputError
from dalil.records import Claim, Fetch, Headline
from dalil.stages import Drop
from spiders.sites import Site
from spiders.ways import news, template
from spiders.ways.api import api_of

LISTING = "listing"
API = "api"


@dataclass(frozen=True)
class Fixture:
    """One page and what is expected of it."""

    site: Site
    name: str
    page: Path
    expected: Path

    def meta(self) -> dict[str, Any]:
        """What the JSON says. Raises InputError."""
        try:
            found = json.loads(self.expected.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(
                f"cannot be read: {error}", where=self.expected, todo="write it again"
            ) from error
        if not isinstance(found, dict) or not isinstance(found.get("url"), str):
            raise InputError("needs a url", where=self.expected, todo='add "url": "https://…"')
        return found


def missing(site: Site, folder: Path) -> list[str]:
    """Names of fixtures that a site must have and has not: one a layout, or `api`."""
    needed = [API] if site.way == "api" else [layout.name for layout in site.all_layouts]
    suffix = "answer" if site.way == "api" else "html"
    return [
        name
        for name in needed
        if not ((folder / f"{name}.{suffix}").is_file() and (folder / f"{name}.json").is_file())
    ]


def fixtures(site: Site, folder: Path) -> Iterator[Fixture]:
    """The fixtures in a site's folder."""
    for page in sorted((*folder.glob("*.html"), *folder.glob("*.answer"))):
        yield Fixture(site, page.stem, page, page.with_suffix(".json"))


def differences(fixture: Fixture) -> list[str]:
    """How what comes of a page differs from what is expected, a line a field. Empty: nothing."""
    meta = fixture.meta()
    got = observed(fixture)
    return [
        f"{key}: {_shown(got.get(key))} instead of {_shown(meta.get(key))}"
        for key in sorted({"records", "links", "next", "dropped"} & (got.keys() | meta.keys()))
        if got.get(key) != meta.get(key)
    ]


def observed(fixture: Fixture) -> dict[str, Any]:
    """What comes of a page now, in the form of the expected file."""
    meta = fixture.meta()
    markup = fixture.page.read_text("utf-8")
    if fixture.site.api is not None:
        api = api_of(fixture.site.api)
        rows = list(api.read(fixture.site, json.loads(markup)))
        claims = [row for row in rows if isinstance(row, Claim)]
        dropped = [row.reason for row in rows if isinstance(row, Drop)]
        return {"records": records(list(claims))} | ({"dropped": dropped} if dropped else {})
    if fixture.name == LISTING:
        links, following = template.links(fixture.site, meta["url"], markup)
        return {"links": links, "next": following}
    return {"records": records(read(fixture.site, meta["url"], markup, meta.get("snapshot_at")))}


def read(site: Site, url: str, markup: str, seen_at: str | None) -> list[Claim | Headline] | Drop:
    """A page of a site to its records, outside of any corpus."""
    fetch = Fetch(
        id="fixture", fingerprint="", document_id="", url=url, purpose="claim", status=200, fetched_at=seen_at
    )
    if site.kind == "news":
        found = news.read_headline(site, url, markup, fetch)
        return found if isinstance(found, Drop) else [found]
    claims = template.read_claims(site, url, markup, fetch)
    return claims if isinstance(claims, Drop) else list(claims)


def records(found: list[Claim | Headline] | Drop) -> list[dict[str, Any]] | dict[str, str | None]:
    """Records as the expected file has them: the fields that have a value, without ids."""
    if isinstance(found, Drop):
        return {"dropped": found.reason, "detail": found.detail}
    plain = [
        json.loads(record.model_dump_json(exclude={"id", "document_id", "fetch_id"})) for record in found
    ]
    return [{key: value for key, value in row.items() if value not in (None, "", [], {})} for row in plain]


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
