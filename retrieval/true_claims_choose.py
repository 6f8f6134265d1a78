"""Choosing true claims for false ones: pure.

AraStance (section 3.1): true claims are Reuters headlines within three months of a false claim, the
seed, on the same topic, ranked by TF-IDF similarity to it, at most ten a seed. What the paper leaves
open is decided here: no headline goes to two seeds (the most similar one gets it); headlines that say
the same count once; one that is nearly the seed itself, or unlike it altogether, is not taken. A headline
that contradicts its seed is taken like another: it is as true (docs/2-claims.md has figures).
"""

from __future__ import annotations

import calendar
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from dalil.text.normal import search_form
from dalil.text.similar import Tfidf, near_duplicates

SAME = 0.6
"""Jaccard similarity over pairs of words from which two headlines say the same"""


@dataclass(frozen=True)
class Seed:
    """A false claim that true ones are looked for: cleaned text, ISO day, topic where it is known."""

    id: str
    text: str
    day: str
    domain: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A dated headline."""

    id: str
    title: str
    day: str
    domain: str | None = None


@dataclass(frozen=True)
class Limits:
    """What is taken."""

    months: int = 3
    per_seed: int = 10
    least: float = 0.1
    most: float = 0.9
    same_domain: bool = True


@dataclass(frozen=True)
class Chosen:
    """A headline for a seed: its similarity (cosine, 0 to 1), and its rank among the seed's."""

    seed: str
    candidate: str
    similarity: float
    rank: int


@dataclass
class Choice:
    """What was chosen, and for each seed without any why."""

    chosen: list[Chosen] = field(default_factory=list)
    without: dict[str, str] = field(default_factory=dict)
    """seed → out_of_window, other_topic, unlike or taken"""


def choose(
    seeds: Sequence[Seed],
    candidates: Sequence[Candidate],
    limits: Limits = Limits(),
    *,
    taken: Collection[str] = (),
    possible: dict[str, frozenset[str]] | None = None,
) -> Choice:
    """True claims for seeds. The order of seeds and candidates makes no difference.

    `taken` are texts that are claims already: no claim twice. `possible` limits the candidates of a
    seed to those ids (what a search of a large collection returned for it). TF-IDF is fitted on the
    titles of all candidates.
    """
    held = sorted(candidates, key=lambda one: one.id)
    choice = Choice()
    if not held or not seeds:
        choice.without = {seed.id: "out_of_window" for seed in seeds}
        return choice
    model = Tfidf.fit([one.title for one in held])
    same = _same(held)
    known = {search_form(text) for text in taken}
    ranked: list[tuple[float, str, str]] = []
    places = {one.id: at for at, one in enumerate(held)}
    allowed = None
    if possible is not None:
        allowed = {
            seed: [places[name] for name in names if name in places] for seed, names in possible.items()
        }
    for seed in sorted(seeds, key=lambda one: one.id):
        found, why = _ranked(seed, held, model, limits, known, allowed)
        ranked += found
        if not found:
            choice.without[seed.id] = why
    _deal(ranked, same, limits.per_seed, choice)
    return choice


def window(day: str, months: int) -> tuple[str, str]:
    """First and last day within so many months of a day, as ISO."""
    return _shifted(day, -months), _shifted(day, months)


def _ranked(
    seed: Seed,
    held: Sequence[Candidate],
    model: Tfidf,
    limits: Limits,
    known: Collection[str],
    possible: dict[str, list[int]] | None,
) -> tuple[list[tuple[float, str, str]], str]:
    """(similarity, seed, candidate) of all that are possible, and why there are none."""
    start, end = window(seed.day, limits.months)
    allowed = range(len(held)) if possible is None else sorted(possible.get(seed.id, ()))
    scores = model.similarities(seed.text)
    found: list[tuple[float, str, str]] = []
    why = Counter[str]()
    for at in allowed:
        candidate, score = held[at], float(scores[at])
        if not start <= candidate.day <= end:
            continue
        if limits.same_domain and seed.domain and candidate.domain and seed.domain != candidate.domain:
            why["other_topic"] += 1
        elif score < limits.least:
            why["unlike"] += 1
        elif score > limits.most or search_form(candidate.title) in known:
            why["taken"] += 1
        else:
            found.append((round(score, 12), seed.id, candidate.id))
    reason = next((name for name in ("taken", "unlike", "other_topic") if why[name]), "out_of_window")
    return found, reason


def _deal(
    ranked: Iterable[tuple[float, str, str]], same: dict[str, str], per_seed: int, choice: Choice
) -> None:
    """Most similar first: each headline, and all that say the same, to one seed that has room."""
    gone: set[str] = set()
    count = Counter[str]()
    seeds: set[str] = set()
    for score, seed, candidate in sorted(ranked, key=lambda one: (-one[0], one[1], one[2])):
        seeds.add(seed)
        key = same.get(candidate, candidate)
        if key in gone or count[seed] >= per_seed:
            continue
        gone.add(key)
        count[seed] += 1
        choice.chosen.append(Chosen(seed, candidate, score, count[seed]))
    choice.without.update({seed: "taken" for seed in seeds if not count[seed]})


def _same(held: Sequence[Candidate]) -> dict[str, str]:
    """Candidate → the first that says the same."""
    clusters = near_duplicates([(one.id, one.title) for one in held], SAME, shingle=2)
    return {name: cluster.of for cluster in clusters for name in cluster.ids}


def _shifted(day: str, months: int) -> str:
    start = date.fromisoformat(day)
    number = start.year * 12 + start.month - 1 + months
    year, month = divmod(number, 12)
    if not 1 <= year <= 9998:
        return "0001-01-01" if months < 0 else "9999-12-31"
    return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1])).isoformat()
