"""`dalil annotate`: plan, invite, assign, serve (import, export and people are in modules of their own)."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from annotation.exchange_commands import bring, export
from annotation.people_commands import people
from dalil.cli.common import console, corpus_argument, json_option, open_corpus, print_json, table
from dalil.errors import UsageError
from dalil.wording import counted, fitting

if TYPE_CHECKING:
    from annotation.rounds.leaving import Moved

ROUNDS = ("expert", "training", "qualification", "hidden", "pilot", "main", "third")


class _Number(click.ParamType[float | str]):
    """A number, or ? for the one that is asked for."""

    name = "number|?"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        if value == "?":
            return "?"
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number nor ?", param, ctx)


@click.group()
def annotate() -> None:
    """Rounds of annotation: who judges what, on a page of their own.

    \b
    plan      how many items, hours or people it takes
    invite    a personal link for somebody
    people    who there is, and how far they are
    assign    deal a round out
    serve     the annotators' page
    import    judgements made elsewhere
    export    judgements for other tools
    """


@annotate.command()
@click.option("--items", type=_Number(), help="Pairs to be judged (k).")
@click.option("--rate", type=_Number(), help="Pairs that one person judges an hour (ρ).")
@click.option("--hours", type=_Number(), help="Hours that each person has (t).")
@click.option("--people", type=_Number(), help="How many people (n).")
@click.option("--double", type=_Number(), help="Share of pairs that two people judge (d).  [default: 1]")
@click.option(
    "--again", type=_Number(), help="Share of the others judged twice by one person (r).  [default: 0]"
)
@json_option
@corpus_argument
def plan(corpus: Path, as_json: bool, **given: float | str | None) -> None:
    """How many items, hours or people it takes: EffiARA's capacity formula for any one unknown.

    k = ρ·t·n / (2d + (1+r)(1−d)). Leave one quantity out, or give it as ?. In a corpus, items are by default
    the pairs that nobody was given yet, and people those invited; then the circulant design is shown, too.

    Example: dalil annotate plan --rate 30 --people 3 mycorpus
    """
    from annotation.rounds.capacity import solve
    from annotation.rounds.planning import plan_of

    found, known = plan_of(corpus, given)
    solved = solve(found)
    design = known.design(solved) if known is not None else None
    if as_json:
        print_json({**asdict(solved), "judgements": solved.judgements, "design": design})
        return
    out = table("Capacity", "quantity", "value", left=("value",))
    for name, meaning in _MEANINGS.items():
        value = getattr(solved, name)
        mark = "  ← computed" if name == solved.unknown else ""
        whole = solved.whole() if mark else None
        out.add_row(meaning, f"{value:g}{mark}" + (f" ({whole} whole)" if whole is not None else ""))
    out.add_row("judgements in all", f"{solved.judgements:g}")
    console().print(out)
    if design is not None:
        console().print(
            f"design: g = {design['offsets']}; neighbours in the circle share at least "
            f"{counted(design['fewest_shared'], 'pair')}; "
            f"{design['fewest_load']} to {counted(design['most_load'], 'pair')} a person"
        )
        if design["fewest_shared"] < 15:
            console().print("fewer than 15 shared pairs say little about how two people agree")


_MEANINGS = {
    "items": "items (k)",
    "rate": "items an hour (ρ)",
    "hours": "hours a person (t)",
    "people": "people (n)",
    "double": "share judged by two (d)",
    "again": "share judged again (r)",
}


@annotate.command()
@click.option(
    "--role",
    type=click.Choice(["annotator", "adjudicator", "lead"]),
    help="What somebody may do.  [default: annotator]",
)
@click.option(
    "--expert",
    is_flag=True,
    default=None,
    help="Judges items that others are tested with; the main round too, unless --capacity 0.",
)
@click.option("--language", "languages", multiple=True, help="A language they read; repeat. Default: all.")
@click.option("--capacity", type=click.IntRange(0), help="Pairs at most, over main and third round.")
@click.option("--exclude", multiple=True, help="A site, outlet or claim id they must not judge; repeat.")
@click.option("--revoke", is_flag=True, help="End somebody's link instead.")
@click.option("--leave", is_flag=True, help="Somebody leaves: what they have not judged goes to others.")
@json_option
@click.argument("name")
@corpus_argument
def invite(
    name: str,
    corpus: Path,
    role: str | None,
    expert: bool | None,
    languages: tuple[str, ...],
    capacity: int | None,
    exclude: tuple[str, ...],
    revoke: bool,
    leave: bool,
    as_json: bool,
) -> None:
    """Add somebody, or give them a new personal link (the old one ends). The link is shown once.

    Open pairs that new languages or exclusions forbid go to others; a capacity counts from then on.
    --language "" means all languages again, --exclude "" nothing excluded.

    Example: dalil annotate invite --role lead Layla mycorpus
    """
    from annotation.app.where import link_of
    from annotation.rounds import people as team
    from annotation.rounds.following import Follower
    from annotation.rounds.leaving import leave as leave_team
    from annotation.rounds.roster import never_invited
    from annotation.rounds.settings import AnnotateSettings
    from annotation.rounds.staffing import give_up, strange_rules

    with open_corpus(corpus) as opened:
        own = opened.section("annotate", AnnotateSettings)
        if revoke and leave:
            raise UsageError("--revoke and --leave do not go together")
        if (revoke or leave) and never_invited(opened.store, name):
            raise UsageError(
                f"{name!r} is known by judgements of a file alone: no link, nothing to give back",
                todo="to withdraw the file: dalil annotate import --undo FILE CORPUS",
            )
        if revoke:
            team.revoke(opened.store, name)
            report: dict[str, Any] = {"name": name, "revoked": True}
            said = f"the link of {name} has ended"
        elif leave:
            follower = Follower(opened.store, own, own.read_scheme(opened.path))
            moved = leave_team(opened.store, follower, name)
            report = {"name": name, "left": True, **asdict(moved)}
            said = f"{name} has left: {_moved(moved)}"
        else:
            person, secret = team.invite(
                opened.store,
                name,
                role=role,
                expert=expert,
                languages=languages or None,
                capacity=capacity,
                excluded=exclude or None,
            )
            link, unless = link_of(own, opened.path, secret)
            report = {"name": person.id, "role": person.role, "link": link, "running": unless is None}
            said = f"personal link of {person.id} ({person.role}), shown this once:\n{link}"
            said += f"\n({unless})" if unless else ""
            if languages or exclude:
                follower = Follower(opened.store, own, own.read_scheme(opened.path))
                moved = give_up(opened.store, follower, person.id)
                report |= asdict(moved)
                said += f"\nnot for {person.id} any more: {_moved(moved)}" if moved.withdrawn else ""
                strange = strange_rules(opened.store, person.languages, person.excluded)
                report["notes"] = strange
                said += "".join(f"\nnote: {note} (yet)" for note in strange)
    if as_json:
        print_json(report)
    else:
        click.echo(said)


def _moved(moved: Moved) -> str:
    given = sum(moved.reassigned.values())
    again = " (dalil annotate assign asks again)" if moved.nobody else ""
    return (
        f"{counted(moved.withdrawn, 'open pair')}, {given} given to others, "
        f"{len(moved.nobody)} found nobody{again}"
    )


@annotate.command()
@click.option(
    "--round", "name", type=click.Choice(ROUNDS), default="main", show_default=True, help="Which round."
)
@click.option("--pairs", type=click.IntRange(1), help="How many.  [default: the round's own, or all left]")
@click.option("--offsets", type=click.IntRange(1), help="main: g of the circulant design C_n(1..g).")
@click.option("--complete", is_flag=True, help="main: everybody shares pairs with everybody.")
@click.option(
    "--from-hidden", is_flag=True, help="training, qualification: use hidden gold that nobody was given, too."
)
@click.option("--dry-run", is_flag=True, help="Show what would be dealt and write nothing.")
@json_option
@corpus_argument
def assign(
    corpus: Path,
    name: str,
    pairs: int | None,
    offsets: int | None,
    complete: bool,
    from_hidden: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Deal a round out: who judges which pairs, in which order.

    \b
    pilot          everybody the same pairs; again without --pairs: for who joined since
    main           two a pair by the circulant design; a third follows by itself where they differ
    third          only the third ratings for which nobody could be asked at the time
    expert         experts judge pairs that train and test the others
    training, qualification    gold of three experts or more
    hidden         such gold, mixed into main deals that follow, and into what is open

    Example: dalil annotate assign --round pilot --pairs 30 mycorpus
    """
    from annotation.rounds.dealing import Dealer
    from annotation.rounds.seating import REASONS
    from annotation.rounds.settings import AnnotateSettings

    if name != "main" and (offsets is not None or complete):
        raise UsageError("--offsets and --complete belong to --round main")
    if from_hidden and name not in ("training", "qualification"):
        raise UsageError("--from-hidden belongs to --round training and --round qualification")
    with open_corpus(corpus, writable=not dry_run) as opened:
        own = opened.section("annotate", AnnotateSettings)
        dealer = Dealer(opened, own, own.read_scheme(opened.path))
        if name == "main":
            dealt = dealer.main(pairs, offsets=offsets, complete=complete)
        else:
            dealt = getattr(dealer, name)(pairs, **({"from_hidden": True} if from_hidden else {}))
        new = len(dealt.assignments) if dry_run else dealer.write(dealt)
    left_out = dict(Counter(REASONS.get(reason, reason) for reason in dealt.left_out.values()))
    if as_json:
        print_json(
            {
                "round": name,
                "new": new,
                "loads": dealt.loads(),
                "references": len(dealt.references),
                "left_out": left_out,
                "hidden_waiting": dealt.unmixed,
                "design": dict(dealt.design),
                "dry_run": dry_run,
            }
        )
        return
    if dealt.loads():
        out = table(f"Round {name}", "name", "new pairs")
        for person, number in dealt.loads().items():
            out.add_row(person, str(number))
        console().print(out)
    for language, one in dealt.design.get("languages", {}).items():
        all_share = " (everybody with everybody)" if one["complete"] else ""
        shared = counted(one["fewest_shared"], "pair")
        click.echo(f"design, {language}: g = {one['offsets']}{all_share}; neighbours share at least {shared}")
    if dealt.references:
        click.echo(f"{counted(len(dealt.references), 'pair')} with experts' labels set aside")
    if dealt.unmixed:
        waits = counted(dealt.unmixed, "pair")
        click.echo(
            f"{waits} of hidden gold {fitting(dealt.unmixed, 'waits', 'wait')}: none is mixed in while "
            "hidden_every is 0 under [annotate] in corpus.toml",
            err=True,
        )
    if filled := dealt.design.get("filled"):
        click.echo(f"{counted(filled, 'pair')} of these had lost an annotator")
    for reason, number in left_out.items():
        click.echo(f"{counted(number, 'pair')} left out: {reason}", err=True)
    click.echo(f"{counted(new, 'assignment')} {'would be' if dry_run else 'are'} new")


