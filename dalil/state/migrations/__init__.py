"""Alembic's migrations of corpus.db. `HEAD` is the revision that this code reads and writes."""

HEAD = "0004"
