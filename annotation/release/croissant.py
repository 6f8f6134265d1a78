"""Croissant metadata (1.0, mlcommons.org/croissant): what files there are, what their columns mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.release import ReleaseSettings
from annotation.release.files import checksum
from annotation.release.words import column_meanings

_TERMS = (
    "citeAs",
    "column",
    "extract",
    "field",
    "fileProperty",
    "fileObject",
    "fileSet",
    "format",
    "includes",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "separator",
    "source",
    "subField",
    "transform",
    "equivalentProperty",
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
} | {name: f"cr:{name}" for name in _TERMS}
FORMATS = {".csv": "text/csv", ".jsonl": "application/jsonlines", ".parquet": "application/x-parquet"}


def croissant(
    folder: Path,
    title: str,
    description: str,
    settings: ReleaseSettings,
    day: str | None,
    rows: Sequence[Mapping[str, Any]],
    cite: str,
) -> dict[str, Any]:
    """The metadata of a release whose tables lie in `folder`; `rows` are those of `pairs.csv`."""
    files = [
        {
            "@type": "cr:FileObject",
            "@id": path.relative_to(folder).as_posix(),
            "name": path.relative_to(folder).as_posix(),
            "contentUrl": path.relative_to(folder).as_posix(),
            "encodingFormat": FORMATS[path.suffix],
            "sha256": checksum(path),
        }
        for path in sorted(folder.rglob("*"))
        if path.suffix in FORMATS
    ]
    out: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": title,
        "description": description,
        "version": settings.version,
        "license": settings.licence or "not stated",
        "url": settings.url or f"urn:dalil:{title.replace(' ', '-')}",
        "citeAs": cite,
        "inLanguage": sorted({row["language"] for row in rows if row.get("language")}),
        "creator": [{"@type": "sc:Person", "name": name} for name in settings.authors]
        or [{"@type": "sc:Organization", "name": f"The makers of {title}"}],
    }
    if day:
        out["datePublished"] = day
    if settings.annotators:
        out["rai:dataAnnotationProtocol"] = settings.annotators
    return out | {"distribution": files, "recordSet": [_records("pairs", "pairs.csv", rows)]}


def _records(name: str, file: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{_slug(column, number)}",
            "name": column,
            "description": column_meanings().get(
                column, f"share of the votes for {column.removeprefix('soft_')}"
            ),
            "dataType": _type([row[column] for row in rows]),
            "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
        }
        for number, column in enumerate(rows[0])
    ]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "key": {"@id": f"{name}/id"}, "field": fields}


def _slug(column: str, number: int) -> str:
    """A column as part of an @id (no white space, no marks); its place keeps changed ones apart."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", column)
    return column if plain == column else f"{plain}_{number}"


def _type(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int}:
        return "sc:Integer"
    return "sc:Float" if kinds and kinds <= {int, float} else "sc:Text"
