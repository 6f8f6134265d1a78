"""What `dalil dataset verify` finds: each check names what was stated, what was found, and where.

`ok`: as stated. `differs`: not as stated; the command then ends with status 1. `found`: a fact about
the rows that a user should know, stated nowhere (texts in several splits, pairs given twice).
`not checkable`: the files do not say; that is never counted as passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from annotation.dataset.published import Published
from annotation.dataset.rows import DataSet, Row, label_counts
from annotation.dataset.ties import THRESHOLD, Leak, leaking_rows, leaks, tie_keys
from dalil.wording import counted, fitting

Status = Literal["ok", "differs", "found", "not checkable"]
SHOWN = 5
UNRELATED = "unrelated"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    status: Status
    stated: Any = None
    found: Any = None
    note: str = ""

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))

    def line(self) -> str:
        """The check as one line."""
        words = f"{self.status:13}  {self.name}"
        if self.status == "differs":
            sign = ""
            if isinstance(self.found, int) and isinstance(self.stated, int):
                sign = f" ({self.found - self.stated:+,})"
            words += f": found {_shown(self.found)}, stated {_shown(self.stated)}{sign}"
        elif self.found is not None:
            words += f": {_shown(self.found)}"
        return f"{words}; {self.note}" if self.note else words


def count(name: str, stated: int | None, found: int, note: str = "") -> Check:
    """A count against what is stated."""
    if stated is None:
        return Check(name, "found", None, found, note)
    return Check(name, "ok" if stated == found else "differs", stated, found, note)


def figures(data: DataSet, stated: Published) -> list[Check]:
    """The published figures, cell by cell."""
    rows = data.rows
    made = [count("pairs", stated.pairs, len(rows))]
    if stated.claims is not None:
        made.append(count("claims", stated.claims, len({row.claim_id for row in rows})))
    made += _veracity(rows, stated)
    made += [
        count(f"label {label}", number, label_counts(rows, data.labels).get(label, 0))
        for label, number in stated.totals().items()
    ]
    made += _unknown_labels(rows, stated)
    made += _splits(data, stated)
    made += _sources(rows, stated)
    made += [
        count(f"claims without articles, {split}", number, sum(c.split == split for c in data.lone_claims))
        for split, number in stated.lone_claims.items()
    ]
    return made


def sizes_kept(data: DataSet, sizes: Mapping[str, int]) -> list[Check]:
    """How many pairs each split has, against what the report of a split states."""
    found = Counter(row.split for row in data.rows)
    return [count(f"{name}, pairs", size, found[name]) for name, size in sizes.items()]


def facts(
    data: DataSet, stated: Published | None = None, *, near: bool = False, threshold: float = THRESHOLD
) -> list[Check]:
    """What the rows themselves show: repetitions, contradictions, and what lies in several splits."""
    rows = data.rows
    made = [_repeated(rows, stated), _contradictions(rows), _empty(rows)]
    only = _only_unrelated(rows)
    if only is not None:
        made.append(
            _known(
                "claims all of whose articles are unrelated",
                only,
                stated.claims_with_only_unrelated if stated else None,
            )
        )
    if not data.splits:
        return [*made, Check("leaks between splits", "not checkable", note="the rows carry no splits")]
    splits = [row.split for row in rows]
    same = leaks(tie_keys(rows, "claim"), splits, "claim")
    made.append(_leaks("claims in several splits", same, rows, names_claims=True))
    bodies = leaks([row.article or row.article_hash for row in rows], splits, "body")
    stated_bodies = stated.bodies_in_several_folds if stated else None
    made.append(_leaks("article texts in several splits", bodies, rows, stated_bodies))
    if any(row.cluster for row in rows):
        made.append(
            _leaks("clusters in several splits", leaks(tie_keys(rows, "cluster"), splits, "cluster"), rows)
        )
    if near:
        found = leaks(tie_keys(rows, "article", threshold), splits, "article")
        made.append(
            _leaks(f"near-duplicate articles (Jaccard ≥ {threshold:g}) in several splits", found, rows)
        )
    return made


def _known(name: str, found: int, known: int | None, note: str = "") -> Check:
    """A fact that is known of this data set: another number means that it is not this data set."""
    if known is not None and known != found:
        return Check(name, "differs", known, found, note)
    return Check(name, "found" if found else "ok", known, found, note)


def _veracity(rows: Sequence[Row], stated: Published) -> list[Check]:
    if not stated.veracity:
        return []
    of_claim = {row.claim_id: row.veracity for row in rows}
    if not any(of_claim.values()):
        return [
            Check(
                "claims by veracity",
                "not checkable",
                dict(stated.veracity),
                note="the files do not give veracity",
            )
        ]
    values = list(of_claim.values())
    made = [
        count(f"claims that are {value}", number, values.count(value))
        for value, number in stated.veracity.items()
    ]
    if None in values:
        made.append(Check("claims without veracity", "differs", 0, values.count(None)))
    return made


def _unknown_labels(rows: Sequence[Row], stated: Published) -> list[Check]:
    other = sorted({row.label for row in rows} - set(stated.labels))
    where = next((row.where for row in rows if row.label in other), None)
    return (
        [Check("labels outside the stated ones", "differs", [], other, f"first at {where}")] if other else []
    )


def _splits(data: DataSet, stated: Published) -> list[Check]:
    if not data.splits:
        return [Check("table of labels by split", "not checkable", note="the rows carry no splits")]
    to_stated = {part: name for name, parts in stated.merge.items() for part in parts}
    found = {name: label_counts((), stated.labels) for name in stated.splits}
    stray: list[str] = []
    for row in data.rows:
        name = to_stated.get(str(row.split).lower(), str(row.split).lower())
        if name not in found:
            stray.append(str(row.split))
        elif row.label in found[name]:
            found[name][row.label] += 1
    made = []
    for name, cells in stated.splits.items():
        for label, number in cells.items():
            made.append(count(f"{name}, {label}", number, found[name][label]))
        made.append(count(f"{name}, total", sum(cells.values()), sum(found[name].values())))
    if stray:
        made.append(Check("splits outside the stated ones", "differs", sorted(found), sorted(set(stray))))
    return made + _label_order(found, stated)


def _label_order(found: dict[str, dict[str, int]], stated: Published) -> list[Check]:
    """Where cells differ: whether another order of the labels would make every one of them right."""
    if all(found[name] == dict(cells) for name, cells in stated.splits.items()):
        return []
    labels = stated.labels
    for order in permutations(labels):
        if order != labels and all(
            all(found[name][seen] == cells[meant] for seen, meant in zip(labels, order, strict=True))
            for name, cells in stated.splits.items()
        ):
            words = ", ".join(
                f"{seen} is {meant}" for seen, meant in zip(labels, order, strict=True) if seen != meant
            )
            return [
                Check(
                    "label order",
                    "differs",
                    list(labels),
                    list(order),
                    f"every cell fits if {words}: labels were mapped in another order",
                )
            ]
    return []


def _sources(rows: Sequence[Row], stated: Published) -> list[Check]:
    if not stated.sources:
        return []
    names = {row.id: stated.source_of(row.site or row.claim_url or "") for row in rows}
    without = sum(source is None for source in names.values())
    if without:
        name = fitting(without, "names", "name")
        note = f"{without:,} of {counted(len(rows), 'pair')} {name} no source (claim_url, filename or site)"
        return [
            Check(
                f"source {source.name}",
                "not checkable",
                {"claims": source.claims, "articles": source.articles} | dict(source.labels),
                note=note,
            )
            for source in stated.sources
        ]
    made = []
    for source in stated.sources:
        part = [row for row in rows if names[row.id] is source]
        cells = {"claims": len({row.claim_id for row in part}), "articles": len(part)} | label_counts(
            part, stated.labels
        )
        wanted = {"claims": source.claims, "articles": source.articles} | dict(source.labels)
        made += [count(f"source {source.name}, {cell}", wanted[cell], cells[cell]) for cell in wanted]
        odd = sorted({row.claim_id for row in part if row.veracity not in (None, source.veracity)})
        if odd:
            made.append(
                Check(
                    f"source {source.name}, veracity",
                    "differs",
                    source.veracity,
                    len(odd),
                    f"claims of another veracity: {_names(odd)}",
                )
            )
    return made


def _repeated(rows: Sequence[Row], stated: Published | None) -> Check:
    seen: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        seen.setdefault((row.claim_id, row.article or row.article_hash), []).append(row.id)
    again = [ids for ids in seen.values() if len(ids) > 1]
    extra = sum(len(ids) - 1 for ids in again)
    return _known(
        "pairs given more than once",
        extra,
        stated.duplicate_pairs if stated else None,
        _names(" = ".join(ids) for ids in again),
    )


def _contradictions(rows: Sequence[Row]) -> Check:
    labels: dict[str, dict[str, str]] = {}
    for row in rows:
        labels.setdefault(row.pair_hash, {}).setdefault(row.label, row.id)
    torn = [
        " / ".join(f"{row} {label}" for label, row in found.items())
        for found in labels.values()
        if len(found) > 1
    ]
    return _known("same claim and same article under two labels", len(torn), None, _names(torn))


def _empty(rows: Sequence[Row]) -> Check:
    blank = [
        row.id
        for row in rows
        if not row.claim.strip() or (row.article is not None and not row.article.strip())
    ]
    return _known("pairs without text", len(blank), None, _names(blank))


def _only_unrelated(rows: Sequence[Row]) -> int | None:
    if not any(row.label == UNRELATED for row in rows):
        return None
    related = {row.claim_id for row in rows if row.label != UNRELATED}
    return len({row.claim_id for row in rows} - related)


def _leaks(
    name: str,
    found: Sequence[Leak],
    rows: Sequence[Row],
    known: int | None = None,
    *,
    names_claims: bool = False,
) -> Check:
    shown = []
    for leak in found[:SHOWN]:
        ids = {
            rows[place].claim_id if names_claims else rows[place].id: rows[place].split for place in leak.rows
        }
        shown.append(" = ".join(f"{key} ({split})" for key, split in list(ids.items())[:4]))
    note = f"{counted(leaking_rows(found), 'pair')}; e.g. {'; '.join(shown)}" if found else ""
    return _known(name, len(found), known, note)


def _names(items: Iterable[str]) -> str:
    listed = list(items)
    more = f" and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else ""
    return "; ".join(listed[:SHOWN]) + more


def _shown(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
