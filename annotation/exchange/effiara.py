"""EffiARA's table: one row a pair; `{user}_label`, `{user}_confidence`, `{user}_secondary` for each person.

The same stand behind `re_` for a second judgement of a pair by the same person, from which EffiARA computes
how steady somebody is. EffiARA numbers `sample_id` anew when it deals samples out, so that the id of a pair
stands in `pair_id`, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.exchange.cells import guarded, table, unguarded
from annotation.exchange.files import csv_rows, whole
from annotation.exchange.votes import Export, Vote
from annotation.rounds.kinds import AGAIN, COUNTED
from annotation.schemes import HIGHLY_UNCERTAIN, LABEL, Scheme
from dalil.errors import InputError, UsageError

PARTS = ("label", "confidence", "secondary")
FIXED = ("sample_id", "pair_id", "claim_id", "claim", "title", "text", "language", "is_reannotation")
RE = "re_"
_SHOWN = 30
"""columns that an error lists, at most"""
NO_SECOND = "NotAva"
"""no second choice, in EffiARA: what confidence leaves goes to all other labels alike, as it does with
*highly uncertain* (any other word there must be one of the labels)"""
NOBODY = frozenset({"true", "hard", "soft"})
"""`true_label` is known truth in EffiARA; the others are what it computes"""


def write(export: Export) -> str:
    """Judgements that decide about pairs (pilot, main, third), and one behind `re_` where there is a second.

    Raises UsageError for names that these columns cannot tell apart.
    """
    by_person = _first_and_again(export)
    people = sorted({person for _, person in by_person})
    _tellable(people)
    columns = [
        *FIXED,
        *(f"{before}{name}_{part}" for before in ("", RE) for name in people for part in PARTS),
    ]
    rows: dict[str, dict[str, str]] = {}
    for (pair, person), found in by_person.items():
        row = rows.setdefault(pair, _fixed(export, pair))
        row |= _judged(person, found[0])
        if len(found) > 1:
            row |= {"is_reannotation": "True", **_judged(RE + person, found[-1])}
    return table(
        [_cell(name) for name in columns],
        ([_shown(export, name, row.get(name, "")) for name in columns] for _, row in sorted(rows.items())),
    )


_ORDER = (*COUNTED, AGAIN)


def holds(export: Export) -> list[Vote]:
    """Of the rounds that decide, each person's judgement of a pair and the one behind `re_`."""
    return [vote for found in _first_and_again(export).values() for vote in found]


def _first_and_again(export: Export) -> dict[tuple[str, str], list[Vote]]:
    """(pair, person) → their judgement, and the last other one, where there is any."""
    by_person: dict[tuple[str, str], list[Vote]] = {}
    for vote in export.last():
        if vote.round in _ORDER:
            by_person.setdefault((vote.pair, vote.annotator), []).append(vote)
    for found in by_person.values():
        found.sort(key=lambda vote: _ORDER.index(vote.round))
        del found[1:-1]
    return dict(sorted(by_person.items()))


def _fixed(export: Export, pair: str) -> dict[str, str]:
    task = export.tasks.get(pair)
    values = (
        pair,
        pair,
        *((task.claim_id, task.claim, task.title, task.text, task.language) if task else ()),
    )
    return dict(zip(FIXED, (value or "" for value in values), strict=False)) | {"is_reannotation": "False"}


def _judged(column: str, vote: Vote) -> dict[str, str]:
    second = NO_SECOND if vote.second == HIGHLY_UNCERTAIN else vote.second
    values = (vote.label, vote.confidence, second)
    return {
        f"{column}_{part}": "" if value is None else str(value)
        for part, value in zip(PARTS, values, strict=True)
    }


def _shown(export: Export, name: str, value: str) -> str:
    return value if export.plain and name in FIXED else _cell(value)


def _cell(text: str) -> str:
    return guarded(text)


