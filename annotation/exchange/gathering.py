"""What a corpus has to give to other tools: one state of it, whatever is submitted meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.exchange.votes import DECISION, SKIP, Export, Task, Vote
from annotation.rounds.kinds import ADJUDICATION
from annotation.rounds.writing import Inside
from annotation.schemes import Scheme
from dalil.corpus import Corpus
from dalil.records import Annotation, Article, Claim, CleanedClaim, Decision, Pair, Skip
from dalil.state.store import Store


def gathered(
    corpus: Corpus, scheme: Scheme, name: Callable[[str], str], *, notes: bool, plain: bool = False
) -> Export:
    """All judgements, skips and rulings, under the names that `name` gives.

    Notes and freely written answers only where asked for: they may name people.
    """
    with corpus.store.snapshot() as reader:
        store = Inside(corpus.store, reader.connection)
        return Export(scheme, _tasks(store), _votes(store, scheme, name, notes=notes), plain)


def _votes(store: Store, scheme: Scheme, name: Callable[[str], str], *, notes: bool) -> list[Vote]:
    closed = {question.name for question in scheme.questions if question.kind != "text"}

    def kept(answers: Mapping[str, Any]) -> Mapping[str, Any]:
        if notes:
            return answers
        return {key: value for key, value in answers.items() if key in closed or not isinstance(value, str)}

    votes = [
        Vote(
            pair=one.pair_id,
            annotator=name(one.annotator),
            round=one.round,
            label=one.label,
            confidence=one.confidence,
            second=one.second,
            answers=kept(one.answers),
            note=one.note if notes else None,
            number=one.number,
            seconds=one.seconds,
            at=one.at,
            guideline=one.guideline,
            shown_hash=one.shown_hash,
            scheme=one.scheme,
        )
        for one in store.all(Annotation)
    ]
    votes += [
        Vote(
            pair=skip.pair_id,
            annotator=name(skip.annotator),
            round=skip.round,
            reason=skip.reason,
            note=skip.note if notes else None,
            number=skip.number,
            kind=SKIP,
            at=skip.at,
        )
        for skip in store.all(Skip)
    ]
    votes += [
        Vote(
            pair=ruling.pair_id,
            annotator=name(ruling.adjudicator),
            round=ADJUDICATION,
            label=ruling.label,
            note=ruling.note if notes else None,
            number=ruling.number,
            kind=DECISION,
            at=ruling.at,
        )
        for ruling in store.all(Decision)
    ]
    votes.sort(key=lambda vote: (vote.pair, vote.kind, vote.round, vote.annotator, vote.number or 1))
    return votes


def _tasks(store: Store) -> dict[str, Task]:
    claims = {claim.id: claim for claim in store.all(Claim)}
    cleaned = {made.id: made.text for made in store.all(CleanedClaim)}
    pairs = list(store.all(Pair))
    wanted = {pair.article_id for pair in pairs}
    articles = {article.id: article for article in store.all(Article) if article.id in wanted}
    out = {}
    for pair in pairs:
        claim, article = claims.get(pair.claim_id), articles.get(pair.article_id)
        if claim is None or article is None:
            continue
        out[pair.id] = Task(
            pair=pair.id,
            claim_id=claim.id,
            claim=cleaned.get(claim.id, claim.raw),
            title=article.title,
            text=article.text,
            url=article.url,
            outlet=article.outlet,
            published=article.published,
            language=claim.language,
        )
    return out
