"""Checks of a release whose texts were filled again: what `rehydrated.json` states, row by row."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.dataset.checks import Check, count
from annotation.dataset.release_checks import SHOWN, promises, same_table, stated_counts, unreadable
from annotation.dataset.released import read_filled, release_records
from annotation.dataset.rows import DataSet, text_hash

SAME, CHANGED, MISSING = "same", "changed", "missing"
LOST = "missing.csv"


def rehydrated_checks(folder: Path, data: DataSet) -> list[Check]:
    """Counts of the release, states of the texts, hashes, other forms of the table, what is missing, and
    what splits may not share, as far as the texts are the released ones."""
    report = read_filled(folder)
    records = [record for _, record in release_records(folder)]
    made = stated_counts(data, report.release)
    states = Counter(str(record.get("text_state")) for record in records)
    made += [
        count(f"texts that are {state}", report.texts.get(state, 0), states[state])
        for state in dict.fromkeys((SAME, CHANGED, MISSING, *sorted(states)))
    ]
    made += [same_table(folder, data, "pairs.csv"), same_table(folder, data, "pairs.parquet")]
    made += [_states(records), _lost(folder, records)]
    released = [
        row if _is_same(record) else replace(row, article=None)
        for row, record in zip(data.rows, records, strict=True)
    ]
    return made + promises(
        replace(data, rows=tuple(released)), report.release, "not every text is the released one"
    )


def _is_same(record: Mapping[str, Any]) -> bool:
    return record.get("text_state") == SAME


def _states(records: list[Mapping[str, Any]]) -> Check:
    """Whether each text is what its state says: the released one, another, or none."""
    wrong = [str(record["id"]) for record in records if _state(record) != record.get("text_state")]
    return Check(
        "text states and hashes", "differs" if wrong else "ok", 0, len(wrong), "; ".join(wrong[:SHOWN])
    )


def _state(record: Mapping[str, Any]) -> str:
    text = record.get("article")
    if text is None:
        return MISSING
    return SAME if text_hash(text) == record["article_hash"] else CHANGED


def _lost(folder: Path, records: list[Mapping[str, Any]]) -> Check:
    path = folder / LOST
    name = f"{LOST} lists what is missing"
    if not path.is_file():
        return Check(LOST, "differs", "present", "missing")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            listed = {row["id"] for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError, csv.Error) as error:
        return unreadable(name, error)
    wrong = sorted(listed ^ {str(record["id"]) for record in records if record.get("text_state") == MISSING})
    return Check(name, "differs" if wrong else "ok", 0, len(wrong), "; ".join(wrong[:SHOWN]))
