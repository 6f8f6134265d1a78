"""Old databases become new ones; newer ones are refused.

To add a migration: `python -m dalil.state.migrate "what it does"`, then raise `HEAD`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from dalil.errors import StateError
from dalil.state.migrations import HEAD

if TYPE_CHECKING:
    from alembic.config import Config


def revision(engine: Engine) -> str | None:
    """The revision of a database, or None for an empty one."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)


def check(engine: Engine, path: Path, *, writable: bool) -> None:
    """Raise StateError for a database of a newer dalil, or an older one that may not be migrated."""
    found = revision(engine)
    if found == HEAD:
        return
    if found is None:
        if not _is_empty(engine):
            raise StateError(
                "this database was not made by dalil", where=path, todo="point to a corpus folder"
            )
        if not writable:
            raise StateError(
                "this database is empty: its making was interrupted",
                where=path,
                todo="run a stage, which goes on with it: dalil run CORPUS",
            )
        return
    if found not in known_revisions():
        raise StateError(
            f"this corpus was written by a newer dalil (revision {found}, this one knows {HEAD})",
            where=path,
            todo="update dalil",
        )
    if not writable:
        raise StateError(
            f"this corpus was written by an older dalil (revision {found}, now {HEAD})",
            where=path,
            todo="run any stage, or dalil status as a user who may write here: it is then migrated",
        )


def upgrade(engine: Engine, path: Path) -> None:
    """Bring a database to `HEAD`, in one transaction."""
    if revision(engine) == HEAD:
        return
    from alembic import command

    with engine.begin() as connection:
        command.upgrade(_config(connection), "head")


def known_revisions() -> set[str]:
    """All revisions this code can migrate from, HEAD included."""
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(_config(None)).walk_revisions()}


def _is_empty(engine: Engine) -> bool:
    with engine.connect() as connection:
        return not sa.inspect(connection).get_table_names()


def _config(connection: Connection | None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def new_revision(message: str) -> None:
    """Write the migration from `HEAD` to what the records say now (for developers)."""
    from alembic import command

    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        config = _config(connection)
        if known_revisions():
            command.upgrade(config, "head")
        number = f"{len(known_revisions()) + 1:04d}"
        command.revision(config, message=message, autogenerate=True, rev_id=number)


if __name__ == "__main__":
    new_revision(sys.argv[1])
