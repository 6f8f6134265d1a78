"""The Database of Known Fakes, SPARQL: claims that appeared in posts on X, with their reviews.

The query's shape was not run against the living service. Results: SPARQL 1.1 JSON
(https://www.w3.org/TR/sparql11-results-json/).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dalil.net.session import Reply, Session
from dalil.records import Claim
from dalil.stages import Drop
from spiders.claimreview.values import text_of
from spiders.sites import ApiPart, Site
from spiders.ways.api.rows import claim_of, rows_of, with_rows

What = dict[str, Any]
QUERY = """PREFIX schema: <http://schema.org/>
SELECT ?claim ?text ?u ?review ?date WHERE {{
  ?claim a schema:Claim ; schema:text ?text ; schema:appearance ?a .
  ?a schema:url ?u .
  ?r schema:itemReviewed ?claim .
  OPTIONAL {{ ?r schema:sameAs ?review }}
  OPTIONAL {{ ?r schema:datePublished ?date }}
  FILTER regex(str(?u), "(twitter|x)\\\\.com/.+/status/")
}} ORDER BY DESC(?date) ?claim ?u LIMIT {limit} OFFSET {offset}"""


def first(part: ApiPart) -> What:
    """The first rows."""
    return {"url": part.url, "limit": part.page_size, "offset": 0}


def following(part: ApiPart, what: What, answer: Any) -> What | None:
    """The next rows while as many came as were asked for."""
    if len(rows_of(answer, "results", "bindings")) < what["limit"]:
        return None
    return {**what, "offset": what["offset"] + what["limit"]}


def keys(answer: Any) -> list[str]:
    """Names of the claims."""
    return [_value(row, "claim") or "" for row in rows_of(answer, "results", "bindings")]


def read(site: Site, answer: Any, resolved: Mapping[str, str] | None = None) -> Iterator[Claim | Drop]:
    """One claim for all rows of one claim."""
    claims: dict[str, list[dict[str, Any]]] = {}
    for row in rows_of(answer, "results", "bindings"):
        claims.setdefault(_value(row, "claim") or _value(row, "text") or "", []).append(row)
    for key, rows in claims.items():
        links = dict.fromkeys((url, "appearance") for row in rows if (url := _value(row, "u")))
        text = rows[0].get("text")
        yield claim_of(
            site,
            key,
            text=_value(rows[0], "text"),
            url=next((url for row in rows if (url := _value(row, "review"))), None),
            review_date=_value(rows[0], "date"),
            language=text_of(text.get("xml:lang")) if isinstance(text, dict) else None,
            links=tuple(links),
            resolved=resolved,
        )


def ask(session: Session, what: What) -> Reply:
    """Send it (SPARQL 1.1 protocol, query by GET)."""
    query = QUERY.format(limit=what["limit"], offset=what["offset"])
    reply = session.get(
        what["url"], params={"query": query}, headers={"Accept": "application/sparql-results+json"}
    )
    return with_rows(reply, "results", "bindings") if reply.status == 200 else reply


def _value(row: dict[str, Any], name: str) -> str | None:
    cell = row.get(name)
    value = cell.get("value") if isinstance(cell, dict) else None
    return value if isinstance(value, str) and value else None
