"""Judgements, skips and rulings: append-only, each exactly once, whatever is clicked twice or killed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from annotation.answers import Answer
from annotation.rounds.following import Follower
from annotation.rounds.kinds import COUNTED
from annotation.rounds.paid import spent
from annotation.rounds.reading import found
from annotation.rounds.settings import AnnotateSettings
from annotation.rounds.writing import Inside, writing
from annotation.schemes import Scheme
from dalil.errors import UsageError
from dalil.ids import make_id
from dalil.records import Annotation, Assignment, Decision, Record, Round, Skip, fit_text, utc_now
from dalil.state.store import Store, Writer

Outcome = Literal["stored", "same", "changed_elsewhere", "item_changed", "closed"]
"""`same`: this very answer is stored already (a form sent twice). `changed_elsewhere`: another answer was
stored since the form was made. `item_changed`: the item is not what the form showed."""

SKIP_REASONS = ("text_broken", "wrong_language", "upsetting", "cannot_decide", "know_people", "other")


@dataclass(frozen=True)
class Shown:
    """What an answer refers to."""

    based_on: int
    """number of the revision that the form showed; 0 for none"""
    shown_hash: str
    guideline: str
    seconds: float = 0.0


class Judging:
    """Stores what people decide."""

    def __init__(self, store: Store, own: AnnotateSettings, scheme: Scheme):
        self.store = store
        self.own = own
        self.scheme = scheme
        self.follower = Follower(store, own, scheme)

    def judge(
        self,
        assignment: Assignment,
        answer: Answer,
        shown: Shown,
        still: Callable[[Store], bool] | None = None,
    ) -> Outcome:
        """Store a judgement or its revision, where the item is `still` (as the transaction sees it) the one
        that was shown. From then on its texts do not move.
        """
        where = _where(assignment)
        with writing(self.store) as writer:
            live = found(writer.connection, Assignment, id=assignment.id)
            known = found(writer.connection, Annotation, **where)
            last = max(known, key=lambda one: one.number, default=None)
            if not live or _closed(writer, assignment.round) or (live[0].withdrawn and last is None):
                return "closed"
            if last is not None and _same(last, answer) and shown.based_on < last.number:
                return "same"
            if (last.number if last else 0) != shown.based_on:
                return "changed_elsewhere"
            if still is not None and not still(Inside(self.store, writer.connection)):
                return "item_changed"
            number = shown.based_on + 1
            parts = (assignment.pair_id, assignment.annotator, assignment.round, str(number))
            made = Annotation(
                id=make_id("annotation", *parts),
                **where,
                scheme=self.scheme.name,
                label=answer.label,
                confidence=answer.confidence,
                second=answer.second,
                answers=dict(answer.answers),
                note=answer.note,
                number=number,
                shown_hash=shown.shown_hash,
                guideline=shown.guideline,
                origin="page",
                seconds=self._paid(shown.seconds),
                at=utc_now(),
            )
            self._append(writer, made, assignment.annotator, "item", assignment.round, shown.seconds)
            self.follower.after(writer, assignment.pair_id, assignment.round)
        return "stored"

    def skip(
        self, assignment: Assignment, reason: str, note: str | None = None, seconds: float = 0.0
    ) -> Outcome:
        """Store that somebody cannot judge a pair. A judgement given later stands beside it."""
        if reason not in SKIP_REASONS:
            raise UsageError(f"no reason {reason!r}", todo=f"one of {', '.join(SKIP_REASONS)}")
        where = _where(assignment)
        with writing(self.store) as writer:
            live = found(writer.connection, Assignment, id=assignment.id)
            if not live or live[0].withdrawn or _closed(writer, assignment.round):
                return "closed"
            if found(writer.connection, Annotation, **where):
                return "changed_elsewhere"
            known = found(writer.connection, Skip, **where)
            cleaned = fit_text(note.strip())[:5_000] if note and note.strip() else None
            if any((one.reason, one.note) == (reason, cleaned) for one in known):
                return "same"
            number = len(known) + 1
            parts = (assignment.pair_id, assignment.annotator, assignment.round, str(number))
            made = Skip(
                id=make_id("skip", *parts),
                **where,
                reason=reason,
                note=cleaned,
                number=number,
                at=utc_now(),
            )
            self._append(writer, made, assignment.annotator, "skip", assignment.round, seconds)
            self.follower.after(writer, assignment.pair_id, assignment.round)
        return "stored"

    def rule(
        self, pair: str, adjudicator: str, label: str, note: str | None, based_on: int, seconds: float = 0.0
    ) -> Outcome:
        """Store an adjudicator's ruling or its revision.

        Raises UsageError for a label that is none, and for an adjudicator who judged the pair.
        """
        if label not in self.scheme.names:
            raise UsageError(f"{label!r} is no label", todo=f"one of {', '.join(self.scheme.names)}")
        cleaned = fit_text(note.strip())[:5_000] if note and note.strip() else None
        with writing(self.store) as writer:
            judged = found(writer.connection, Annotation, pair_id=pair, annotator=adjudicator)
            if any(one.round in COUNTED for one in judged):
                raise UsageError(f"{adjudicator!r} judged this pair, and nobody rules on what they judged")
            known = found(writer.connection, Decision, pair_id=pair)
            last = max(known, key=lambda one: one.number, default=None)
            if last and (last.label, last.note, last.adjudicator) == (label, cleaned, adjudicator):
                return "same"
            if (last.number if last else 0) != based_on:
                return "changed_elsewhere"
            number = based_on + 1
            made = Decision(
                id=make_id("decision", pair, str(number)),
                pair_id=pair,
                adjudicator=adjudicator,
                label=label,
                note=cleaned,
                number=number,
                at=utc_now(),
            )
            self._append(writer, made, adjudicator, "ruling", "adjudication", seconds)
        return "stored"

    def _append(
        self, writer: Writer, made: Record, person: str, what: str, name: str, seconds: float
    ) -> None:
        """Write a decision with its paid time; the id of the time follows from the decision's."""
        writer.put_new([made, spent(made.id, person, what, self._paid(seconds), name)])

    def _paid(self, seconds: float) -> float:
        """Seconds that count as work: never more than `idle_seconds`, whoever says so; nonsense is none."""
        return round(min(seconds, self.own.idle_seconds), 1) if seconds > 0 else 0.0


def _where(assignment: Assignment) -> dict[str, Any]:
    return {
        "pair_id": assignment.pair_id,
        "annotator": assignment.annotator,
        "round": assignment.round,
    }


def _closed(writer: Writer, name: str) -> bool:
    return any(one.closed for one in found(writer.connection, Round, id=name))


def _same(known: Annotation, answer: Answer) -> bool:
    return (known.label, known.confidence, known.second, known.note) == (
        answer.label,
        answer.confidence,
        answer.second,
        answer.note,
    ) and dict(known.answers) == dict(answer.answers)