@annotate.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1, this machine alone]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 0: any free one.  [default: 8765]")
@corpus_argument
def serve(corpus: Path, host: str | None, port: int | None) -> None:
    """Serve the annotators' page until interrupted. Everybody enters by a personal link.

    Example: dalil annotate serve mycorpus
    """
    from annotation.app.serve import serve as run
    from annotation.app.where import running_at
    from annotation.rounds.settings import AnnotateSettings
    from dalil.records import Person

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    with open_corpus(corpus, settings={"annotate": given}) as opened:
        own = opened.section("annotate", AnnotateSettings)
        if not opened.store.count(Person, role="lead"):
            click.echo(
                f"nobody leads yet: make a link with dalil annotate invite --role lead NAME {corpus}",
                err=True,
            )
        if own.host not in ("127.0.0.1", "localhost", "::1") and own.address is None:
            click.echo(
                "others can reach this address, and it is not encrypted: put a proxy with https before it "
                "and say so under [annotate] address",
                err=True,
            )
        if other := running_at(opened.path):
            click.echo(
                f"the page of this corpus runs at {other}, too: links lead there until it ends", err=True
            )
        run(opened, own, lambda address: click.echo(f"the page is at {address} (Ctrl-C ends it)"))


annotate.add_command(people)
annotate.add_command(bring)
annotate.add_command(export)
