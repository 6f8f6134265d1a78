"""Checks of a release of one's own: it is whole, its files agree, it keeps its promises."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from annotation.dataset.checks import Check, count
from annotation.dataset.manifest import manifest_lines, read_manifest
from annotation.dataset.released import Said, read_said
from annotation.dataset.rows import DataSet, label_counts, text_hash
from annotation.dataset.ties import KINDS, THRESHOLD, leaking_rows, leaks, tie_keys
from dalil.errors import InputError
from dalil.wording import counted

SUMS = "SHA256SUMS"
SHOWN = 3


def release_checks(folder: Path, data: DataSet) -> list[Check]:
    """Checksums, counts, other forms of the table, hashes, manifest, what splits may not share, Croissant."""
    said = read_said(folder)
    made = _sums(folder)
    made += stated_counts(data, said)
    made += [same_table(folder, data, "pairs.csv"), same_table(folder, data, "pairs.parquet")]
    made.append(_hashes(data))
    made.append(_manifest(folder, data))
    made += promises(data, said)
    made.append(_croissant(folder))
    return made


def _sums(folder: Path) -> list[Check]:
    from annotation.release.files import checksum

    path = folder / SUMS
    if not path.is_file():
        return [Check("checksums", "not checkable", note=f"{SUMS} is missing")]
    stated: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8", "replace").split("\n"), 1):
        if line:
            total, _, name = line.partition("  ")
            if not name:
                raise InputError("no checksum line", where=f"{path}:{number}")
            stated[name] = total
    present = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() and p.name != SUMS}
    wrong = [
        Check(f"file {name}", "differs", "present", "missing")
        if name not in present
        else Check(
            f"file {name}",
            "differs",
            total[:12] + "…",
            checksum(folder / name)[:12] + "…",
            "its bytes changed",
        )
        for name, total in stated.items()
        if name not in present or checksum(folder / name) != total
    ]
    extra = sorted(present - set(stated))
    if extra:
        wrong.append(Check("files without a checksum", "differs", 0, len(extra), "; ".join(extra[:SHOWN])))
    return wrong or [Check("checksums", "ok", len(stated), len(stated))]


def stated_counts(data: DataSet, said: Said) -> list[Check]:
    """Pairs, claims and labels by split, against a release's summary."""
    rows = data.rows
    made = [
        count("pairs", said.pairs, len(rows)),
        count("claims", said.claims, len({row.claim_id for row in rows})),
    ]
    for split, cells in said.splits.items():
        found = label_counts((row for row in rows if row.split == split), data.labels)
        made += [count(f"{split}, {label}", number, found.get(label, 0)) for label, number in cells.items()]
    stray = sorted(set(data.splits) - set(said.splits))
    if stray:
        made.append(Check("splits outside the stated ones", "differs", sorted(said.splits), stray))
    other = sorted({row.label for row in rows} - set(said.labels))
    if other:
        made.append(Check("labels outside the stated ones", "differs", said.labels, other))
    return made


def same_table(folder: Path, data: DataSet, name: str) -> Check:
    """Whether another form of the table has the same pairs, labels and splits."""
    path = folder / name
    if not path.is_file():
        return Check(name, "differs", "present", "missing")
    wanted = {row.id: (row.label, str(row.split), row.claim) for row in data.rows}
    try:
        found = {row["id"]: (row["label"], row["split"], row["claim"]) for row in _table(path)}
    except (OSError, ValueError, KeyError, csv.Error) as error:  # Arrow's errors are ValueErrors or KeyErrors
        return unreadable(f"{name} agrees with pairs.jsonl", error)
    wrong = sorted(key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key))
    if wrong:
        return Check(f"{name} agrees with pairs.jsonl", "differs", 0, len(wrong), "; ".join(wrong[:SHOWN]))
    return Check(f"{name} agrees with pairs.jsonl", "ok", None, len(found))


def unreadable(name: str, error: Exception) -> Check:
    """A file that is not what its name says."""
    words = " ".join(str(error).split())[:200] or type(error).__name__
    return Check(name, "differs", "readable", "not readable", words)


def _table(path: Path) -> list[dict[str, Any]]:
    columns = ["id", "label", "split", "claim"]
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        read: list[dict[str, Any]] = pq.read_table(path, columns=columns).to_pylist()
        return read
    csv.field_size_limit(2**27)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [{name: row[name] for name in columns} for row in csv.DictReader(file)]


def _hashes(data: DataSet) -> Check:
    texts = [row for row in data.rows if row.article is not None]
    if not texts:
        return Check(
            "article hashes",
            "not checkable",
            note="a release without texts: dalil dataset rehydrate fills them",
        )
    wrong = [row.id for row in texts if text_hash(row.article or "") != row.article_hash]
    return Check("article hashes", "differs" if wrong else "ok", 0, len(wrong), "; ".join(wrong[:SHOWN]))


def _manifest(folder: Path, data: DataSet) -> Check:
    path = folder / "manifest.csv"
    if not path.is_file():
        return Check("manifest", "differs", "present", "missing")
    try:
        stated = {(found, claim, name) for _, found, claim, name in read_manifest(path)}
    except InputError as error:
        return Check("manifest", "differs", "readable", "not readable", error.what)
    found = set(manifest_lines(data.rows, [str(row.split) for row in data.rows]))
    return Check(
        "manifest",
        "differs" if stated != found else "ok",
        len(stated),
        len(stated & found),
        "pairs that agree",
    )


def promises(data: DataSet, said: Said, without: str = "a release without texts") -> list[Check]:
    """What the release says that no two splits share."""
    made = []
    for kind in said.split.apart:
        if kind not in KINDS:
            made.append(Check(f"no {kind} in two splits", "not checkable", note="no such tie is known"))
            continue
        if kind in ("article", "related") and any(row.article is None for row in data.rows):
            made.append(
                Check(
                    "no near-duplicate articles in two splits",
                    "not checkable",
                    note=without,
                )
            )
            if kind == "related":
                continue
            kind = "body"
        keys = tie_keys(data.rows, kind, said.split.near_duplicate_threshold or THRESHOLD)
        found = leaks(keys, [row.split for row in data.rows], kind)
        words = "; ".join(
            " = ".join(data.rows[place].id for place in leak.rows[:2]) for leak in found[:SHOWN]
        )
        note = f"{counted(leaking_rows(found), 'pair')}; e.g. {words}" if found else ""
        made.append(Check(f"no {kind} in two splits", "differs" if found else "ok", 0, len(found), note))
    return made


def _croissant(folder: Path) -> Check:
    path = folder / "croissant.json"
    if not path.is_file():
        return Check("Croissant metadata", "differs", "present", "missing")
    from annotation.release.validate import croissant_problem

    try:
        problem = croissant_problem(path)
    except ImportError:
        return Check(
            "Croissant metadata", "not checkable", note="install the extra: pip install 'dalil[mlcroissant]'"
        )
    if problem is not None:
        return Check("Croissant metadata", "differs", "valid", "not valid", problem)
    return Check("Croissant metadata", "ok", None, "valid")
