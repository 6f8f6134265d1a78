"""`dalil agreement` and `dalil gold`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from annotation.agreement.tables import working
from annotation.reading import Asked, reading_options, said

SETTINGS = (
    "rule", "ties", "fewest", "out_of_scope", "iterations", "tolerance", "smoothing", "likelihood_among",
    "rest",
)  # fmt: skip
"""options of `gold` alone that corpus.toml's [gold] has too"""
_FORMATS = click.Choice(["png", "svg"])


@click.command("agreement", short_help="How far annotators agree.")
@reading_options
@click.option(
    "--alpha-level",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    default="nominal",
    show_default=True,
    help="Level of measurement of Krippendorff's α.",
)
@click.option(
    "--bootstrap", default=2000, show_default=True, type=click.IntRange(0), help="Replicates; 0: none."
)
@click.option(
    "--interval",
    type=click.Choice(["percentile", "bca"]),
    default="percentile",
    show_default=True,
    help="How intervals are read from the replicates.",
)
@click.option(
    "--coverage",
    default=0.95,
    show_default=True,
    type=click.FloatRange(0.5, 0.999),
    help="Level of the intervals.",
)
@click.option(
    "--cosine-over",
    type=click.Choice(["pairs", "annotators"]),
    default="pairs",
    show_default=True,
    help="Average, minimum and maximum of cosine agreement over what.",
)
@click.option(
    "--plots", type=click.Path(path_type=Path, file_okay=False), help="Write plots into this folder."
)
@click.option("--plot-format", type=_FORMATS, default="png", show_default=True, help="Format of plots.")
@click.option("--json", "as_json", is_flag=True, help="The whole report as JSON.")
@click.argument("source", metavar="[CORPUS|FILE.csv]", default=".", type=click.Path(path_type=Path))
def agreement(
    source: Path,
    alpha_level: Any,
    bootstrap: int,
    interval: Any,
    coverage: float,
    cosine_over: Any,
    plots: Path | None,
    plot_format: str,
    as_json: bool,
    **shared: Any,
) -> None:
    """How far annotators agree, in a corpus or a CSV file.

    A file has the columns task,worker,label[,confidence,second,round,claim,lang].
    Measured are the pilot (everybody judged everything) and the main round's first raters; a third rater who
    was asked because two disagreed never enters. Intervals resample claims where they are known.

    \b
    Example: dalil agreement --scheme arastance --plots plots mycorpus
             dalil agreement --round 1=main --round 2=third --json ratings.csv
    """
    from annotation.agreement.figure import Bootstrap
    from annotation.agreement.report import ReportOptions, scoped_report
    from annotation.reading import read, settings_of

    asked = Asked.of(shared, said())
    own = settings_of(source, asked.settings())
    how = Bootstrap(bootstrap, own.seed, coverage, interval) if bootstrap else None
    options = ReportOptions(bootstrap=how, level=alpha_level, votes=own.votes(), over=cosine_over)
    with working("measuring agreement"):
        ratings, outside = read(source, asked, own)
        report = scoped_report(ratings, outside, options)
    drawn: list[Path] = []
    if plots is not None:
        from annotation.agreement.draw import draw_report

        drawn = draw_report(report, plots, f".{plot_format}")
        report["plots"] = [str(path) for path in drawn]
    if as_json:
        _json(report)
        return
    from annotation.agreement.show import show_report
    from annotation.agreement.tables import Printer

    out = Printer()
    show_report(report, out)
    for path in drawn:
        out.line(f"plot: {path}")


@click.command("gold", short_help="Final labels from judgements.")
@reading_options
@click.option(
    "--rule",
    type=click.Choice(["majority", "unanimous"]),
    help="Without a method: what makes a label gold.  [default: majority, or what corpus.toml says]",
)
@click.option("--out-of-scope", multiple=True, metavar="LABEL", help="A label whose items leave the data.")
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME[,NAME…]",
    help="mv, mvc, mvc2, sv, svc, svc2, dawid-skene, bsv, or all. Several are compared.",
)
@click.option(
    "--ties",
    type=click.Choice(["adjudicate", "seed"]),
    default="adjudicate",
    show_default=True,
    help="A method's ties: leave them to adjudication, or let the seed decide.",
)
@click.option(
    "--fewest", type=click.IntRange(1), help="Fewest votes for a label without a ruling.  [default: 2]"
)
@click.option(
    "--iterations", default=100, show_default=True, type=click.IntRange(1), help="dawid-skene: at most."
)
@click.option("--tolerance", default=1e-5, show_default=True, help="dawid-skene: stop at this gain a rating.")
@click.option(
    "--smoothing", default=0.0, show_default=True, type=click.FloatRange(0), help="dawid-skene: Dirichlet."
)
@click.option(
    "--likelihood-among",
    type=click.Choice(["any", "others"]),
    default="any",
    show_default=True,
    help="bsv: L's base.",
)
@click.option(
    "--rest",
    type=click.Choice(["second", "uniform"]),
    default="second",
    show_default=True,
    help="bsv: where the mass goes that confidence leaves.",
)
@click.option(
    "--against", type=click.Path(path_type=Path, dir_okay=False), help="CSV task,label: accuracy against it."
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write labels to this CSV file.")
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False), help="Heat map of the methods (.png, .svg)."
)
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.argument("source", metavar="[CORPUS|FILE.csv]", default=".", type=click.Path(path_type=Path))
def gold(source: Path, as_json: bool, **given: Any) -> None:
    """Final labels: unanimous, majority, adjudicated, or by an aggregation method. Ties go to adjudication.

    A corpus keeps what comes of it; from a CSV file, labels are written to --out.

    \b
    Example: dalil gold mycorpus
             dalil gold --method dawid-skene --out gold.csv ratings.csv
             dalil gold --method all --plot methods.png ratings.csv
    """
    from annotation.gold_report import Wanted, run_gold

    on_line = said()
    wanted = Wanted(
        given["methods"],
        against=given["against"],
        out=given["out"],
        plot=given["plot"],
        given={name: given[name] for name in SETTINGS if name in on_line},
    )
    with working("deciding labels"):
        report = run_gold(source, Asked.of(given, on_line), wanted)
    if as_json:
        _json(report)
        return
    from annotation.agreement.tables import Printer
    from annotation.gold_report import show_gold

    show_gold(report, Printer())


def _json(report: dict[str, Any]) -> None:
    from annotation.agreement.tables import plain

    click.echo(json.dumps(plain(report), ensure_ascii=False, indent=2, allow_nan=False))
