"""tantivy, wrapped: the only file that knows it.

What it is kept from doing (each has a test):

- its default tokenizer drops words of 20 Arabic letters: ours keeps up to 80 bytes
- a reopened index forgets its tokenizer and then finds nothing, silently: `_registered` is the only
  way to an index here
- an unsigned fast field given a negative number panics in the indexing thread and loses the batch: fields
  are signed, and `finish` counts what arrived
- dates before 1677 or without time zone: days are integers (proleptic ordinals)
- a window that is a plain Must adds 1 to every score: it is a constant-score query of 0
- Should terms beside a Must window return the whole window at score 0: terms are one Must of their own
- query strings are never parsed: queries are built from analysed terms
- equal scores come in an order that depends on segments: ties are broken by document number here
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from dalil.collection.analysis import LONGEST, STEMMER, prepare
from dalil.errors import StateError

if TYPE_CHECKING:
    from tantivy import DocAddress, Index, Query, Schema, SearchResult, TextAnalyzer

TEXTS = ("title", "lead", "body")
HEAP = 96_000_000
"""bytes that the indexing thread gathers before it writes a segment"""
_TOKENIZER = "arabic-folded-stemmed"
_MOST_TIES = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What one document brings into the index."""

    id: str
    stored: str
    title: str
    lead: str
    body: str
    outlet: str | None
    days: tuple[int, int] | None
    """first and last day it may be of; None: undated"""


@dataclass(frozen=True, slots=True)
class Restriction:
    """What documents must be like, without effect on their scores."""

    first_day: int | None = None
    last_day: int | None = None
    outlets: tuple[str, ...] = ()

    @property
    def has_window(self) -> bool:
        """Whether a day is asked for, so that undated documents are outside."""
        return self.first_day is not None or self.last_day is not None


@dataclass(frozen=True, slots=True)
class Ranked:
    """One document of an answer."""

    score: float
    number: int
    stored: str


