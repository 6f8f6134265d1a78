"""What a release is made of: the rows that go out, and those that do not, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotation.dataset.rows import Row, text_hash
from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.ids import make_id
from dalil.records import Article, Claim, CleanedClaim, Dropped, Fetch, Gold, Kept, Pair
from dalil.state.store import Store
from dalil.wording import counted

STAGE, GOLD = "release", "gold"
ARCHIVE = "https://web.archive.org/web"
ALL_UNRELATED = "all_unrelated"
GONE = "claim_or_article_gone"
UNRELATED = "unrelated"
USUAL_LABELS = ("agree", "disagree", "discuss", "unrelated")


@dataclass(frozen=True)
class Released:
    """One pair that goes out, with the records that it comes from."""

    pair: Pair
    claim: Claim
    text: str
    """the claim as it was searched for and judged"""
    cleaned: CleanedClaim | None
    article: Article
    gold: Gold
    fetch: Fetch | None
    since_judged: Mapping[str, str] = field(default_factory=dict)
    """claim, article → changed or gone: what became of a text that is released as it was judged"""

    @cached_property
    def article_hash(self) -> str:
        """Hash of the article's text."""
        return text_hash(self.article.text)

    @property
    def url(self) -> str | None:
        """Where the article is on the web; None where it came from a collection without addresses."""
        address = self.article.url
        return address if address and address.startswith(("http://", "https://")) else None

    @property
    def archive_url(self) -> str | None:
        """The Wayback Machine's capture nearest to the day that the page was fetched (or published)."""
        when = (self.fetch.snapshot_at or self.fetch.fetched_at) if self.fetch else self.article.published
        digits = "".join(filter(str.isdigit, when or ""))[:14]
        return f"{ARCHIVE}/{digits or '2'}/{self.url}" if self.url else None

    def row(self, split: str | None = None) -> Row:
        """The pair as a row of a data set."""
        return Row(
            id=self.pair.id,
            claim_id=self.claim.id,
            claim=self.text,
            label=self.gold.label,
            article_hash=self.article_hash,
            article=self.article.text,
            title=self.article.title,
            url=self.url,
            claim_url=self.claim.url,
            veracity=self.claim.veracity,
            site=self.claim.site,
            country=self.claim.country,
            domain=self.claim.domain,
            cluster=self.claim.cluster,
            date=self.claim.claim_date or self.claim.review_date,
            language=self.claim.language,
            split=split,
        )


@dataclass(frozen=True)
class Material:
    """All that goes out, ordered by id, and what was dropped on the way."""

    released: tuple[Released, ...]
    dropped: tuple[Dropped, ...]
    undecided: tuple[Dropped, ...] = ()
    """pairs that came to no label, and why (drops of the gold stage)"""


def material(corpus: Corpus) -> Material:
    """Pairs with gold, without the claims all of whose documents are unrelated.

    Raises DalilError when no pair has a gold label, or none is left.
    """
    found, gone = _judged(corpus.store)
    if not found:
        raise DalilError(
            "no pair has a gold label yet", where=corpus.path, todo="annotate, then run: dalil gold"
        )
    related = {one.claim.id for one in found if one.gold.label != UNRELATED}
    kept = tuple(one for one in found if one.claim.id in related)
    if not kept:
        raise DalilError(
            "every claim has unrelated documents only: nothing to release",
            where=corpus.path,
            todo="search for more",
        )
    counts: dict[str, int] = {}
    for one in found:
        if one.claim.id not in related:
            counts[one.claim.id] = counts.get(one.claim.id, 0) + 1
    dropped = tuple(
        Dropped(
            id=make_id("dropped", STAGE, claim, ALL_UNRELATED),
            stage=STAGE,
            key=claim,
            reason=ALL_UNRELATED,
            detail=f"{counted(number, 'document')}, all unrelated",
        )
        for claim, number in sorted(counts.items())
    )
    return Material(kept, dropped + gone, tuple(corpus.store.all(Dropped, stage=GOLD)))


def label_order(seen: set[str], scheme: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The labels in the scheme's order, else AraStance's, else by name."""
    for order in (scheme, USUAL_LABELS):
        if order and seen <= set(order):
            return order
    return tuple(sorted(seen))


def _judged(store: Store) -> tuple[list[Released], tuple[Dropped, ...]]:
    """Pairs with gold, and pairs whose claim or article a later run took away."""
    gold = {label.id: label for label in store.all(Gold)}
    pairs = [pair for pair in store.all(Pair) if pair.id in gold]
    claims = _of(store, Claim, {pair.claim_id for pair in pairs})
    cleaned = _of(store, CleanedClaim, set(claims))
    articles = _of(store, Article, {pair.article_id for pair in pairs})
    fetches = _of(store, Fetch, {article.fetch_id for article in articles.values() if article.fetch_id})
    since = {(kept.kind, kept.of): kept.why for kept in store.all(Kept)}
    made, gone = [], []
    for pair in pairs:
        lost = [
            name
            for name, there in ((pair.claim_id, claims), (pair.article_id, articles))
            if name not in there
        ]
        if lost:
            detail = f"{' and '.join(lost)} not in the corpus any more"
            key = make_id("dropped", STAGE, pair.id, GONE)
            gone.append(Dropped(id=key, stage=STAGE, key=pair.id, reason=GONE, detail=detail))
            continue
        claim, article = claims[pair.claim_id], articles[pair.article_id]
        text = cleaned[claim.id].text if claim.id in cleaned else claim.raw
        fetch = fetches.get(article.fetch_id or "")
        later = _since(since, claim.id, article.id)
        made.append(Released(pair, claim, text, cleaned.get(claim.id), article, gold[pair.id], fetch, later))
    return made, tuple(gone)


def _since(since: Mapping[tuple[str, str], str], claim: str, article: str) -> dict[str, str]:
    found = {
        "claim": since.get((CleanedClaim.TABLE, claim)) or since.get((Claim.TABLE, claim)),
        "article": since.get((Article.TABLE, article)),
    }
    return {what: why for what, why in found.items() if why}


def _of(store: Store, record: Any, wanted: set[str]) -> Mapping[str, Any]:
    return {found.id: found for found in store.all(record) if found.id in wanted}
