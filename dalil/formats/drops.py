"""What an import leaves out: one Dropped a row, until the row is mended."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from dalil.ids import make_id
from dalil.records import Dropped
from dalil.state.store import Writer
from dalil.state.tables import TABLES

if TYPE_CHECKING:
    from dalil.formats.importing import Report

STAGE = "import"


class Drops:
    """The drops of one import of a file as one kind. They take the place of those of its last import.

    A drop's id is made of kind, path from the corpus to the file, line and reason, so that two files of one
    name do not settle each other's drops, and it does not matter from where the import is called. Of drops
    that an older dalil made, whose ids do not say of which file they are, those are replaced that are made
    again: a row is not to be counted twice.
    """

    def __init__(self, writer: Writer, path: Path, kind: str, corpus: Path):
        self.writer = writer
        self.corpus = os.path.abspath(corpus)
        self.path = path
        self.kind = kind
        self.made: dict[str, Dropped] = {}

    def add(self, where: str, reason: str, detail: str | None) -> None:
        """A row at this place (`file:line`) goes no further."""
        key = self._id(where, reason)
        self.made[key] = Dropped(id=key, stage=STAGE, key=Path(where).name, reason=reason, detail=detail)

    def settle(self, report: Report) -> None:
        """Write the drops; those of rows that are mended, or no longer there, go."""
        old = self._old()
        gone = {id_: key for id_, key in old.items() if id_ not in self.made}
        self.writer.delete(Dropped, gone)
        self.writer.put(self.made.values())
        report.settled = len(set(gone.values()) - {drop.key for drop in self.made.values()})
        if not self.made:
            return
        report.new["dropped"] = len(self.made.keys() - old.keys())
        report.known["dropped"] = len(self.made.keys() & old.keys())

    def _old(self) -> dict[str, str]:
        """Drops that earlier imports of this file made: id → key."""
        table = TABLES[Dropped]
        query = sa.select(table.c.id, table.c.key, table.c.reason).where(table.c.stage == STAGE)
        rows = self.writer.connection.execute(query)
        return {row.id: row.key for row in rows if self._mine(row.id, row.key, row.reason)}

    def _mine(self, id_: str, key: str, reason: str) -> bool:
        """Whether a drop is of this file: its id says so, or it is an older one that is made again."""
        if id_ == make_id("drop", STAGE, key, reason):
            return any((made.key, made.reason) == (key, reason) for made in self.made.values())
        folders = (self.path, self.path / "dataset") if self.path.is_dir() else (self.path.parent,)
        if not self.path.is_dir() and not key.startswith(f"{self.path.name}:"):
            return False
        return any(id_ == self._id(str(folder / key), reason) for folder in folders)

    def _id(self, where: str, reason: str) -> str:
        place = os.path.relpath(os.path.abspath(where), self.corpus)
        return make_id("drop", STAGE, self.kind, place, reason)
