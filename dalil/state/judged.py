"""What was judged does not move: the texts that people saw stay, whatever a stage makes of them later.

A claim, its cleaned text and an article are *judged* when a pair of theirs has a judgement, a ruling or a
final label. A stage that runs again may make another text of them, or none. The row then stays as it was
shown, and a `Kept` beside it says what the stage would have now; what does not change what people saw is
brought up to date as ever. (An article of another text is another article, since an article's id holds the
hash of its text: the old one would be swept.) A pair that is only assigned keeps its claim and article
too, but their texts may still be mended: nobody has judged them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.engine import Connection

from dalil.ids import make_id
from dalil.records import (
    Annotation,
    Article,
    Assignment,
    Claim,
    CleanedClaim,
    Decision,
    Gold,
    Kept,
    Pair,
    Record,
)
from dalil.state.tables import TABLES

if TYPE_CHECKING:
    from dalil.state.store import Store

Why = Literal["changed", "gone"]
SHOWN: Mapping[type[Record], tuple[str, ...]] = {
    Claim: ("raw", "claim_date", "language"),
    CleanedClaim: ("text",),
    Article: ("title", "text", "outlet", "published", "authors", "language"),
}
"""what people see of a record"""
TOGETHER: Mapping[type[Record], tuple[str, ...]] = {
    Claim: ("raw", "claim_date", "claim_date_from", "language"),
    CleanedClaim: tuple(CleanedClaim.model_fields),
    Article: tuple(Article.model_fields),
}
"""what stays with it: the fields that say how it came about"""
JUDGEMENTS: tuple[type[Record], ...] = (Annotation, Decision, Gold)
"""what holds the texts of a pair"""
HOLDS: tuple[type[Record], ...] = (Assignment, *JUDGEMENTS)
"""what holds a pair, its claim and its article"""
_OWNER = ("owner_stage", "owner_key")
_CHUNK = 500


class Judged:
    """The judged texts of a corpus, within one transaction."""

    def __init__(self, connection: Connection):
        self.connection = connection
        self.kept: set[str] = set()
        """ids of the `Kept` that this transaction has made (and not taken back)"""
        self._any: bool | None = None

    def see(self, kinds: Iterable[type[Record]]) -> None:
        """Records of some kinds are written: where they are judgements, there are some from now on."""
        if any(kind in HOLDS for kind in kinds):
            self._any = None

    def not_of(self, kind: type[Record]) -> sa.ColumnElement[bool]:
        """The condition that a row of this kind is neither judged nor assigned."""
        judged = sa.select(self._by(kind)).where(_has(HOLDS))
        return TABLES[kind].c.id.not_in(judged)

    def ids(
        self, kind: type[Record], ids: Collection[str], by_what: Sequence[type[Record]] = JUDGEMENTS
    ) -> set[str]:
        """Those of some records (Claim, CleanedClaim, Article) that are judged."""
        if not self._anything():
            return set()
        by = self._by(kind)
        found: set[str] = set()
        for some in _chunks(sorted(ids)):
            query = sa.select(by).distinct().where(by.in_(some), _has(by_what))
            found.update(row[0] for row in self.connection.execute(query))
        return found

    def as_shown(self, kind: type[Record], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rows to be written, with what people saw of them as it is, and a `Kept` for each that differs."""
        if kind not in SHOWN or not self._anything():
            return rows
        stored = self._stored(kind, self.ids(kind, [row["id"] for row in rows]))
        kept, back, out = [], [], []
        for row in rows:
            before = stored.get(row["id"], row)
            now = {name: row[name] for name in SHOWN[kind] if _plain(row[name]) != _plain(before[name])}
            if now:
                kept.append(_kept(kind, row["id"], "changed", now))
                row = row | {name: before[name] for name in TOGETHER[kind]}
            else:
                back.append(row["id"])
            out.append(row)
        self._take_back(kind, back)
        self._keep(kept)
        return out

    def leave(self, kind: type[Record], stage: str, key: str) -> bool:
        """Whether a unit has rows that are not to be removed with it. Each gets a `Kept`.

        Where the unit makes it again, `as_shown` takes that back.
        """
        if kind not in SHOWN or not self._anything():
            return False
        table = TABLES[kind]
        owned = sa.select(table.c.id).where(table.c.owner_stage == stage, table.c.owner_key == key)
        judged = self.ids(kind, [row[0] for row in self.connection.execute(owned)], HOLDS)
        self._keep([_kept(kind, one, "gone", {}) for one in sorted(judged)])
        return bool(judged)

    def _by(self, kind: type[Record]) -> sa.Column[Any]:
        return TABLES[Pair].c["article_id" if kind is Article else "claim_id"]

    def _anything(self) -> bool:
        if self._any is None:
            judged = (sa.exists(sa.select(TABLES[one].c.id)) for one in HOLDS)
            self._any = bool(self.connection.execute(sa.select(sa.or_(*judged))).scalar())
        return self._any

    def _stored(self, kind: type[Record], ids: Collection[str]) -> dict[str, dict[str, Any]]:
        table = TABLES[kind]
        found: dict[str, dict[str, Any]] = {}
        for some in _chunks(sorted(ids)):
            for row in self.connection.execute(sa.select(table).where(table.c.id.in_(some))).mappings():
                found[row["id"]] = dict(row)
        return found

    def _keep(self, records: Sequence[Kept]) -> None:
        if not records:
            return
        statement = upsert(TABLES[Kept])
        new = {column.name: column for column in statement.excluded if column.name not in ("id", *_OWNER)}
        statement = statement.on_conflict_do_update(index_elements=["id"], set_=new)
        self.connection.execute(statement, [record.model_dump() for record in records])
        self.kept.update(record.id for record in records)

    def _take_back(self, kind: type[Record], ids: Iterable[str]) -> None:
        table = TABLES[Kept]
        for some in _chunks([_id(kind, one) for one in ids]):
            self.connection.execute(sa.delete(table).where(table.c.id.in_(some)))
            self.kept.difference_update(some)


def _has(kinds: Sequence[type[Record]]) -> sa.ColumnElement[bool]:
    """Whether a pair has a record of one of these kinds."""
    pair = TABLES[Pair].c.id
    columns = (TABLES[kind].c["id" if kind is Gold else "pair_id"] for kind in kinds)
    return sa.or_(*(sa.exists().where(column == pair) for column in columns))


def _id(kind: type[Record], of: str) -> str:
    return make_id("kept", kind.TABLE, of)


def _kept(kind: type[Record], of: str, why: Why, now: dict[str, Any]) -> Kept:
    return Kept(id=_id(kind, of), kind=kind.TABLE, of=of, why=why, now=now)


def _plain(value: Any) -> Any:
    """A value as it is after being stored: tuples come back as lists."""
    return list(value) if isinstance(value, tuple) else value


def _chunks(values: Sequence[str]) -> Iterable[Sequence[str]]:
    return (values[at : at + _CHUNK] for at in range(0, len(values), _CHUNK))


def left_over(store: Store, kind: type[Record]) -> set[str]:
    """Ids of the records that are there only because they were judged: their stage makes them no more."""
    return {kept.of for kept in store.all(Kept, kind=kind.TABLE, why="gone")}


def told(number: int) -> str:
    """What a run says of judged texts that it left as they were."""
    return f"judged texts that would change or go, and stay as they were shown: {number:,} (dalil status)"
