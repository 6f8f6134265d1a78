"""Data sets and exchange formats, one a file: what others have published, read as typed rows.

A reader streams: it yields rows with the place they came from (`file:line`), and a `Bad` in the place
of one that is not what the format says. To add one: a file here with a class of the shape of
`Format`, and its name in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Protocol

from dalil.errors import InputError, UsageError
from dalil.formats.files import opened
from dalil.formats.rows import Item, Options
from dalil.resources import entry_point

KINDS = ("claims", "articles", "labels", "results")

FORMATS: dict[str, str] = {
    "arastance": "dalil.formats.arastance:AraStance",
    "baly": "dalil.formats.baly:Baly",
    "khouja": "dalil.formats.khouja:Khouja",
    "checkthat": "dalil.formats.checkthat:CheckThat",
    "matsda2sh": "dalil.formats.matsda2sh:Matsda2sh",
    "csv": "dalil.formats.plain:PlainCsv",
    "jsonl": "dalil.formats.plain:PlainJsonl",
}
"""Name → reader, in the order in which they are asked whether a file is theirs: the plain ones last."""


class Format(Protocol):
    """A reader of one format."""

    NAME: ClassVar[str]
    KINDS: ClassVar[tuple[str, ...]]
    """what it can give: claims, articles, labels, results"""

    @staticmethod
    def knows(path: Path) -> bool:
        """Whether a file or folder looks like this format, by its first record."""
        ...

    def read(self, path: Path, kind: str, options: Options) -> Iterator[Item]:
        """Rows of one kind. Raises InputError where the file cannot be read at all."""
        ...


def make_format(name: str) -> Format:
    """The reader of this name. Raises UsageError for an unknown one."""
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}", where="--format", todo=f"one of {', '.join(FORMATS)}")
    made: Format = entry_point(FORMATS[name])()
    return made


def detect(path: Path, kind: str) -> Format:
    """The reader that knows this file. Raises InputError where none does or it has no such rows."""
    if not path.exists():
        raise InputError("there is no such file", where=path, todo="check the path")
    for name in FORMATS:
        found = make_format(name)
        if found.knows(path):
            check_kind(found, kind, path)
            return found
    if path.is_file():
        with opened(path):  # a workbook or UTF-16 says so here
            pass
    raise InputError("no known format", where=path, todo=f"name it with --format: {', '.join(FORMATS)}")


def check_kind(found: Format, kind: str, path: Path) -> None:
    """Raise InputError where a format has no rows of this kind."""
    if kind not in found.KINDS:
        raise InputError(
            f"a file of the format {found.NAME} has no {kind}",
            where=path,
            todo=f"import its {' or '.join(found.KINDS)}, or name another format with --format",
        )
