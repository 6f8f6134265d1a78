"""What the services have in common: rows to claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalil.errors import DalilError, InputError
from dalil.ids import make_id
from dalil.net.session import Reply
from dalil.records import Claim
from dalil.stages import Drop
from dalil.text.dates import parse_date
from dalil.text.urls import canonical_url
from dalil.text.verdicts import veracity_of
from spiders.claimreview.values import text_of
from spiders.postlinks import posts_of
from spiders.sites import Site


def claim_of(
    site: Site,
    key: str,
    *,
    text: Any,
    title: Any = None,
    url: str | None = None,
    verdict: Any = None,
    body: Any = None,
    claim_date: Any = None,
    review_date: Any = None,
    language: str | None = None,
    links: tuple[tuple[str, str], ...] = (),
    more: Mapping[str, Any] | None = None,
    resolved: Mapping[str, str] | None = None,
) -> Claim | Drop:
    """A row as a claim; its id is made of the site and `key`. Every field was found in the API's answer."""
    raw = text_of(text, "text", "name", "value")
    if not raw or not any(char.isalpha() for char in raw):
        return Drop("no_text", f"{site.name}: a row without text", key=f"{site.name}:{key}")
    printed = text_of(verdict, "name", "title", "value")
    claimed, reviewed = (parse_date(text_of(date) or "") for date in (claim_date, review_date))
    values: dict[str, Any] = {
        "raw": raw, "title": text_of(title), "verdict": printed, "body": text_of(body),
        "claim_date": claimed.iso if claimed else None, "review_date": reviewed.iso if reviewed else None,
    }  # fmt: skip
    found: dict[str, Any] = {name: "api" for name, value in values.items() if value}
    if not site.verified:
        found["unverified"] = True
    return Claim(
        id=make_id("claim", site.name, key), site=site.name, url=_canonical(url), **values,
        veracity=veracity_of(printed, site.verdicts),
        claim_date_from="api" if claimed else None, review_date_from="api" if reviewed else None,
        country=site.country, language=(language or site.language or "und").partition("-")[0].lower(),
        posts=posts_of(links, handles=site.handles, resolved=resolved),
        found=found | {k: v for k, v in (more or {}).items() if v},
        origin=f"{site.name} v{site.version} api",
    )  # fmt: skip


def rows_of(answer: Any, *path: str) -> list[dict[str, Any]]:
    """The list of objects at a path of an answer; [] where there is none."""
    for name in path:
        answer = answer.get(name) if isinstance(answer, dict) else None
    return [row for row in answer if isinstance(row, dict)] if isinstance(answer, list) else []


def with_rows(reply: Reply, *path: str) -> Reply:
    """An answer that has a list at a path. Raises DalilError for any other: it must not pass as the end.

    GraphQL answers its errors with HTTP 200.
    """
    found = reply.json()
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, list):
        shown = " ".join(reply.text[:200].split())
        raise DalilError(
            f"the answer has no {'.'.join(path)}: {shown}", where=reply.url, todo="run again later"
        )
    return reply


def _canonical(url: str | None) -> str | None:
    try:
        return canonical_url(url) if url else None
    except InputError:
        return None
