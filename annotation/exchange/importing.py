"""Judgements made elsewhere, brought in: checked like those of the page, appended, each once.

The file is read first. Then everything happens in one transaction, as the page's submits do: what is stored
is read inside it, so that nobody's submit can come between the reading and the numbering of revisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.answers import Answer, Unanswered, answer_of
from annotation.exchange.checking import in_order
from annotation.exchange.refusing import refused
from annotation.exchange.settling import settle
from annotation.exchange.stored import Key, Stored
from annotation.exchange.votes import DECISION, SKIP, Vote
from annotation.rounds.following import Follower
from annotation.rounds.kinds import ADJUDICATION, COUNTED, MAIN
from annotation.rounds.writing import Inside, writing
from annotation.schemes import LABEL, Scheme
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.ids import make_id
from dalil.progress import Reporter
from dalil.records import Annotation, Decision, Record, Skip, utc_now

ANNOTATOR = "annotator"


@dataclass(frozen=True)
class Imported:
    """How many judgements, skips and rulings are new, how many were there already, and who is new."""

    judgements: int
    revisions: int
    skips: int
    rulings: int
    known: int
    people: tuple[str, ...] = ()
    """names that nobody here had before"""
    by_person: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """name → round → how many of them are new"""


def bring_in(
    corpus: Corpus,
    scheme: Scheme,
    votes: Iterable[Vote],
    *,
    origin: str,
    follower: Follower,
    default_round: str = MAIN,
    called: Mapping[str, str] | None = None,
    newcomers: bool = True,
    reporter: Reporter | None = None,
) -> Imported:
    """Append what is new, all or nothing; then third ratings follow. `called`: name in the file → name here.

    Pseudonyms of the corpus's own exports become the names that they stand for again. Raises InputError,
    with the place in the file, for an unknown pair, a round or an answer that the scheme does not allow,
    for two things said of one revision, and for a name that nobody here has, where no `newcomers` may be.
    """
    made = in_order(votes, called or {})
    with writing(corpus.store) as writer:
        stored = Stored(Inside(corpus.store, writer.connection), corpus.path, made, default_round)
        found, new = _looked_at(stored, scheme, origin, made)
        if not newcomers:
            stored.refuse_strangers(made)
        writer.put(new)
    settle(corpus.store, follower, {vote.pair for vote in made}, reporter)
    return found


def preview(
    corpus: Corpus,
    scheme: Scheme,
    votes: Iterable[Vote],
    *,
    origin: str,
    default_round: str = MAIN,
    called: Mapping[str, str] | None = None,
) -> Imported:
    """What `bring_in` would append, newcomers among it. Stores nothing; raises as it does."""
    made = in_order(votes, called or {})
    with corpus.store.snapshot() as reader:
        stored = Stored(Inside(corpus.store, reader.connection), corpus.path, made, default_round)
        return _looked_at(stored, scheme, origin, made)[0]


def _looked_at(
    stored: Stored, scheme: Scheme, origin: str, votes: Sequence[Vote]
) -> tuple[Imported, list[Record]]:
    desk = _Desk(stored, scheme, origin)
    new = [record for vote in votes if (record := desk.take(vote)) is not None]
    stored.refuse_taken(new)
    by_person: dict[str, dict[str, int]] = {}
    for record in new:
        who, name = _whose(record)
        mine = by_person.setdefault(who, {})
        mine[name] = mine.get(name, 0) + 1
    strangers = tuple(stored.strangers(votes))
    return Imported(**desk.counts, people=strangers, by_person=dict(sorted(by_person.items()))), new


def _whose(record: Record) -> tuple[str, str]:
    """Person and round of something new."""
    if isinstance(record, Decision):
        return record.adjudicator, ADJUDICATION
    assert isinstance(record, (Annotation, Skip))
    return record.annotator, record.round


class _Desk:
    """Turns votes into records, each numbered after what is stored and what came before it."""

    def __init__(self, stored: Stored, scheme: Scheme, origin: str):
        self.stored = stored
        self.scheme = scheme
        self.origin = origin
        self.counts = dict.fromkeys(("judgements", "revisions", "skips", "rulings", "known"), 0)

    def take(self, vote: Vote) -> Record | None:
        """The new record; None for what is stored already."""
        key = self.stored.key(vote)
        if vote.kind == SKIP:
            return self._count("skips", self._skip(vote, key))
        if vote.kind == DECISION:
            return self._count("rulings", self._ruling(vote, key))
        revised = bool(self.stored.judgements.get(key))
        return self._count("revisions" if revised else "judgements", self._judgement(vote, key))

    def _count(self, name: str, record: Record | None) -> Record | None:
        self.counts[name if record is not None else "known"] += 1
        return record

    def _judgement(self, vote: Vote, key: Key) -> Annotation | None:
        before = self.stored.judgements.setdefault(key, [])
        if self.stored.has_judgement(vote, key, self.origin):
            return None
        if not before:
            self._may_rate(vote, key)
        self._not_judged_otherwise(vote, key)
        answer = self._answer(vote)
        number = before[-1].number + 1 if before else 1
        made = Annotation(
            id=make_id("annotation", *key, str(number)),
            pair_id=key[0],
            annotator=key[1],
            round=key[2],
            scheme=self.scheme.name,
            label=answer.label,
            confidence=answer.confidence,
            second=answer.second,
            answers=dict(answer.answers),
            note=answer.note,
            number=number,
            shown_hash=vote.shown_hash,
            guideline=vote.guideline,
            origin=self.origin,
            seconds=vote.seconds,
            at=vote.at or utc_now(),
        )
        before.append(made)
        self.stored.claim(made, vote)
        return made

    def _may_rate(self, vote: Vote, key: Key) -> None:
        """Who rules or leads is no rater of the rounds that decide, unless they are made one."""
        _, person, name = key
        role = self.stored.roles.get(person, ANNOTATOR)
        if name in COUNTED and role != ANNOTATOR:
            raise InputError(
                f"{person} is {role} here, and this is a judgement of round {name}",
                where=vote.where,
                todo="say who else it is: --name THERE=HERE; or let them annotate: "
                "dalil annotate invite --role annotator NAME CORPUS",
            )

    def _not_judged_otherwise(self, vote: Vote, key: Key) -> None:
        """Gold counts pilot, main and third: nobody may stand in two of them, now or when they judge."""
        pair, person, name = key
        for other in COUNTED if name in COUNTED else ():
            if other == name:
                continue
            if self.stored.judgements.get((pair, person, other)):
                raise InputError(
                    f"{person} judged this pair in round {other} already",
                    where=vote.where,
                    todo="nobody judges a pair twice: leave one of the two out, or call one `again`",
                )
            if other in self.stored.asked.get((pair, person), ()):
                raise InputError(
                    f"{person} is still to judge this pair in round {other}",
                    where=vote.where,
                    todo=f"nobody judges a pair twice: say that this is of round {other}, or leave it out",
                )

    def _answer(self, vote: Vote) -> Answer:
        if vote.scheme and vote.scheme != self.scheme.name:
            raise InputError(
                f"was judged by scheme {vote.scheme!r}, and this corpus has {self.scheme.name!r}",
                where=vote.where,
                todo="set scheme under [annotate] in corpus.toml, or bring the file into its own corpus",
            )
        given = {name: str(value) for name, value in vote.answers.items() if name != "sentences"}
        unknown = sorted(set(given) - {question.name for question in self.scheme.questions})
        if unknown:
            asked = [question.name for question in self.scheme.questions]
            raise InputError(
                f"{', '.join(unknown)} is no question of the scheme",
                where=vote.where,
                todo=f"its questions are: {', '.join(asked)}" if asked else "it asks for the label alone",
            )
        own = {LABEL: vote.label, "confidence": vote.confidence, "second": vote.second, "note": vote.note}
        given |= {name: str(value) for name, value in own.items() if value is not None}
        try:
            return answer_of(self.scheme, given, self._sentences(vote))
        except Unanswered as error:
            name, why = next(iter(error.problems.items()))
            raise refused(self.scheme, given, name, why, vote.where) from error

    def _sentences(self, vote: Vote) -> tuple[tuple[int, int], ...]:
        marked: tuple[tuple[int, int], ...] = vote.answers.get("sentences", ())
        if not marked:
            return ()
        if not self.scheme.sentences:
            raise InputError(
                "sentences are marked, and this scheme asks for none",
                where=vote.where,
                todo="set sentences = true under [annotate], or leave them out",
            )
        length = self.stored.text_length(vote.pair)
        if marked[-1][1] > length:
            raise InputError(
                f"sentences end at {marked[-1][1]:,}, and the article has {length:,} characters",
                where=vote.where,
            )
        return marked

    def _skip(self, vote: Vote, key: Key) -> Skip | None:
        before = self.stored.skips.setdefault(key, [])
        if self.stored.has_skip(vote, key):
            return None
        number = before[-1].number + 1 if before else 1
        made = Skip(
            id=make_id("skip", *key, str(number)),
            pair_id=key[0],
            annotator=key[1],
            round=key[2],
            reason=vote.reason or "other",
            note=vote.note,
            number=number,
            origin=self.origin,
            at=vote.at or utc_now(),
        )
        before.append(made)
        self.stored.claim(made, vote)
        return made

    def _ruling(self, vote: Vote, key: Key) -> Decision | None:
        before = self.stored.rulings.setdefault(vote.pair, [])
        if self.stored.has_ruling(vote, key[1]):
            return None
        if vote.label not in self.scheme.names:
            why = "unknown_answer" if vote.label else "choose_one"
            raise refused(self.scheme, {LABEL: vote.label or ""}, LABEL, why, vote.where)
        number = before[-1].number + 1 if before else 1
        made = Decision(
            id=make_id("decision", vote.pair, str(number)),
            pair_id=vote.pair,
            adjudicator=key[1],
            label=vote.label,
            note=vote.note,
            number=number,
            origin=self.origin,
            at=vote.at or utc_now(),
        )
        before.append(made)
        self.stored.claim(made, vote)
        return made


def file_origin(path: Path) -> str:
    """What an imported judgement says of where it comes from."""
    return f"file:{path.name}"
