"""`dalil collect`: claims from sites."""

from __future__ import annotations

import os
from pathlib import Path

import click

from dalil.cli.common import corpus_argument, json_option, open_corpus, quiet_option, run_stages

STAGES = ("collect", "api", "links", "claims", "api_claims")


@click.command("collect")
@click.option("--site", "sites", multiple=True, metavar="NAME", help="Only this site (may be repeated).")
@click.option(
    "--new",
    is_flag=True,
    help="Look for what was published since the last time: newest first, until it is known.",
)
@click.option("--refresh", is_flag=True, help="Ask for everything again, also what was already answered.")
@click.option("--replay", is_flag=True, help="Ask nothing: read what is stored again.")
@quiet_option
@json_option
@corpus_argument
def collect(
    sites: tuple[str, ...], new: bool, refresh: bool, replay: bool, corpus: Path, quiet: bool, as_json: bool
) -> None:
    """Bring in claims from the sites that [sites] names.

    A first run walks all listings; a run that was stopped goes on. --new begins another walk, newest
    first, and ends where everything is known. Pages are kept: when a site's definition changes, they
    are read again without asking.

    Example: dalil collect --site fatabyyano --new mycorpus
    """
    if new and replay:
        raise click.UsageError("--new asks and --replay asks nothing: give one of them")
    if new:
        _begin(corpus, sites)
    before = os.environ.get("DALIL_ONLY_SITES")
    if sites:
        os.environ["DALIL_ONLY_SITES"] = ",".join(sites)
    try:
        run_stages(
            corpus, STAGES, doing="collect", refresh=refresh, replay=replay, quiet=quiet, as_json=as_json
        )
    finally:
        if before is None:
            os.environ.pop("DALIL_ONLY_SITES", None)
        else:
            os.environ["DALIL_ONLY_SITES"] = before


def _begin(path: Path, only: tuple[str, ...]) -> None:
    """Another walk for each site that has been walked."""
    from dalil.state.lock import stage_lock
    from spiders import walks
    from spiders.sites import CollectSettings

    with open_corpus(path) as opened, stage_lock(opened.path, "collect"):
        for name in opened.section("sites", CollectSettings).names:
            if (not only or name in only) and walks.walked(opened.store, name):
                walks.begin(opened.store, name)
