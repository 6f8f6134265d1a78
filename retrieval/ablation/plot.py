"""The plot: what each variant reaches, and what leaving it out loses."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dalil import plots
from dalil.wording import counted
from retrieval.ablation.figures import ALL, Ablation

COLOURS = {"agree": "#2b8cbe", "discuss": "#a6bddb", "disagree": "#d95f0e", "relevant": "#2b8cbe"}
OTHERS = ("#756bb1", "#31a354", "#c994c7", "#636363")
LOST = "#08306b"


def plot(report: Ablation, path: Path, *, title: str) -> Path:
    """Bars of related documents by label, with those that only this variant brought marked. PNG or SVG."""
    shown = [row for row in report.rows if row.engine == ALL and row.variant != ALL]
    made, axes = plots.figure(7.4, 1.75 + 0.5 * len(shown))
    labels = [name for name in report.related_labels if any(row.labels.get(name) for row in shown)]
    spare = iter(OTHERS * (1 + len(labels)))
    left = np.zeros(len(shown))
    places = np.arange(len(shown))
    for label in labels:
        widths = np.array([float(row.labels.get(label, 0)) for row in shown])
        axes.barh(
            places, widths, left=left, height=0.56, color=COLOURS.get(label) or next(spare),
            label=plots.shaped(label),
        )  # fmt: skip
        left += widths
    longest = max(float(left.max(initial=0.0)), 1.0)
    for place, row in enumerate(shown):
        if row.not_applicable is not None:
            axes.text(
                longest * 0.01, place, "not applicable", va="center", fontsize=8, color="0.4", style="italic"
            )
            continue
        new, lost = row.new_related or 0, row.claims_lost or 0
        axes.plot([0, new], [place + 0.36] * 2, color=LOST, linewidth=3, solid_capstyle="butt")
        told = f"{row.claims_with_related} of {counted(row.claims, 'claim')}; only here: {new}"
        if lost:
            told += f" ({lost} {'claim has' if lost == 1 else 'claims have'} no other)"
        axes.text(left[place] + longest * 0.015, place, told, va="center", fontsize=7.5, color="0.25")
    axes.plot([], [], color=LOST, linewidth=3, label="only this variant brought it")
    axes.set_yticks(places, [plots.shaped(row.variant) for row in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(0, longest * 2.0)
    axes.set_xlabel("related documents (judged)")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.92")
    axes.set_axisbelow(True)
    axes.set_title(plots.shaped(title, 90), fontsize=10, loc="left")
    axes.legend(
        frameon=False, fontsize=8, ncols=len(labels) + 1, loc="upper left",
        bbox_to_anchor=(-0.02, -0.46 / (0.35 + 0.5 * len(shown))), borderaxespad=0,
    )  # fmt: skip
    return plots.save(made, path)
