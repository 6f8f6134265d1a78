"""docs/commands.md and docs/config.md, made from the commands and settings: `python -m dalil.cli.docs`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dalil.cli import command
from dalil.cli.table import SECTIONS, TABLE
from dalil.resources import entry_point

HEAD = """# Commands

Made from the commands' own help by `python -m dalil.cli.docs`.

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


CONFIG_HEAD = """# corpus.toml

Made from the settings themselves by `python -m dalil.cli.docs`.

Every section is optional; a key that is not listed here is refused, so that a slip of the pen is not
silently a default. `dalil doctor CORPUS` checks the whole file. Secrets never stand here: they come
from the environment.
"""


def config_page() -> str:
    """docs/config.md."""
    return "\n".join(
        [CONFIG_HEAD, *(_settings(name, entry_point(target)) for name, target in SECTIONS.items())]
    )


def _settings(name: str, model: type[BaseModel]) -> str:
    about = " ".join((model.__doc__ or "").split())
    lines = [f"## [{name}]", "", about, ""] if not about.startswith("`[") else [f"## [{name}]", ""]
    if not model.model_fields:
        return "\n".join([*lines, "No key yet.", ""])
    lines += ["| key | default | meaning |", "|---|---|---|"]
    lines += [
        f"| `{key}` | {_default(field)} | {_meaning(field)} |" for key, field in model.model_fields.items()
    ]
    return "\n".join([*lines, ""])


def _default(field: FieldInfo) -> str:
    value: Any = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return " ".join(f"`{key} = {json.dumps(item)}`" for key, item in value.model_dump().items())
    return "none" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


_BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}


def _meaning(field: FieldInfo) -> str:
    """The field's own words, its choices and its bounds."""
    limits = [
        f"{words} {getattr(limit, name)}"
        for limit in field.metadata
        for name, words in _BOUNDS.items()
        if hasattr(limit, name)
    ]
    choices = [f"`{json.dumps(choice)}`" for choice in _choices(field.annotation)]
    more = "; ".join(part for part in (", ".join(choices), ", ".join(limits)) if part)
    text = " ".join((field.description or "").split()).replace("|", chr(92) + "|")
    return f"{text} ({more})" if more else text


def _choices(annotation: Any) -> list[Any]:
    """The values of a Literal, also inside an optional one."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [
        choice
        for part in get_args(annotation)
        for choice in _choices(part)
        if get_origin(annotation) is not tuple
    ]


def commands_page() -> str:
    """docs/commands.md."""
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
    for block in text.strip().split("\n\n"):
        if block.lstrip().startswith("\b"):
            made.append("```\n" + inspect.cleandoc(block.replace("\b\n", "")) + "\n```")
            continue
        line = " ".join(block.split())
        before, _, example = line.partition("Example: ")
        made.append(f"Example: `{example}`" if example and not before else line)
    return "\n\n".join(made)


if __name__ == "__main__":
    docs = Path(__file__).resolve().parents[2] / "docs"
    (docs / "commands.md").write_text(commands_page(), "utf-8", newline="\n")
    (docs / "config.md").write_text(config_page(), "utf-8", newline="\n")
