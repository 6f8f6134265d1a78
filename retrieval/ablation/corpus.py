"""The material of a corpus: queries, stored answers, hits, gold.

A document is the article that it became, copies folded into the one they copy; what was never fetched is
its address. A label counts for the document, whichever of its copies was judged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from dalil.corpus import Corpus
from dalil.errors import StateError, UsageError
from dalil.records import Article, Claim, CleanedClaim, Copy, Dropped, Gold, Hit, Pair, Query, SearchPage
from dalil.state.judged import left_over
from dalil.state.store import Store
from dalil.wording import counted as with_noun
from retrieval.ablation.material import RELATED, Brought, ClaimFacts, Material
from retrieval.answers import OLDER, counted, said, set_aside
from retrieval.leakage import LeakagePolicy
from retrieval.queries import DIAGNOSTICS, PAPER
from retrieval.search import SearchSettings

ORDER = (*PAPER, *DIAGNOSTICS)
_NO_QUERY = "no_query:"


def from_corpus(corpus: Corpus, named: frozenset[str] | None = None) -> Material:
    """Everything the ablation needs. Raises StateError without hits or gold, UsageError for odd labels.

    `named`: the labels that say that a document is related; None: those of AraStance, and no other label
    may be there.
    """
    store = corpus.store
    folded = _Folded(store)
    labels, marked, notes = _labels(store, folded)
    if not labels:
        raise StateError(
            "no pair of this corpus has a final label", where=store.path, todo="dalil gold, or import labels"
        )
    related = RELATED if named is None else named
    unknown = sorted(set(labels.values()) - RELATED - {"unrelated"})
    if named is None and unknown:
        raise UsageError(
            f"which labels say that a document is related? There is {unknown[0]!r}",
            todo="name them: --related",
        )
    strange = sorted(related - RELATED - set(labels.values()))
    if strange or not related:
        known = ", ".join(sorted(set(labels.values())))
        what = f"no document has the label {strange[0]!r}" if strange else "no label is named"
        raise UsageError(what, where="--related", todo=f"the labels are {known}")
    queries = list(store.all(Query))
    answers = list(counted(store))
    if not queries or not answers:
        raise StateError("nothing was searched for yet", where=store.path, todo="dalil search")
    absent = _absent(store)
    configured = corpus.section("search", SearchSettings).variants
    used = {name for query in queries for name in query.variants} | set(absent) | set(configured)
    given_up = left_over(store, Claim, CleanedClaim)
    claims = _claims(store, given_up)
    if given_up:
        notes.append(f"{with_noun(len(given_up), 'judged claim')} left out: not searched for any more")
        labels = {place: label for place, label in labels.items() if place[0] not in given_up}
    uncleaned = store.count(Claim) - len(claims) - len(given_up)
    if uncleaned:
        notes.append(
            f"{uncleaned} of {with_noun(store.count(Claim), 'claim')} without a cleaned text left out"
        )
    unsearched = claims.keys() - {query.claim_id for query in queries}
    if unsearched:
        notes.append(f"{with_noun(len(unsearched), 'claim')} without any query (waiting for an edit)")
    older = set_aside(store)
    if older:
        notes.append(said(older))
    return Material(
        claims=claims,
        variants=tuple(name for name in ORDER if name in used),
        engines=tuple(sorted({page.engine for page, _ in answers})),
        brought=tuple(_brought(store, queries, answers, folded)),
        labels=labels,
        related=related,
        marked=marked,
        absent=absent,
        notes=tuple(notes),
    )


class _Folded:
    """Document → what stands for it."""

    def __init__(self, store: Store):
        copies = {copy.id: copy.of for copy in store.all(Copy)}
        self.by_document: dict[str, str] = {}
        self.by_article: dict[str, str] = {}
        articles = {article.id: article.document_id for article in store.all(Article)}
        for key, document in articles.items():
            self.by_document[document] = self.by_document.get(document, copies.get(key, key))
        for key, document in articles.items():
            self.by_article[key] = self.by_document[document]

    def document(self, key: str) -> str:
        """The article of a document, or the document itself."""
        return self.by_document.get(key, key)


def _labels(
    store: Store, folded: _Folded
) -> tuple[dict[tuple[str, str], str], frozenset[tuple[str, str]], list[str]]:
    """Label of each (claim, document): the most frequent one of its pairs, of equals the first by name."""
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    marked = set()
    gold = {item.id: item.label for item in store.all(Gold)}
    for pair in store.all(Pair):
        place = (pair.claim_id, folded.by_article.get(pair.article_id, pair.article_id))
        if set(pair.marks) & set(LeakagePolicy.model_fields):
            marked.add(place)
        if pair.id in gold:
            votes[place][gold[pair.id]] += 1
    labels = {place: min(found, key=lambda name: (-found[name], name)) for place, found in votes.items()}
    split = sum(len(found) > 1 for found in votes.values())
    notes = (
        [
            f"of {with_noun(split, 'judged document')} the copies have different labels: the most frequent "
            "counts"
        ]
        if split
        else []
    )
    return labels, frozenset(marked), notes


def _claims(store: Store, without: set[str]) -> dict[str, ClaimFacts]:
    veracity = {claim.id: claim.veracity for claim in store.all(Claim)}
    return {
        claim.id: ClaimFacts(len(re.findall(r"\w+", claim.text)), veracity[claim.id])
        for claim in store.all(CleanedClaim)
        if claim.id in veracity and claim.id not in without
    }


def _absent(store: Store) -> dict[str, dict[str, frozenset[str]]]:
    """Variant → reason → claims, from the drops of the query stage."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for drop in store.all(Dropped, stage="query"):
        if drop.reason.startswith(_NO_QUERY) and drop.detail:
            claim = drop.key.removesuffix(f" {drop.detail}")
            found[drop.detail][drop.reason.removeprefix(_NO_QUERY)].add(claim)
    return {
        variant: {reason: frozenset(keys) for reason, keys in sorted(reasons.items())}
        for variant, reasons in sorted(found.items())
    }


def _brought(
    store: Store,
    queries: list[Query],
    counting: Iterable[tuple[SearchPage, tuple[str, ...]]],
    folded: _Folded,
) -> list[Brought]:
    answers: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    number = {}
    for page, questions in counting:
        for question in questions:
            answers[question, page.engine][page.id] = page.cost
        number[page.id] = page.page
    hits: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
    for hit in store.all(Hit):
        if OLDER in hit.marks:
            continue
        place = (number.get(hit.page_id, 0), hit.rank, folded.document(hit.document_id))
        hits[hit.question, hit.engine].append(place)
    asked_on = defaultdict(list)
    for question, engine in answers:
        asked_on[question].append(engine)
    made: dict[tuple[str, str, str], Brought] = {}
    for query in queries:
        for engine in sorted(asked_on[query.question]):
            found = sorted(hits[query.question, engine])
            documents = tuple(dict.fromkeys(key for _, _, key in found))
            requests = dict(answers[query.question, engine])
            for variant in query.variants:
                one = Brought(query.claim_id, variant, engine, documents, len(found), requests)
                cell = (query.claim_id, variant, engine)
                made[cell] = _both(made[cell], one) if cell in made else one
    return list(made.values())


def _both(one: Brought, other: Brought) -> Brought:
    """A claim asked twice as one variant (as imported, and as cleaned): one answer after the other."""
    return replace(
        one,
        documents=tuple(dict.fromkeys((*one.documents, *other.documents))),
        hits=one.hits + other.hits,
        requests={**one.requests, **other.requests},
    )
