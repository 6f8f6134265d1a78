"""`dalil pair` and `dalil why`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from dalil.cli.common import (
    bold,
    console,
    corpus_argument,
    json_option,
    open_corpus,
    print_json,
    quiet_option,
    run_stages,
    table,
)  # fmt: skip

if TYPE_CHECKING:
    from retrieval.why import Why


@click.command()
@click.option(
    "--refit", is_flag=True, help="Fit the ranker anew on the articles there are now. Judged pairs stay."
)
@quiet_option
@json_option
@corpus_argument
def pair(corpus: Path, refit: bool, quiet: bool, as_json: bool) -> None:
    """Choose at most ten articles a claim.

    Example: dalil pair mycorpus
    """
    if refit:
        _forget(corpus)
    run_stages(corpus, ("duplicates", "pair"), doing="pair", refresh=False, quiet=quiet, as_json=as_json)


def _forget(corpus: Path) -> None:
    """Take away the fitted models; the next pairing fits others."""
    from dalil.records import Model
    from dalil.state import ledger
    from dalil.state.lock import stage_lock
    from retrieval.found import MODELS

    with (
        open_corpus(corpus) as opened,
        stage_lock(opened.path, "pair --refit"),
        opened.store.transaction() as writer,
    ):
        writer.delete(Model, sorted(key for key in opened.store.ids(Model) if key.startswith(MODELS)))
        ledger.forget(writer, "pair", "corpus")


@click.command()
@json_option
@click.argument("pair", metavar="PAIR")
@corpus_argument
def why(pair: str, corpus: Path, as_json: bool) -> None:
    """Everything that led to one pair: queries, engines, ranks, dates, and what was dropped beside it.

    PAIR is a pair's id, or the beginning of one.

    Example: dalil why pair-k3vq mycorpus
    """
    from retrieval.why import why as explain

    with open_corpus(corpus, writable=False) as opened:
        report = explain(opened, pair)
    if as_json:
        print_json(report.as_dict())
    else:
        _print(console(), report)


def _print(out: Console, report: Why) -> None:
    name = "TF-IDF" if report.pair["ranker"] == "tfidf" else report.pair["ranker"]
    out.print(bold(report.pair["id"]), f" rank {report.pair['rank']}, {name} {report.pair['score']}")
    marks = ", ".join(report.pair["marks"]) or "none"
    out.print(f"marks: {marks}" + (f"   superseded: {report.superseded}" if report.superseded else ""))
    if report.gold:
        out.print(f"gold: {report.gold['label']} ({report.gold['how']}, votes {report.gold['votes']})")
    _facts(out, "Claim", report.claim)
    _facts(out, "Article", report.article)
    if report.kept:
        kept = [
            {
                "text": one["kind"].replace("_", " "),
                "since": one["why"],
                "by now": "; ".join(map(str, one["now"].values())),
            }
            for one in report.kept
        ]
        _list(out, "Judged, and kept as it was shown", kept, ("text", "since", "by now"))
    columns = ("engine", "rank", "variants", "window", "its date", "asked")
    found = table("Found by", *columns, left=("variants", "window"))
    for item in report.found_by:
        found.add_row(
            item.engine,
            str(item.rank),
            " ".join(item.variants),
            item.window,
            item.engine_date or "–",
            (item.asked_at or "–") + (" (older answer)" if item.older else ""),
        )
    out.print(found)
    _list(out, "Copies of the article", report.copies, ("why", "similarity", "url"))
    _list(out, "Kept beside it", report.beside, ("rank", "score", "title"))
    dropped = sorted(report.dropped, key=lambda row: (row["stage"], row["reason"], _natural(row["detail"])))
    _list(out, "Dropped beside it", dropped, ("stage", "reason", "detail", "title"))


def _natural(text: str | None) -> list[tuple[int, str]]:
    """A key that puts rank 9 before rank 10."""
    return [(int(part or 0), rest) for part, rest in re.findall(r"(\d*)(\D*)", text or "")]


def _facts(out: Console, name: str, facts: dict[str, Any]) -> None:
    out.print()
    out.print(bold(name))
    for key, value in facts.items():
        if value not in (None, "", [], ()):
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            out.print(f"  {key:<17}{text}", markup=False)
    out.print()


def _list(out: Console, title: str, rows: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    if rows:
        made = table(f"{title} ({len(rows)})", *columns, left=("title", "url", "detail", "reason"))
        for row in rows[:20]:
            made.add_row(*("–" if row[name] is None else str(row[name]) for name in columns))
        if len(rows) > 20:
            made.add_row(f"… and {len(rows) - 20} more: --json")
        out.print(made)
        out.print()
