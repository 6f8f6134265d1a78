"""An import taken back: what one file brought, as long as nobody's work rests on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import sqlalchemy as sa

from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.formats import Format
from dalil.formats.making import Maker
from dalil.formats.rows import Bad, BadField, Nothing, Options, Unused
from dalil.records import Article, Claim, ClaimEdit, Document, Fetch, Hit, Pair, Query, Record
from dalil.records.judging import IMPORTED
from dalil.state.judged import HOLDS
from dalil.state.lock import stage_lock
from dalil.state.store import Writer
from dalil.state.tables import TABLES


@dataclass
class Undone:
    """What came of it."""

    kind: str
    removed: Counter[str] = field(default_factory=Counter)
    """table → records that are gone"""
    held: list[str] = field(default_factory=list)
    """ids of those that stay: assigned, judged, labelled, edited by hand, or with imported results"""

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"kind": self.kind, "removed": dict(sorted(self.removed.items())), "held": self.held}


def undo_claims(corpus: Corpus, path: Path) -> Undone:
    """Take back the claims whose origin is this file, which need not be there any more.

    Raises InputError where no claim, or claims of several files of this name, came from it.
    """
    report = Undone("claims")
    with stage_lock(corpus.path, "import claims --undo"), corpus.store.transaction() as writer:
        mine = _of_file(writer, path)
        held = writer.judged.ids(Claim, mine, HOLDS)
        held |= _naming(writer, ClaimEdit, "claim_id", mine)
        held |= _naming(writer, Pair, "claim_id", mine, TABLES[Pair].c.ranker == IMPORTED)
        held |= _naming(writer, Query, "claim_id", mine, TABLES[Query].c.owner_stage.is_(None))
        _remove(writer, report, Claim, mine - held)
        report.held = sorted(held)
    return report


def undo_articles(corpus: Corpus, path: Path, reader: Format, options: Options) -> Undone:
    """Take back the articles that this file has, and documents that nothing else names.

    An article holds no origin: the file is read again, and must be as it was imported. Rows that are bad are
    passed over, since nothing came of them. Raises InputError where none of the file's articles is there.
    """
    report = Undone("articles")
    maker = Maker(reader.NAME, options.site, None, corpus.path)
    made = list(_records(reader, path, maker, options))
    with stage_lock(corpus.path, "import articles --undo"), corpus.store.transaction() as writer:
        unowned = TABLES[Article].c.owner_stage.is_(None)
        asked = {record.id for record in made if isinstance(record, Article)}
        mine = _naming(writer, Article, "id", asked, unowned)
        if not mine:
            raise InputError(
                "none of its articles is here", where=path, todo="name the file that was imported"
            )
        held = writer.judged.ids(Article, mine, HOLDS)
        held |= _naming(writer, Pair, "article_id", mine, TABLES[Pair].c.ranker == IMPORTED)
        _remove(writer, report, Article, mine - held)
        documents = {record.id for record in made if isinstance(record, Document)}
        for kind in (Article, Hit, Fetch):
            documents -= _naming(writer, kind, "document_id", documents)
        _remove(writer, report, Document, _naming(writer, Document, "id", documents))
        report.held = sorted(held)
    return report


def _records(reader: Format, path: Path, maker: Maker, options: Options) -> Iterator[Record]:
    for item in reader.read(path, "articles", options):
        if isinstance(item, (Bad, Nothing, Unused)):
            continue
        try:
            yield from maker.records(item)
        except BadField:
            continue


def _of_file(writer: Writer, path: Path) -> set[str]:
    """Ids of the claims that came from a file: by its path as it was given, else by its name alone."""
    table = TABLES[Claim]
    query = sa.select(table.c.id, table.c.origin).where(
        table.c.origin.is_not(None), table.c.owner_stage.is_(None)
    )
    found: dict[str, set[str]] = {}
    for key, origin in writer.connection.execute(query):
        found.setdefault(origin.rpartition(":")[0], set()).add(key)
    if str(path) in found:
        return found[str(path)]
    named = sorted(name for name in found if PurePath(name).name == path.name)
    if len(named) == 1:
        return found[named[0]]
    if named:
        raise InputError(
            f"claims came from several files of this name: {', '.join(named)}",
            where=path,
            todo="give the path as one of these",
        )
    raise InputError("no claim came from this file", where=path, todo="name the file that was imported")


def _naming(
    writer: Writer, kind: type[Record], column: str, ids: set[str], *more: sa.ColumnElement[bool]
) -> set[str]:
    """Which of these ids stand in a column of some records."""
    named = TABLES[kind].c[column]
    found: set[str] = set()
    wanted = sorted(ids)
    for start in range(0, len(wanted), 500):
        query = sa.select(named).distinct().where(named.in_(wanted[start : start + 500]), *more)
        found.update(row[0] for row in writer.connection.execute(query))
    return found


def _remove(writer: Writer, report: Undone, kind: type[Record], ids: set[str]) -> None:
    writer.delete(kind, sorted(ids))
    report.removed[kind.TABLE] += len(ids)
