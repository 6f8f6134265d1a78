"""A user's own CSV and JSONL: one row a claim, article, label or result, by the names of the fields.

claims    raw (or claim, text); id, url, title, body, verdict, veracity, site, claim_date, review_date,
          country, domain, language, english (terms for engines without Arabic, with `;` between them)
articles  as `dalil index` takes them: text (or body, content), id or url, title, outlet, published, …
labels    claim, article, label (or stance); claim_id, claim_url, article_id, article_url, article_title,
          site, verdict, veracity, scheme; with annotator (round, confidence, second, note) it is a judgement
results   query (or claim), rank, url; title, snippet, date, start, end; the rows of one query together
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import ClassVar

from dalil.collection.documents import KNOWN, NAMES, BadRow, document_from
from dalil.errors import InputError
from dalil.formats import KINDS
from dalil.formats.columns import check_columns
from dalil.formats.files import Records, csv_columns, csv_records, is_csv, jsonl_records
from dalil.formats.rows import (
    ArticleRow,
    Bad,
    BadField,
    ClaimRow,
    Found,
    Item,
    LabelRow,
    Options,
    Record,
    ResultRow,
    Unused,
    date_of,
    label_of,
    needed,
    rows_of,
    terms_of,
    text_of,
    veracity_of,
    whole_number,
)
from dalil.ids import value_hash

NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "claims": (("claim", "raw", "text"),),
    "articles": (("text", "body", "content"), ("url", "link", "id")),
    "labels": (("claim", "raw"), ("article", "article_text"), ("label", "stance")),
    "results": (("query", "claim"), ("rank",), ("url",)),
}
"""Kind → columns that a CSV file must have, each with its other names."""
COLUMNS: dict[str, frozenset[str]] = {
    "claims": frozenset((
        "raw", "claim", "text", "id", "claim_id", "site", "url", "claim_url", "title", "body", "verdict",
        "veracity", "claim_date", "review_date", "country", "domain", "language", "english",
    )),
    "articles": KNOWN,
    "labels": frozenset((
        "claim", "raw", "claim_id", "claim_url", "claim_date", "site", "verdict", "veracity", "article",
        "article_text", "article_id", "article_url", "article_title", "label", "stance", "scheme",
        "annotator", "worker", "round", "confidence", "second", "note",
    )),
    "results": frozenset((
        "query", "claim", "claim_id", "site", "rank", "url", "title", "snippet", "date", "start", "end",
    )),
}  # fmt: skip
"""Kind → columns that are read."""
HAND_EDIT = {"id", "raw", "cleaned", "edit", "note"}
"""columns of `dalil claims export`"""
_CLAIM = frozenset(("raw", "claim"))
_REVIEW = frozenset(("verdict", "veracity", "review_date", "claim_date"))
_ARTICLE = frozenset(name for field in ("outlet", "published", "authors", "lead") for name in NAMES[field])
"""fields that only claims, only their reviews and only articles have"""
SCHEMES = {"arastance": ("agree", "disagree", "discuss", "unrelated")}


class _Plain:
    """What CSV and JSONL have in common."""

    KINDS: ClassVar[tuple[str, ...]] = KINDS

    def records(self, path: Path) -> Records:
        """Records with their places."""
        raise NotImplementedError

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind."""
        collection = path.name.removesuffix(".gz").rsplit(".", 1)[0]
        if kind == "results":
            return _results(self.records(path))
        if kind == "claims":
            return rows_of(self.records(path), lambda where, row: [claim_row(where, row)])
        if kind == "articles":
            return rows_of(self.records(path), lambda where, row: [article_row(where, row, collection)])
        return rows_of(self.records(path), lambda where, row: [_label(where, row, collection, options)])


class PlainCsv(_Plain):
    """CSV with a header line."""

    NAME: ClassVar[str] = "csv"

    @staticmethod
    def knows(path: Path) -> bool:
        """By the file's name."""
        return path.is_file() and is_csv(path)

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind. Raises InputError where a column is lacking."""
        found = csv_columns(path)
        if kind == "claims" and set(found) >= HAND_EDIT:
            raise InputError(
                "this is a file of the hand edit, whose claims are there already",
                where=path,
                todo="bring the edits in: dalil claims import --editor NAME FILE CORPUS",
            )
        if kind == "articles" and (why := claims_instead(found)):
            raise InputError(
                f"this looks like a file of claims: it has {why}",
                where=f"{path}:1",
                todo="dalil import claims FILE CORPUS; if these are articles, leave such columns out",
            )
        if found:
            check_columns(path, found, NEEDED[kind], COLUMNS[kind])
        unused = tuple(name for name in found if name and name not in COLUMNS[kind])
        if unused:
            yield Unused(f"{path}:1", unused, tuple(sorted(COLUMNS[kind] - set(found))))
        yield from super().read(path, kind, options)

    def records(self, path: Path) -> Records:
        """Rows."""
        return csv_records(path)


class PlainJsonl(_Plain):
    """One JSON object a line, or one list of them."""

    NAME: ClassVar[str] = "jsonl"

    @staticmethod
    def knows(path: Path) -> bool:
        """By the file's name."""
        return path.is_file() and path.name.removesuffix(".gz").lower().endswith(
            (".jsonl", ".json", ".ndjson")
        )

    def records(self, path: Path) -> Records:
        """Objects."""
        return jsonl_records(path)


