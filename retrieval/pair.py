"""pair: of all that was found for a claim, the ten articles that go to annotators.

AraStance ("Documents"): the results of all queries of a claim are combined; where there are more
than ten, the ten whose TF-IDF vectors are most like the claim's are kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.ids import make_id, value_hash
from dalil.records import Annotation, Article, Assignment, CleanedClaim, Copy, Hit, Pair, Query, Superseded
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store
from retrieval.rank import fit


class PairSettings(Settings):
    """`[pair]` of corpus.toml."""

    keep: int = 10
    """articles a claim, at most"""


class Found:
    """What there is to pair: claims, hits by claim, articles by document, judged pairs."""

    def __init__(self, store: Store):
        self.claims = {claim.id: claim for claim in store.all(CleanedClaim)}
        self.copies = {copy.id: copy.of for copy in store.all(Copy)}
        self.articles = {article.id: article for article in store.all(Article)}
        self.by_document = {article.document_id: article.id for article in self.articles.values()}
        by_question: dict[str, list[Hit]] = {}
        for hit in store.all(Hit):
            by_question.setdefault(hit.question, []).append(hit)
        self.hits: dict[str, dict[str, list[str]]] = {}
        for query in store.all(Query):
            for hit in by_question.get(query.question, ()):
                article = self.by_document.get(hit.document_id)
                if article is not None:
                    kept = self.copies.get(article, article)
                    self.hits.setdefault(query.claim_id, {}).setdefault(kept, []).append(hit.id)
        judged = {item.pair_id for item in store.all(Assignment)} | {item.pair_id for item in store.all(Annotation)}
        self.judged = {pair.id: pair for pair in store.all(Pair) if pair.id in judged}

    def digest(self) -> str:
        """Hash over all that pairing depends on; an article's id holds its content's hash."""
        claims = {key: claim.text for key, claim in self.claims.items()}
        return value_hash([claims, self.hits, sorted(self.articles), self.copies, sorted(self.judged)])


class MakePairs:
    """One unit for the whole corpus, since TF-IDF is fitted on all of its articles."""

    NAME = "pair"
    VERSION = "1"
    READS = Reads(config=("pair",))
    WRITES = (Pair, Superseded)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("pair", PairSettings)

    def keys(self, store: Store) -> Iterator[Unit]:
        """The corpus."""
        found = Found(store)
        yield Unit("corpus", found, digest=found.digest())

    def work(self, inputs: Found) -> Result:
        """Pairs of every claim, and what was not kept."""
        if not inputs.articles:
            return Result(drops=tuple(Drop("no_article", key=claim) for claim in inputs.claims))
        order = sorted(inputs.articles)
        model = fit([inputs.articles[article] for article in order])
        place = {article: number for number, article in enumerate(order)}
        pairs: list[Pair] = []
        drops: list[Drop] = []
        for claim in sorted(inputs.claims):
            found = inputs.hits.get(claim, {})
            if not found:
                drops.append(Drop("no_article", key=claim))
                continue
            scores = model.similarities(inputs.claims[claim].text)
            ranked = sorted(found, key=lambda article: (-round(float(scores[place[article]]), 9), article))
            for rank, article in enumerate(ranked, 1):
                score = round(float(scores[place[article]]), 6)
                if rank > self.settings.keep:
                    drops.append(Drop("beyond_ten", f"rank {rank}, score {score}", f"{claim} {article}"))
                else:
                    pairs.append(_pair(claim, article, rank, score, found[article]))
        made = {pair.id for pair in pairs}
        gone = [Superseded(id=key, why="no longer among the kept") for key in sorted(inputs.judged) if key not in made]
        return Result(records=(*pairs, *gone), drops=tuple(drops))


def _pair(claim: str, article: str, rank: int, score: float, hits: list[str]) -> Pair:
    return Pair(
        id=make_id("pair", claim, article), claim_id=claim, article_id=article, rank=rank, score=score, hits=tuple(sorted(hits))
    )
