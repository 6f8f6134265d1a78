"""`dalil claims export` and `dalil claims import`: the hand edit of cleaned claims."""

from __future__ import annotations

import os
from pathlib import Path

import click

from dalil.cli.common import corpus_argument, json_option, open_corpus, print_json
from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.records import Claim, ClaimEdit, CleanedClaim, Dropped, utc_now
from dalil.state.lock import stage_lock
from dalil.wording import counted, fitting

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def claims() -> None:
    """Edit cleaned claims by hand, in a spreadsheet.

    Example: dalil claims export edit.csv mycorpus; edit the column «edit»; then
    dalil claims import --editor NAME edit.csv mycorpus
    """


@claims.command("export")
@click.option("--flagged", is_flag=True, help="Only the claims that need an edit or were dropped.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@click.argument("file", type=_FILE)
@corpus_argument
def export_claims(file: Path, corpus: Path, flagged: bool, force: bool, as_json: bool) -> None:
    """Write claims to FILE for the hand edit: raw and cleaned text, rules, flags, the review's body.

    Only the columns «edit» and «note» are read back. In «edit», a text is the claim as it is to be
    searched for, «(drop)» takes the claim out, and nothing leaves it to the rules.

    Example: dalil claims export --flagged edit.csv mycorpus
    """
    from retrieval.clean.handedit import write_rows
    from retrieval.clean.stage import latest_edits

    if file.exists() and not force:
        raise UsageError(
            "this file is there already, perhaps with edits in it",
            where=file,
            todo="name another, or add --force",
        )
    with open_corpus(corpus, writable=False) as opened:
        store = opened.store
        cleaned = _cleaned(opened)
        drops = {drop.key: drop for drop in store.all(Dropped, stage="clean")}
        chosen = [
            claim
            for claim in store.all(Claim)
            if not flagged or claim.id in drops or claim.id not in cleaned or _needs_edit(cleaned[claim.id])
        ]
        text = write_rows(chosen, cleaned, drops, latest_edits(store))
    _write(file, text)
    needing = sum(1 for claim in chosen if claim.id in cleaned and _needs_edit(cleaned[claim.id]))
    gone = sum(1 for claim in chosen if claim.id in drops)
    if as_json:
        print_json({"file": str(file), "claims": len(chosen), "needs_edit": needing, "dropped": gone})
        return
    click.echo(
        f"{counted(len(chosen), 'claim')} written to {file}, {needing} of them flagged needs_edit"
        + (f", {gone} dropped by cleaning or by hand" if gone else "")
    )
    if chosen and not cleaned:
        click.echo("none of them is cleaned yet: dalil clean does that")


@claims.command("import")
@click.option("--editor", required=True, help="Who made the edits: kept with each of them.")
@json_option
@click.argument("file", type=_FILE)
@corpus_argument
def import_claims(file: Path, corpus: Path, editor: str, as_json: bool) -> None:
    """Read the hand edits of FILE: who changed what, when. All of them, or none and the line that is wrong.

    Edits are kept one after another; the last one of a claim counts, and overrides the rules.

    Example: dalil claims import --editor Salma edit.csv mycorpus
    """
    from retrieval.clean.handedit import compare, read_rows
    from retrieval.clean.stage import CleanSettings, is_short, latest_edits

    if not editor.strip():
        raise UsageError("--editor is empty", todo="give the name of the person who edited")
    with open_corpus(corpus) as opened, stage_lock(opened.path, "claims import"):
        store = opened.store
        least = opened.section("clean", CleanSettings).min_words
        known = {claim.id: claim for claim in store.all(Claim)}
        edits = compare(
            file,
            read_rows(file),
            known,
            _cleaned(opened),
            latest_edits(store),
            {edit.id: edit for edit in store.all(ClaimEdit)},
            editor=editor.strip(),
            at=utc_now(),
        )
        with store.transaction() as writer:
            writer.put_new(edits.new)
            judged = len(writer.judged.ids(CleanedClaim, {edit.claim_id for edit in edits.new}))
    short = sum(1 for edit in edits.new if edit.after and is_short(edit.after, least))
    if as_json:
        print_json(
            {
                "edits": len(edits.new),
                "too_short": short,
                "unchanged": edits.unchanged,
                "stale": list(edits.stale),
                "judged": judged,
            }
        )
        return
    click.echo(
        f"{counted(len(edits.new), 'edit')} by {editor.strip()}, {counted(edits.unchanged, 'row')} without "
        "a change"
    )
    if edits.stale:
        click.echo(
            f"{counted(len(edits.stale), 'row')} {fitting(len(edits.stale), 'has', 'have')} another cleaned "
            f"text than the corpus (line {edits.stale[0]} …):"
            " cleaned anew since the export, or written into the wrong column; only «edit» is read",
            err=True,
        )
    if short:
        click.echo(
            f"{counted(short, 'edit')} {fitting(short, 'has', 'have')} fewer than {least} words: flagged "
            f"needs_edit:too_short and not searched for; write {fitting(short, 'it', 'them')} out, or lower "
            "[clean] min_words",
            err=True,
        )
    if judged:
        click.echo(
            f"{judged} of the claims {fitting(judged, 'was', 'were')} judged already: "
            f"{fitting(judged, 'its', 'their')} text stays as people saw it, and the edit is kept beside it "
            "(dalil status); to have another text judged, import it as a claim of its own",
            err=True,
        )
    if edits.new:
        click.echo(f"now run: dalil clean {corpus}")


def _cleaned(corpus: Corpus) -> dict[str, CleanedClaim]:
    return {made.id: made for made in corpus.store.all(CleanedClaim)}


def _needs_edit(made: CleanedClaim) -> bool:
    return any(flag.startswith("needs_edit:") for flag in made.flags)


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = file.with_name(f".{file.name}.part")
    try:
        draft.write_text(text, "utf-8", newline="")
        os.replace(draft, file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError(
            f"cannot be written: {error.strerror}", where=file, todo="choose another place"
        ) from error