def _tellable(people: Sequence[str]) -> None:
    columns: dict[str, str] = {}
    for name in people:
        for column in (name, RE + name):
            other = columns.setdefault(column, name)
            if other != name:
                raise UsageError(
                    f"the columns of {other!r} and {name!r} could not be told apart",
                    todo="export under pseudonyms: leave --names out",
                )
    if lost := sorted(NOBODY & set(people)):
        raise UsageError(
            f"EffiARA takes {lost[0]}_label for no person's",
            todo="export under pseudonyms: leave --names out",
        )


@dataclass(frozen=True)
class _Columns:
    """Whose columns a table has: name of the person → what stands before `_label`, first and again."""

    first: dict[str, str]
    again: dict[str, str]

    @classmethod
    def of(cls, names: Sequence[str]) -> _Columns:
        """From the first line. Whatever is left of `_label` is a name, underscores and all.

        `re_amal` is amal once more; it is a person called so where amal has no columns and `re_re_amal` has.
        """
        every = set(names)
        before = {name.removesuffix("_label") for name in names if name.endswith("_label")} - NOBODY - {""}
        before = {name for name in before if not (_computed(name) and f"{name}_confidence" not in every)}
        first = {name for name in before if not name.startswith(RE)}
        again: dict[str, str] = {}
        for name in sorted(before - first, key=len):
            whose = name.removeprefix(RE)
            if whose in first or RE + name not in before:
                again[whose] = name
            else:
                first.add(name)
        return cls({name: name for name in sorted(first)}, dict(sorted(again.items())))


def _computed(name: str) -> bool:
    return name.endswith(("_soft", "_hard"))


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Judgements of a file; those behind `re_` are of the round `again`. Raises InputError with file:line."""
    columns: _Columns | None = None
    for where, row in csv_rows(path):
        cells = {unguarded(name): unguarded(value).strip() for name, value in row.items()}
        pair = cells.get("pair_id") or cells.get("sample_id")
        if columns is None:
            columns = _Columns.of(list(cells))
            if "pair_id" not in cells and "sample_id" not in cells:
                raise InputError(
                    f"has no column pair_id or sample_id; the columns are: {_named(cells)}",
                    where=f"{path}:1",
                    todo="name the column of pair ids so",
                )
            if not columns.first and not columns.again:
                raise InputError(
                    f"has no column such as amal_label; the columns are: {_named(cells)}",
                    where=f"{path}:1",
                    todo="name each person's columns so, or choose another --format",
                )
        if not pair:
            raise InputError("has no pair_id", where=where)
        for people, name in ((columns.first, ""), (columns.again, AGAIN)):
            for person, before in people.items():
                if cells.get(f"{before}_label"):
                    yield replace(
                        _vote(scheme, before, cells, where), pair=pair, annotator=person, round=name
                    )


def _named(cells: Collection[str]) -> str:
    """The columns of a file as an error lists them."""
    shown = list(cells)[:_SHOWN]
    return ", ".join(shown) + (", …" if len(cells) > len(shown) else "")


def _vote(scheme: Scheme, before: str, cells: dict[str, str], where: str) -> Vote:
    label, said, second = (cells.get(f"{before}_{part}", "") for part in PARTS)
    confidence = whole(said, f"{where}, {before}_confidence", "confidence")
    if second == NO_SECOND:
        answers = {LABEL: label, "confidence": str(confidence)}
        second = HIGHLY_UNCERTAIN if _may_be_uncertain(scheme, answers) else ""
    there = f"{where}, {before}_label"
    return Vote("", "", "", label=label, confidence=confidence, second=second or None, where=there)


def _may_be_uncertain(scheme: Scheme, answers: dict[str, str]) -> bool:
    """Whether the scheme asks for a second choice here, and offers to be highly uncertain."""
    asked = next((question for question in scheme.questions if question.name == "second"), None)
    offered = {option.value for option in asked.options} if asked else set()
    return asked is not None and HIGHLY_UNCERTAIN in offered and asked.asked(answers)
