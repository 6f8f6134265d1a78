"""The agreement report as a person reads it: tables in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.agreement.tables import Printer
from dalil.wording import counted

NAMES = {
    "raw_agreement": "raw agreement",
    "fleiss_kappa": "Fleiss κ",
    "krippendorff_alpha": "Krippendorff α",
    "gwet_ac1": "Gwet AC1",
    "cohen_kappa": "Cohen κ",
}
VECTORS = {
    "first_choice": "first choice",
    "with_second_and_confidence": "with second choice and confidence",
}
SHOWN_PAIRS = 15
SHOWN_RATERS = 15


def show_report(report: dict[str, Any], out: Printer) -> None:
    """Print the report of `agreement_report`."""
    _read(report, out)
    if "out_of_scope" in report:
        _scope(report["out_of_scope"], out)
    for name in ("pilot", "first"):
        if name in report:
            _section(report[name], report, out)
    _adjudication(report["adjudication"], out)
    if "languages" in report:
        _languages(report["languages"], out)


def number(value: float | None, digits: int = 3) -> str:
    """A figure for a table; a dash where it is undefined."""
    return "–" if value is None else f"{value:.{digits}f}"


def span(figure: dict[str, Any]) -> str:
    """An interval for a table."""
    found = figure.get("interval")
    return f"[{found['low']:.3f}, {found['high']:.3f}]" if found else ""


def _read(report: dict[str, Any], out: Printer) -> None:
    read = report["read"]
    out.line(
        f"{read['from'] or 'ratings'}: {counted(read['ratings'], 'rating')} of "
        f"{counted(read['items'], 'item')} by "
        f"{counted(read['workers'], 'rater')}; K = {read['K']} ({', '.join(read['labels'][:8])}"
        f"{', …' if read['K'] > 8 else ''}), from {read['labels_from']}"
    )
    rounds = ", ".join(f"{name} {count:,}" for name, count in read["rounds"].items())
    out.line(
        f"rounds: {rounds}" if read["rounds_named"] else "rounds: none named, all ratings taken as first ones"
    )
    how = report["settings"]["intervals"]
    if how:
        out.line(
            f"intervals: {how['level']:.0%}, {how['method']} bootstrap, "
            f"{counted(how['replicates'], 'replicate')} "
            f"over {read['clusters']:,} {how['clusters']}s, seed {how['seed']}"
        )
    for note in read["notes"]:
        out.line(f"note: {note}")


def _section(section: dict[str, Any], report: dict[str, Any], out: Printer) -> None:
    sizes = ", ".join(f"{count:,} by {size}" for size, count in section["raters_an_item"].items())
    out.heading(
        f"{section['selection']}: {counted(section['raters'], 'rater')}, "
        f"{counted(section['items'], 'item')} ({sizes})"
    )
    for note in section["notes"]:
        out.line(f"note: {note}")
    level = report["settings"]["interval_level"]
    out.table(
        ["coefficient", "value", "SE", f"{level} interval", "items", "why undefined"],
        [
            [
                _coefficient(figure),
                number(figure["value"]),
                number(figure.get("se"), 4) if figure.get("se") is not None else "",
                span(figure),
                f"{figure.get('items', 0):,}",
                figure.get("reason", ""),
            ]
            for figure in section["coefficients"]
        ],
    )
    out.table(
        ["label", "ratings", "κ", f"{level} interval", "AC1", "why undefined"],
        [
            [
                name,
                f"{row['ratings']:,}",
                number(row["fleiss_kappa"]["value"]),
                span(row["fleiss_kappa"]),
                number(row["gwet_ac1"]["value"]),
                row["fleiss_kappa"].get("reason", ""),
            ]
            for name, row in section["per_category"].items()
        ],
        title="each label against the others",
    )
    _cohen(section, out, level)
    confused = section["confusion"]["most_confused"][:5]
    if confused:
        words = "; ".join(
            f"{' / '.join(row['labels'])} {row['share_of_disagreement']:.0%}" for row in confused
        )
        out.line(f"what is confused (share of all disagreement): {words}")
    for name, row in section["cosine"].items():
        out.line(
            f"cosine agreement, {VECTORS[name]}: average {number(row['average'])}, "
            f"minimum {number(row['minimum'])}, maximum {number(row['maximum'])} "
            f"over {counted(row['pairs'], 'pair')} of raters"
        )


def _coefficient(figure: dict[str, Any]) -> str:
    level = figure.get("detail", {}).get("level")
    return NAMES[figure["name"]] + (f" ({level})" if level else "")


def _cohen(section: dict[str, Any], out: Printer, level: str) -> None:
    found = section["cohen"]
    if not found:
        return
    out.table(
        ["raters", "shared items", "κ", "SE", f"{level} interval", "raw"],
        [
            [
                " – ".join(figure["detail"]["raters"]),
                f"{figure['items']:,}",
                number(figure["value"]),
                number(figure.get("se"), 4) if figure.get("se") is not None else "",
                span(figure) or figure.get("reason", ""),
                number(figure["detail"]["p_a"]),
            ]
            for figure in found[:SHOWN_PAIRS]
        ],
        title="Cohen κ of each two raters",
    )
    more = max(len(found) - SHOWN_PAIRS, 0) + section["cohen_pairs_left_out"]
    if more:
        out.line(f"… and {counted(more, 'more pair')} of raters (--json has those that share enough items)")


def _scope(found: dict[str, Any], out: Printer) -> None:
    out.line(
        f"out of scope ({', '.join(found['labels'])}): {counted(found['items_removed'], 'item')} and "
        f"{counted(found['stray_votes'], 'single rating')} left out of what follows"
    )
    for name, figures in found["agreement"].items():
        said = ", ".join(
            f"{NAMES[one['name']]} {number(one['value'])} {span(one) or one.get('reason', '')}".strip()
            for one in figures
        )
        out.line(f"on what is in scope, {'pilot' if name == 'pilot' else 'first raters'}: {said}")


def _adjudication(found: dict[str, Any], out: Printer) -> None:
    out.heading("Disagreement and what came of it")
    if not found["pairs"]:
        out.line("no item has two first raters")
        return
    out.line(
        f"{found['disagreed']:,} of {counted(found['pairs'], 'item')} disagreed on ({found['rate']:.1%}); "
        f"{found['by_third']:,} seen by a third rater, {found['by_ruling']:,} ruled on, "
        f"{found['by_revision']:,} settled by revising, "
        f"{found['open']:,} still open; on {found['outcome_nobody_chose_first']:,} the outcome "
        "is a label that no first rater chose"
    )
    beaten = [row for row in found["raters"] if row["disputed"]]
    if beaten:
        out.table(
            ["rater", "ratings", "disputed", "overruled", "of disputed"],
            [
                [
                    row["rater"],
                    f"{row['ratings']:,}",
                    f"{row['disputed']:,}",
                    f"{row['overruled']:,}",
                    f"{row['share_of_disputed']:.0%}",
                ]
                for row in beaten[:SHOWN_RATERS]
            ],
            title="who was overruled",
        )


def _languages(found: dict[str, Any], out: Printer) -> None:
    kinds = list(found["cosine"])
    columns = ["language", "N"]
    for kind in kinds:
        prefix = "" if kind == "first_choice" else "2nd: "
        columns += [f"{prefix}avg.", f"{prefix}min", f"{prefix}max"]
    rows: list[Sequence[str]] = []
    for lang in found["cosine"][kinds[0]]:
        row = [lang, str(found["cosine"][kinds[0]][lang]["annotators"])]
        for kind in kinds:
            cells = found["cosine"][kind][lang]
            row += [number(cells[name], 2) for name in ("average", "minimum", "maximum")]
        kappa = found["fleiss_kappa"].get(lang)
        rows.append([*row, number(kappa["value"], 2) if kappa else ""])
    out.heading(
        f"Cosine agreement by language (over {found['over']}; 2nd: with second choice and confidence)"
    )
    out.table([*columns, "Fleiss κ"], rows)
    out.line(f"All: {found['all_is']}")
