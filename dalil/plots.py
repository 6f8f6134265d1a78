"""Plots: no display, Arabic that reads right, the same bytes for the same numbers.

A figure is made with `figure`, its texts pass through `shaped`, and `save` writes PNG or SVG. Before 3.11
matplotlib drew text from left to right and did not join letters, so Arabic is joined and ordered for it;
since 3.11 it does both itself, and doing it twice would turn the words around.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalil.errors import InputError, UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib and has the joined Arabic forms
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "dalil",
    "svg.fonttype": "path",
}
LONGEST = 28
SHAPES_SINCE = (3, 11)


def shaped(text: str, longest: int = LONGEST) -> str:
    """Text as matplotlib must be given it: cut to a readable length, Arabic joined, right-to-left ordered."""
    text = " ".join(text.split())
    if len(text) > longest:
        text = text[: longest - 1].rstrip() + "…"
    text = text.replace("$", r"\$")
    if not _RTL.search(text):
        return text
    if _draws_arabic():
        return text
    import arabic_reshaper
    from bidi import get_display

    return str(get_display(arabic_reshaper.reshape(text)))


def _draws_arabic() -> bool:
    """Whether this matplotlib joins and orders letters itself (libraqm, since 3.11)."""
    import matplotlib

    return tuple(matplotlib.__version_info__[:2]) >= SHAPES_SINCE


def figure(width: float = 6.0, height: float = 4.0) -> tuple[Figure, Axes]:
    """A figure (inches) with one pair of axes, drawn without a display."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        made = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(made)
        return made, made.add_subplot()


def save(made: Figure, path: Path) -> Path:
    """Write a figure as PNG (150 dpi) or SVG, by the file's suffix; equal figures, equal bytes.

    Raises UsageError for another suffix, InputError where the file cannot be written.
    """
    import matplotlib

    check_format(path)
    nameless = {"Software": None} if path.suffix == ".png" else {"Date": None, "Creator": None}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with matplotlib.rc_context(_STYLE):
            made.savefig(path, dpi=150, metadata=nameless)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=path) from error
    return path


def check_format(path: Path) -> None:
    """UsageError where `save` knows no format of that suffix: worth asking before long work."""
    if path.suffix not in FORMATS:
        raise UsageError(f"a plot is saved as {' or '.join(FORMATS)}, not {path.suffix!r}", where=path)


def heat_map(
    values: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    down: str = "",
    across: str = "",
    low: float | None = 0.0,
    high: float | None = 1.0,
    form: str = "{:.2f}",
    cells: Sequence[Sequence[str]] | None = None,
    row_height: float = 0.46,
) -> Figure:
    """A heat map with the number in each cell (NaN: empty). `down` and `across` name the axes."""
    n, m = values.shape
    made, axes = figure(max(3.6, 1.9 + 0.72 * m), max(2.6, 1.3 + row_height * n))
    image = axes.imshow(values, cmap="Blues", vmin=low, vmax=high, aspect="auto")
    axes.set_xticks(
        range(m), [shaped(name, 16) for name in columns], rotation=40 if m > 4 else 0, ha="center"
    )
    if m > 4:
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    axes.set_yticks(range(n), [shaped(name) for name in rows])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title("\n".join(shaped(line, 80) for line in title.split("\n")), fontsize=10)
    axes.set_xlabel(shaped(across, 80))
    axes.set_ylabel(shaped(down, 80))
    for i in range(n):
        for j in range(m):
            if np.isfinite(values[i, j]):
                text = cells[i][j] if cells is not None else form.format(values[i, j])
                dark = float(np.asarray(image.norm(values[i : i + 1, j]))[0]) > 0.55
                axes.text(
                    j, i, text, ha="center", va="center", fontsize=8, color="white" if dark else "black"
                )
    return made


def dots_with_ranges(
    names: Sequence[str],
    series: Sequence[tuple[str, Sequence[float | None], Sequence[tuple[float, float] | None]]],
    *,
    title: str,
    across: str,
    low: float = 0.0,
    high: float = 1.0,
) -> Figure:
    """A row for each name, a dot and a range for each series: `(legend, values, ranges)`."""
    colours = ("#08519c", "#d95f0e", "#31a354", "#756bb1")
    made, axes = figure(6.4, max(2.2, 1.3 + 0.34 * len(names) * max(1, len(series) / 1.5)))
    offsets = np.linspace(-0.18, 0.18, len(series)) if len(series) > 1 else np.zeros(1)
    for number, (legend, values, ranges) in enumerate(series):
        colour = colours[number % len(colours)]
        shown = [(place, value) for place, value in enumerate(values) if value is not None]
        axes.plot(
            [value for _, value in shown],
            [place + offsets[number] for place, _ in shown],
            "o",
            color=colour,
            label=shaped(legend, 60),
            markersize=5,
        )
        for place, span in enumerate(ranges):
            if span is not None:
                axes.plot(span, [place + offsets[number]] * 2, color=colour, linewidth=1.6, alpha=0.7)
    axes.set_yticks(range(len(names)), [shaped(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(low, high)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.set_xlabel(shaped(across, 60))
    axes.set_title("\n".join(shaped(line, 80) for line in title.split("\n")), fontsize=10)
    if len(series) > 1:
        made.legend(frameon=False, loc="outside lower center", ncols=len(series), fontsize=8)
    return made
