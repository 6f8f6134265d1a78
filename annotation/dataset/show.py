"""Reports of `dalil dataset` as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.agreement.tables import Printer
from annotation.dataset.checks import Check
from annotation.dataset.diff import SHOWN, Difference
from annotation.dataset.rows import DataSet, Row
from annotation.dataset.splitting import Outcome
from annotation.dataset.tables import Table
from dalil.wording import counted, fitting


def show_stats(data: DataSet, tables: Sequence[Table], out: Printer) -> None:
    """Counts and tables."""
    articles = len({row.article_hash for row in data.rows})
    claims = len({row.claim_id for row in data.rows})
    out.line(
        f"{data.name} ({data.kind}): {counted(claims, 'claim')}, {counted(len(data), 'pair')}, "
        f"{counted(articles, 'different article text')}"
    )
    for table in tables:
        out.heading(table.title)
        out.table(table.columns, table.texts())


def show_checks(checks: Sequence[Check], out: Printer, *, every: bool) -> None:
    """What was looked at: all of it, or all that is not plainly as stated, and a count of the rest."""
    fine = [check for check in checks if check.status == "ok"]
    for check in checks:
        if every or check.status != "ok":
            out.line(check.line())
    if not every and fine:
        out.line(f"ok             {counted(len(fine), 'more check')} (--all lists them)")
    totals = [
        f"{sum(c.status == s for c in checks):,} {s}" for s in ("ok", "differs", "found", "not checkable")
    ]
    out.line(", ".join(totals))


def show_split(outcome: Outcome, out: Printer) -> None:
    """Sizes, how near each stratum came, and what the guard did."""
    plain = outcome.plain()
    groups = plain["groups"]
    out.line(
        f"{counted(groups, 'group')} that {fitting(groups, 'stays', 'stay')} whole "
        f"(apart: {', '.join(outcome.ask.apart)}); "
        f"the largest has {counted(plain['largest_group'], 'pair')}; seed {plain['seed']}"
    )
    names = outcome.names
    rows = []
    for stratum in dict.fromkeys(cell.stratum for cell in outcome.cells):
        cells = {cell.split: cell for cell in outcome.cells if cell.stratum == stratum}
        rows.append([stratum, *(f"{cells[n].got:,} ({cells[n].got - cells[n].wanted:+,.1f})" for n in names)])
    out.heading("Got (difference from what was wanted)")
    out.table(["", *names], rows)
    line = f"objective {outcome.objective:.3f} (0 would be exact"
    if outcome.objective_at_random is not None:
        line += f"; the same groups at random: {outcome.objective_at_random:,.1f}"
    worst = plain["largest_difference"]
    out.line(
        f"{line}); largest difference: {worst['stratum']} in {worst['split']}, {worst['points']:+.2f} points"
    )
    out.heading("What ties rows, and whether splits share it")
    out.table(
        ["tie", "shared without the guard", "pairs", "shared now", "pairs"],
        [
            [g.kind, f"{g.leaks_before:,}", f"{g.rows_before:,}", f"{g.leaks_after:,}", f"{g.rows_after:,}"]
            for g in outcome.guards
        ],
    )
    out.line(
        f"{counted(outcome.moved, 'pair')} {fitting(outcome.moved, 'lies', 'lie')} in another split than "
        "without the guard"
    )
    for note in outcome.notes:
        out.line(f"note: {note}")


def show_diff(found: Difference, out: Printer) -> None:
    """Counts and a few examples of each kind of difference."""
    if found.equal:
        out.line(f"equal: {counted(found.same, 'pair')}")
        return
    out.line(
        f"{counted(found.same, 'pair')} the same, {len(found.changed):,} changed, "
        f"{len(found.added):,} added, {len(found.removed):,} removed"
    )
    for name, rows in (("added", found.added), ("removed", found.removed)):
        _examples(name, rows, out)
    for name, claims in (("claims added", found.claims_added), ("claims removed", found.claims_removed)):
        if claims:
            out.line(f"{name}: {len(claims):,}")
    if found.changed:
        out.heading("Changed")
        out.table(["field", "pairs"], [[name, f"{number:,}"] for name, number in found.by_field().items()])
        for (before, after), number in found.label_moves().items():
            out.line(f"label {before} → {after}: {number:,}")
        for change in found.changed[:SHOWN]:
            words = ", ".join(f"{name} {old} → {new}" for name, (old, new) in change.fields.items())
            out.line(f"{change.before}: {words}")


def _examples(name: str, rows: Sequence[Row], out: Printer) -> None:
    for row in rows[:SHOWN]:
        out.line(f"{name}: {row.id} ({row.label}, {row.split or 'no split'})")
    if len(rows) > SHOWN:
        out.line(f"… and {len(rows) - SHOWN:,} more {name} (--json has all)")
