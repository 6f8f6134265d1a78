"""Tables of a data set, in the shape of AraStance's Tables 3 and 4 and SCRum-9's Tables 2 and 4."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.dataset.rows import DataSet, Row, label_counts

Cell = str | int | float
UNKNOWN = "–"


@dataclass(frozen=True)
class Table:
    """A table: `columns` (the first names the rows) and `rows`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"title": self.title, "columns": list(self.columns), "rows": [list(row) for row in self.rows]}

    def texts(self) -> list[list[str]]:
        """Cells as they are printed."""
        return [[_text(cell) for cell in row] for row in self.rows]

    def markdown(self, term: Callable[[str], str] = str) -> str:
        """As a Markdown table, figures to the right; `term` translates words."""
        head = "| " + " | ".join(in_cell(term(name)) for name in self.columns) + " |"
        figures = [
            bool(self.rows) and isinstance(self.rows[0][n], (int, float)) for n in range(len(self.columns))
        ]
        line = "|" + "|".join("---:" if figure else "---" for figure in figures) + "|"
        rows = ["| " + " | ".join(in_cell(term(cell)) for cell in row) + " |" for row in self.texts()]
        return "\n".join([head, line, *rows])


def in_line(text: str) -> str:
    """A name from the data as Markdown shows it: one line, no markup of its own."""
    plain = " ".join(text.split())
    return "".join(f"&#{ord(letter)};" if letter in "<>&`*[]\\" else letter for letter in plain)


def in_cell(text: str) -> str:
    """The same in a table's cell."""
    return in_line(text).replace("|", "\\|")


def source_table(rows: Sequence[Row], labels: Sequence[str], name: Callable[[Row], str | None]) -> Table:
    """AraStance's Table 3: claims, articles (pairs) and stances by source and veracity."""
    parts = _grouped(rows, lambda row: (name(row) or UNKNOWN, (row.veracity or UNKNOWN)))
    made: list[tuple[Cell, ...]] = [
        (source, veracity, *_row(part, labels)) for (source, veracity), part in sorted(parts.items())
    ]
    made.append(("Total", UNKNOWN, *_row(rows, labels)))
    return Table(
        "Claims, articles and stances by source",
        ("Source", "Veracity", "Claims", "Articles", *labels),
        tuple(made),
    )


def split_table(rows: Sequence[Row], labels: Sequence[str], splits: Sequence[str]) -> Table:
    """AraStance's Table 4: a column a split, a row a label."""
    counts = {name: label_counts((row for row in rows if row.split == name), labels) for name in splits}
    made: list[tuple[Cell, ...]] = [(label, *(counts[name][label] for name in splits)) for label in labels]
    made.append(("Total", *(sum(counts[name].values()) for name in splits)))
    return Table("Labels by split", ("Label", *splits), tuple(made))


def table_by(rows: Sequence[Row], labels: Sequence[str], what: str) -> Table | None:
    """Claims, articles and stances by country, domain or another column; None where no row has it."""
    if not any(getattr(row, what) for row in rows):
        return None
    parts = _grouped(rows, lambda row: (getattr(row, what) or UNKNOWN,))
    made: list[tuple[Cell, ...]] = [(key, *_row(part, labels)) for (key,), part in sorted(parts.items())]
    made.append(("Total", *_row(rows, labels)))
    return Table(
        f"Claims, articles and stances by {what}",
        (what.capitalize(), "Claims", "Articles", *labels),
        tuple(made),
    )


def language_table(rows: Sequence[Row], labels: Sequence[str]) -> Table:
    """SCRum-9's Table 4: gold labels by language with their shares of the language's total.

    The last column is the language's share of the whole.
    """
    parts = _grouped(rows, lambda row: ((row.language or UNKNOWN).upper(),))
    made = [(key, *_shares(part, labels, len(rows))) for (key,), part in sorted(parts.items())]
    made.append(("All", *_shares(rows, labels, len(rows))))
    columns = [name for label in labels for name in (label, "(%)")]
    return Table("Labels by language", ("Lang", *columns, "Total", "(%)"), tuple(made))


def stage_table(stages: Mapping[str, Sequence[Row]]) -> Table:
    """SCRum-9's Table 2: sources, replies and claims of each language at each stage (collected, filtered, …).

    A source is what is replied to (a row's claim_id), a reply is a row, a claim a row's cluster (its
    claim_id where it has none).
    """
    languages = sorted({(row.language or UNKNOWN).upper() for rows in stages.values() for row in rows})
    made: list[tuple[Cell, ...]] = []
    for language in [*languages, "All"]:
        line: list[Cell] = [language]
        for rows in stages.values():
            part = (
                rows
                if language == "All"
                else [r for r in rows if (r.language or UNKNOWN).upper() == language]
            )
            line += [
                len({row.claim_id for row in part}),
                len(part),
                len({row.cluster or row.claim_id for row in part}),
            ]
        made.append(tuple(line))
    columns = [f"{stage} {what}" for stage in stages for what in ("sources", "replies", "claims")]
    return Table("Sources, replies and claims by language", ("Lang", *columns), tuple(made))


def tables_of(data: DataSet, name: Callable[[Row], str | None] | None = None) -> list[Table]:
    """Every table that the rows have columns for."""
    rows, labels = data.rows, data.labels
    made = [source_table(rows, labels, name or (lambda row: row.site))]
    if data.splits:
        made.append(split_table(rows, labels, data.splits))
    made += [found for what in ("country", "domain") if (found := table_by(rows, labels, what)) is not None]
    if len({row.language for row in rows if row.language}) > 1:
        made += [language_table(rows, labels), stage_table({"annotated": rows})]
    if data.lone_claims:
        made.append(_lone_table(data))
    return made


def _lone_table(data: DataSet) -> Table:
    values = sorted({claim.veracity or UNKNOWN for claim in data.lone_claims})
    parts = _grouped(data.lone_claims, lambda claim: (claim.split or UNKNOWN,))
    made: list[tuple[Cell, ...]] = [
        (split, *(sum((c.veracity or UNKNOWN) == value for c in part) for value in values), len(part))
        for (split,), part in sorted(parts.items())
    ]
    return Table("Claims without articles, by veracity", ("Split", *values, "Total"), tuple(made))


def _grouped(items: Iterable[Any], key: Callable[[Any], tuple[str, ...]]) -> dict[tuple[str, ...], list[Any]]:
    found: dict[tuple[str, ...], list[Any]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def _row(rows: Sequence[Row], labels: Sequence[str]) -> tuple[int, ...]:
    return (len({row.claim_id for row in rows}), len(rows), *label_counts(rows, labels).values())


def _shares(rows: Sequence[Row], labels: Sequence[str], whole: int) -> tuple[Cell, ...]:
    counts = label_counts(rows, labels)
    cells: list[Cell] = []
    for label in labels:
        cells += [counts[label], round(100 * counts[label] / len(rows), 1) if rows else 0.0]
    return (*cells, len(rows), round(100 * len(rows) / whole, 1) if whole else 0.0)


def _text(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.1f}"
