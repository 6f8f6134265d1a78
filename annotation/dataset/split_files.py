"""Writing a split, reading how it is named, and making one from a manifest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.dataset.manifest import apply_manifest, read_manifest, write_manifest
from annotation.dataset.rows import DataSet, ordered_splits, split_name_problem
from annotation.dataset.splitting import Ask, Outcome, measured, something, whole
from dalil.errors import InputError, StateError, UsageError
from dalil.wording import counted, fitting

MANIFEST, REPORT = "manifest.csv", "report.json"


def split_sizes(folder: Path) -> dict[str, int] | None:
    """Split → pairs, as the report in a folder that `write_split` wrote says; None for any other folder.

    Raises InputError where the report is damaged.
    """
    path = folder / REPORT
    if not path.is_file() or not (folder / MANIFEST).is_file():
        return None
    try:
        sizes = json.loads(path.read_text("utf-8"))["sizes"]
        found = {str(name): int(number) for name, number in sizes.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            "is not readable as the report of a split", where=path, todo="make the split again"
        ) from error
    wrong = next((name for name in found if split_name_problem(name)), None)
    if wrong is not None:
        raise InputError(
            f"split {wrong[:40]!r} {split_name_problem(wrong)}", where=path, todo="make the split again"
        )
    return found


def from_manifest(path: Path, data: DataSet, ask: Ask) -> Outcome:
    """The split that a manifest says, measured as one's own would be."""
    something(data)
    splits = apply_manifest(path, data)
    notes = [f"from {path.name}"]
    strangers = {found for _, found, _, _ in read_manifest(path)} - {row.pair_hash for row in data.rows}
    if strangers:
        notes.append(
            f"{counted(len(strangers), 'pair')} of the manifest {fitting(len(strangers), 'is', 'are')} not "
            "in this data set"
        )
    sizes = Counter(splits)
    names = ordered_splits(sizes)
    if len(names) == 1:
        return whole(data, ask, names[0], "; ".join(notes))
    shares = {name: sizes[name] / len(data) for name in names}
    own = Ask(shares, ask.stratify, ask.apart, ask.threshold, seed=ask.seed)
    return measured(data, splits, names, own, tuple(notes))


def write_split(folder: Path, data: DataSet, outcome: Outcome) -> None:
    """`manifest.csv`, `report.json` and, in AraStance's layout, a file a split.

    Raises UsageError when the folder is not empty, StateError when it cannot be written.
    """
    from annotation.release.files import write_json, write_jsonl
    from annotation.release.layouts import arastance_layout

    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty", where=folder, todo="give a new folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_manifest(folder / MANIFEST, data.rows, outcome.splits)
        write_json(folder / REPORT, outcome.plain())
        for name in outcome.names:
            part = [
                _plain(row) for row, place in zip(data.rows, outcome.splits, strict=True) if place == name
            ]
            write_jsonl(folder / f"{name}.jsonl", arastance_layout(part))
    except OSError as error:
        raise StateError(
            f"cannot be written: {error.strerror}", where=folder, todo="check disk and path"
        ) from error


def _plain(row: Any) -> Mapping[str, Any]:
    made = {
        "claim_id": row.claim_id,
        "claim": row.claim,
        "claim_url": row.claim_url,
        "site": row.site,
        "veracity": row.veracity,
        "label": row.label,
        "article_title": row.title,
        "article_url": row.url,
        "article_hash": row.article_hash,
    }
    return made if row.article is None else made | {"article": row.article}
