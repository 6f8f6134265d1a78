"""Imported results as a SearchPage, and hits read from one: the same both ways, without any engine."""

from __future__ import annotations

import json

from dalil.errors import InputError
from dalil.formats.rows import ResultRow
from dalil.ids import make_id, value_hash
from dalil.records import Hit, SearchPage, fit_text
from dalil.text.urls import document_id

IMPORTED = "imported"
"""key of `SearchPage.request` that says by which format the answer was imported"""


def question(text: str, start: str | None, end: str | None) -> str:
    """Hash of text and window: what links a SearchPage to the Query that asks the same."""
    return value_hash({"text": fit_text(text), "start": start, "end": end})


def page_of(row: ResultRow, engine: str, fmt: str) -> SearchPage:
    """The stored answer of a named engine. Its id is made of engine and question, not of the file."""
    asked = question(row.text, row.start, row.end)
    results = [
        {"rank": r.rank, "url": r.url, "title": r.title, "snippet": r.snippet, "date": r.date}
        for r in row.results
    ]
    return SearchPage(
        id=make_id("page", IMPORTED, engine, asked),
        engine=engine,
        question=asked,
        text=row.text,
        start=row.start,
        end=row.end,
        request={IMPORTED: fmt},
        answer=json.dumps({"results": results}, ensure_ascii=False),
        origin=row.where,
        asked_at=None,
    )


def is_imported(page: SearchPage) -> bool:
    """Whether a page came from a file, so that `hits` reads it and no engine need be known."""
    return IMPORTED in page.request


def hits(page: SearchPage) -> list[Hit]:
    """The hits on an imported page, by rank. Raises InputError where its answer is none of ours."""
    try:
        rows = json.loads(page.answer)["results"]
        return [
            Hit(
                id=make_id("hit", page.id, str(row["rank"])),
                page_id=page.id,
                question=page.question,
                engine=page.engine,
                rank=row["rank"],
                url=row["url"],
                document_id=document_id(row["url"]),
                title=row["title"],
                snippet=row["snippet"],
                engine_date=row["date"],
            )
            for row in sorted(rows, key=lambda row: int(row["rank"]))
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"not an imported answer: {error}",
            where=f"search page {page.id}",
            todo="import the results again",
        ) from error
