"""Google Fact Check Tools, `claims:search`, through Google's client over dalil's session.

The key is read from GOOGLE_API_KEY when a request is sent. `query` is required, unless
`reviewPublisherSiteFilter` is given. https://developers.google.com/fact-check/tools/api/reference/rest
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from dalil.errors import DalilError, UsageError
from dalil.net import secrets
from dalil.net.google import SessionHttp
from dalil.net.session import Reply, Session
from dalil.records import Claim
from dalil.stages import Drop
from spiders.claimreview.values import text_of
from spiders.sites import ApiPart, Site
from spiders.ways.api.rows import claim_of, rows_of

What = dict[str, Any]
KEY = "GOOGLE_API_KEY"
_KNOWN = frozenset(("query", "languageCode", "reviewPublisherSiteFilter", "maxAgeDays"))


def first(part: ApiPart) -> What:
    """The first page. Raises UsageError for parameters that the service has not, or without what it needs."""
    unknown = sorted(part.ask.keys() - _KNOWN)
    if unknown:
        raise UsageError(
            f"api.ask: no parameter {unknown[0]!r}",
            where="google_factcheck",
            todo=f"one of {', '.join(sorted(_KNOWN))}",
        )
    if not {"query", "reviewPublisherSiteFilter"} & part.ask.keys():
        raise UsageError(
            "api.ask: nothing to ask",
            where="google_factcheck",
            todo="give query or reviewPublisherSiteFilter",
        )
    return {"url": part.url, "params": {**part.ask, "pageSize": part.page_size}}


def following(part: ApiPart, what: What, answer: Any) -> What | None:
    """The page that the answer's token leads to."""
    token = answer.get("nextPageToken") if isinstance(answer, dict) else None
    return (
        {**what, "params": {**what["params"], "pageToken": token}}
        if isinstance(token, str) and token
        else None
    )


def keys(answer: Any) -> list[str]:
    """Addresses of the reviews, each with its claim."""
    return [_key(row, review) for row in rows_of(answer, "claims") for review in rows_of(row, "claimReview")]


def read(site: Site, answer: Any, resolved: Mapping[str, str] | None = None) -> Iterator[Claim | Drop]:
    """One claim a review."""
    for row in rows_of(answer, "claims"):
        for review in rows_of(row, "claimReview"):
            yield claim_of(
                site,
                _key(row, review),
                text=row.get("text"),
                title=review.get("title"),
                url=text_of(review.get("url")),
                verdict=review.get("textualRating"),
                claim_date=row.get("claimDate"),
                review_date=review.get("reviewDate"),
                language=text_of(review.get("languageCode")),
                more={
                    "claimant": text_of(row.get("claimant")),
                    "publisher": text_of(review.get("publisher"), "site", "name"),
                },
                resolved=resolved,
            )


def ask(session: Session, what: What) -> Reply:
    """Send it. Raises DalilError for what the service refuses, LimitReached for a spent quota."""
    from googleapiclient.discovery import build
    from googleapiclient.errors import HttpError

    parts = urlsplit(what["url"])
    params = {**what["params"]}
    if "maxAgeDays" in params:
        params["maxAgeDays"] = int(params["maxAgeDays"])
    service = build(
        "factchecktools",
        "v1alpha1",
        developerKey=secrets.secret(KEY, what="Google Fact Check Tools"),
        http=SessionHttp(session),
        static_discovery=True,
        client_options={"api_endpoint": f"{parts.scheme}://{parts.netloc}"},
    )
    try:
        found = service.claims().search(**params).execute(num_retries=0)
    except HttpError as error:
        said = secrets.redact(str(error.reason))
        raise DalilError(
            f"the service refused (HTTP {error.status_code}: {said})", where=what["url"], todo="check api.ask"
        ) from error
    return Reply(what["url"], 200, {}, json.dumps(found, ensure_ascii=False, sort_keys=True).encode())


def _key(row: dict[str, Any], review: dict[str, Any]) -> str:
    return f"{text_of(review.get('url')) or ''} {text_of(row.get('text')) or ''}"
