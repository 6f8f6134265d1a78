"""`dalil annotate people`: who there is, and how far they are."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dalil.cli.common import console, corpus_argument, json_option, open_corpus, print_json, table

if TYPE_CHECKING:
    from annotation.rounds.roster import Member

LINKS = {
    "active": "active",
    "none": "none (invite again)",
    "left": "left",
    "imported": "from a file, never invited",
}


@click.command()
@json_option
@corpus_argument
def people(corpus: Path, as_json: bool) -> None:
    """List people: role, languages, capacity, whether their link works, and how far they are.

    Who is known by judgements of a file alone was never invited, so that nothing is dealt to them.

    Example: dalil annotate people mycorpus
    """
    from annotation.rounds.roster import roster

    with open_corpus(corpus, writable=False) as opened:
        members = roster(opened.store)
    if as_json:
        print_json([_plain(member) for member in members])
        return
    if not members:
        click.echo("nobody is invited yet: dalil annotate invite NAME CORPUS")
        return
    columns = ("name", "role", "languages", "capacity", "link", "judged", "open", "skipped")
    out = table("People", *columns, left=("role", "languages", "link"))
    for member in members:
        out.add_row(*_row(member))
    console().print(out)


def _row(member: Member) -> tuple[str, ...]:
    person, rounds = member.person, member.rounds.values()
    if person is None:
        said = ("–", "–", "–")
    else:
        role = f"{person.role}, expert" if person.expert else person.role
        capacity = "–" if person.capacity is None else f"{person.capacity:,}"
        said = (role, ", ".join(person.languages) or "all", capacity)
    waiting, skipped = sum(found.open for found in rounds), sum(found.skipped for found in rounds)
    return member.name, *said, LINKS[member.link], f"{member.judged:,}", f"{waiting:,}", f"{skipped:,}"


def _plain(member: Member) -> dict[str, Any]:
    person = member.person
    return {
        "name": member.name,
        "role": person.role if person else None,
        "expert": bool(person and person.expert),
        "languages": list(person.languages) if person else [],
        "capacity": person.capacity if person else None,
        "excluded": list(person.excluded) if person else [],
        "cleared": bool(person and person.cleared),
        "link": member.link,
        "rounds": {name: asdict(found) | {"open": found.open} for name, found in member.rounds.items()},
        "judged": member.judged,
        "judged_unasked": member.unasked,
    }
