"""Demagog.cz, GraphQL without a key: statements of politicians and what became of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dalil.net.session import Reply, Session
from dalil.records import Claim
from dalil.stages import Drop
from spiders.claimreview.values import text_of
from spiders.sites import ApiPart, Site
from spiders.ways.api.rows import claim_of, rows_of, with_rows

What = dict[str, Any]
QUERY = (
    "query($limit: Int, $offset: Int) { statements(limit: $limit, offset: $offset) { id content "
    "assessment { explanationHtml veracity { name } } source { releasedAt sourceUrl medium { name } } } }"
)


def first(part: ApiPart) -> What:
    """The first statements."""
    return {"url": part.url, "limit": part.page_size, "offset": 0}


def following(part: ApiPart, what: What, answer: Any) -> What | None:
    """The next statements while as many came as were asked for."""
    if len(rows_of(answer, "data", "statements")) < what["limit"]:
        return None
    return {**what, "offset": what["offset"] + what["limit"]}


def keys(answer: Any) -> list[str]:
    """Numbers of the statements."""
    return [text_of(row.get("id")) or "" for row in rows_of(answer, "data", "statements")]


def read(site: Site, answer: Any, resolved: Mapping[str, str] | None = None) -> Iterator[Claim | Drop]:
    """One claim a statement. The date is when it was said: the API has none of the review."""
    for row in rows_of(answer, "data", "statements"):
        assessment, source = _object(row.get("assessment")), _object(row.get("source"))
        where = text_of(source.get("sourceUrl"))
        yield claim_of(
            site,
            text_of(row.get("id")) or text_of(row.get("content")) or "",
            text=row.get("content"),
            verdict=assessment.get("veracity"),
            body=assessment.get("explanationHtml"),
            claim_date=source.get("releasedAt"),
            links=((where, "itemReviewed"),) if where else (),
            more={
                "source_url": where,
                "medium": text_of(source.get("medium"), "name"),
                "statement": text_of(row.get("id")),
            },
            resolved=resolved,
        )


def ask(session: Session, what: What) -> Reply:
    """Send it: a read in the form of a POST, so it may be repeated."""
    variables = {"limit": what["limit"], "offset": what["offset"]}
    body = json.dumps({"query": QUERY, "variables": variables}).encode()
    reply = session.send(
        "POST", what["url"], headers={"Content-Type": "application/json"}, body=body, repeatable=True
    )
    return with_rows(reply, "data", "statements") if reply.status == 200 else reply


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
