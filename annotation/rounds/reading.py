"""Rows that rounds are made of, read inside or outside a transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from dalil.records import Annotation, Article, Assignment, Claim, Pair, Record, Skip, Superseded
from dalil.state.store import Store
from dalil.state.tables import TABLES

R = TypeVar("R", bound=Record)


def found(connection: Connection, record: type[R], **where: Any) -> list[R]:
    """Rows of a record as this transaction sees them, in order of their ids."""
    table = TABLES[record]
    query = sa.select(*(table.c[name] for name in record.model_fields)).order_by(table.c.id)
    for name, value in where.items():
        query = query.where(table.c[name] == value)
    return [record.model_validate(dict(row._mapping)) for row in connection.execute(query)]


def latest(annotations: Iterable[Annotation]) -> dict[tuple[str, str, str], Annotation]:
    """(pair, annotator, round) → the last revision."""
    out: dict[tuple[str, str, str], Annotation] = {}
    for one in annotations:
        key = (one.pair_id, one.annotator, one.round)
        if key not in out or one.number > out[key].number:
            out[key] = one
    return out


def handled(kind: type[Annotation] | type[Skip]) -> sa.ColumnElement[bool]:
    """Whether there is a judgement (or a skip) for the assignment of an enclosing query."""
    table, asked = TABLES[kind].alias(), TABLES[Assignment]
    return (
        sa.select(table.c.id)
        .where(
            table.c.pair_id == asked.c.pair_id,
            table.c.annotator == asked.c.annotator,
            table.c.round == asked.c.round,
        )
        .correlate(asked)
        .exists()
    )


def tied(labels: Iterable[str]) -> bool:
    """Whether no label leads; of two, whether they differ."""
    counts = Counter(labels).most_common(2)
    return len(counts) > 1 and counts[0][1] == counts[1][1]


@dataclass(frozen=True)
class Item:
    """A pair with what decides who may judge it."""

    pair: str
    claim: str
    rank: int
    language: str
    site: str
    outlet: str | None

    def barred(self, excluded: Iterable[str]) -> bool:
        """Whether an exclusion names its site, outlet or claim."""
        return bool({self.site, self.outlet, self.claim} & set(excluded))


def items(store: Store, pairs: Iterable[str] | None = None) -> dict[str, Item]:
    """Pair → item, of all pairs that are not superseded (or of these)."""
    pair, claim, article = TABLES[Pair], TABLES[Claim], TABLES[Article]
    query = (
        sa.select(pair.c.id, pair.c.claim_id, pair.c.rank, claim.c.language, claim.c.site, article.c.outlet)
        .join_from(pair, claim, pair.c.claim_id == claim.c.id)
        .join(article, pair.c.article_id == article.c.id, isouter=True)
        .order_by(pair.c.id)
    )
    if pairs is None:
        query = query.where(pair.c.id.not_in(sa.select(TABLES[Superseded].c.id)))
    else:
        query = query.where(pair.c.id.in_(list(pairs)))
    return {row[0]: Item(*row) for row in store.rows(query)}
