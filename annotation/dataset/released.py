"""Reading a release that `dalil release` wrote, or `dalil dataset rehydrate` filled: damage is named, never
mended."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from annotation.dataset.rows import DataSet, Row, split_name_problem
from dalil.errors import InputError
from dalil.formats.files import jsonl_records
from dalil.formats.rows import Bad

RELEASE, REHYDRATED, PAIRS = "release.json", "rehydrated.json", "pairs.jsonl"
AGAIN = "get the release again"
Name = Annotated[str, Field(min_length=1)]
S = TypeVar("S", bound=BaseModel)


class SplitSaid(BaseModel):
    """What `release.json` says of the split, as far as it is checked."""

    model_config = ConfigDict(strict=True)
    apart: list[str] = Field(default_factory=list)
    near_duplicate_threshold: Annotated[float, Field(gt=0, le=1)] | None = None


class Said(BaseModel):
    """What `release.json` states, as far as it is checked."""

    model_config = ConfigDict(strict=True)
    title: str
    pairs: int
    claims: int
    labels: list[Name]
    splits: dict[str, dict[str, int]]
    split: SplitSaid = Field(default_factory=SplitSaid)


class Filled(BaseModel):
    """What `rehydrated.json` states, as far as it is checked."""

    model_config = ConfigDict(strict=True)
    pairs: int
    texts: dict[str, int]
    """same, changed, missing → pairs"""
    release: Said
    """what the release without texts stated"""


class Pair(BaseModel):
    """The columns of `pairs.jsonl` that are read."""

    model_config = ConfigDict(strict=True)
    id: Name
    claim_id: Name
    claim: str
    label: Name
    split: Name
    article_hash: Name
    article: str | None = None
    article_title: str | None = None
    article_url: str | None = None
    claim_url: str | None = None
    veracity: str | None = None
    site: str | None = None
    country: str | None = None
    domain: str | None = None
    cluster: str | None = None
    claim_date: str | None = None
    review_date: str | None = None
    language: str | None = None


def read_said(folder: Path) -> Said:
    """A release's summary. Raises InputError where it is missing or damaged."""
    return _summary(folder / RELEASE, Said, AGAIN)


def read_filled(folder: Path) -> Filled:
    """The report of a rehydrated release. Raises InputError where it is missing or damaged."""
    return _summary(folder / REHYDRATED, Filled, "rehydrate it again")


def _summary(path: Path, model: type[S], todo: str) -> S:
    try:
        return model.model_validate(json.loads(path.read_text("utf-8")))
    except ValidationError as error:
        raise InputError(
            f"is not readable as a release's summary: {_first(error)}", where=path, todo=todo
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"is not readable as a release's summary: {error}", where=path, todo=todo) from error


def read_release(folder: Path) -> DataSet:
    """A release that `dalil release` wrote. Raises InputError where it is damaged.

    Labels of rows that the summary does not state come after those that it does.
    """
    return _data_set(folder, read_said(folder), "release")


def read_rehydrated(folder: Path) -> DataSet:
    """A release without texts that was filled again. Raises InputError where it is damaged."""
    return _data_set(folder, read_filled(folder).release, "rehydrated")


def _data_set(folder: Path, said: Said, kind: str) -> DataSet:
    rows = tuple(_row(where, record) for where, record in release_records(folder))
    labels = tuple(dict.fromkeys([*said.labels, *sorted({row.label for row in rows})]))
    return DataSet(said.title, kind, rows, labels, str(folder))


def release_records(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of `pairs.jsonl` with their places. Raises InputError for a line that is none."""
    for record in jsonl_records(folder / PAIRS):
        if isinstance(record, Bad):
            raise InputError(f"{record.field} {record.reason}", where=record.where, todo=AGAIN)
        yield record


def _row(where: str, record: Mapping[str, Any]) -> Row:
    try:
        pair = Pair.model_validate(record)
    except ValidationError as error:
        raise InputError(_first(error), where=where, todo=AGAIN) from error
    problem = split_name_problem(pair.split)
    if problem:
        raise InputError(f"split {pair.split[:40]!r} {problem}", where=where, todo=AGAIN)
    return Row(
        id=pair.id,
        claim_id=pair.claim_id,
        claim=pair.claim,
        label=pair.label,
        article_hash=pair.article_hash,
        article=pair.article,
        title=pair.article_title,
        url=pair.article_url,
        claim_url=pair.claim_url,
        veracity=None if pair.veracity in ("", "unknown") else pair.veracity,
        site=pair.site,
        country=pair.country,
        domain=pair.domain,
        cluster=pair.cluster,
        date=pair.claim_date or pair.review_date,
        language=pair.language,
        split=pair.split,
        where=where,
    )


def _first(error: ValidationError) -> str:
    found = error.errors()[0]
    return f"field {'.'.join(map(str, found['loc'])) or '(whole)'}: {found['msg']}"
