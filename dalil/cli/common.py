"""What commands share: the CORPUS argument, `--json`, stages as commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from dalil.cli.table import SECTIONS, STAGES
from dalil.config import Config
from dalil.corpus import Corpus
from dalil.records import Claim
from dalil.resources import entry_point

if TYPE_CHECKING:
    from dalil.runner import Tally

F = TypeVar("F", bound=Callable[..., Any])
NOTES = 5
"""notes of a stage that are told, at most"""

corpus_argument = click.argument("corpus", default=".", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
quiet_option = click.option("--quiet", is_flag=True, help="No progress, only errors.")


def open_corpus(
    path: Path, *, writable: bool = True, settings: Mapping[str, Mapping[str, Any]] | None = None
) -> Corpus:
    """Open a corpus and refuse unknown sections in its corpus.toml.

    `settings` (section → key → value) stand above those of the file, for this run.
    """
    corpus = Corpus.open(path, writable=writable)
    corpus.config.check_sections(set(SECTIONS))
    for section, values in (settings or {}).items():
        corpus.config.override(section, values)
    return corpus


def check_settings(config: Config) -> None:
    """Check every section that is written, before an hour's work finds a slip of the pen in the last."""
    for name, model in SECTIONS.items():
        if config.has(name):
            config.section(name, entry_point(model))


def print_json(value: Any) -> None:
    """A report as JSON, Arabic as Arabic."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def console() -> Console:
    """Where reports go; wide enough not to break words when it is no terminal.

    What is printed is text, never markup: `[red]` in a claim or a folder's name is shown as it is.
    """
    width = None if sys.stdout.isatty() else 110
    return Console(width=width, highlight=False, markup=False, emoji=False)


def bold(text: str) -> Text:
    """Text that stands out."""
    return Text(text, style="bold")


class _Titled(Table):
    """A table whose title may be wider than its columns."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        title, self.title = self.title, None
        if title:
            yield Text(str(title), style="bold")
        yield from super().__rich_console__(console, options)
        self.title = title


def table(title: str, *columns: str, left: Collection[str] = ()) -> Table:
    """A table with its first column, and those named in `left`, to the left; numbers to the right."""
    made = _Titled(title=title, header_style="dim", box=None, pad_edge=False)
    for index, name in enumerate(columns):
        made.add_column(name, justify="left" if index == 0 or name in left else "right")
    return made


def run_stages(
    path: Path,
    names: Sequence[str],
    *,
    doing: str,
    refresh: bool,
    replay: bool = False,
    quiet: bool,
    as_json: bool,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Run stages of the table over a corpus and report."""
    from dataclasses import asdict

    from dalil.progress import Reporter
    from dalil.runner import run

    with open_corpus(path, settings=settings) as corpus, Reporter(quiet=quiet or as_json) as reporter:
        check_settings(corpus.config)
        tallies = run(
            corpus, [STAGES[name] for name in names], reporter, refresh=refresh, replay=replay, doing=doing
        )
        empty = "claims" in names and corpus.store.count(Claim) == 0
    if as_json:
        print_json([asdict(tally) for tally in tallies])
    if empty:
        click.echo(
            "there are no claims yet: name sites under [sites] names in corpus.toml, "
            "or bring a file in: dalil import claims FILE CORPUS",
            err=True,
        )
    _tell_notes(tallies)


def _tell_notes(tallies: Sequence[Tally]) -> None:
    """What the stages have to add: the first few of each, so that all have their word."""
    for tally in tallies:
        for note in tally.notes[:NOTES]:
            click.echo(f"note: {note}", err=True)
        if len(tally.notes) > NOTES:
            click.echo(
                f"… and {len(tally.notes) - NOTES:,} more of {tally.stage}: see dalil status", err=True
            )


def stage_command(name: str, help_line: str, stages: Sequence[str]) -> click.Command:
    """The click command of an entry that lists stages."""

    @click.command(name, help=f"{help_line}\n\nExample: dalil {name} mycorpus", short_help=help_line)
    @click.option("--refresh", is_flag=True, help="Ask the world again for what was already answered.")
    @click.option("--replay", is_flag=True, help="Ask nothing: answer from what is stored (docs/replay.md).")
    @quiet_option
    @json_option
    @corpus_argument
    def command(corpus: Path, refresh: bool, replay: bool, quiet: bool, as_json: bool) -> None:
        if refresh and replay:
            raise click.UsageError("--refresh asks the world, --replay asks nothing: choose one.")
        run_stages(corpus, stages, doing=name, refresh=refresh, replay=replay, quiet=quiet, as_json=as_json)

    return command
