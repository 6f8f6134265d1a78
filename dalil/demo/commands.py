"""`dalil demo`."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import click
from rich.console import Console

from dalil.cli.common import console, quiet_option, table
from dalil.corpus import Corpus
from dalil.records import Claim, Dropped, Gold, Pair
from dalil.status import status

LABELS = ("agree", "disagree", "discuss", "unrelated")


@click.command()
@quiet_option
@click.argument("folder", metavar="[DIR]", default="dalil-demo", type=click.Path(path_type=Path))
def demo(folder: Path, quiet: bool) -> None:
    """The whole job on the shipped sample: claims, search, articles, pairs, labels, a release.

    Offline: a small server on this machine plays the web. Run it again and nothing is done twice.

    Example: dalil demo
    """
    from dalil.demo.walk import walk
    from dalil.progress import Reporter

    began = time.monotonic()
    with Reporter(quiet=quiet) as reporter:
        walk(folder, reporter)
    with Corpus.open(folder, writable=False) as corpus:
        _report(console(), corpus, folder, time.monotonic() - began)


def _report(out: Console, corpus: Corpus, folder: Path, seconds: float) -> None:
    funnel = table("From claims to labels", "what", "rows")
    for word, count in status(corpus).rows.items():
        funnel.add_row(word, f"{count:,}")
    out.print()
    out.print(funnel)
    drops = table("Dropped, and why", "stage: reason", "rows")
    for (stage, reason), count in corpus.store.count_by(Dropped, "stage", "reason").items():
        drops.add_row(f"{stage}: {reason}", f"{count:,}")
    out.print()
    out.print(drops)
    out.print()
    out.print(_labels(corpus))
    out.print()
    out.print(f"Done in {seconds:.1f} s. Where to look next:", highlight=False)
    for path, what in (
        ("release/demo/README.md", "the data card"),
        ("release/demo/pairs.jsonl", "the pairs, each with how it was found"),
        ("corpus.toml", "the settings; copy it for a corpus of your own"),
    ):
        out.print(f"  {folder / path}  {what}", highlight=False)
    for command, what in (
        ("status", "how far a corpus is"),
        ("annotate invite --role lead Layla", "a personal link to the annotators' page"),
        ("annotate serve", "that page, until Ctrl-C"),
    ):
        out.print(f"  dalil {command} {folder}   {what}", highlight=False, soft_wrap=True)
    out.print("  docs/1-first-corpus.md   your first corpus", highlight=False)


def _labels(corpus: Corpus) -> object:
    veracity = {claim.id: claim.veracity for claim in corpus.store.all(Claim)}
    claim_of = {pair.id: pair.claim_id for pair in corpus.store.all(Pair)}
    counts: Counter[tuple[str, str]] = Counter()
    for gold in corpus.store.all(Gold):
        counts[veracity.get(claim_of.get(gold.id, ""), "unknown"), gold.label] += 1
    made = table("Gold labels by veracity of the claim", "veracity", *LABELS, "all")
    for kind in sorted({key for key, _ in counts}):
        row = [counts[kind, label] for label in LABELS]
        made.add_row(kind, *map(str, row), str(sum(row)))
    totals = Counter(label for _, label in counts.elements())
    made.add_row("all", *(str(totals[label]) for label in LABELS), str(totals.total()))
    return made
