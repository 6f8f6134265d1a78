"""`dalil release`."""

from __future__ import annotations

from pathlib import Path

import click

from dalil.cli.common import corpus_argument, open_corpus


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@corpus_argument
def release(out: Path, corpus: Path) -> None:
    """Write the data set that may be given away: pairs with gold, and a card.

    Example: dalil release out/v1 mycorpus
    """
    from annotation.release.write import release as write

    with open_corpus(corpus, writable=False) as opened:
        count = write(opened, out)
    click.echo(f"wrote {count} pairs and their card to {out}")
