"""Two data sets compared pair by pair: what came, went, was relabelled or moved to another split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.dataset.rows import DataSet, Row

SHOWN = 5


@dataclass(frozen=True)
class Change:
    """A pair that is in both, with what differs: field → (before, after)."""

    pair_hash: str
    before: str
    """id in the first data set"""
    after: str
    fields: dict[str, tuple[str | None, str | None]]


@dataclass(frozen=True)
class Difference:
    """What `dalil dataset diff A B` says."""

    same: int
    added: tuple[Row, ...]
    removed: tuple[Row, ...]
    changed: tuple[Change, ...]
    claims_added: tuple[str, ...]
    claims_removed: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return not (self.added or self.removed or self.changed)

    def by_field(self) -> dict[str, int]:
        """How many pairs differ in each field."""
        return dict(Counter(name for change in self.changed for name in change.fields).most_common())

    def label_moves(self) -> dict[tuple[str | None, str | None], int]:
        """(label before, label after) → pairs."""
        return dict(Counter(c.fields["label"] for c in self.changed if "label" in c.fields).most_common())

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "equal": self.equal,
            "same": self.same,
            "added": [_row(row) for row in self.added],
            "removed": [_row(row) for row in self.removed],
            "claims_added": list(self.claims_added),
            "claims_removed": list(self.claims_removed),
            "changed_by_field": self.by_field(),
            "changed": [
                {"pair_hash": c.pair_hash, "before": c.before, "after": c.after}
                | {name: list(values) for name, values in c.fields.items()}
                for c in self.changed
            ],
        }


FIELDS = ("label", "split", "veracity", "site", "country", "domain", "cluster", "date", "url", "title")


def diff(first: DataSet, second: DataSet) -> Difference:
    """Compare by pair hash (claim's words and article's words); ids may differ between the two.

    A field that one side does not have at all is not compared.
    """
    compared = [
        name
        for name in FIELDS
        if all(any(getattr(row, name) is not None for row in side.rows) for side in (first, second))
    ]
    old, new = _by_hash(first.rows), _by_hash(second.rows)
    added: list[Row] = []
    removed: list[Row] = []
    changed: list[Change] = []
    same = 0
    for key in dict.fromkeys([*old, *new]):
        before, after = old.get(key, []), new.get(key, [])
        for one, other in zip(before, after, strict=False):
            fields = {
                name: (getattr(one, name), getattr(other, name))
                for name in compared
                if getattr(one, name) != getattr(other, name)
            }
            if fields:
                changed.append(Change(key, one.id, other.id, fields))
            else:
                same += 1
        removed += before[len(after) :]
        added += after[len(before) :]
    claims_old, claims_new = _claims(first), _claims(second)
    return Difference(
        same,
        tuple(added),
        tuple(removed),
        tuple(changed),
        tuple(sorted(claims_new - claims_old)),
        tuple(sorted(claims_old - claims_new)),
    )


def _by_hash(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by pair hash; equal pairs in the order of label and split, so that files may be shuffled."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.pair_hash, []).append(row)
    for same in found.values():
        same.sort(key=lambda row: (row.label, row.split or "", row.id))
    return found


def _claims(data: DataSet) -> set[str]:
    return {" ".join(row.claim.split()) for row in data.rows}


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "claim_id": row.claim_id,
        "label": row.label,
        "split": row.split,
        "pair_hash": row.pair_hash,
    }
