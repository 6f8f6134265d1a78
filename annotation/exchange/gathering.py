"""What a corpus has to give to other tools: one state of it, whatever is submitted meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import TypeVar

from annotation.exchange.votes import DECISION, SKIP, Export, Task, Vote
from annotation.rounds.kinds import ADJUDICATION
from annotation.rounds.writing import Inside
from annotation.schemes import Scheme
from dalil.corpus import Corpus
from dalil.records import Annotation, Article, Claim, CleanedClaim, Decision, Pair, Record, Skip
from dalil.state.store import Store

R = TypeVar("R", bound=Record)
UNKNOWN = "und"
"""language of a claim that is gone"""


def gathered(
    corpus: Corpus, scheme: Scheme, name: Callable[[str], str], *, notes: bool, plain: bool = False
) -> Export:
    """All judgements, skips and rulings, under the names that `name` gives.

    Notes and freely written answers only where asked for: they may name people.
    """
    with corpus.store.snapshot() as reader:
        store = Inside(corpus.store, reader.connection)
        votes = _votes(store, scheme, name, notes=notes)
        return Export(scheme, _tasks(store, {vote.pair for vote in votes}), votes, plain)


def _votes(store: Store, scheme: Scheme, name: Callable[[str], str], *, notes: bool) -> list[Vote]:
    closed = {question.name for question in scheme.questions if question.kind != "text"}

    def public(vote: Vote) -> Vote:
        answers = {k: v for k, v in vote.answers.items() if k in closed or not isinstance(v, str)}
        return replace(vote, answers=answers, note=None)

    votes = [
        replace(vote, annotator=name(vote.annotator))
        for vote in votes_of(store.all(Annotation), store.all(Skip), store.all(Decision))
    ]
    votes = votes if notes else [public(vote) for vote in votes]
    votes.sort(key=lambda vote: (vote.pair, vote.kind, vote.round, vote.annotator, vote.number or 1))
    return votes


def votes_of(
    judgements: Iterable[Annotation], skips: Iterable[Skip], rulings: Iterable[Decision]
) -> list[Vote]:
    """Everything that these records say."""
    votes = [
        Vote(
            pair=one.pair_id,
            annotator=one.annotator,
            round=one.round,
            label=one.label,
            confidence=one.confidence,
            second=one.second,
            answers=one.answers,
            note=one.note,
            number=one.number,
            seconds=one.seconds,
            at=one.at,
            guideline=one.guideline,
            shown_hash=one.shown_hash,
            scheme=one.scheme,
        )
        for one in judgements
    ]
    votes += [
        Vote(
            pair=skip.pair_id,
            annotator=skip.annotator,
            round=skip.round,
            reason=skip.reason,
            note=skip.note,
            number=skip.number,
            kind=SKIP,
            at=skip.at,
        )
        for skip in skips
    ]
    votes += [
        Vote(
            pair=ruling.pair_id,
            annotator=ruling.adjudicator,
            round=ADJUDICATION,
            label=ruling.label,
            note=ruling.note,
            number=ruling.number,
            kind=DECISION,
            at=ruling.at,
        )
        for ruling in rulings
    ]
    return votes


def _tasks(store: Store, judged: Collection[str]) -> dict[str, Task]:
    """Every pair with its texts. One whose claim or article is gone is there without, where it was judged."""
    pairs = list(store.all(Pair))
    claims = _of(store, Claim, {pair.claim_id for pair in pairs})
    cleaned = _of(store, CleanedClaim, set(claims))
    articles = _of(store, Article, {pair.article_id for pair in pairs})
    out = {}
    for pair in pairs:
        claim, article = claims.get(pair.claim_id), articles.get(pair.article_id)
        if (claim is None or article is None) and pair.id not in judged:
            continue
        text = cleaned[claim.id].text if claim and claim.id in cleaned else claim.raw if claim else ""
        out[pair.id] = Task(
            pair=pair.id,
            claim_id=pair.claim_id,
            claim=text,
            title=article.title if article else None,
            text=article.text if article else "",
            url=article.url if article else None,
            outlet=article.outlet if article else None,
            published=article.published if article else None,
            language=claim.language if claim else UNKNOWN,
        )
    return out


def _of(store: Store, record: type[R], wanted: Collection[str]) -> dict[str, R]:
    return {found.id: found for found in store.all(record) if found.id in wanted}
