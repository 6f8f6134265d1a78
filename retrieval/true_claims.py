"""true_claims: headlines of a news site, or of a local collection, as true claims beside the false ones.

    [true_claims]
    seeds = 100                 # so many of the false claims; without it, all of them
    collection = "reuters"      # a folder made by `dalil index`; without it, the headlines of [sites]

A true claim is in one cluster with its seed, and its own page is recorded (leakage mark `own_site`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.ids import make_id, value_hash
from dalil.records import Claim, Headline, Record
from dalil.resources import data
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store
from dalil.text.urls import canonical_url
from dalil.text.wire import strip_dateline, strip_wire
from retrieval.clean.engine import clean
from retrieval.clean.rules import load_rules
from retrieval.clean.stage import RULES
from retrieval.true_claims_choose import Candidate, Chosen, Limits, Seed, choose, window

SEARCHED = 100
"""documents of a collection that are ranked for a seed"""


class TrueClaimsSettings(Settings):
    """`[true_claims]`."""

    collection: str | None = None
    """a collection in the place of a news site, relative to the corpus"""
    seeds: int | None = Field(default=None, ge=0)
    """how many of the false claims are seeds (always the same ones); without it, all"""
    months: int = Field(default=3, ge=1, le=120)
    """how far from its seed a true claim may be, before and after"""
    per_seed: int = Field(default=10, ge=1)
    """true claims a seed, at most"""
    least: float = Field(default=0.1, ge=0.0, le=1.0)
    """TF-IDF similarity to the seed below which a headline is on another topic"""
    most: float = Field(default=0.9, ge=0.0, le=1.0)
    """similarity above which it is the seed again"""
    same_domain: bool = True
    """where both domains are known they must be the same"""


@dataclass(frozen=True)
class _Inputs:
    claims: tuple[Claim, ...]
    headlines: tuple[Headline, ...]


class TrueClaims:
    """False claims and headlines → true claims. One unit: a headline goes to one seed of all."""

    NAME: ClassVar[str] = "true_claims"
    VERSION: ClassVar[str] = "1"
    READS: ClassVar[Reads] = Reads(config=("true_claims",), data=(RULES,))
    WRITES: ClassVar[tuple[type[Record], ...]] = (Claim,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.settings = corpus.section("true_claims", TrueClaimsSettings)

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit, where there is anything to choose from."""
        headlines = tuple(sorted(store.all(Headline), key=lambda one: one.id))
        if not headlines and self.settings.collection is None:
            return
        claims = tuple(
            sorted((one for one in store.all(Claim) if "seed" not in one.found), key=lambda one: one.id)
        )
        seen = [[one.id, one.title, one.published, one.domain, one.text] for one in headlines]
        asked = [
            [one.id, one.raw, one.title, one.veracity, _day(one), one.domain, one.cluster] for one in claims
        ]
        yield Unit("corpus", _Inputs(claims, headlines), value_hash([asked, seen, self._built()]))

    def work(self, inputs: _Inputs) -> Result:
        """The true claims of all seeds; a Drop for each seed that has none."""
        seeds, drops = self._seeds(inputs.claims)
        sources = {one.id: one for one in inputs.headlines}
        possible: dict[str, frozenset[str]] | None = None
        if self.settings.collection is not None:
            found, possible = self._searched(seeds)
            sources.update(found)
            for seed in seeds:
                possible[seed.id] |= frozenset(one.id for one in inputs.headlines)
        candidates = [
            Candidate(one.id, one.title, one.published, one.domain)
            for one in sources.values()
            if len(one.published) == 10
        ]
        limits = Limits(
            self.settings.months,
            self.settings.per_seed,
            self.settings.least,
            self.settings.most,
            self.settings.same_domain,
        )
        taken = [text for one in inputs.claims for text in (one.raw, one.title) if text]
        choice = choose(seeds, candidates, limits, taken=taken, possible=possible)
        by_id = {one.id: one for one in inputs.claims}
        claims = tuple(_true(sources[one.candidate], by_id[one.seed], one) for one in choice.chosen)
        drops += [Drop(f"no_true_claim:{why}", key=seed) for seed, why in sorted(choice.without.items())]
        return Result(records=claims, drops=tuple(drops))

    def _seeds(self, claims: tuple[Claim, ...]) -> tuple[list[Seed], list[Drop]]:
        """The seeds among false claims, by their cleaned text; which ones is decided by their ids alone."""
        rules = load_rules(data(*RULES.split("/")))
        false = sorted(
            (one for one in claims if one.veracity == "false"), key=lambda one: value_hash(["seed", one.id])
        )
        seeds: list[Seed] = []
        drops: list[Drop] = []
        for claim in false:
            if self.settings.seeds is not None and len(seeds) >= self.settings.seeds:
                break
            day = _day(claim)
            if day is None:
                drops.append(Drop("no_seed:no_date", key=claim.id))
                continue
            made = clean(claim, rules)
            if isinstance(made, Drop):
                drops.append(Drop(f"no_seed:{made.reason}", key=claim.id))
                continue
            seeds.append(Seed(claim.id, made.text, day, claim.domain))
        return seeds, drops

    def _searched(self, seeds: list[Seed]) -> tuple[dict[str, Headline], dict[str, frozenset[str]]]:
        """Documents of the collection within the window of each seed, best first, as headlines."""
        from dalil.collection import Collection

        assert self.settings.collection is not None
        collection = Collection.open(self.corpus.path / self.settings.collection)
        sources: dict[str, Headline] = {}
        possible: dict[str, frozenset[str]] = {}
        for seed in seeds:
            start, end = window(seed.day, self.settings.months)
            results = collection.search(seed.text, start=start, end=end, match="any", limit=SEARCHED)
            ids = set()
            for each in results.found:
                made = _headline(collection.name, each.document)
                if made is not None:
                    sources[made.id] = made
                    ids.add(made.id)
            possible[seed.id] = frozenset(ids)
        return sources, possible

    def _built(self) -> Any:
        """What tells one state of the collection from another."""
        if self.settings.collection is None:
            return None
        from dalil.collection.manifest import Manifest

        manifest = Manifest.read(self.corpus.path / self.settings.collection)
        return [
            manifest.name,
            manifest.documents,
            [file.model_dump(mode="json") for file in manifest.files],
        ]


