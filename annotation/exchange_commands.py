"""`dalil annotate import` and `export`: judgements from and for other tools."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dalil.cli.common import console, corpus_argument, json_option, open_corpus, print_json, table
from dalil.errors import UsageError
from dalil.wording import counted, fitting

if TYPE_CHECKING:
    from annotation.exchange.importing import Imported

FORMAT_NAMES = ("jsonl", "csv", "labelstudio", "teamware", "effiara")
IMPORT_ROUNDS = ("pilot", "main", "third", "expert", "training", "qualification", "hidden", "again")

_SAID = {"annotation": "judgement", "skip": "skip", "decision": "ruling"}


@click.command("import")
@click.option("--format", "name", type=click.Choice(FORMAT_NAMES), help="What the file is (required).")
@click.option(
    "--round",
    "round_name",
    type=click.Choice(IMPORT_ROUNDS),
    default="main",
    show_default=True,
    help="Where the file names no round, and nobody was asked in one.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="THERE=HERE",
    help="What somebody is called in the file, and in the corpus; repeat.",
)
@click.option("--new", is_flag=True, help="Let people come in whom nobody here knows.")
@click.option("--dry-run", is_flag=True, help="Show what would come in (or be withdrawn) and write nothing.")
@click.option("--undo", is_flag=True, help="Withdraw all that came from a file of this name instead.")
@json_option
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@corpus_argument
def bring(
    file: Path,
    corpus: Path,
    name: str | None,
    round_name: str,
    names: tuple[str, ...],
    new: bool,
    dry_run: bool,
    undo: bool,
    as_json: bool,
) -> None:
    """Bring in judgements made elsewhere; each is checked against the scheme and stored once.

    All or nothing: an error names its place in the file. Pseudonyms of this corpus's own exports become
    names again; --name says who is meant where another tool knows people by number. A name that nobody here
    has is refused without --new. What was imported under a wrong name can be withdrawn (--undo) until
    somebody has revised, ruled on or discussed it here.

    Example: dalil annotate import --format labelstudio --name 1=Amal export.json mycorpus
    """
    if undo:
        if name is not None or names or new:
            raise UsageError(
                "--undo takes no --format, --name or --new: it withdraws all that the file brought"
            )
        _undo(file, corpus, dry_run, as_json)
        return
    if name is None:
        raise UsageError("--format is missing", todo=f"one of {', '.join(FORMAT_NAMES)}")

    from annotation.exchange import FORMATS
    from annotation.exchange.checking import renamed
    from annotation.exchange.importing import bring_in, file_origin, preview
    from annotation.rounds.following import Follower
    from annotation.rounds.settings import AnnotateSettings
    from dalil.progress import Reporter

    called, origin = renamed(names), file_origin(file)
    with open_corpus(corpus, writable=not dry_run) as opened, Reporter(quiet=as_json) as reporter:
        own = opened.section("annotate", AnnotateSettings)
        scheme = own.read_scheme(opened.path)
        votes = FORMATS[name].read(file, scheme)
        if dry_run:
            done = preview(opened, scheme, votes, origin=origin, default_round=round_name, called=called)
        else:
            done = bring_in(
                opened,
                scheme,
                votes,
                origin=origin,
                follower=Follower(opened.store, own, scheme),
                default_round=round_name,
                called=called,
                newcomers=new,
                reporter=reporter,
            )
    if as_json:
        print_json(asdict(done) | {"dry_run": dry_run})
        return
    if dry_run:
        _show(done)
    click.echo(
        f"{counted(done.judgements, 'new judgement')}, {counted(done.revisions, 'revision')}, "
        f"{counted(done.skips, 'skip')}, "
        f"{counted(done.rulings, 'ruling')}; {done.known} were there already"
        + ("; nothing is stored" if dry_run else "")
    )
    if done.people:
        told = " (refused without --new)" if dry_run and not new else ""
        click.echo(
            f"new here: {', '.join(done.people)}{told}; is it somebody known: --name THERE=HERE", err=True
        )


def _show(done: Imported) -> None:
    """Who would have what new."""
    if not done.by_person:
        return
    out = table("What would come in", "name", "known here", "round", "new", left=("known here", "round"))
    for who, rounds in done.by_person.items():
        for round_name, number in rounds.items():
            out.add_row(who, "no" if who in done.people else "yes", round_name, f"{number:,}")
    console().print(out)


def _undo(file: Path, corpus: Path, dry_run: bool, as_json: bool) -> None:
    from annotation.exchange.importing import file_origin
    from annotation.exchange.undoing import withdraw, would_withdraw
    from annotation.rounds.following import Follower
    from annotation.rounds.settings import AnnotateSettings
    from dalil.progress import Reporter

    origin = file_origin(file)
    with open_corpus(corpus, writable=not dry_run) as opened, Reporter(quiet=as_json) as reporter:
        own = opened.section("annotate", AnnotateSettings)
        scheme = own.read_scheme(opened.path)
        if dry_run:
            done = would_withdraw(opened, origin)
        else:
            done = withdraw(opened, scheme, Follower(opened.store, own, scheme), origin, reporter)
    if as_json:
        print_json(asdict(done) | {"dry_run": dry_run})
        return
    people = ", ".join(f"{who} {number:,}" for who, number in done.by_person.items())
    click.echo(
        f"{'would be withdrawn' if dry_run else 'withdrawn'}: {counted(done.judgements, 'judgement')}, "
        f"{counted(done.skips, 'skip')}, {counted(done.rulings, 'ruling')} ({people})"
    )
    if done.kept:
        click.echo(f"kept in {done.kept}: dalil annotate import --format jsonl brings it back")


@click.command()
@click.option(
    "--format",
    "name",
    type=click.Choice(FORMAT_NAMES),
    default="jsonl",
    show_default=True,
    help="Which form.",
)
@click.option(
    "--names",
    is_flag=True,
    help="Real names, notes and free answers instead of pseudonyms: keep the file private.",
)
@click.option(
    "--plain",
    is_flag=True,
    help="effiara: texts as they are, for a program; in a spreadsheet such a text may be a formula.",
)
@json_option
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@corpus_argument
def export(file: Path, corpus: Path, name: str, names: bool, plain: bool, as_json: bool) -> None:
    """Write judgements for other tools, under pseudonyms; for Label Studio and Teamware their forms, too.

    \b
    jsonl         everything: revisions, skips, rulings
    csv           last revisions, skips, rulings, as `dalil agreement` reads them
    labelstudio   tasks with annotations, and FILE.xml
    teamware      GATE Teamware's raw JSON, and FILE.config.json
    effiara       EffiARA's columns

    Example: dalil annotate export --format csv judgements.csv mycorpus
    """
    from annotation.exchange import FORMATS
    from annotation.exchange.files import write_text
    from annotation.exchange.gathering import gathered
    from annotation.exchange.labelstudio_config import config
    from annotation.exchange.teamware_config import form
    from annotation.release.pseudonyms import Pseudonyms
    from annotation.rounds.settings import AnnotateSettings

    if plain and name != "effiara":
        raise UsageError("--plain belongs to --format effiara")
    with open_corpus(corpus, writable=False) as opened:
        own = opened.section("annotate", AnnotateSettings)
        scheme = own.read_scheme(opened.path)
        called = str if names else Pseudonyms.of(opened.path)
        found = gathered(opened, scheme, called, notes=names, plain=plain)
    write_text(file, FORMATS[name].write(found))
    written = [str(file)]
    languages = [task.language for task in found.tasks.values()]
    for of, suffix, make in (("labelstudio", ".xml", config), ("teamware", ".config.json", form)):
        if name == of:
            written.append(str(file.with_suffix(suffix)))
            write_text(file.with_suffix(suffix), make(scheme, own.language, languages))
    held = FORMATS[name].holds(found)
    kinds = Counter(vote.kind for vote in held)
    numbers = {f"{said}s": kinds[kind] for kind, said in _SAID.items()}
    left_out = len(found.votes) - len(held)
    pairs = len(found.tasks) if name in ("labelstudio", "teamware") else len({vote.pair for vote in held})
    if as_json:
        print_json({"files": written, **numbers, "left_out": left_out, "pairs": pairs})
    else:
        said = ", ".join(counted(number, kind.removesuffix("s")) for kind, number in numbers.items())
        click.echo(f"{said}; {counted(pairs, 'pair')} in all: {written[0]}")
        if left_out:
            click.echo(
                f"{counted(left_out, 'other')} (earlier revisions, skips, rulings or rounds) "
                f"{fitting(left_out, 'has', 'have')} no place in this format: "
                "--format jsonl writes everything",
                err=True,
            )
