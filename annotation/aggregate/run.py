"""Several methods over the same ratings, and how they fare."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotation.aggregate import METHODS, NEED_CONFIDENCE, method
from annotation.aggregate.base import Aggregated, Settings
from annotation.ratings import Codes, Ratings
from annotation.ratings_scheme import LabelSet
from dalil.errors import InputError, UsageError
from dalil.formats.columns import check_columns

ALL = "all"
_KNOWN = ("task", "label")


def method_names(given: Sequence[str]) -> list[str]:
    """Names from `a`, `a,b`, `a b` or `all`, each once. Raises UsageError for an unknown one."""
    names = [name for text in given for name in text.replace(",", " ").split()]
    if ALL in names:
        return [ALL]
    for name in names:
        if name not in METHODS:
            raise UsageError(
                f"no aggregation method {name!r}", todo=f"methods are: {', '.join(METHODS)}, or {ALL}"
            )
    return list(dict.fromkeys(names))


def run_methods(
    ratings: Ratings, names: Sequence[str], settings: Settings
) -> tuple[list[Aggregated], list[str]]:
    """Fit and predict each method; notes say which were left out of `all` for want of confidences."""
    notes: list[str] = []
    if list(names) == [ALL]:
        names = list(METHODS)
        complete = bool(ratings.votes().has_confidence().all())
        if not complete and settings.votes.missing_confidence is None:
            names = [name for name in names if name not in NEED_CONFIDENCE]
            notes.append("without confidences: mvc, mvc2, svc, svc2 and bsv left out")
    return [method(name, settings).fit(ratings).predict(ratings) for name in names], notes


@dataclass(frozen=True)
class Known:
    """True labels of some items."""

    labels: dict[str, str]
    origin: str

    def strange(self, labels: Sequence[str]) -> list[str]:
        """A note where known labels are none of these: no rating could ever be right there."""
        found = LabelSet(tuple(labels), self.origin)
        none = sorted({label for label in self.labels.values() if found.code(label) is None})
        if not none:
            return []
        return [
            f"{self.origin} has labels that are none of the ratings': {', '.join(none)}: counted as wrong"
        ]


def read_known(path: Path) -> Known:
    """A CSV file `task,label`; texts are trimmed and in NFC, as those of ratings are.

    Raises InputError with file and line.
    """
    if not path.is_file():
        raise InputError("no such file", where=path)
    out: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            check_columns(path, reader.fieldnames or (), [(name,) for name in _KNOWN])
            for row in reader:
                task, label = (unicodedata.normalize("NFC", (row[name] or "").strip()) for name in _KNOWN)
                where = f"{path}:{reader.line_num}"
                if not task or not label:
                    raise InputError("an empty task or label", where=where)
                if out.setdefault(task, label) != label:
                    raise InputError(f"task {task!r} has two labels", where=where)
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=path, todo="save it as UTF-8") from error
    return Known(out, str(path))


def accuracy(items: Iterable[str], label: Codes, labels: Sequence[str], known: Known) -> dict[str, Any]:
    """Share of items with a known label that were given that label (`label`: codes, negative: none)."""
    found = LabelSet(tuple(labels), known.origin)
    place = {name: found.code(name) for name in set(known.labels.values())}
    right = compared = 0
    for item, code in zip(items, label, strict=True):
        truth = known.labels.get(item)
        if truth is not None and code >= 0:
            compared += 1
            right += int(place[truth] == code)
    return {
        "accuracy": right / compared if compared else None,
        "compared": compared,
        "without_label": len(known.labels) - compared,
    }


def summary(result: Aggregated) -> dict[str, Any]:
    """How many items have each label, ties, and the settings used."""
    found = np.bincount(result.label[result.voted], minlength=len(result.labels))
    return {
        "method": result.method,
        "kind": "soft" if result.soft else "hard",
        "items": int(result.voted.sum()),
        "ties": int(result.tied.sum()),
        "labels": {name: int(number) for name, number in zip(result.labels, found, strict=True)},
        "settings": result.settings,
    }
