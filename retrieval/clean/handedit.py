"""The hand edit as a spreadsheet: claims out as CSV, edits in.

The file is UTF-8 with a byte order mark (spreadsheets need it to see Arabic). Its column `edit` is
the only one that counts, with `note` beside it:

- a text: the claim as it is to be searched for
- `(drop)`: the claim is taken out of the corpus, with the note as detail
- empty: no edit; where there was one, the claim goes back to the rules (a note alone is kept)

`edit_number` says which edit of the claim the file shows. Where somebody else has edited a claim since the
export, a row left as it was exported leaves their edit alone, and one that was changed is refused: two
people can work on two exports, and neither undoes the other's work unawares.

A cell that a spreadsheet would run as a formula (=, +, -, @ …) is written with an apostrophe before
it, which reading takes off again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dalil.errors import InputError
from dalil.formats.columns import check_columns
from dalil.formats.files import csv_records
from dalil.formats.rows import Bad
from dalil.ids import make_id
from dalil.records import Claim, ClaimEdit, CleanedClaim, Dropped, fit_text

COLUMNS = ("id", "raw", "cleaned", "rules", "flags", "body", "verdict", "url", "edit_number", "edit", "note")
NEEDED = ("id", "raw", "cleaned", "edit", "note")
DROP = "(drop)"
_DROP = re.compile(r"\W*drop\W*", re.IGNORECASE)
"""how it comes back from a cell: `(Drop)`, or `)drop(` where the sheet runs from right to left"""
_FORMULA = "=+-@\t\r'"
_BOM = "\ufeff"


@dataclass(frozen=True)
class Row:
    """One line of the file: what the editor saw, and what they wrote."""

    line: int
    id: str
    raw: str
    cleaned: str
    edit: str
    note: str
    number: int | None = None
    """of the edit that was shown, 0 for none; None where the file has no such column"""


@dataclass(frozen=True)
class Edits:
    """What an import comes to."""

    new: tuple[ClaimEdit, ...]
    unchanged: int
    stale: tuple[int, ...]
    """lines whose `cleaned` is not the corpus's: written in the wrong column, or cleaned anew since"""


