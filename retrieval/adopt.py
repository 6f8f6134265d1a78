"""adopt: texts stored in a collection become Articles, where they are not to be fetched from the web."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dalil.collection import StoredDocument
from dalil.collection.building import usable_url
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.ids import make_id, value_hash
from dalil.records import Article, fit_text
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store
from dalil.text.urls import outlet
from retrieval.answers import counted
from retrieval.engines.collection import CollectionEngine, identity, results_of, without_page

Inputs = tuple[str, str, tuple[tuple[str, StoredDocument | None], ...]]
"""document id, collection name, and (id in the collection, document or None) of all that is stored for it"""


class Adopt:
    """One unit a document: usually one stored text, more where a collection holds a url twice."""

    NAME: ClassVar[str] = "adopt"
    VERSION: ClassVar[str] = "3"
    READS: ClassVar[Reads] = Reads()
    WRITES: ClassVar[tuple[type[Article], ...]] = (Article,)

    def __init__(self, corpus: Corpus):
        self.engine = CollectionEngine(corpus)

    def keys(self, store: Store) -> Iterator[Unit]:
        """The documents that the collection engine found and whose text is its own to give."""
        stored: dict[str, set[str]] = {}
        for page, _ in counted(store, engine=CollectionEngine.NAME):
            for row in results_of(page):
                if self.engine.settings.texts == "collection" or without_page(row["url"]):
                    stored.setdefault(identity(row["url"]), set()).add(row["id"])
        for document, keys in sorted(stored.items()):
            collection = self.engine.collection
            found = tuple((key, collection.get(key)) for key in sorted(keys))
            digest = value_hash([collection.name, *((key, one and one.to_json()) for key, one in found)])
            yield Unit(document, (document, collection.name, found), digest)

    def work(self, inputs: Inputs) -> Result:
        """An Article for each stored text, and a drop for what is not there (any more)."""
        document, name, found = inputs
        articles: dict[str, Article] = {}
        drops = []
        for key, stored in found:
            if stored is None:
                drops.append(Drop("not_in_collection", f"{name}/{key}", f"{document} {key}"))
            elif not stored.body.strip():
                drops.append(Drop("no_text", f"{name}/{key}", f"{document} {key}"))
            else:
                article = article_of(document, name, stored)
                articles.setdefault(article.id, article)
        return Result(records=tuple(articles.values()), drops=tuple(drops))


def article_of(document: str, collection: str, stored: StoredDocument) -> Article:
    """The Article of a stored document."""
    title = fit_text(stored.title) if stored.title else None
    text = fit_text(stored.body)
    content = value_hash([title, text])
    return Article(
        id=make_id("article", document, content),
        document_id=document,
        url=stored.url if usable_url(stored.url) else None,
        collection=collection,
        title=title,
        text=text,
        outlet=_outlet(stored),
        authors=stored.authors,
        language=stored.language,
        published=stored.published,
        published_from=stored.published_from or ("collection" if stored.published else None),
        published_raw=stored.published_raw,
        content_hash=content,
    )


def _outlet(stored: StoredDocument) -> str | None:
    """What the collection says; else the news domain of the url, as fetched articles have it."""
    if stored.outlet or not stored.url:
        return stored.outlet
    try:
        return outlet(stored.url)
    except InputError:
        return None
