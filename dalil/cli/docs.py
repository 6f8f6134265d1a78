"""docs/commands.md, made from the commands themselves: `python -m dalil.cli.docs > docs/commands.md`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from dalil.cli import command
from dalil.cli.table import TABLE

HEAD = """# Commands

Made from the commands' own help: `python -m dalil.cli.docs > docs/commands.md`.

Verb first, the corpus folder last; it is the present folder when left out. Progress goes to standard
error, reports to standard output; `--json` prints a report as JSON. An error is one line that says
what was wrong, where, and what to do; `dalil --debug COMMAND` shows the traceback.

| Exit status | meaning |
|---|---|
| 0 | done |
| 1 | failed |
| 2 | wrong arguments or configuration |
| 3 | stopped by a limit (quota, rate, credits): safe to run again |
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, entry in TABLE.items():
        for path, found in _flat(f"dalil {name}", command(name, entry)):
            parts.append(_section(path, found))
    return "\n".join(parts)


def _flat(path: str, found: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield path, found
    if isinstance(found, click.Group):
        for name, child in found.commands.items():
            yield from _flat(f"{path} {name}", child)


def _section(path: str, found: click.Command) -> str:
    context = click.Context(found, info_name=path)
    usage = " ".join([path, *found.collect_usage_pieces(context)])
    rows = [option.get_help_record(context) for option in found.params if isinstance(option, click.Option)]
    lines = [f"## {path}", "", f"`{usage}`", "", _paragraphs(found.help or ""), ""]
    if any(rows):
        lines += ["| option | what it does |", "|---|---|"]
        lines += [
            f"| `{row[0].replace('|', chr(92) + '|')}` | {row[1].replace('|', chr(92) + '|')} |"
            for row in rows
            if row
        ]
        lines.append("")
    return "\n".join(lines)


def _paragraphs(text: str) -> str:
    """Help text as Markdown: examples as code, the rest with lines joined."""
    made = []
    for block in text.replace("\b\n", "").strip().split("\n\n"):
        line = " ".join(block.split())
        before, _, example = line.partition("Example: ")
        made.append(f"Example: `{example}`" if example and not before else line)
    return "\n\n".join(made)


if __name__ == "__main__":
    print(page(), end="")
