"""When somebody leaves, or an item should go to somebody else: what they judged stays, the rest moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.rounds.following import Follower
from annotation.rounds.kinds import MAIN, THIRD
from annotation.rounds.people import LEFT, change
from annotation.rounds.queue import unhandled
from annotation.rounds.reading import found
from annotation.rounds.telling import Told
from annotation.rounds.writing import Inside, writing
from dalil.records import Annotation, Assignment, Skip
from dalil.state.store import Store, Writer

PASSED_ON = "given to somebody else"
AT_ONCE = 20
"""items in a transaction: about a tenth of a second"""


@dataclass(frozen=True)
class Moved:
    """What became of somebody's open items."""

    withdrawn: int
    reassigned: dict[str, int]
    """new annotator → pairs"""
    nobody: tuple[str, ...]
    """pairs that nobody else may or can judge"""


def leave(store: Store, follower: Follower, name: str) -> Moved:
    """Somebody leaves: the link ends; pairs of main and third round they have not judged go to others."""

    def open_items(writer: Writer, inside: Store) -> list[Assignment]:
        change(writer, name, left=True, invitation=None)
        return unhandled(inside, name, most=AT_ONCE)

    return move(store, follower, open_items, LEFT)


def move(
    store: Store, follower: Follower, open_items: Callable[[Writer, Store], Sequence[Assignment]], why: str
) -> Moved:
    """Take open items back and give those of main and third round to others.

    A few items a transaction, each as it stands then (`open_items` is asked within it): nobody's submit waits
    for long, and what somebody judges meanwhile is theirs. After a kill the same call goes on where it ended.
    """
    nobody: list[str] = []
    reassigned: dict[str, int] = {}
    withdrawn = 0
    while True:
        with writing(store) as writer:
            held = open_items(writer, Inside(store, writer.connection))[:AT_ONCE]
            for assignment in held:
                writer.put([assignment.model_copy(update={"withdrawn": why})])
                if assignment.round in (MAIN, THIRD):
                    given = follower.replace(writer, assignment)
                    follower.after(writer, assignment.pair_id, assignment.round)
                    if given is None:
                        nobody.append(assignment.pair_id)
                    else:
                        reassigned[given.annotator] = reassigned.get(given.annotator, 0) + 1
        withdrawn += len(held)
        if len(held) < AT_ONCE:
            return Moved(withdrawn, dict(sorted(reassigned.items())), tuple(nobody))


def pass_on(store: Store, follower: Follower, assignment_id: str) -> str | None:
    """Give one skipped or unjudged item to somebody else. Returns who, or None where nobody can.

    Raises UsageError for an item that is judged, taken back already, or of a round that gives everybody
    the same.
    """
    with writing(store) as writer:
        rows = found(writer.connection, Assignment, id=assignment_id)
        if not rows:
            raise Told("fail_no_assignment", "there is no such assignment")
        assignment = rows[0]
        if assignment.withdrawn is not None:
            raise Told("fail_given", "this item was given to somebody else already")
        if assignment.round not in (MAIN, THIRD):
            raise Told("fail_round", "only items of main and third round go to somebody else")
        judged = found(
            writer.connection, Annotation, pair_id=assignment.pair_id, annotator=assignment.annotator
        )
        if any(one.round == assignment.round for one in judged):
            raise Told("fail_judged", "this item is judged already")
        given = follower.replace(writer, assignment)
        if given is None:
            return None
        writer.put([assignment.model_copy(update={"withdrawn": PASSED_ON})])
        follower.after(writer, assignment.pair_id, assignment.round)
    return given.annotator


def skipped(store: Store) -> list[tuple[Skip, Assignment]]:
    """Skips that still wait for the lead: not judged later, not passed on."""
    live = {
        (one.pair_id, one.annotator, one.round): one for one in store.all(Assignment) if one.withdrawn is None
    }
    judged = {(one.pair_id, one.annotator, one.round) for one in store.all(Annotation)}
    out = {}
    for skip in store.all(Skip):
        key = (skip.pair_id, skip.annotator, skip.round)
        if key in live and key not in judged:
            out[key] = (skip, live[key])
    return [out[key] for key in sorted(out)]
