"""Writing rows: JSONL, CSV (BOM: spreadsheets read Arabic right) and Parquet, always the same bytes."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dalil.ids import canonical_json

SUMS = "SHA256SUMS"


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """One object a line, keys in the rows' order, UTF-8, "\\n" alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(_one_line(json.dumps(row, ensure_ascii=False, separators=(", ", ": "))) + "\n")


def write_json(path: Path, value: Any) -> None:
    """A value as readable JSON."""
    path.write_text(
        json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n", "utf-8", newline="\n"
    )


def write_csv(
    path: Path, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None, *, bom: bool = True
) -> None:
    """Columns of the first row, or those given; lists and mappings as JSON, None as nothing."""
    names = list(columns or rows[0])
    with path.open("w", encoding="utf-8-sig" if bom else "utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n" if bom else "\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow([flat(row[name]) for name in names])


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Typed columns: texts, numbers, lists of texts; mappings and lists of mappings as JSON text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: _column([row[name] for row in rows]) for name in rows[0]}
    pq.write_table(pa.table(columns), path, compression="zstd", version="2.6")


def flat(value: Any) -> Any:
    """A value as a cell: what is no text or number becomes JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return canonical_json(value) if isinstance(value, (dict, list, tuple)) else value


def flat_rows(rows: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> list[dict[str, Any]]:
    """Rows for CSV and Parquet: soft labels as one column a label."""
    made = []
    for row in rows:
        out = dict(row)
        soft = out.pop("soft", None) or {}
        made.append(out | {f"soft_{label}": soft.get(label) for label in labels})
    return made


def checksum(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    total = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            total.update(block)
    return total.hexdigest()


def write_sums(folder: Path) -> None:
    """`SHA256SUMS` over every file of a folder, as `sha256sum -c` reads it."""
    lines = [
        f"{checksum(path)}  {path.relative_to(folder).as_posix()}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != SUMS
    ]
    (folder / SUMS).write_text("".join(lines), "utf-8", newline="\n")


def _column(values: list[Any]) -> Any:
    import pyarrow as pa

    kinds = {type(value) for value in values if value is not None}
    if kinds <= {str}:
        return pa.array(values, pa.string())
    if kinds <= {int, bool} and bool not in kinds:
        return pa.array(values, pa.int64())
    if kinds <= {int, float}:
        return pa.array([None if v is None else float(v) for v in values], pa.float64())
    if kinds == {list} and all(isinstance(item, str) for value in values for item in value or ()):
        return pa.array(values, pa.list_(pa.string()))
    return pa.array([None if value is None else canonical_json(value) for value in values], pa.string())


def _one_line(text: str) -> str:
    """Separators that some readers take for line ends, escaped."""
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")
