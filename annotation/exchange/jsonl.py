"""JSONL: one line a judgement (every revision), skip or ruling. The format that loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.exchange.files import inside, json_lines, whole
from annotation.exchange.votes import Export, Vote
from annotation.schemes import Scheme
from dalil.errors import InputError

_NAMES = tuple(name for name in Vote.__dataclass_fields__ if name != "where")


def write(export: Export) -> str:
    """Lines sorted by pair; nothing that is empty."""
    lines = []
    for vote in export.votes:
        found = {key: value for key, value in asdict(vote).items() if value not in (None, {}, "")}
        line = json.dumps({"scheme": export.scheme.name, **found}, ensure_ascii=False, sort_keys=True)
        lines.append(line)
    return "".join(line + "\n" for line in lines)


def holds(export: Export) -> Sequence[Vote]:
    """Everything."""
    return export.votes


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of a file. Raises InputError with file:line."""
    for where, row in json_lines(path):
        if not isinstance(row, dict):
            raise InputError("not an object", where=where)
        yield _vote(row, where)


def _vote(row: dict[str, Any], where: str) -> Vote:
    for key in ("pair", "annotator"):
        if not isinstance(row.get(key), str):
            raise InputError(f"has no {key}", where=where)
    kept = {name: row[name] for name in _NAMES if row.get(name) is not None}
    return Vote(
        **{
            "round": "",
            **kept,
            "answers": inside(row.get("answers"), where, "answers"),
            "number": whole(row.get("number"), where, "number"),
            "confidence": whole(row.get("confidence"), where, "confidence"),
            "where": where,
        }
    )
