"""Alembic's environment: it works on the connection that dalil.state.migrate hands over."""

from typing import Literal

from alembic import context

from dalil.state.tables import METADATA, CanonicalJSON


def _plain(kind: str, item: object, _: object) -> str | Literal[False]:
    """A migration is frozen: it names plain SQL types, not classes that may change."""
    return "sa.Text()" if kind == "type" and isinstance(item, CanonicalJSON) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    render_item=_plain,
)
with context.begin_transaction():
    context.run_migrations()
