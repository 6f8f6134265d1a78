"""Manifests: which pair lies in which split, so that anybody who has the texts can make the split again.

`manifest.csv`: `pair_hash,claim_id,split`. The hash alone decides, except where two claims of a data set
have the same words and an article in common: there the claim id does.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from annotation.dataset.rows import DataSet, Row, split_name_problem
from dalil.errors import InputError
from dalil.formats.columns import check_columns
from dalil.wording import counted, fitting

COLUMNS = ("pair_hash", "claim_id", "split")


def manifest_lines(rows: Sequence[Row], splits: Sequence[str]) -> list[tuple[str, str, str]]:
    """The manifest's rows, sorted, each once."""
    return sorted({(row.pair_hash, row.claim_id, split) for row, split in zip(rows, splits, strict=True)})


def write_manifest(path: Path, rows: Sequence[Row], splits: Sequence[str]) -> None:
    """Write a manifest."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(manifest_lines(rows, splits))


def apply_manifest(path: Path, data: DataSet) -> tuple[str, ...]:
    """The split of each row as a manifest says.

    Raises InputError for a file that is no manifest, one that contradicts itself, and rows it does not know.
    """
    by_hash: dict[str, set[str]] = {}
    by_claim: dict[tuple[str, str], str] = {}
    for number, found, claim, name in read_manifest(path):
        by_hash.setdefault(found, set()).add(name)
        if by_claim.setdefault((found, claim), name) != name:
            raise InputError(
                f"pair {found} is in two splits", where=f"{path}:{number}", todo="mend the manifest"
            )
    made: list[str] = []
    missing: list[str] = []
    for row in data.rows:
        key = row.pair_hash
        names = by_hash.get(key, set())
        exact = by_claim.get((key, row.claim_id))
        if exact is not None or len(names) == 1:
            made.append(exact or next(iter(names)))
        else:
            missing.append(row.where or row.id)
    if missing:
        raise InputError(
            f"{len(missing):,} of {counted(len(data), 'pair')} {fitting(len(missing), 'is', 'are')} not in "
            f"the manifest (first: {missing[0]})",
            where=path,
            todo="the manifest belongs to other texts: compare with dalil dataset diff",
        )
    return tuple(made)


def read_manifest(path: Path) -> list[tuple[int, str, str, str]]:
    """Line, pair hash, claim id and split of each row.

    Raises InputError for a file that is no manifest, and for a split whose name cannot name a file.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            needed = [("pair_hash",), ("split",)]
            todo = "a manifest has pair_hash, claim_id, split"
            check_columns(path, reader.fieldnames or (), needed, ("claim_id",), todo=todo)
            made = [
                (reader.line_num, row["pair_hash"] or "", row.get("claim_id") or "", row["split"] or "")
                for row in reader
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot be read: {error}", where=path) from error
    for number, _, _, name in made:
        problem = split_name_problem(name)
        if problem:
            raise InputError(
                f"split {name[:40]!r} {problem}", where=f"{path}:{number}", todo="mend the manifest"
            )
    return made
