"""Ratings from what a command was given: a CSV file or a corpus folder; and the options that say how."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from annotation.ratings import IGNORED_ROUND, ROUNDS, Ratings
from annotation.ratings_csv import ReadOptions, Repeats, parse_pairs, read_csv
from annotation.ratings_scheme import LabelSet, read_scheme
from annotation.ratings_vectors import (
    NORMALISATIONS,
    SECOND_WEIGHTS,
    Normalisation,
    SecondWeight,
)
from dalil.errors import UsageError

if TYPE_CHECKING:
    from annotation.gold import GoldSettings

F = TypeVar("F", bound=Callable[..., Any])
CSV_SUFFIXES = (".csv",)
SETTINGS = ("scheme", "levels", "normalisation", "second_weight", "missing_confidence", "seed")
"""shared options that corpus.toml's [gold] has too, under the same names (and `rounds`)"""

_READING = (
    click.option("--scheme", metavar="NAME|FILE.toml", help="Label scheme: its labels are K."),
    click.option("--labels", metavar="A,B,C", help="The labels, instead of a scheme."),
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
        "--levels", type=click.IntRange(2), help="Highest confidence.  [default: the scheme's, or 5]"
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
        "--missing-confidence",
        type=click.IntRange(1),
        metavar="N",
        help="Confidence to assume where none was given.",
    ),
    click.option(
        "--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of everything random."
    ),
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
    columns: Sequence[str]
    rounds: Sequence[str]
    repeats: Repeats
    levels: int | None
    normalisation: Normalisation
    second_weight: SecondWeight
    missing_confidence: int | None
    seed: int
    said: Collection[str] = ()
    """names of the options that were on the command line: these go before corpus.toml"""

    @classmethod
    def of(cls, options: Mapping[str, Any], said: Collection[str]) -> Asked:
        """The shared ones of a command's options."""
        names = {field.name for field in fields(cls)} - {"said"}
        return cls(**{name: options[name] for name in names}, said=said)

    def settings(self) -> dict[str, Any]:
        """Those of `[gold]` that were on the command line."""
        own = {name: getattr(self, name) for name in SETTINGS if name in self.said}
        if not self.rounds:
            return own
        rounds = parse_pairs(self.rounds, "--round")
        for name, kind in rounds.items():
            if kind not in (*ROUNDS, IGNORED_ROUND):
                raise UsageError(
                    f"--round {name}={kind}: {kind!r} is no kind of round",
                    todo=f"kinds are: {', '.join(ROUNDS)}, {IGNORED_ROUND}",
                )
        return own | {"rounds": rounds}

    def label_set(self) -> LabelSet | None:
        """The labels asked for; None where neither scheme nor labels were given."""
        if self.scheme and self.labels:
            raise UsageError("give --scheme or --labels, not both")
        if self.scheme:
            return read_scheme(self.scheme)
        return LabelSet.listed(self.labels) if self.labels else None


def said() -> list[str]:
    """Names of the options that the running command was given."""
    context = click.get_current_context()
    on_line = click.core.ParameterSource.COMMANDLINE
    return [name for name in context.params if context.get_parameter_source(name) is on_line]


def is_csv(path: Path) -> bool:
    """Whether an argument is a CSV file rather than a corpus folder."""
    return path.suffix.lower() in CSV_SUFFIXES and not path.is_dir()


def settings_of(path: Path, given: Mapping[str, Any]) -> GoldSettings:
    """What holds for a source: the defaults, a corpus's `[gold]` above them, what was `given` above both.

    A rule that is given goes before a method that corpus.toml names; rounds are added to its rounds.
    """
    from annotation.gold import GoldSettings

    if is_csv(path):
        return GoldSettings(**given)
    if path.is_file():
        raise UsageError("is neither a corpus folder nor a .csv file", where=path)
    from dalil.corpus import Corpus

    with Corpus.open(path, writable=False) as corpus:
        usual = corpus.section("gold", GoldSettings)
    changed = dict(given)
    if "rule" in changed:
        changed["method"] = None
    if "rounds" in changed:
        changed["rounds"] = usual.rounds | changed["rounds"]
    return usual.model_copy(update=changed)


def read(path: Path, asked: Asked, own: GoldSettings) -> tuple[Ratings, frozenset[str]]:
    """Ratings of a CSV file or corpus by the settings that hold, and the labels that are out of scope."""
    from annotation.gold import levels_of

    labels = asked.label_set()
    if is_csv(path):
        columns = parse_pairs(asked.columns, "--column")
        levels = levels_of(own, labels)
        options = ReadOptions(columns=columns, rounds=own.rounds, repeats=asked.repeats, levels=levels)
        ratings = read_csv(path, labels, options)
        outside = frozenset(own.out_of_scope) | (labels.out_of_scope if labels else frozenset())
    else:
        _not_of_csv(asked)
        ratings, outside = _of_corpus(path, labels, own)
    for name in outside:
        ratings.label_code(name)
    return ratings, outside


def _of_corpus(path: Path, labels: LabelSet | None, own: GoldSettings) -> tuple[Ratings, frozenset[str]]:
    from annotation.gold import corpus_labels, judged
    from dalil.corpus import Corpus

    with Corpus.open(path, writable=False) as corpus:
        ratings, outside = judged(corpus.store, own, labels or corpus_labels(corpus, own))
    return replace(ratings, origin=str(path)), outside


def _not_of_csv(asked: Asked) -> None:
    """Refuse options that say nothing about a corpus."""
    for name, option in (("columns", "--column"), ("repeats", "--repeats")):
        if name in asked.said:
            raise UsageError(f"{option} is for CSV files", todo="leave it out: a corpus has its own records")
