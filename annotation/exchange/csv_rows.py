"""CSV with a byte order mark, so that spreadsheets read Arabic: one row a judgement, the last revision.

The columns are those of `dalil agreement FILE.csv`, then the rest.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from annotation.exchange.votes import Export, Vote, inside, text_of, whole
from annotation.schemes import Scheme
from dalil.errors import InputError

COLUMNS = ("task", "worker", "label", "confidence", "second", "round", "claim", "lang")
MORE = ("number", "skipped", "answers", "note", "seconds", "at", "guideline")
BOM = "\ufeff"
_FORMULA_CELL = re.compile(r"'*[=+\-@\t\r]")


def write(export: Export) -> str:
    """Judgements, then skips (without a label, their reason in `skipped`)."""
    out = io.StringIO()
    out.write(BOM)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*COLUMNS, *MORE])
    for vote in [*export.last(), *export.skips()]:
        task = export.tasks.get(vote.pair)
        answers = json.dumps(dict(vote.answers), ensure_ascii=False, sort_keys=True) if vote.answers else ""
        row = (
            vote.pair, vote.annotator, vote.label, vote.confidence, vote.second, vote.round,
            task.claim_id if task else "", task.language if task else "",
            vote.number, vote.reason, answers, vote.note, vote.seconds, vote.at, vote.guideline,
        )  # fmt: skip
        writer.writerow([guarded("" if value is None else str(value)) for value in row])
    return out.getvalue()


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of a file. Raises InputError with file:line."""
    rows = csv.DictReader(io.StringIO(text_of(path), newline=""))
    names = rows.fieldnames or []
    missing = [name for name in ("task", "worker", "label") if name not in names]
    if missing:
        raise InputError(f"has no column {', '.join(missing)}", where=f"{path}:1")
    for row in rows:
        where = f"{path}:{rows.line_num}"
        found = {key: unguarded(value or "") for key, value in row.items() if key is not None}
        try:
            answers = json.loads(found.get("answers") or "{}")
        except json.JSONDecodeError as error:
            raise InputError(f"answers are not JSON ({error.msg})", where=where) from error
        skipped = found.get("skipped") or None
        yield Vote(
            pair=found["task"],
            annotator=found["worker"],
            round=found.get("round", ""),
            label=found["label"] or None,
            confidence=whole(found.get("confidence"), where, "confidence"),
            second=found.get("second") or None,
            answers=inside(answers, where, "answers"),
            note=found.get("note") or None,
            number=whole(found.get("number"), where, "number") or 1,
            reason=skipped,
            kind="skip" if skipped else "annotation",
            seconds=found.get("seconds") or None,
            at=found.get("at") or None,
            guideline=found.get("guideline") or None,
            where=where,
        )


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; one that looks guarded already is guarded once more."""
    return f"'{cell}" if _FORMULA_CELL.match(cell) else cell


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if cell[:1] == "'" and _FORMULA_CELL.match(cell) else cell
