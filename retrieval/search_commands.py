"""`dalil search`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

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
)
from dalil.wording import counted


@click.command()
@click.option(
    "--dry-run", is_flag=True, help="Print the queries, and what they would cost, and send nothing."
)
@click.option(
    "--allow-unedited",
    is_flag=True,
    help="Search, this time, for claims flagged needs_edit too (for always: [search] allow_unedited).",
)
@click.option("--refresh", is_flag=True, help="Ask the engines again for what was already answered.")
@click.option(
    "--replay", is_flag=True, help="Ask nothing: read the hits from stored answers (docs/replay.md)."
)
@quiet_option
@json_option
@corpus_argument
def search(
    corpus: Path,
    dry_run: bool,
    allow_unedited: bool,
    refresh: bool,
    replay: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Ask the engines about each claim.

    Claims that cleaning flagged needs_edit are left out until a person has edited them:
    dalil claims export, then import.

    Example: dalil search --dry-run mycorpus
    """
    if refresh and replay:
        raise click.UsageError("--refresh asks the engines, --replay asks nothing: choose one.")
    settings = {"search": {"allow_unedited": True}} if allow_unedited else {}
    if dry_run:
        _dry_run(corpus, settings, as_json)
    else:
        stages = ("query", "search", "hits")
        run_stages(
            corpus,
            stages,
            doing="search",
            refresh=refresh,
            replay=replay,
            quiet=quiet,
            as_json=as_json,
            settings=settings,
        )


def _dry_run(path: Path, settings: dict[str, dict[str, Any]], as_json: bool) -> None:
    """What a search would ask, without asking."""
    from retrieval.plan import dry_run

    with open_corpus(path, writable=False, settings=settings) as corpus:
        report = dry_run(corpus)
    if as_json:
        print_json(report.as_dict())
        return
    out = console()
    for claim in report.claims:
        out.print(bold(claim.id), f" {claim.text}", soft_wrap=True)
        for query in claim.queries:
            window = f"{query['start']} … {query['end']}" if query["start"] else "any time"
            out.print(f"  {' '.join(query['variants'])}  [{window}]", markup=False)
            out.print(f"      {query['text']}", markup=False, soft_wrap=True)
        for reason in claim.absent:
            out.print(f"  no query: {reason}", highlight=False)
    totals = table("Requests", "engine", "to send", "already answered", "cost")
    for name, line in report.engines.items():
        totals.add_row(
            name,
            _span(line["to_send"], line["to_send_at_most"], "{:.0f}"),
            f"{line['answered']:.0f}",
            _span(line["cost"], line["cost_at_most"], "${:.2f}"),
        )
    out.print(totals)
    for notice in report.notices:
        out.print(notice, markup=False, highlight=False, soft_wrap=True)
    absent = Counter(reason for claim in report.claims for reason in claim.absent)
    queries = sum(len(claim.queries) for claim in report.claims)
    out.print(f"{counted(len(report.claims), 'claim')}, {counted(queries, 'query')}")
    if absent:
        without = table("Without a query, and why", "why", "claims")
        for reason, count in sorted(absent.items()):
            without.add_row(reason, f"{count:,}")
        out.print(without)
    if any(reason.startswith("needs_edit") for reason in absent):
        out.print("to edit them by hand: dalil claims export --flagged FILE CORPUS (docs/2-claims.md)")


def _span(least: float, most: float, form: str) -> str:
    """`2` or `2–4`."""
    first, last = form.format(least), form.format(most)
    return first if first == last else f"{first}–{last}"
