"""When the team changes within a round: who joined late, whose rules changed, seats that found nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotation.rounds.dealing import Dealt, held_of, live_of
from annotation.rounds.following import Follower, needs_third
from annotation.rounds.kinds import MAIN, THIRD
from annotation.rounds.leaving import Moved, move
from annotation.rounds.people import may_judge
from annotation.rounds.queue import unhandled
from annotation.rounds.reading import Item, items
from dalil.records import Annotation, Article, Assignment, Claim, Decision, Person, Superseded
from dalil.state.store import Store

BARRED = "may not judge it any more"
NOBODY_NEW = "left_out_met"


def missed(store: Store, name: str, people: Sequence[Person]) -> dict[str, list[Item]]:
    """Person → pairs of a round that everybody judges and that they, who joined late, have not met at all."""
    live = {one.pair_id for one in store.all(Assignment, round=name) if one.withdrawn is None}
    met, known = _met(store), items(store)
    dealt = [known[pair] for pair in sorted(live & known.keys())]
    found = {
        person.id: [item for item in dealt if may_judge(person, item) and person.id not in met[item.pair]]
        for person in people
    }
    return {who: lacking for who, lacking in found.items() if lacking}


def vacancies(store: Store, follower: Follower) -> dict[str, list[Item]]:
    """Person → pairs of the main round that lost one of their two annotators when nobody could follow.

    A skip is no vacancy: the lead decides about it. Pairs that were ruled on, or superseded before anybody
    judged them, are let alone, and so are judgements of a file on pairs that were never dealt.
    """
    seats: dict[str, set[str]] = {}
    for one in store.all(Assignment, round=MAIN):
        held = seats.setdefault(one.pair_id, set())
        if one.withdrawn is None:
            held.add(one.annotator)
    judged = set()
    for vote in store.all(Annotation, round=MAIN):
        judged.add(vote.pair_id)
        if vote.pair_id in seats:
            seats[vote.pair_id].add(vote.annotator)
    settled = {row[0] for row in store.count_by(Decision, "pair_id")} | (store.ids(Superseded) - judged)
    short = {pair for pair, held in seats.items() if len(held) < 2} - settled
    loads, counted = held_of(store, (MAIN,)), held_of(store, (MAIN, THIRD))
    met = _met(store)
    out: dict[str, list[Item]] = {}
    for pair, item in items(store, short).items():
        for _ in range(2 - len(seats[pair])):
            chosen = follower.choose(store, item, met[pair], loads, counted)
            if chosen is None:
                break
            met[pair].add(chosen)
            for counts in (loads, counted):
                counts[chosen] = counts.get(chosen, 0) + 1
            out.setdefault(chosen, []).append(item)
    return out


def thirds(store: Store, follower: Follower, number: int | None) -> Dealt:
    """Third ratings of pairs whose first raters differ and for which nobody could be asked at the time.

    Pairs that were ruled on, or superseded, are let alone. `left_out` has the pairs that still find nobody.
    """
    ruled = {row[0] for row in store.count_by(Decision, "pair_id")}
    undecided = needs_third(store) - ruled
    waiting = [item for pair, item in items(store).items() if pair in undecided]
    loads, counted = held_of(store, (THIRD,)), held_of(store, (MAIN, THIRD))
    last: dict[str, int] = {}
    for one in store.all(Assignment):
        last[one.annotator] = max(one.place, last.get(one.annotator, 0))
    met = _met(store)
    made: list[Assignment] = []
    left_out: dict[str, str] = {}
    for item in waiting:
        if number is not None and len(made) >= number:
            break
        chosen = follower.choose(store, item, met[item.pair], loads, counted)
        if chosen is None:
            left_out[item.pair] = NOBODY_NEW
            continue
        for counts in (loads, counted, last):
            counts[chosen] = counts.get(chosen, 0) + 1
        made.append(follower.made(item.pair, chosen, THIRD, last[chosen]))
    again = live_of(store, {one.pair_id for one in made})
    return Dealt(THIRD, tuple(made), (), left_out, {"pairs": len(made)}, again)


def give_up(store: Store, follower: Follower, name: str) -> Moved:
    """Open items that somebody's languages or exclusions forbid by now: main and third go to others."""
    return move(store, follower, lambda _, inside: _barred(inside, name), BARRED)


def _barred(store: Store, name: str) -> list[Assignment]:
    """What somebody has still to judge and may not."""
    person = store.get(Person, name)
    held = unhandled(store, name)
    known = items(store, [one.pair_id for one in held])
    return [one for one in held if person is not None and not may_judge(person, known[one.pair_id])]


def strange_rules(store: Store, languages: Iterable[str], excluded: Iterable[str]) -> list[str]:
    """What no claim, site or outlet of the corpus is called: a slip, or something that is still to come."""
    claims = store.count_by(Claim, "language", "site", "id")
    read = {row[0] for row in claims}
    named = {name for row in claims for name in row[1:]} | {
        row[0] for row in store.count_by(Article, "outlet")
    }
    found = [f"no claim is in the language {name}" for name in languages if name not in read]
    return found + [f"no site, outlet or claim is called {name}" for name in excluded if name not in named]


def _met(store: Store) -> dict[str, set[str]]:
    """Pair → who was given it, judged it or ruled on it."""
    met: dict[str, set[str]] = {}
    for record, who in ((Assignment, "annotator"), (Annotation, "annotator"), (Decision, "adjudicator")):
        for pair, name in store.count_by(record, "pair_id", who):
            met.setdefault(pair, set()).add(name)
    return met
