"""What there is to pair: claims, their hits by article, copies folded into the article they copy."""

from __future__ import annotations

from collections import defaultdict

from dalil.errors import InputError
from dalil.ids import value_hash
from dalil.records import (
    Article,
    Claim,
    CleanedClaim,
    Copy,
    Fetch,
    Hit,
    Model,
    Pair,
    Query,
)  # fmt: skip
from dalil.records.judging import IMPORTED
from dalil.state.judged import held, left_over
from dalil.state.store import Store
from dalil.text.urls import outlet
from retrieval.answers import OLDER
from retrieval.window import outside

MODELS = "pair."
"""how the ids of rankers' models begin"""
MODEL = "pair.tfidf"


class Found:
    """Read from the store once for a pairing."""

    def __init__(self, store: Store):
        self.raw = {claim.id: claim for claim in store.all(Claim)}
        given_up = left_over(store, Claim, CleanedClaim)
        self.claims = {
            claim.id: claim
            for claim in store.all(CleanedClaim)
            if claim.id in self.raw and claim.id not in given_up
        }
        self.copies = {copy.id: copy.of for copy in store.all(Copy)}
        given_up = left_over(store, Article)
        self.articles = self._articles(store, given_up)
        self.documents: dict[str, set[str]] = defaultdict(set)
        """kept article → ids of all documents that have it"""
        self.outlets: dict[str, set[str]] = defaultdict(set)
        """kept article → outlets that it or a copy of it stood in: their domains, and their names"""
        texts: dict[str, set[str]] = defaultdict(set)
        for article in self.articles.values():
            if article.id in given_up:
                continue
            kept = self.copies.get(article.id, article.id)
            self.documents[kept].add(article.document_id)
            self.outlets[kept] |= _outlets(article)
            if kept in self.articles:
                texts[article.document_id].add(kept)
        self.by_document: dict[str, str] = {}
        """document → the article that stands for it"""
        self.other_texts: dict[tuple[str, str], str] = {}
        """(document, article) that does not → why not"""
        self._choose(store, texts)
        self.places: dict[str, tuple[str, int]] = {}
        """hit → the answer it stands in (engine and question) and its rank there"""
        self.windows: dict[str, tuple[str | None, str | None]] = {}
        """hit → the window that its query asked for"""
        self.searched: set[str] = set()
        """claims that were asked about at all"""
        self.hits = self._hits(store)
        self.judged = self._judged(store)
        self.models = {model.id: model for model in store.all(Model) if model.id.startswith(MODELS)}
        """what rankers fitted before"""

    def _articles(self, store: Store, given_up: set[str]) -> dict[str, Article]:
        """What there is now, and of what is only kept because it was judged, what that is a copy of."""
        articles = {article.id: article for article in store.all(Article)}
        wanted = {self.copies.get(key, key) for key in articles if key not in given_up}
        return {key: article for key, article in articles.items() if key not in given_up or key in wanted}

    def _choose(self, store: Store, texts: dict[str, set[str]]) -> None:
        """One text a document: that of the latest fetch, else the longest, else the first by id.

        A document has several where a collection or an import brings others than the page's own, or
        a collection holds an address twice. Those that say the same are copies, and one already.
        """
        several = {document: sorted(kept) for document, kept in texts.items() if len(kept) > 1}
        wanted = {self.articles[key].fetch_id for kept in several.values() for key in kept} - {None}
        seen = {fetch.id: fetch.fetched_at or "" for fetch in store.all(Fetch, id=sorted(map(str, wanted)))}
        for document, kept in texts.items():
            places = {key: (seen.get(self.articles[key].fetch_id or "", ""), len(self.articles[key].text))
                      for key in kept}  # fmt: skip
            best = max(places.values())
            self.by_document[document] = chosen = min(key for key in kept if places[key] == best)
            for key in kept - {chosen}:
                reason = "was fetched later" if places[key][0] < best[0] else "is longer"
                told = reason if places[key] != best else "comes first by id"
                self.other_texts[document, key] = f"its document has another text that {told}: {chosen}"

    def digest(self) -> str:
        """Hash over all that pairing depends on (an article's id holds its content's hash).

        Not over what was judged: a judgement alone moves no pair.
        """
        claims = {key: [claim.text, self._leads(key)] for key, claim in self.claims.items()}
        articles = {key: [item.outlet, item.published] for key, item in self.articles.items()}
        others = sorted(map(list, self.other_texts))
        return value_hash([claims, self.hits, articles, self.copies, sorted(self.searched), others])

    def orders(self, claim: str) -> tuple[tuple[str, ...], ...]:
        """The articles of each answer that found any for a claim, best first."""
        answers: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for article, hits in self.hits.get(claim, {}).items():
            for hit in hits:
                answer, rank = self.places[hit]
                answers[answer].append((rank, article))
        return tuple(
            tuple(dict.fromkeys(article for _, article in sorted(answers[name]))) for name in sorted(answers)
        )

    def outside_window(self, claim: str, article: str) -> bool:
        """Whether an article's date lies outside the window of every query that found it for a claim."""
        published = self.articles[article].published
        return all(outside(published, *self.windows[hit]) for hit in self.hits[claim][article])

    def _leads(self, claim: str) -> list[object]:
        """What leakage marks depend on."""
        raw = self.raw[claim]
        return [raw.url, list(raw.own_pages), raw.review_date]

    def _hits(self, store: Store) -> dict[str, dict[str, list[str]]]:
        """Claim → article → ids of hits, one document once."""
        by_question: dict[str, list[Hit]] = defaultdict(list)
        for hit in store.all(Hit):
            if OLDER not in hit.marks:
                by_question[hit.question].append(hit)
        found: dict[str, dict[str, list[str]]] = {}
        for query in store.all(Query):
            self.searched.add(query.claim_id)
            for hit in by_question.get(query.question, ()):
                article = self.by_document.get(hit.document_id)
                if article is not None and article in self.articles:
                    found.setdefault(query.claim_id, {}).setdefault(article, []).append(hit.id)
                    self.places[hit.id] = (f"{hit.engine} {hit.question}", hit.rank)
                    self.windows[hit.id] = (query.start, query.end)
        return {
            claim: {key: sorted(set(hits)) for key, hits in articles.items()}
            for claim, articles in found.items()
        }

    def _judged(self, store: Store) -> set[str]:
        """Judged pairs that a pairing made. Imported ones never were its own, so it gives none of them up."""
        judged = held(store)
        return {pair.id for pair in store.all(Pair) if pair.id in judged and pair.ranker != IMPORTED}


def _outlets(article: Article) -> set[str]:
    """What an outlet is called: as its collection has it, which may be a name, and by its domain."""
    found = {article.outlet} if article.outlet is not None else set()
    if article.url is None:
        return found
    try:
        return found | {outlet(article.url)}
    except InputError:
        return found
