"""The Database of Known Fakes, REST: GET …/rest-api/search/documents, `documents[]`, pages from 1.

Of a document `text`, `documentUrl`, `externalLink` and `factCheckServices` are known; whatever else it
has is looked at under the names that schema.org gives such things, and what is not there stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dalil.net.session import Reply, Session
from dalil.records import Claim
from dalil.stages import Drop
from spiders.claimreview.values import text_of, urls_of
from spiders.sites import ApiPart, Site
from spiders.ways.api.rows import claim_of, rows_of, with_rows

What = dict[str, Any]


def first(part: ApiPart) -> What:
    """Page 1, newest first."""
    return {"url": part.url, "params": {**part.ask, "limit": str(part.page_size), "page": "1"}}


def following(part: ApiPart, what: What, answer: Any) -> What | None:
    """The next page while pages are full."""
    if len(rows_of(answer, "documents")) < part.page_size:
        return None
    return {**what, "params": {**what["params"], "page": str(int(what["params"]["page"]) + 1)}}


def keys(answer: Any) -> list[str]:
    """Addresses of the documents."""
    return [_key(row) for row in rows_of(answer, "documents")]


def read(site: Site, answer: Any, resolved: Mapping[str, str] | None = None) -> Iterator[Claim | Drop]:
    """One claim a document."""
    for row in rows_of(answer, "documents"):
        places = [(url, "itemReviewed") for url in urls_of(row.get("url"))]
        places += [(url, "appearance") for url in urls_of(row.get("appearance") or row.get("appearances"))]
        services = row.get("factCheckServices")
        names = (
            [name for each in services if (name := text_of(each, "name", "label"))]
            if isinstance(services, list)
            else []
        )
        yield claim_of(
            site,
            _key(row),
            text=row.get("text"),
            url=text_of(row.get("externalLink")),
            verdict=row.get("rating") or row.get("verdict"),
            review_date=row.get("date") or row.get("datePublished"),
            language=text_of(row.get("lang") or row.get("language")),
            links=tuple(places),
            more={"fact_checkers": names, "document": text_of(row.get("documentUrl"))},
            resolved=resolved,
        )


def ask(session: Session, what: What) -> Reply:
    """Send it."""
    reply = session.get(what["url"], params=what["params"], headers={"Accept": "application/json"})
    return with_rows(reply, "documents") if reply.status == 200 else reply


def _key(row: dict[str, Any]) -> str:
    return (
        text_of(row.get("documentUrl")) or text_of(row.get("externalLink")) or text_of(row.get("text")) or ""
    )
