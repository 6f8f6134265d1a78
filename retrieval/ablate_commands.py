"""`dalil ablate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dalil.cli.common import console, corpus_argument, json_option, open_corpus, print_json, table
from dalil.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from retrieval.ablation.figures import Ablation
    from retrieval.ablation.material import Material


@click.command()
@click.option(
    "--qrels", type=click.Path(path_type=Path), help="Judge TREC runs by this qrels file; no corpus is read."
)
@click.option(
    "--run", "runs", multiple=True, type=click.Path(path_type=Path),
    help="A TREC run; its tag is VARIANT or VARIANT@ENGINE. Again for each.",
)  # fmt: skip
@click.option(
    "--related", metavar="LABELS", help="Labels that say related, with commas (agree,disagree,discuss)."
)
@click.option(
    "--out", type=click.Path(path_type=Path),
    help="Write JSON, Markdown, plots (PNG, SVG), TREC runs and qrels into this folder.",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@json_option
@corpus_argument
def ablate(
    corpus: Path,
    qrels: Path | None,
    runs: tuple[Path, ...],
    related: str | None,
    out: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """What each query variant and engine contributes.

    Needs a searched corpus with final labels (dalil gold), or TREC runs with qrels. Documents without a
    judgement are unjudged, not unrelated; a variant that cannot run is not applicable, not 0.

    Example: dalil ablate --out ablation mycorpus
    """
    from retrieval.ablation.export import export
    from retrieval.ablation.figures import ablate as count

    if (qrels is None) != (not runs):
        raise click.UsageError("--qrels and --run go together.")
    if qrels is not None and related is not None:
        raise click.UsageError(
            "--related is for the labels of a corpus; of qrels, grades above 0 are related."
        )
    if qrels is not None:
        from retrieval.ablation.runs import from_files

        material, title = from_files(qrels, runs), qrels.name
    else:
        material, title = _of_corpus(corpus, related)
    report = count(material, seed=seed)
    written = export(report, material, out, title=title) if out is not None else []
    if as_json:
        print_json(report.as_dict())
        return
    _print(console(), report)
    for path in written:
        click.echo(f"wrote {path}", err=True)


def _of_corpus(path: Path, related: str | None) -> tuple[Material, str]:
    from dalil.config import CorpusSettings
    from retrieval.ablation.corpus import from_corpus

    labels = None
    if related is not None:
        labels = frozenset(name.strip() for name in related.split(",") if name.strip())
    with open_corpus(path, writable=False) as opened:
        return from_corpus(opened, labels), opened.section("corpus", CorpusSettings).name


def _print(out: Console, report: Ablation) -> None:
    from retrieval.ablation.sheets import notes, sheets

    out.print(f"{counted(report.claims, 'claim')}, {counted(report.judged_pairs, 'judged pair')}")
    for sheet in sheets(report):
        out.print()
        shown = table(sheet.title, *sheet.columns, left=sheet.left)
        for column in shown.columns:
            column.no_wrap = True
        for row in sheet.rows:
            shown.add_row(*row)
        out.print(shown)
    out.print()
    for note in notes(report):
        out.print(f"· {note}", markup=False)
