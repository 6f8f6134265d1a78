"""The command line. Commands are imported when they are used; errors become one line, once."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import click

import dalil
from dalil.cli.table import TABLE, Entry
from dalil.errors import DalilError


class LazyGroup(click.Group):
    """A group whose commands come from the table, imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(TABLE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = TABLE.get(cmd_name)
        return None if entry is None else command(cmd_name, entry)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, but what is proposed for an unknown command comes from the table."""
        if args and args[0] not in TABLE and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = get_close_matches(args[0], TABLE, n=1)
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Help lines come from the table, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in TABLE.items()])


def command(name: str, entry: Entry) -> click.Command:
    """The click command of a table entry."""
    from dalil.cli.common import stage_command
    from dalil.resources import entry_point

    if entry.target is None:
        return stage_command(name, entry.help, entry.stages)
    found: click.Command = entry_point(entry.target)
    return found


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(dalil.__version__, prog_name="dalil")
@click.option("--debug", is_flag=True, help="Show the whole traceback of an error.")
def cli(debug: bool) -> None:
    """Build Arabic claim–article corpora and tweet–reply corpora for fact-checking.

    \b
    Begin with:   dalil demo
    Then:         dalil init mycorpus    and edit mycorpus/corpus.toml

    Exit status: 0 done; 1 failed; 2 wrong arguments or configuration; 3 stopped by a limit
    (quota, rate, credits), safe to run again.
    """


def main(args: list[str] | None = None) -> None:
    """Entry point of the console script: runs a command and turns what went wrong into one line."""
    words = sys.argv[1:] if args is None else args
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    with _ended_as_by_ctrl_c():
        status = _status("--debug" in words, words)
    sys.exit(status)


@contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does: children are let go, the run is closed, one line is said."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _status(debug: bool, words: list[str]) -> int:
    try:
        result: Any = cli.main(args=words, prog_name="dalil", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        click.echo("dalil: stopped; run the command again to go on", err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return 2
    except KeyboardInterrupt:
        click.echo("dalil: stopped; run the command again to go on", err=True)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except DalilError as error:
        if debug:
            raise
        click.echo(f"dalil: {error.line()}", err=True)
        return error.exit_status
    except OSError as error:
        if debug:
            raise
        click.echo(f"dalil: {_about_the_system(error)}", err=True)
        return 1
    except Exception as error:
        if debug:
            raise
        kind = type(error).__name__
        text = " ".join(str(error).split())[:300]
        click.echo(
            f"dalil: unexpected {kind}: {text}; run again with --debug and report what it shows", err=True
        )
        return 1


def _about_the_system(error: OSError) -> str:
    """A file, a disk or a pipe that does not do what was asked, in one line."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}; check the path, permissions and free space"