def write_rows(
    claims: Iterable[Claim],
    cleaned: Mapping[str, CleanedClaim],
    drops: Mapping[str, Dropped],
    edits: Mapping[str, ClaimEdit],
) -> str:
    """The whole file as text, with its byte order mark; lines end in CRLF as RFC 4180 has it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL)
    writer.writerow(COLUMNS)
    for claim in claims:
        made, drop, edit = cleaned.get(claim.id), drops.get(claim.id), edits.get(claim.id)
        flags = [*(made.flags if made else ()), *([f"dropped:{drop.reason}"] if drop else ())]
        row = {
            "id": claim.id,
            "raw": claim.raw,
            "cleaned": made.text if made else "",
            "rules": " ".join(made.rules) if made else "",
            "flags": " ".join(flags),
            "body": claim.body or "",
            "verdict": claim.verdict or "",
            "url": claim.url or "",
            "edit_number": str(edit.number) if edit else "0",
            "edit": edit.after if edit else "",
            "note": (edit.note or "") if edit else "",
        }
        writer.writerow([guarded(row[name]) for name in COLUMNS])
    return _BOM + out.getvalue()


def read_rows(path: Path) -> Iterator[Row]:
    """Rows of an edited file. Raises InputError with file and line for what is no such file."""
    for record in csv_records(path):
        if isinstance(record, Bad):
            raise InputError(
                f"the row {record.reason}", where=record.where, todo="export again and edit that file"
            )
        where, cells = record
        needed = [(name,) for name in NEEDED]
        check_columns(path, list(cells), needed, COLUMNS, todo="or export again and edit that file")
        row = {name: unguarded(cell) for name, cell in cells.items()}
        line = int(where.rsplit(":", 1)[1])
        number = row.get("edit_number", "").strip()
        if number and not number.isdecimal():
            raise InputError(
                f"edit_number is no number: {number[:20]!r}", where=where, todo="leave it as it was exported"
            )
        shown = int(number) if number else None
        yield Row(line, row["id"].strip(), row["raw"], row["cleaned"], row["edit"], row["note"], shown)


def compare(
    path: Path,
    rows: Iterable[Row],
    claims: Mapping[str, Claim],
    cleaned: Mapping[str, CleanedClaim],
    latest: Mapping[str, ClaimEdit],
    history: Mapping[str, ClaimEdit] | None = None,
    *,
    editor: str,
    at: str,
) -> Edits:
    """The edits that rows make. `latest` is by claim, `history` (all edits there are) by the edit's id.

    Raises InputError with file:line for an unknown id, a changed raw text, an edit without a letter, and
    one of a claim that somebody else has edited since the export.
    """
    new: list[ClaimEdit] = []
    stale: list[int] = []
    seen: dict[str, int] = {}
    for row in rows:
        where = f"{path}:{row.line}"
        claim = claims.get(row.id)
        if claim is None:
            raise InputError(
                f"no claim has the id {row.id!r}", where=where, todo="leave the column id as it is"
            )
        if row.id in seen:
            raise InputError(
                f"{row.id} was in line {seen[row.id]} already", where=where, todo="keep one of the two"
            )
        seen[row.id] = row.line
        if _plain(row.raw) != _plain(claim.raw):
            raise InputError(
                f"the raw text of {row.id} was changed",
                where=where,
                todo="leave it as it is, and write into the column edit",
            )
        known = latest.get(row.id)
        after, note = _said(row.edit), fit_text(row.note.strip()) or None
        if (after, note) == _shown(known) or _left_alone(row, (after, note), known, history or {}, where):
            made = cleaned.get(row.id)
            if _plain(row.cleaned) != _plain(made.text if made else ""):
                stale.append(row.line)
            continue
        if after and after != DROP and not any(map(str.isalpha, after)):
            raise InputError(
                f"the edit of {row.id} has no letter, and is no claim: {after[:40]!r}",
                where=where,
                todo="write the claim, «(drop)», or nothing into the column edit; nothing was imported",
            )
        number = known.number + 1 if known else 1
        new.append(
            ClaimEdit(
                id=make_id("edit", row.id, str(number)),
                claim_id=row.id,
                before=row.cleaned,
                after=after,
                note=note,
                editor=editor,
                number=number,
                at=at,
            )
        )
    return Edits(tuple(new), len(seen) - len(new), tuple(stale))


def _said(cell: str) -> str:
    """What a cell of the column edit says."""
    text = fit_text(cell.strip())
    return DROP if _DROP.fullmatch(text) else text


def _shown(edit: ClaimEdit | None) -> tuple[str, str | None]:
    return (edit.after, edit.note) if edit is not None else ("", None)


def _left_alone(
    row: Row,
    says: tuple[str, str | None],
    known: ClaimEdit | None,
    history: Mapping[str, ClaimEdit],
    where: str,
) -> bool:
    """Whether a row is as it was exported, though there is a later edit. Raises InputError if not."""
    if known is None or row.number is None or row.number >= known.number:
        return False
    if says == _shown(history.get(make_id("edit", row.id, str(row.number)))):
        return True
    raise InputError(
        f"{row.id} was edited by {known.editor} since this file was exported: {known.after[:80]!r}",
        where=where,
        todo=f"put the row back as it was to keep that, or set edit_number to {known.number} to replace it",
    )


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] and cell[0] in _FORMULA else cell


def unguarded(cell: str) -> str:
    """The cell that `guarded` was given."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] and cell[1] in _FORMULA else cell


def _plain(text: str) -> str:
    """A text as compared: spreadsheets change the kind of line breaks."""
    return fit_text(text).replace("\r\n", "\n").replace("\r", "\n").strip()
