"""What was judged does not move: the texts that people saw stay, whatever a stage makes of them later.

A claim, its cleaned text and an article are *judged* when a pair of theirs has a judgement, a ruling or a
final label. A stage that runs again may make another text of them, or none. The row then stays as it was
shown, and a `Kept` beside it says what the stage would have now; what does not change what people saw is
brought up to date as ever. (An article of another text is another article, since an article's id holds the
hash of its text: the old one would be swept.) A pair that is only assigned keeps its claim and article
too, but their texts may still be mended: nobody has judged them. So may the cleaned text of a claim that
came with its labels from a file: whoever gave those saw the file's text, not what dalil makes of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import Insert
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
from dalil.records.judging import IMPORTED
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
_IDS: sa.BindParameter[Any] = sa.bindparam("ids", expanding=True)


class Judged:
    """The judged texts of a corpus, within one transaction. `finish` before its commit."""

    def __init__(self, connection: Connection):
        self.connection = connection
        self._any: bool | None = None
        self._waiting: dict[str, Kept] = {}
        """to be written at the end: a row that is cleared is mostly put again at once"""
        self._known: set[str] | None = None
        """ids of the `Kept` that are stored"""

    @property
    def kept(self) -> set[str]:
        """Ids of the `Kept` that this transaction makes."""
        return set(self._waiting)

    def see(self, kinds: Iterable[type[Record]]) -> None:
        """Records of some kinds are written: where they are judgements, there are some from now on."""
        if any(kind in HOLDS for kind in kinds):
            self._any = None

    def ids(
        self, kind: type[Record], ids: Collection[str], by_what: tuple[type[Record], ...] = JUDGEMENTS
    ) -> set[str]:
        """Those of some records (Claim, CleanedClaim, Article) that are judged."""
        if not self._anything():
            return set()
        query = _judged_among(kind, by_what)
        found: set[str] = set()
        for some in _chunks(sorted(ids)):
            found.update(row[0] for row in self.connection.execute(query, {"ids": some}))
        return found

    def as_shown(self, kind: type[Record], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rows to be written, with what people saw of them as it is, and a `Kept` for each that differs."""
        if kind not in SHOWN or not self._anything():
            return rows
        stored = self._stored(kind, self.ids(kind, [row["id"] for row in rows]))
        out = []
        for row in rows:
            before = stored.get(row["id"], row)
            now = {name: row[name] for name in SHOWN[kind] if _plain(row[name]) != _plain(before[name])}
            if now:
                self._wait(_kept(kind, row["id"], "changed", now))
                row = row | {name: before[name] for name in TOGETHER[kind]}
            else:
                self._take_back(_id(kind, row["id"]))
            out.append(row)
        return out

    def leave(self, kind: type[Record], stage: str, key: str) -> list[str]:
        """Ids of a unit's rows that are not to be removed with it. Each gets a `Kept`.

        Where the unit makes it again, `as_shown` takes that back.
        """
        if kind not in SHOWN or not self._anything():
            return []
        owned = self.connection.execute(_owned(kind), {"stage": stage, "key": key})
        judged = sorted(self.ids(kind, [row[0] for row in owned], HOLDS))
        for one in judged:
            self._wait(_kept(kind, one, "gone", {}))
        return judged

    def finish(self) -> None:
        """Write what is kept."""
        if self._waiting:
            self.connection.execute(_keeping(), [kept.model_dump() for kept in self._waiting.values()])

    def _anything(self) -> bool:
        if self._any is None:
            self._any = bool(self.connection.execute(_anything_held()).scalar())
        return self._any

    def _stored(self, kind: type[Record], ids: Collection[str]) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for some in _chunks(sorted(ids)):
            for row in self.connection.execute(_rows_of(kind), {"ids": some}).mappings():
                found[row["id"]] = dict(row)
        return found

    def _wait(self, kept: Kept) -> None:
        self._waiting[kept.id] = kept

    def _take_back(self, key: str) -> None:
        self._waiting.pop(key, None)
        table = TABLES[Kept]
        if self._known is None:
            self._known = {row[0] for row in self.connection.execute(sa.select(table.c.id))}
        if key in self._known:
            self._known.remove(key)
            self.connection.execute(sa.delete(table).where(table.c.id == key))


# Statements are made once: that costs more than running them.


@cache
def _judged_among(kind: type[Record], by_what: tuple[type[Record], ...]) -> sa.Select[Any]:
    """Which of some claims, cleaned claims or articles are judged."""
    pair = TABLES[Pair]
    name = "article_id" if kind is Article else "claim_id"
    judged = sa.or_(*(_has(one) for one in by_what))
    if kind is CleanedClaim and by_what == JUDGEMENTS:
        shown = _has(Annotation, TABLES[Annotation].c.shown_hash.is_not(None))
        judged = sa.and_(judged, sa.or_(pair.c.ranker != IMPORTED, shown, _has(Decision)))
    return sa.select(pair.c[name]).distinct().where(pair.c[name].in_(_IDS), judged)


def _has(kind: type[Record], *more: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """Whether a pair has a row of this kind."""
    table = TABLES[kind]
    return sa.exists().where(table.c["id" if kind is Gold else "pair_id"] == TABLES[Pair].c.id, *more)


@cache
def _anything_held() -> sa.Select[Any]:
    return sa.select(sa.or_(*(sa.exists(sa.select(TABLES[kind].c.id)) for kind in HOLDS)))


@cache
def _owned(kind: type[Record]) -> sa.Select[Any]:
    table = TABLES[kind]
    return sa.select(table.c.id).where(
        table.c.owner_stage == sa.bindparam("stage"), table.c.owner_key == sa.bindparam("key")
    )


@cache
def _rows_of(kind: type[Record]) -> sa.Select[Any]:
    table = TABLES[kind]
    return sa.select(table).where(table.c.id.in_(_IDS))


@cache
def _keeping() -> Insert:
    statement = upsert(TABLES[Kept])
    new = {column.name: column for column in statement.excluded if column.name not in ("id", *_OWNER)}
    return statement.on_conflict_do_update(index_elements=["id"], set_=new)


def _id(kind: type[Record], of: str) -> str:
    return make_id("kept", kind.TABLE, of)


def _kept(kind: type[Record], of: str, why: Why, now: dict[str, Any]) -> Kept:
    return Kept(id=_id(kind, of), kind=kind.TABLE, of=of, why=why, now=now)


def _plain(value: Any) -> Any:
    """A value as it is after being stored: tuples come back as lists."""
    return list(value) if isinstance(value, tuple) else value


def _chunks(values: Sequence[str]) -> Iterable[Sequence[str]]:
    return (values[at : at + _CHUNK] for at in range(0, len(values), _CHUNK))


def held(store: Store) -> set[str]:
    """Ids of the pairs that are given to somebody, judged, ruled on or labelled."""
    return {
        row[0]
        for kind in HOLDS
        for row in store.rows(sa.select(TABLES[kind].c["id" if kind is Gold else "pair_id"]).distinct())
    }


def left_over(store: Store, *kinds: type[Record]) -> set[str]:
    """Ids of the records that are there only because they were judged: their stage makes them no more."""
    return {kept.of for kept in store.all(Kept, kind=[kind.TABLE for kind in kinds], why="gone")}


def told(number: int) -> str:
    """What a run says of judged texts that it left as they were."""
    return f"judged texts that would change or go, and stay as they were shown: {number:,} (dalil status)"
