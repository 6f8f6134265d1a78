"""Ratings from what a command was given: a CSV file or a corpus folder; and the options that say how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from annotation.ratings import Ratings
from annotation.ratings_csv import ReadOptions, Repeats, parse_pairs, read_csv
from annotation.ratings_scheme import LabelSet, read_scheme
from annotation.ratings_vectors import (
    NORMALISATIONS,
    SECOND_WEIGHTS,
    Normalisation,
    SecondWeight,
    VoteOptions,
)
from dalil.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
CSV_SUFFIXES = (".csv",)

_READING = (
    click.option("--scheme", metavar="NAME|FILE.toml", help="Label scheme: its labels are K."),
    click.option("--labels", metavar="A,B,C", help="The labels, instead of a scheme."),
    click.option(
        "--out-of-scope", multiple=True, metavar="LABEL", help="A label whose items leave the data."
    ),
    click.option(
        "--column", "columns", multiple=True, metavar="task=NAME", help="CSV: what a column is called there."
    ),
    click.option(
        "--round",
        "rounds",
        multiple=True,
        metavar="NAME=KIND",
        help="What a round was: pilot, main, third, adjudication or ignore.",
    ),
    click.option(
        "--repeats",
        type=click.Choice(["refuse", "first", "last", "keep"]),
        default="refuse",
        show_default=True,
        help="CSV: a worker who rated a task twice in a round.",
    ),
    click.option(
        "--levels", default=5, show_default=True, type=click.IntRange(2), help="Highest confidence."
    ),
    click.option(
        "--normalisation",
        type=click.Choice(NORMALISATIONS),
        default="effiara",
        show_default=True,
        help="Confidence to a weight.",
    ),
    click.option(
        "--second-weight",
        type=click.Choice(SECOND_WEIGHTS),
        default="c/2",
        show_default=True,
        help="Weight of a second choice beside a first of weight c.",
    ),
    click.option(
        "--missing-confidence", type=int, metavar="N", help="Confidence to assume where none was given."
    ),
    click.option("--seed", default=0, show_default=True, help="Seed of everything random."),
)


def reading_options(command: F) -> F:
    """The options that `agreement` and `gold` share."""
    for option in reversed(_READING):
        command = option(command)
    return command


@dataclass(frozen=True)
class Asked:
    """The shared options as given."""

    scheme: str | None
    labels: str | None
    out_of_scope: Sequence[str]
    columns: Sequence[str]
    rounds: Sequence[str]
    repeats: Repeats
    levels: int
    normalisation: Normalisation
    second_weight: SecondWeight
    missing_confidence: int | None
    seed: int

    def votes(self) -> VoteOptions:
        """How confidence and second choice weigh."""
        return VoteOptions(self.normalisation, self.second_weight, self.missing_confidence)

    @classmethod
    def names(cls) -> list[str]:
        """Names of the options."""
        return [field.name for field in fields(cls)]

    def label_set(self) -> LabelSet | None:
        """The labels asked for; None where neither scheme nor labels were given."""
        if self.scheme and self.labels:
            raise UsageError("give --scheme or --labels, not both")
        if self.scheme:
            return read_scheme(self.scheme).with_out_of_scope(self.out_of_scope)
        return LabelSet.listed(self.labels, self.out_of_scope) if self.labels else None


def is_csv(path: Path) -> bool:
    """Whether an argument is a CSV file rather than a corpus folder."""
    return path.suffix.lower() in CSV_SUFFIXES and not path.is_dir()


def read(path: Path, asked: Asked) -> tuple[Ratings, frozenset[str]]:
    """Ratings of a CSV file or corpus, and the labels that are out of scope."""
    given = asked.label_set()
    rounds = parse_pairs(asked.rounds, "--round")
    if is_csv(path):
        columns = parse_pairs(asked.columns, "--column")
        options = ReadOptions(columns=columns, rounds=rounds, repeats=asked.repeats, levels=asked.levels)
        ratings = read_csv(path, given, options)
    else:
        if path.is_file():
            raise UsageError("is neither a corpus folder nor a .csv file", where=path)
        ratings, given = _of_corpus(path, given, rounds, asked.levels)
    outside = given.out_of_scope if given is not None else frozenset(asked.out_of_scope)
    for name in outside:
        ratings.label_code(name)
    return ratings, outside


def _of_corpus(
    path: Path, given: LabelSet | None, rounds: dict[str, str], levels: int
) -> tuple[Ratings, LabelSet | None]:
    from annotation.gold import GoldSettings
    from annotation.ratings_records import from_store, scheme_in
    from dalil.corpus import Corpus

    with Corpus.open(path, writable=False) as corpus:
        own = corpus.section("gold", GoldSettings)
        labels = given or (read_scheme(own.scheme) if own.scheme else scheme_in(corpus.store))
        rounds = own.rounds | rounds
        made = from_store(corpus.store, labels=labels, rounds=rounds, levels=levels, origin=str(path))
    return made, labels
