"""The report as a section of a data card (Markdown)."""

from __future__ import annotations

from dalil.wording import counted
from retrieval.ablation.figures import Ablation
from retrieval.ablation.sheets import Sheet, notes, sheets


def section(report: Ablation, *, level: int = 2) -> list[str]:
    """Lines of Markdown; `level` is that of its headings' first one."""
    lines = [f"{'#' * level} What each query variant brings", ""]
    lines += [f"{counted(report.claims, 'claim')}, {counted(report.judged_pairs, 'judged pair')}.", ""]
    lines += [f"- {note}" for note in notes(report)]
    for sheet in sheets(report):
        lines += ["", f"**{sheet.title}**", "", *_table(sheet)]
    return lines


def _table(sheet: Sheet) -> list[str]:
    words = {sheet.columns[0], *sheet.left}
    rule = ["---" if name in words else "---:" for name in sheet.columns]
    rows = [sheet.columns, *sheet.rows]
    made = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    return [made[0], f"|{'|'.join(rule)}|", *made[1:]]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