def _headline(name: str, document: Any) -> Headline | None:
    """A document of a collection as a headline; None where it has no title or no whole date."""
    title = strip_dateline(document.title or "").strip()
    if not title or not document.published or len(document.published) != 10:
        return None
    address = f"collection:{name}/{document.id}"
    try:
        url = canonical_url(document.url) if document.url else address
    except InputError:
        url = address
    return Headline(
        id=make_id("headline", name, url),
        site=document.outlet or name,
        document_id=make_id("document", url),
        url=url,
        title=title,
        text=strip_wire(document.body),
        published=document.published,
        published_from=document.published_from or "collection",
        language=document.language or "ar",
        origin=address,
    )


def _true(source: Headline, seed: Claim, chosen: Chosen) -> Claim:
    """A headline as a true claim of its seed."""
    domain, domain_from = (
        (source.domain, "site category") if source.domain else (seed.domain, "rule" if seed.domain else None)
    )
    on_web = source.url.startswith("http")
    return Claim(
        id=make_id("claim", source.site, source.url),
        site=source.site,
        url=source.url if on_web else None,
        raw=source.title,
        title=source.title,
        body=source.text or None,
        veracity="true",
        claim_date=source.published,
        claim_date_from=source.published_from,
        domain=domain,
        domain_from=domain_from,
        cluster=seed.cluster or seed.id,
        language=source.language,
        own_pages=(source.url,) if on_web else (),
        archived_url=source.archived_url,
        snapshot_at=source.snapshot_at,
        found={
            "raw": "headline",
            "veracity": "news site",
            "seed": seed.id,
            "similarity": round(chosen.similarity, 6),
            "rank": chosen.rank,
        },
        fetch_id=source.fetch_id,
        origin=source.origin,
    )


def _day(claim: Claim) -> str | None:
    """The day of a claim: its own, else that of the review; None where no whole day is known."""
    return next((day for day in (claim.claim_date, claim.review_date) if day and len(day) == 10), None)
