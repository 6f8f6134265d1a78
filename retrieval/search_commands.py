"""`dalil search`."""

from __future__ import annotations

from pathlib import Path

import click

from dalil.cli.common import corpus_argument, json_option, quiet_option, run_stages


@click.command()
@click.option("--refresh", is_flag=True, help="Ask the engines again for what was already answered.")
@quiet_option
@json_option
@corpus_argument
def search(corpus: Path, refresh: bool, quiet: bool, as_json: bool) -> None:
    """Ask the engines about each claim.

    Example: dalil search mycorpus
    """
    run_stages(
        corpus, ("query", "search", "hits"), doing="search", refresh=refresh, quiet=quiet, as_json=as_json
    )
