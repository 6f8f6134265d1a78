"""What engines on the web have in common: checking answers, reading stored ones, making hits."""

from __future__ import annotations

import html
import json
import re
from datetime import datetime
from typing import Any

from dalil.errors import DalilError, InputError
from dalil.ids import make_id
from dalil.net.secrets import redact, redact_known
from dalil.net.session import Reply
from dalil.records import Hit, SearchPage
from dalil.stages import Transient
from dalil.text.dates import parse_date
from dalil.text.urls import document_id
from retrieval.engines import NotAnswered

BAD_URL = "bad_url"
"""mark of a hit whose address cannot be one of a page"""
BEYOND = "beyond_page"
"""mark of a hit behind as many as a page may have (its rank would be the next page's)"""
DROPPED = (BAD_URL, BEYOND)
"""marks of hits that are dropped, with the mark as the reason"""


def answered(reply: Reply, engine: str, todo: str) -> str:
    """The text of an answer, without secrets. Raises DalilError where the service refused the request.

    Limits and refused keys never come here: the session has raised them.
    """
    if reply.status != 200:
        said = redact(" ".join(reply.text[:200].split()))
        raise DalilError(f"the request was refused (HTTP {reply.status}: {said})", where=engine, todo=todo)
    return redact_known(reply.text)


def json_answer(text: str, engine: str) -> dict[str, Any]:
    """An answer that just came, as a JSON object. Raises Transient where it is none: it is asked again."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        shown = redact(" ".join(text[:80].split()))
        raise Transient(f"{engine}: the answer is no JSON object: {shown}", seconds=300)
    return value


def stored(page: SearchPage) -> dict[str, Any]:
    """A stored answer. Raises NotAnswered where it is no JSON object."""
    try:
        value = json.loads(page.answer)
    except (ValueError, RecursionError) as error:
        raise NotAnswered(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise NotAnswered("no JSON object")
    return value


def rows(value: Any) -> list[dict[str, Any]]:
    """The results of a stored answer: a list of objects, or nothing. Raises NotAnswered for anything else."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise NotAnswered("its results are no list of objects")
    return value


def make_hit(
    page: SearchPage, rank: int, url: Any, *, title: Any = None, snippet: Any = None, date: str | None = None
) -> Hit:
    """A hit. `date` is the engine's own (ISO); an address that cannot be one is marked `bad_url`."""
    address = url if isinstance(url, str) else ""
    marks: tuple[str, ...] = ()
    try:
        document = document_id(address)
    except InputError:
        document, marks = make_id("document", address), (BAD_URL,)
    return Hit(
        id=make_id("hit", page.id, str(rank)),
        page_id=page.id,
        question=page.question,
        engine=page.engine,
        rank=rank,
        url=address,
        document_id=document,
        title=title if isinstance(title, str) and title else None,
        snippet=snippet if isinstance(snippet, str) and snippet else None,
        engine_date=date,
        marks=marks,
    )


def google_hit(page: SearchPage, rank: int, row: dict[str, Any], date: str | None) -> Hit:
    """A hit of a row with Google's names, whoever brought it."""
    return make_hit(
        page, rank, row.get("link"), title=row.get("title"), snippet=row.get("snippet"), date=date
    )


def plain(text: Any) -> str | None:
    """A title or snippet without tags and character references."""
    if not isinstance(text, str):
        return None
    return html.unescape(re.sub(r"</?[A-Za-z][^<>]{0,200}>", "", text))


def date_of(text: Any, page: SearchPage) -> str | None:
    """The ISO date that an engine states, also as «3 days ago» (before the day it was asked), or None."""
    if not isinstance(text, str):
        return None
    asked = datetime.fromisoformat(page.asked_at) if page.asked_at else None
    found = parse_date(text, reference=asked)
    return found.iso if found else None
