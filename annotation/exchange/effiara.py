"""EffiARA's columns: one row a pair; `{user}_label`, `{user}_confidence`, `{user}_secondary` for each person.

The same stand behind `re_` for a second judgement of a pair by the same person (a pilot pair judged again).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from annotation.exchange.csv_rows import BOM, guarded, unguarded
from annotation.exchange.votes import Export, Vote, text_of, whole
from annotation.rounds.kinds import COUNTED
from annotation.schemes import Scheme
from dalil.errors import InputError

PARTS = ("label", "confidence", "secondary")
FIXED = ("sample_id", "claim_id", "claim", "title", "text", "language", "is_reannotation")


def write(export: Export) -> str:
    """Judgements that decide about pairs (pilot, main, third)."""
    votes = [vote for vote in export.last() if vote.round in COUNTED]
    votes.sort(key=lambda vote: (vote.pair, vote.annotator, COUNTED.index(vote.round)))
    people = sorted({vote.annotator for vote in votes})
    names = [f"{before}{name}_{part}" for before in ("", "re_") for name in people for part in PARTS]
    rows: dict[str, dict[str, str]] = {}
    for vote in votes:
        task = export.tasks.get(vote.pair)
        row = rows.setdefault(
            vote.pair,
            {
                "sample_id": vote.pair,
                "claim_id": task.claim_id if task else "",
                "claim": task.claim if task else "",
                "title": (task.title or "") if task else "",
                "text": task.text if task else "",
                "language": task.language if task else "",
                "is_reannotation": "False",
            },
        )
        again = f"{vote.annotator}_label" in row
        if again:
            row["is_reannotation"] = "True"
        before = "re_" if again else ""
        values = (vote.label, vote.confidence, vote.second)
        for part, value in zip(PARTS, values, strict=True):
            row[f"{before}{vote.annotator}_{part}"] = "" if value is None else str(value)
    out = io.StringIO()
    out.write(BOM)
    writer = csv.DictWriter(out, [*FIXED, *names], restval="", lineterminator="\r\n")
    writer.writeheader()
    for _, row in sorted(rows.items()):
        writer.writerow({key: guarded(value) for key, value in row.items()})
    return out.getvalue()


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """First judgements of a file; columns behind `re_` are passed over: they decide nothing about a pair."""
    rows = csv.DictReader(io.StringIO(text_of(path), newline=""))
    names = list(rows.fieldnames or ())
    if "sample_id" not in names:
        raise InputError("has no column sample_id", where=f"{path}:1", todo="name the column of pair ids so")
    people = [name.removesuffix("_label") for name in names if name.endswith("_label")]
    for row in rows:
        where = f"{path}:{rows.line_num}"
        for name in people:
            found = {part: unguarded(row.get(f"{name}_{part}") or "").strip() for part in PARTS}
            if not found["label"] or name.startswith("re_"):
                continue
            yield Vote(
                pair=unguarded(row["sample_id"] or ""),
                annotator=name,
                round="",
                label=found["label"],
                confidence=whole(found["confidence"], where, "confidence"),
                second=found["secondary"] or None,
                where=where,
            )
