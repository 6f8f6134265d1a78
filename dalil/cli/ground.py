"""Commands of the ground: init, status, dump, load, doctor."""

from __future__ import annotations

import json
from pathlib import Path

import click

from dalil.cli.common import console, corpus_argument, json_option, open_corpus, print_json, table
from dalil.errors import DalilError
from dalil.wording import counted


@click.command()
@click.option(
    "--template",
    type=click.Choice(["arastance", "scrum9"]),
    default="arastance",
    show_default=True,
    help="Which paper's settings to begin with.",
)
@click.argument("corpus", type=click.Path(path_type=Path))
def init(corpus: Path, template: str) -> None:
    """Make a new corpus folder with a commented corpus.toml.

    Example: dalil init mycorpus
    """
    from dalil.corpus import Corpus
    from dalil.records import fit_text
    from dalil.resources import data

    # a JSON string is a TOML string, but for DEL
    name = json.dumps(fit_text(corpus.resolve().name), ensure_ascii=False).replace("\x7f", "\\u007f")
    toml = data("templates", f"{template}.toml").read_text("utf-8").replace('"@NAME@"', name)
    Corpus.create(corpus, toml).close()
    click.echo(f"made {corpus}: edit {corpus / 'corpus.toml'}, then run: dalil run {corpus}")


@click.command()
@json_option
@corpus_argument
def status(corpus: Path, as_json: bool) -> None:
    """How far a corpus is: counts, what was dropped and why, requests, the last runs.

    Brings the database of a corpus that an older dalil made up to date.

    Example: dalil status mycorpus
    """
    from dalil.cli.report import print_status
    from dalil.corpus import DATABASE
    from dalil.state.store import Store
    from dalil.status import status as count

    if Store.renew(corpus / DATABASE):
        click.echo("made by an older dalil: its database was brought up to date", err=True)
    with open_corpus(corpus, writable=False) as opened:
        report = count(opened)
    if as_json:
        print_json(report.as_dict())
    else:
        print_status(console(), report)


@click.command()
@click.option("--stable", is_flag=True, help="Leave out times and runs: for comparing, cannot be loaded.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@corpus_argument
def dump(folder: Path, corpus: Path, stable: bool) -> None:
    """Write a corpus as sorted JSONL, without loss. A dump is private.

    Example: dalil dump backup mycorpus
    """
    from dalil.state.dump import dump as write

    with open_corpus(corpus, writable=False) as opened:
        counts = write(opened, folder, stable=stable)
    click.echo(
        f"wrote {counted(sum(counts.values()), 'row')} ({counted(len(counts), 'table')}) to {folder}: "
        "private, not for giving away"
    )


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("corpus", type=click.Path(path_type=Path))
def load(folder: Path, corpus: Path) -> None:
    """Make a corpus from a dump.

    Example: dalil load backup mycorpus-again
    """
    from dalil.state.dump import load as read

    counts = read(folder, corpus)
    click.echo(
        f"loaded {counted(sum(counts.values()), 'row')} of {counted(len(counts), 'table')} into {corpus}"
    )


@click.command()
@json_option
@click.argument("corpus", required=False, type=click.Path(path_type=Path))
def doctor(corpus: Path | None, as_json: bool) -> None:
    """Check this installation and, if given, a corpus. Exit status 1 when something is broken.

    Example: dalil doctor mycorpus
    """
    from dalil.doctor import check

    checks = check(corpus)
    if as_json:
        print_json([found.as_dict() for found in checks])
    else:
        report = table("", "check", "state", "what to know", left=("state", "what to know"))
        for found in checks:
            report.add_row(found.name, found.state, found.note)
        console().print(report)
    broken = dict.fromkeys(found.name for found in checks if found.state == "broken")
    if broken:
        raise DalilError(f"broken: {', '.join(broken)}", todo="what to do stands beside each check")