def analyzer() -> TextAnalyzer:
    """The analyzer that prepared text goes through, for documents and for queries."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple())
    return builder.filter(Filter.remove_long(LONGEST)).filter(Filter.stemmer(STEMMER)).build()


class IndexWriter:
    """Makes an index in an empty folder: `add` each document, then `finish`."""

    def __init__(self, folder: Path):
        import tantivy

        self.folder = folder
        self.count = 0
        self._document = tantivy.Document
        with _index_errors(folder):
            folder.mkdir()
            self._index = _registered(tantivy.Index(_schema(), path=str(folder)))
            self._writer = self._index.writer(HEAP, 1)  # one thread: documents stay in order

    def add(self, entry: Entry) -> None:
        """Add a document. Raises StateError when the disk is full or the folder is gone."""
        document = self._document(
            id=entry.id,
            title=prepare(entry.title),
            lead=prepare(entry.lead),
            body=prepare(entry.body),
        )
        document.add_bytes("stored", entry.stored.encode("utf-8"))
        document.add_integer("number", self.count)
        if entry.outlet is not None:
            document.add_text("outlet", entry.outlet)
        if entry.days is not None:
            document.add_integer("first_day", entry.days[0])
            document.add_integer("last_day", entry.days[1])
        with _index_errors(self.folder):
            self._writer.add_document(document)
        self.count += 1

    def finish(self) -> None:
        """Write all to disk and make sure that every document arrived. Raises StateError."""
        with _index_errors(self.folder):
            self._writer.commit()
            self._writer.wait_merging_threads()
            self._index.reload()
            arrived = self._index.searcher().num_docs
        if arrived != self.count:
            raise StateError(
                f"{self.count} documents were added and {arrived} arrived",
                where=self.folder,
                todo="build again",
            )

    def discard(self) -> None:
        """Give up: no thread writes to the folder after this, so that it can be removed."""
        with suppress(ValueError, OSError):
            self._writer.rollback()
            self._writer.wait_merging_threads()


class IndexReader:
    """Searches an index."""

    def __init__(self, folder: Path):
        import tantivy

        with _index_errors(folder):
            self._index = _registered(tantivy.Index.open(str(folder)))
            self._index.reload()
            self._searcher = self._index.searcher()
        self._schema = self._index.schema
        self._analyzer = analyzer()
        self.stems = lru_cache(maxsize=200_000)(self._stems)

    def __len__(self) -> int:
        return self._searcher.num_docs

    def terms(self, text: str) -> tuple[str, ...]:
        """The distinct terms of a text, in order of appearance."""
        return tuple(dict.fromkeys(self._analyzer.analyze(prepare(text))))

    def _stems(self, word: str) -> tuple[str, ...]:
        return tuple(self._analyzer.analyze(prepare(word)))

    def search(
        self, terms: Sequence[str], needed: int, boosts: Mapping[str, float], within: Restriction, limit: int
    ) -> tuple[list[Ranked], int]:
        """Best documents having `needed` of the terms, and how many there are in all.

        By score (the sum over terms and fields of BM25 times the field's boost), then by the order
        in which the documents were indexed.
        """
        query = self._query(terms, needed, boosts, within)
        asked = limit + 1
        while True:
            result = self._searcher.search(query, asked)
            hits = result.hits
            cut = len(hits) < asked or hits[-1][0] < hits[limit - 1][0]
            if cut or asked > _MOST_TIES:
                break
            asked *= 4
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        order = sorted(range(len(hits)), key=lambda at: (-hits[at][0], numbers[at]))
        found = [
            Ranked(hits[at][0], int(numbers[at] or 0), self._stored(hits[at][1])) for at in order[:limit]
        ]
        return found, _count(result)

    def count_undated(
        self, terms: Sequence[str], needed: int, fields: Mapping[str, float], outlets: Sequence[str]
    ) -> int:
        """How many documents without a date have `needed` of the terms."""
        from tantivy import Occur, Query

        wanted = self._query(terms, needed, fields, Restriction(outlets=tuple(outlets)))
        dated = Query.exists_query("first_day")
        undated = Query.boolean_query([(Occur.Must, wanted), (Occur.MustNot, dated)])
        return _count(self._searcher.search(undated, 1))

    def get(self, key: str) -> str | None:
        """What is stored under an id."""
        from tantivy import Query

        hits = self._searcher.search(Query.term_query(self._schema, "id", key, "basic"), 1).hits
        return self._stored(hits[0][1]) if hits else None

    def _stored(self, address: DocAddress) -> str:
        return bytes(self._searcher.doc(address).get_first("stored") or b"").decode("utf-8")

    def _query(
        self, terms: Sequence[str], needed: int, boosts: Mapping[str, float], within: Restriction
    ) -> Query:
        from tantivy import Occur, Query

        wanted = self._any(terms, boosts) if needed <= 1 else self._several(terms, needed, boosts)
        parts = [(Occur.Must, wanted)]
        parts += [(Occur.Must, Query.const_score_query(part, 0.0)) for part in self._restrictions(within)]
        return Query.boolean_query(parts) if len(parts) > 1 else wanted

    def _any(self, terms: Sequence[str], boosts: Mapping[str, float]) -> Query:
        from tantivy import Occur, Query

        return Query.boolean_query(
            [
                (Occur.Should, self._term(field, term, boost))
                for term in terms
                for field, boost in boosts.items()
            ]
        )

    def _several(self, terms: Sequence[str], needed: int, boosts: Mapping[str, float]) -> Query:
        """A term counts once, in however many fields it is."""
        from tantivy import Occur, Query

        each = [(Occur.Should, self._any([term], boosts)) for term in terms]
        return Query.boolean_query(each, minimum_number_should_match=needed)

    def _term(self, field: str, term: str, boost: float) -> Query:
        from tantivy import Query

        return Query.boost_query(Query.term_query(self._schema, field, term, "freq"), boost)

    def _restrictions(self, within: Restriction) -> Iterator[Query]:
        from tantivy import FieldType, Occur, Query

        if within.first_day is not None:
            yield Query.range_query(
                self._schema, "first_day", FieldType.Integer, lower_bound=within.first_day
            )
        if within.last_day is not None:
            yield Query.range_query(self._schema, "last_day", FieldType.Integer, upper_bound=within.last_day)
        if within.outlets:
            each = [Query.term_query(self._schema, "outlet", name, "basic") for name in within.outlets]
            yield Query.boolean_query([(Occur.Should, one) for one in each])


def _schema() -> Schema:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("outlet", tokenizer_name="raw", index_option="basic")
    for field in TEXTS:
        builder.add_text_field(field, tokenizer_name=_TOKENIZER, index_option="freq")
    builder.add_integer_field("number", fast=True)
    builder.add_integer_field("first_day", indexed=True, fast=True)
    builder.add_integer_field("last_day", indexed=True, fast=True)
    builder.add_bytes_field("stored", stored=True)  # the whole document, unfolded, as JSON
    return builder.build()


def _count(result: SearchResult) -> int:
    """How many documents matched: tantivy's type stubs leave the attribute out."""
    return int(getattr(result, "count", 0) or 0)


def _registered(index: Index) -> Index:
    index.register_tokenizer(_TOKENIZER, analyzer())
    return index


@contextmanager
def _index_errors(folder: Path) -> Iterator[None]:
    """tantivy raises ValueError and OSError for all that befalls an index."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise StateError(
            f"the index failed: {error}", where=folder, todo="see whether the disk is full; build again"
        ) from error
