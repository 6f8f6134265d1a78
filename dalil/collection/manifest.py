"""manifest.json: what a collection holds, what it was made from, and which of its folders is the index.

It is replaced in one step when a build has ended, so it always names a whole index.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from dalil.collection import analysis
from dalil.errors import StateError

FILE = "manifest.json"
SKIPPED = "skipped.jsonl"
FORMAT = 1
_AGAIN = "build it again with: dalil index FILE… --out COLLECTION"


class SourceFile(BaseModel):
    """A file that documents came from."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    sha256: str
    bytes: int
    documents: int


class Manifest(BaseModel):
    """What is in manifest.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    format: int = FORMAT
    """of the folder"""
    analysis: int = analysis.VERSION
    """of the analysis that made the terms"""
    name: str
    """documents without url are `collection:NAME/ID`"""
    index: str
    """the folder of the index"""
    revision: str
    """hash over the analysis version and all documents in order"""
    documents: int
    undated: int
    """outside every window"""
    unreadable_dates: int
    """undated because what was given as their date is none"""
    without_url: int
    """known as `collection:NAME/ID`; one whose url is no http(s) url counts here"""
    first_date: str | None = None
    last_date: str | None = None
    skipped: dict[str, int] = {}
    """reason → how many; each is a line of the index folder's skipped.jsonl"""
    ignored_fields: tuple[str, ...] = ()
    """keys of the sources that mean nothing here"""
    files: tuple[SourceFile, ...] = ()
    engine: str
    """tantivy's version"""
    dalil: str
    built_at: str

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Raises StateError: no collection, an unfinished one, or one of another version."""
        path = folder / FILE
        try:
            values = json.loads(path.read_text("utf-8"))
        except (FileNotFoundError, NotADirectoryError) as error:
            what = (
                "there is no finished collection here" if folder.is_dir() else "there is no such collection"
            )
            raise StateError(
                what, where=folder, todo=f"make one with: dalil index FILE… --out {folder}"
            ) from error
        except (OSError, ValueError) as error:
            raise StateError(f"cannot be read: {error}", where=path, todo=_AGAIN) from error
        found = values if isinstance(values, dict) else {}
        if found.get("format") != FORMAT:
            raise StateError(
                f"a collection of format {found.get('format')!r}; this dalil reads {FORMAT}",
                where=path,
                todo=_AGAIN,
            )
        if found.get("analysis") != analysis.VERSION:
            raise StateError(
                f"its terms were made by analysis {found.get('analysis')!r}, not {analysis.VERSION}",
                where=path,
                todo=_AGAIN,
            )
        try:
            return cls.model_validate(found)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            raise StateError(f"not a manifest: {key}: {first['msg']}", where=path, todo=_AGAIN) from error

    def write(self, folder: Path) -> None:
        """Put it in place in one step, on disk before the name points to it."""
        fresh = folder / f"{FILE}.new"
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            file.write(self.model_dump_json(indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(folder / FILE)
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
