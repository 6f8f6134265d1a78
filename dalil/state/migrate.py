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
from dalil.state import failpoints
from dalil.state.migrations import HEAD

if TYPE_CHECKING:
    from alembic.config import Config


VERSIONS = "alembic_version"
"""the table that holds a database's revision"""


def revision(engine: Engine) -> str | None:
    """The revision of a database, or None for an empty one."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table(VERSIONS):
            return None
        found = connection.execute(
            sa.select(sa.column("version_num")).select_from(sa.table(VERSIONS))
        ).scalar()
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
            todo="run dalil status as a user who may write here, or any stage: it is then migrated",
        )


def is_older(engine: Engine) -> bool:
    """Whether a database is one of an older dalil."""
    found = revision(engine)
    return found is not None and found != HEAD and found in known_revisions()


def upgrade(engine: Engine, to: str = HEAD) -> None:
    """Bring a database to a revision, in one transaction: killed in it, the database is as before.

    Of two processes that come at once the second waits, and finds it done.
    """
    if revision(engine) == to:
        return
    from alembic import command

    with engine.connect() as plain:
        connection = plain.execution_options(writing=True)
        with connection.begin():
            command.upgrade(_config(connection), to)
            failpoints.passed("migrate")


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
