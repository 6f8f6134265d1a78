"""CSV: one row a judgement (the last revision), skip or ruling; spreadsheets read its Arabic right.

The columns are those of `dalil agreement FILE.csv`, then the rest. For agreement to pass a skip over, its
`round` is `ignore`; the round that it is of stands in `skipped_in`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.exchange.cells import guarded, table, unguarded
from annotation.exchange.files import csv_rows, inside, whole
from annotation.exchange.votes import ANNOTATION, SKIP, Export, Vote
from annotation.schemes import Scheme
from dalil.errors import InputError
from dalil.text.jsons import NotJson, parse_json

COLUMNS = ("task", "worker", "label", "confidence", "second", "round", "claim", "lang")
MORE = (
    "number", "skipped", "skipped_in", "answers", "note", "seconds", "at", "guideline", "shown_hash",
    "scheme",
)  # fmt: skip
IGNORED = "ignore"
OTHERS = "or choose another --format (this one is what dalil annotate export --format csv writes)"


def write(export: Export) -> str:
    """Judgements, then rulings (their round is adjudication), then skips (without a label)."""
    return table((*COLUMNS, *MORE), (_row(export, vote) for vote in holds(export)))


def holds(export: Export) -> list[Vote]:
    """Last revisions, rulings and skips, in the order of the rows."""
    return [*export.last(), *export.rulings(), *export.skips()]


def _row(export: Export, vote: Vote) -> list[str]:
    task = export.tasks.get(vote.pair)
    skipped = vote.kind == SKIP
    answers = json.dumps(dict(vote.answers), ensure_ascii=False, sort_keys=True) if vote.answers else None
    row: tuple[Any, ...] = (
        vote.pair, vote.annotator, vote.label, vote.confidence, vote.second,
        IGNORED if skipped else vote.round, task and task.claim_id, task and task.language,
        vote.number, vote.reason, vote.round if skipped else None, answers, vote.note, vote.seconds, vote.at,
        vote.guideline, vote.shown_hash, vote.scheme,
    )  # fmt: skip
    return [guarded("" if value is None else str(value)) for value in row]


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of a file. Raises InputError with file:line."""
    for where, row in csv_rows(path, "task", "worker", "label", known=(*COLUMNS, *MORE), todo=OTHERS):
        found = {key: unguarded(value) for key, value in row.items()}
        skipped = found.get("skipped") or None
        named = found.get("round", "")
        if skipped:
            named = found.get("skipped_in") or ("" if named == IGNORED else named)
        yield Vote(
            pair=found["task"],
            annotator=found["worker"],
            round=named,
            label=found["label"] or None,
            confidence=whole(found.get("confidence"), where, "confidence"),
            second=found.get("second") or None,
            answers=_answers(found.get("answers") or "{}", where),
            note=found.get("note") or None,
            number=whole(found.get("number"), where, "number"),
            reason=skipped,
            kind=SKIP if skipped else ANNOTATION,
            seconds=found.get("seconds") or None,
            at=found.get("at") or None,
            guideline=found.get("guideline") or None,
            shown_hash=found.get("shown_hash") or None,
            scheme=found.get("scheme") or None,
            where=where,
        )


def _answers(cell: str, where: str) -> dict[str, Any]:
    try:
        return inside(parse_json(cell.encode("utf-8", "surrogatepass")), where, "answers")
    except NotJson as error:
        raise InputError(f"answers: {error.what}", where=where) from error