def claims_instead(names: Iterable[str]) -> str | None:
    """Which fields say that these are claims with reviews, where nothing says that they are articles."""
    given = set(names)
    claim, said = sorted(given & _CLAIM), sorted(given & _REVIEW)
    if not claim or not said or given & _ARTICLE:
        return None
    return " and ".join([*claim[:1], *said[:1]])


def claim_row(where: str, row: Record) -> ClaimRow:
    """A claim. Raises BadField."""
    return ClaimRow(
        where=where,
        raw=needed(row, "raw", "claim", "text"),
        key=text_of(row, "id", "claim_id"),
        site=text_of(row, "site"),
        url=text_of(row, "url", "claim_url"),
        title=text_of(row, "title"),
        body=text_of(row, "body"),
        verdict=text_of(row, "verdict"),
        veracity=veracity_of(row),
        claim_date=date_of(row, "claim_date"),
        review_date=date_of(row, "review_date"),
        country=text_of(row, "country"),
        domain=text_of(row, "domain"),
        language=text_of(row, "language") or "ar",
        english=terms_of(row, "english"),
    )


def article_row(where: str, row: Record, collection: str) -> ArticleRow:
    """An article. Raises BadField."""
    if why := claims_instead(row):
        raise BadField("row", f"looks like a claim, with {why}: dalil import claims brings those in")
    try:
        found = document_from({key: value for key, value in row.items() if value != ""})
    except BadRow as error:
        raise BadField("row", f"has {error.detail}" if error.reason == "no_id" else error.detail) from error
    if not found.body.strip():
        raise BadField("text", "is empty")
    return ArticleRow(
        where=where,
        text=found.body,
        collection=collection,
        key=found.id,
        url=found.url,
        title=found.title,
        outlet=found.outlet,
        published=found.published,
        published_raw=found.published_raw,
        language=found.language,
        authors=found.authors,
    )


def _label(where: str, row: Record, collection: str, options: Options) -> LabelRow:
    scheme = text_of(row, "scheme") or "arastance"
    labels = SCHEMES.get(scheme, ())
    text = needed(row, "article", "article_text")
    title = text_of(row, "article_title")
    confidence = whole_number(row, "confidence")
    if confidence is not None and confidence > 5:
        raise BadField("confidence", f"must be from 1 to 5, not {confidence}")
    second = text_of(row, "second")
    return LabelRow(
        where=where,
        claim=ClaimRow(
            where=where,
            raw=needed(row, "claim", "raw"),
            key=text_of(row, "claim_id"),
            site=text_of(row, "site"),
            url=text_of(row, "claim_url"),
            verdict=text_of(row, "verdict"),
            veracity=veracity_of(row),
            claim_date=date_of(row, "claim_date"),
        ),
        article=ArticleRow(
            where=where,
            text=text,
            collection=collection,
            key=text_of(row, "article_id") or value_hash([title, text]),
            url=text_of(row, "article_url"),
            title=title,
        ),
        label=label_of(
            row.get("label") if row.get("label") is not None else row.get("stance"), labels, options, "label"
        ),
        scheme=scheme,
        annotator=text_of(row, "annotator", "worker"),
        round=text_of(row, "round") or "main",
        confidence=confidence,
        second=label_of(second, labels, options, "second") if second else None,
        note=text_of(row, "note"),
    )


def _results(records: Records) -> Iterator[Item]:
    """Rows of one query as one ResultRow; a query that begins again is refused."""
    seen: set[tuple[str, str | None, str | None]] = set()
    parsed = map(_parsed, records)
    for key, group in groupby(parsed, key=lambda item: None if isinstance(item, Bad) else item[1]):
        items = list(group)
        if key is None:
            yield from (item for item in items if isinstance(item, Bad))
            continue
        rows = [item for item in items if not isinstance(item, Bad)]
        where = rows[0][0]
        if key in seen:
            yield Bad(where, "query", "its rows do not stand together: sort the file by query and rank")
            continue
        seen.add(key)
        ranks = [found.rank for _, _, found, _ in rows]
        twice = [where for (where, _, found, _) in rows if ranks.count(found.rank) > 1]
        if twice:
            yield Bad(twice[1], "rank", "stands twice among the results of one query")
            continue
        yield ResultRow(where, key[0], tuple(row[2] for row in rows), rows[0][3], key[1], key[2])


_Parsed = tuple[str, tuple[str, str | None, str | None], Found, ClaimRow | None]


def _parsed(record: tuple[str, Record] | Bad) -> _Parsed | Bad:
    if isinstance(record, Bad):
        return record
    where, row = record
    try:
        text = needed(row, "query", "claim")
        claim = text_of(row, "claim")
        asked_for = (
            ClaimRow(where, claim, key=text_of(row, "claim_id"), site=text_of(row, "site")) if claim else None
        )
        return where, (text, date_of(row, "start"), date_of(row, "end")), found_of(row), asked_for
    except BadField as error:
        return Bad(where, error.name, error.reason)


def found_of(row: Record) -> Found:
    """One result of a search. Raises BadField."""
    rank = whole_number(row, "rank")
    if rank is None:
        raise BadField("rank", "is missing")
    return Found(
        rank, needed(row, "url"), text_of(row, "title"), text_of(row, "snippet"), text_of(row, "date")
    )
