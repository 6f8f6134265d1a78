"""`dalil release`."""

from __future__ import annotations

from pathlib import Path

import click

from dalil.cli.common import corpus_argument, json_option, open_corpus, print_json
from dalil.wording import counted


@click.command()
@click.option("--no-text", is_flag=True, help="Addresses, hashes and archive links instead of article texts.")
@click.option("--folds", type=click.IntRange(2), help="k equal folds instead of train, dev and test.")
@click.option("--seed", type=int, help="Seed of the split.  [default: what corpus.toml says, else 0]")
@click.option(
    "--manifest", type=click.Path(path_type=Path), help="A manifest.csv that says the splits instead."
)
@json_option
@click.argument("out", type=click.Path(path_type=Path))
@corpus_argument
def release(
    out: Path,
    corpus: Path,
    no_text: bool,
    folds: int | None,
    seed: int | None,
    manifest: Path | None,
    as_json: bool,
) -> None:
    """Write the data set that may be given away: pairs with gold in three forms, splits, a card, provenance.

    Claims all of whose documents are unrelated are left out, with a reason. Names of annotators are replaced.
    What the card says beside the numbers comes from [release] of corpus.toml (docs/5-release.md).

    Example: dalil release out/v1 mycorpus
    """
    from annotation.release import ReleaseSettings
    from annotation.release.write import write_release
    from dalil.progress import Reporter
    from dalil.state.lock import stage_lock

    with open_corpus(corpus) as opened, stage_lock(opened.path, "release"):
        own = opened.section("release", ReleaseSettings)
        given: dict[str, object] = {"texts": False} if no_text else {}
        given |= {name: value for name, value in (("folds", folds), ("seed", seed)) if value is not None}
        if manifest is not None:
            given["manifest"] = str(manifest.resolve())
        with Reporter(quiet=as_json) as reporter:
            done = write_release(opened, out, own.model_copy(update=given), reporter)
        stated = own.licence
    if as_json:
        print_json(
            {
                "out": str(out),
                "pairs": done.pairs,
                "claims": done.claims,
                "sizes": dict(done.sizes),
                "dropped_claims": done.dropped_claims,
                "notes": list(done.notes),
            }
        )
        return
    click.echo(
        f"wrote {counted(done.pairs, 'pair')} of {counted(done.claims, 'claim')} to {out}: "
        + ", ".join(f"{name} {number:,}" for name, number in done.sizes.items())
    )
    if done.dropped_claims:
        click.echo(
            f"left out: {counted(done.dropped_claims, 'claim')} all of whose documents are unrelated "
            "(dropped.jsonl)"
        )
    for note in done.notes:
        click.echo(f"note: {note}")
    if stated is None:
        click.echo("no licence is stated: set [release] licence in corpus.toml before giving it away")
    click.echo(f"check it: dalil dataset verify {out}")
