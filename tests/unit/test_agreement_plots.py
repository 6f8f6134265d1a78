"""Plots: Arabic that reads right, equal bytes for equal numbers."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.agreement import draw
from annotation.agreement.figure import Bootstrap
from annotation.agreement.report import ReportOptions, agreement_report
from annotation.ratings import ratings_of
from dalil import plots
from dalil.errors import UsageError
from dalil.plots import dots_with_ranges, figure, heat_map, save, shaped


def ink(text: str) -> np.ndarray:
    """Height of the ink in each column of a text drawn large."""
    made, axes = figure(8, 2)
    axes.set_axis_off()
    axes.text(0.02, 0.4, text, fontsize=40)
    made.canvas.draw()
    dark = np.asarray(made.canvas.buffer_rgba())[:, :, 0] < 128
    columns = np.flatnonzero(dark.any(axis=0))
    return dark[:, columns[0] : columns[-1] + 1].sum(axis=0)


def test_arabic_runs_from_right_to_left_in_joined_letters() -> None:
    """Alif, the one tall letter here, stands at the right end; the others form one joined stroke."""
    drawn = ink(shaped("اببببب"))
    assert drawn.argmax() > 0.9 * len(drawn)
    joined = drawn[: int(0.85 * len(drawn))]
    assert (joined > 0).all()


def test_latin_is_left_alone() -> None:
    assert shaped("agree") == "agree"
    assert ink(shaped("Lnnnnn")).argmax() < 20


def test_older_matplotlib_gets_letters_joined_and_ordered_for_it(monkeypatch) -> None:
    monkeypatch.setattr(plots, "SHAPES_SINCE", (99, 0))
    assert shaped("اب") == "\ufe8f\ufe8d"  # final-less forms in visual order: beh, then alif
    monkeypatch.setattr(plots, "SHAPES_SINCE", (3, 0))
    assert shaped("اب") == "اب"


def test_long_texts_are_cut_and_dollars_are_text() -> None:
    assert shaped("x" * 40, 10) == "x" * 9 + "…"
    assert shaped("5$ a\nb") == r"5\$ a b"


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_equal_numbers_equal_bytes(tmp_path, suffix) -> None:
    written = []
    for name in ("one", "two"):
        made = heat_map(
            np.array([[1.0, np.nan], [0.2, 0.5]]), ["موافق", "b"], ["a", "b"], title="x", across="y"
        )
        written.append(save(made, tmp_path / f"{name}{suffix}").read_bytes())
    assert written[0] == written[1]
    assert len(written[0]) > 1000


def test_dots_with_gaps(tmp_path) -> None:
    made = dots_with_ranges(
        ["ar", "en"],
        [("κ", [0.5, None], [(0.4, 0.6), None]), ("AC1", [0.6, 0.7], [None, None])],
        title="t",
        across="x",
    )
    assert save(made, tmp_path / "dots.png").stat().st_size > 1000


@pytest.mark.parametrize("replicates", [0, 50])
def test_no_value_lies_outside_its_plot(tmp_path, monkeypatch, replicates) -> None:
    """κ may be negative, with an interval or without."""
    drawn = {}
    monkeypatch.setattr(draw, "save", lambda made, path: drawn.setdefault(path.stem, made) and path)
    rows = [
        (f"i{n}", who, label) for n in range(8) for who, label in (("a", "xy"[n % 2]), ("b", "yx"[n % 2]))
    ]
    how = Bootstrap(replicates) if replicates else None
    draw.draw_report(agreement_report(ratings_of(rows, ["x", "y"]), ReportOptions(how)), tmp_path)
    (axes,) = drawn["labels-first"].axes
    shown = [value for line in axes.lines for value in line.get_xdata()]
    assert min(shown) == -1
    low, high = axes.get_xlim()
    assert low <= min(shown)
    assert high >= max(shown)


@pytest.mark.parametrize("names", [1, 3, 12])
def test_the_legend_covers_nothing(names) -> None:
    found = [(key, [0.5] * names, [None] * names) for key in ("κ", "AC1")]
    made = dots_with_ranges([f"l{n}" for n in range(names)], found, title="t", across="x")
    made.canvas.draw()
    (axes,), (legend,) = made.axes, made.legends
    assert legend.get_window_extent().y1 <= axes.get_tightbbox().y0 + 1


def test_another_format_is_refused(tmp_path) -> None:
    made, _ = figure()
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        save(made, tmp_path / "plot.bmp")
