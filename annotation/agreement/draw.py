"""Plots of the agreement report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dalil.plots import dots_with_ranges, heat_map, save

MOST_RATERS = 20


def draw_report(report: dict[str, Any], folder: Path, suffix: str = ".png") -> list[Path]:
    """Write the plots of a report into a folder: confusion and κ between raters, labels, languages."""
    out = []
    for name in ("pilot", "first"):
        if name in report:
            out += _section(report[name], folder, name, suffix)
    if "languages" in report:
        out.append(_languages(report["languages"], folder, suffix))
    return out


def _section(section: dict[str, Any], folder: Path, name: str, suffix: str) -> list[Path]:
    out = []
    labels = section["confusion"]["labels"]
    coincidences = np.array(section["confusion"]["coincidences"])
    whole = coincidences.sum(axis=1, keepdims=True)
    if whole.any():
        shares = np.full_like(coincidences, np.nan)
        np.divide(coincidences, whole, out=shares, where=whole > 0)
        made = heat_map(
            shares,
            labels,
            labels,
            title=f"Where one rater chose …, another chose …\n({section['selection']})",
            down="one rater",
            across="another rater of the same item",
        )
        out.append(save(made, folder / f"confusion-{name}{suffix}"))
    raters = sorted({rater for figure in section["cohen"] for rater in figure["detail"]["raters"]})
    if 2 < len(raters) <= MOST_RATERS:
        out.append(_cohen(section, raters, folder / f"raters-{name}{suffix}"))
    out.append(_labels(section, folder / f"labels-{name}{suffix}"))
    return out


def _cohen(section: dict[str, Any], raters: list[str], path: Path) -> Path:
    values = np.full((len(raters), len(raters)), np.nan)
    cells = [[""] * len(raters) for _ in raters]
    for figure in section["cohen"]:
        a, b = (raters.index(rater) for rater in figure["detail"]["raters"])
        value = figure["value"]
        for i, j in ((a, b), (b, a)):
            values[i, j] = np.nan if value is None else value
            cells[i][j] = "" if value is None else f"{value:.2f}\n({figure['items']:,})"
    made = heat_map(
        values,
        raters,
        raters,
        title=f"Cohen κ of each two raters (shared items)\n({section['selection']})",
        cells=cells,
        row_height=0.56,
    )
    return save(made, path)


def _labels(section: dict[str, Any], path: Path) -> Path:
    names = list(section["per_category"])
    series = []
    for key, legend in (("fleiss_kappa", "Fleiss κ"), ("gwet_ac1", "Gwet AC1")):
        figures = [section["per_category"][name][key] for name in names]
        spans = [
            (f["interval"]["low"], f["interval"]["high"]) if f.get("interval") else None for f in figures
        ]
        series.append((legend, [figure["value"] for figure in figures], spans))
    values = [value for _, found, _ in series for value in found if value is not None]
    low = min([0.0, *values, *(s[0] for _, _, spans in series for s in spans if s)])
    made = dots_with_ranges(
        names,
        series,
        title=f"Each label against the others\n({section['selection']})",
        across="agreement beyond chance, with interval",
        low=low - 0.02 if low < 0 else 0.0,
    )
    return save(made, path)


def _languages(found: dict[str, Any], folder: Path, suffix: str) -> Path:
    legends = {
        "first_choice": "first choice",
        "with_second_and_confidence": "with second choice and confidence",
    }
    langs = list(found["cosine"]["first_choice"])
    series = []
    for kind, table in found["cosine"].items():
        rows = [table[lang] for lang in langs]
        spans = [None if row["minimum"] is None else (row["minimum"], row["maximum"]) for row in rows]
        series.append((legends[kind], [row["average"] for row in rows], spans))
    names = [f"{lang} ({found['cosine']['first_choice'][lang]['annotators']})" for lang in langs]
    made = dots_with_ranges(
        names,
        series,
        title="Cosine agreement by language (annotators)",
        across=f"average, minimum and maximum over {found['over']}",
    )
    return save(made, folder / f"languages{suffix}")
