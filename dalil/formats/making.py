"""Rows to records: ids that are the same on every import of the same file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dalil.definitions import own_verdicts
from dalil.errors import InputError
from dalil.formats.answers import page_of, question
from dalil.formats.rows import ArticleRow, BadField, ClaimRow, LabelRow, ResultRow, Row
from dalil.ids import make_id, value_hash
from dalil.records import Annotation, Article, Claim, Document, Gold, Pair, Query, Record, fit_text, utc_now
from dalil.records.judging import IMPORTED
from dalil.text.urls import canonical_url, document_id, host, outlet
from dalil.text.verdicts import understood

UNKNOWN = "unknown"
HOW = IMPORTED


@dataclass
class Maker:
    """Makes the records of one import. `site` and `engine` are what the user said beside the file."""

    fmt: str
    site: str | None = None
    engine: str | None = None
    folder: Path | None = None
    """of the corpus, where sites may be defined"""
    now: str = field(default_factory=utc_now)
    unread: Counter[str] = field(default_factory=Counter)
    """verdict that no table knows → claims"""
    _verdicts: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """site → its own verdicts"""
    _understood: dict[tuple[str, str], str | None] = field(default_factory=dict)
    """(site, verdict) → what it says: a file prints few of them, often"""
    _met: set[str] = field(default_factory=set)
    """claims whose verdict was not understood"""
    _ranks: dict[str, int] = field(default_factory=dict)
    """claim id → rank of its last pair"""
    _pairs: dict[str, int] = field(default_factory=dict)
    """pair id → how often it came: a data set may hold a pair twice"""

    def records(self, row: Row) -> Iterator[Record]:
        """All records of a row. Raises BadField for a url that is none."""
        if isinstance(row, ClaimRow):
            yield self.claim(row)
        elif isinstance(row, ArticleRow):
            yield from article_of(row)
        elif isinstance(row, LabelRow):
            yield from self._labelled(row)
        else:
            yield from self._found(row)

    def claim(self, row: ClaimRow) -> Claim:
        """A raw claim."""
        url = _canonical("url", row.url) if row.url else None
        site = row.site if row.site and row.site != UNKNOWN else self.site or row.site or UNKNOWN
        key = _claim_id(row, site, url)
        veracity, found = row.veracity, dict(row.found)
        if veracity is None and row.verdict:
            veracity = self._said_by(row.verdict, site)
            if veracity is not None:
                found["veracity"] = "verdict"
            elif key not in self._met:
                self._met.add(key)
                self.unread[" ".join(row.verdict.split())] += 1
        return Claim(
            id=key,
            site=site,
            url=url,
            raw=row.raw,
            title=row.title,
            body=row.body,
            verdict=row.verdict,
            veracity=veracity or "unknown",
            claim_date=row.claim_date,
            claim_date_from="import" if row.claim_date else None,
            review_date=row.review_date,
            review_date_from="import" if row.review_date else None,
            country=row.country,
            domain=row.domain,
            domain_from="import" if row.domain else None,
            language=row.language,
            english=row.english,
            own_pages=(url,) if url else (),
            found=found,
            origin=row.where,
        )

    def _said_by(self, verdict: str, site: str) -> str | None:
        """What a verdict says, found out once."""
        key = (site, verdict)
        if key not in self._understood:
            self._understood[key] = understood(verdict, self._verdicts_of(site))
        return self._understood[key]

    def _verdicts_of(self, site: str) -> Mapping[str, str]:
        """A site's own verdicts, read once."""
        if site not in self._verdicts:
            self._verdicts[site] = own_verdicts(site, self.folder)
        return self._verdicts[site]

    def _labelled(self, row: LabelRow) -> Iterator[Record]:
        claim = self.claim(row.claim)
        document, article = article_of(row.article)
        key = make_id("pair", claim.id, article.id)
        self._pairs[key] = times = self._pairs.get(key, 0) + 1
        if times > 1 and row.annotator is None:
            key = make_id("pair", claim.id, article.id, str(times))
        known = times > 1 and row.annotator is not None
        if not known:
            self._ranks[claim.id] = self._ranks.get(claim.id, 0) + 1
        yield from (claim, document, article)
        yield Pair(
            id=key,
            claim_id=claim.id,
            article_id=article.id,
            rank=self._ranks[claim.id],
            score=0.0,
            ranker=HOW,
        )
        if row.annotator is None:
            yield Gold(id=key, label=row.label, how=HOW)
            return
        yield Annotation(
            id=make_id("annotation", key, row.annotator, row.round, "1"),
            pair_id=key,
            annotator=row.annotator,
            round=row.round,
            scheme=row.scheme,
            label=row.label,
            confidence=row.confidence,
            second=row.second,
            note=row.note,
            origin=row.where,
            at=self.now,
        )

    def _found(self, row: ResultRow) -> Iterator[Record]:
        if self.engine is None:
            raise ValueError("results are of an engine")
        for at, result in enumerate(row.results):
            _canonical(f"results[{at}].url", result.url)
        if row.claim is not None:
            claim = self.claim(row.claim)
            yield claim
            if fit_text(row.text) == claim.raw and not (row.start or row.end):
                asked = question(row.text, None, None)
                yield Query(
                    id=make_id("query", claim.id, asked),
                    claim_id=claim.id,
                    variants=("claim",),
                    text=row.text,
                    question=asked,
                )
        yield page_of(row, self.engine, self.fmt)


def article_of(row: ArticleRow) -> tuple[Document, Article]:
    """A document and its article. Raises BadField for a url that is none."""
    if row.url:
        address = _canonical("url", row.url)
        document = Document(id=document_id(row.url), url=address, host=host(row.url))
    else:
        address = f"collection:{row.collection}/{row.key}"
        document = Document(id=make_id("document", address), url=address, host="")
    title = fit_text(row.title) if row.title else None
    text = fit_text(row.text)
    content = value_hash([title, text])
    article = Article(
        id=make_id("article", document.id, content),
        document_id=document.id,
        url=row.url,
        collection=row.collection,
        title=title,
        text=text,
        outlet=row.outlet or (outlet(row.url) if row.url else None),
        authors=row.authors,
        language=row.language,
        published=row.published,
        published_from="import" if row.published else None,
        published_raw=row.published_raw,
        content_hash=content,
    )
    return document, article


def _claim_id(row: ClaimRow, site: str, url: str | None) -> str:
    """By the data set's own key, else as the site's collector makes it, else by the text."""
    if row.collection is not None and row.key is not None:
        return make_id("claim", "collection", row.collection, row.key)
    if row.key is not None:
        return make_id("claim", site, row.key)
    return make_id("claim", site, url or row.raw)


def _canonical(name: str, url: str) -> str:
    try:
        return canonical_url(url)
    except InputError as error:
        raise BadField(name, error.what) from error
