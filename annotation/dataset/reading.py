"""A data set from files: Baly, Khouja, AraStance in its forms, a release or split of one's own, plain rows.

Nothing is left out: a record that is not what its format says stops the reading, with its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.dataset.released import PAIRS, REHYDRATED, RELEASE, read_rehydrated, read_release
from annotation.dataset.rows import DataSet, LoneClaim, Row, text_hash
from annotation.dataset.split_files import split_sizes
from dalil.errors import InputError
from dalil.formats import detect
from dalil.formats.arastance import AraStance
from dalil.formats.baly import Baly
from dalil.formats.files import first_record
from dalil.formats.rows import Bad, ClaimRow, Item, LabelRow, Options
from dalil.wording import counted

SPLIT_FILES = ("train", "dev", "validation", "test")
SUFFIXES = (".jsonl", ".json", ".csv", ".jsonl.gz", ".csv.gz")
FOLDERS = (".", "data", "stance", "data/stance", "arastance", "huggingface")
LONE_FOLDERS = ("claim", "data/claim")
OURS = {"article_hash", "pair_id"}
LABELS: Mapping[str, tuple[str, ...]] = {
    "arastance": ("agree", "disagree", "discuss", "unrelated"),
    "baly": ("agree", "disagree", "discuss", "unrelated"),
    "khouja": ("agree", "disagree", "other"),
}


def read_dataset(path: Path, label_order: tuple[str, ...] = ()) -> DataSet:
    """Read a file or folder. `label_order` says what integers stand for, from 0.

    Raises InputError where nothing is recognised or a record is wrong (file:line).
    """
    if not path.exists():
        raise InputError("there is no such file or folder", where=path, todo="check the path")
    if (path / RELEASE).is_file():
        return read_release(path)
    if (path / REHYDRATED).is_file():
        return read_rehydrated(path)
    if (path / PAIRS).is_file():
        raise InputError(
            f"{PAIRS} without what states its figures: {RELEASE}, or {REHYDRATED}",
            where=path,
            todo="get the release (or rehydrate it) again",
        )
    options = Options(label_order=label_order)
    sizes = split_sizes(path)
    if sizes is not None:
        parts = [(name, path / f"{name}.jsonl") for name, size in sizes.items() if size]
        read = [(name, AraStance().read(file, "labels", options)) for name, file in parts]
        return _data_set(path, "split", read)
    if path.is_dir() and Baly.knows(path):
        return _data_set(path, "baly", [(None, Baly().read(path, "labels", options))])
    files = [path] if path.is_file() else split_files(path)
    if not files:
        raise InputError(
            "no data set is recognised here",
            where=path,
            todo="give a release, Baly's folder, or one with train, dev and test files (jsonl or csv)",
        )
    kinds = {detect(file, "labels").NAME for file in files}
    if len(kinds) > 1:
        raise InputError(
            f"files of several formats: {', '.join(sorted(kinds))}", where=path, todo="give one of them"
        )
    items = [(split_of(file), detect(file, "labels").read(file, "labels", options)) for file in files]
    kind = "rows" if any(_ours(file) for file in files) else kinds.pop()
    made = _data_set(path, kind, items)
    lone = _lone_claims(path, options) if made.kind == "khouja" and path.is_dir() else ()
    return DataSet(made.name, made.kind, made.rows, made.labels, made.origin, lone, made.notes)


def _ours(file: Path) -> bool:
    """Whether dalil wrote it, in whosever form: no published file has these fields."""
    return bool(OURS & (first_record(file) or {}).keys())


def split_files(folder: Path) -> list[Path]:
    """Files named for their split, in the first place that has any; an empty one is a split without rows."""
    for name in FOLDERS:
        found = [
            file
            for split in SPLIT_FILES
            for suffix in SUFFIXES
            if (file := folder / name / f"{split}{suffix}").is_file() and file.stat().st_size
        ]
        if found:
            return found
    return []


def split_of(file: Path) -> str | None:
    """The split that a file's name says."""
    stem = file.name.split(".")[0].lower()
    return {"validation": "dev"}.get(stem, stem) if stem in SPLIT_FILES else None


def _data_set(path: Path, kind: str, items: Iterable[tuple[str | None, Iterator[Item]]]) -> DataSet:
    rows: list[Row] = []
    bad: list[Bad] = []
    numbers: dict[str, int] = {}
    for split, read in items:
        for item in read:
            if isinstance(item, Bad):
                bad.append(item)
            elif isinstance(item, LabelRow):
                key = item.claim.key or item.claim.raw
                numbers[key] = number = numbers.get(key, 0) + 1
                rows.append(_row(item, key, number, split))
    if bad:
        more = f" (and {counted(len(bad) - 1, 'more record')})" if len(bad) > 1 else ""
        raise InputError(
            f"{bad[0].field} {bad[0].reason}{more}",
            where=bad[0].where,
            todo="mend the file: nothing is left out",
        )
    if not rows:
        raise InputError("no pairs with labels here", where=path, todo="check the path")
    seen = {row.label for row in rows}
    labels = LABELS.get(kind, LABELS["arastance"])
    if not seen <= set(labels):
        labels = tuple(sorted(seen))
    return DataSet(path.resolve().name, kind, tuple(rows), labels, str(path))


def _row(item: LabelRow, key: str, number: int, split: str | None) -> Row:
    claim, article = item.claim, item.article
    said = claim.found.get("split")
    return Row(
        id=f"{key}/{number}",
        claim_id=key,
        claim=claim.raw,
        label=item.label,
        article_hash=text_hash(article.text),
        article=article.text,
        title=article.title,
        url=article.url,
        claim_url=claim.url,
        veracity=_known(claim.veracity),
        site=_known(claim.site),
        country=claim.country,
        domain=claim.domain,
        date=claim.claim_date or claim.review_date,
        language=claim.language,
        split=split or (str(said) if said else None),
        where=item.where,
    )


def _lone_claims(path: Path, options: Options) -> tuple[LoneClaim, ...]:
    made = []
    for name in LONE_FOLDERS:
        for split in SPLIT_FILES:
            file = path / name / f"{split}.csv"
            if file.is_file():
                for item in detect(file, "claims").read(file, "claims", options):
                    if isinstance(item, Bad):
                        raise InputError(f"{item.field} {item.reason}", where=item.where)
                    if isinstance(item, ClaimRow):
                        made.append(LoneClaim(item.raw, _known(item.veracity), split_of(file)))
    return tuple(made)


def _known(value: Any) -> str | None:
    return None if value in (None, "", "unknown") else str(value)
