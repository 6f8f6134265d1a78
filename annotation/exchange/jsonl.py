"""JSONL: one line a judgement (every revision), skip or ruling. The format that loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.exchange.votes import Export, Vote, inside, text_of, whole
from annotation.schemes import Scheme
from dalil.errors import InputError

_NAMES = tuple(name for name in Vote.__dataclass_fields__ if name != "where")


def write(export: Export) -> str:
    """Lines sorted by pair; nothing that is empty."""
    lines = []
    for vote in export.votes:
        found = {key: value for key, value in asdict(vote).items() if value not in (None, {}, "")}
        lines.append(json.dumps({**found, "scheme": export.scheme.name}, ensure_ascii=False, sort_keys=True))
    return "".join(line + "\n" for line in lines)


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of a file. Raises InputError with file:line."""
    for number, line in enumerate(text_of(path).split("\n"), start=1):
        where = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"not JSON ({error.msg})", where=where) from error
        if not isinstance(row, dict):
            raise InputError("not an object", where=where)
        yield _vote(row, where)


def _vote(row: dict[str, Any], where: str) -> Vote:
    for key in ("pair", "annotator"):
        if not isinstance(row.get(key), str):
            raise InputError(f"has no {key}", where=where)
    answers = inside(row.get("answers"), where, "answers")
    kept = {name: row[name] for name in _NAMES if row.get(name) is not None}
    number = whole(kept.get("number", 1), where, "number") or 1
    confidence = whole(row.get("confidence"), where, "confidence")
    return Vote(
        **{
            "round": "",
            **kept,
            "answers": answers,
            "number": number,
            "confidence": confidence,
            "where": where,
        }
    )
