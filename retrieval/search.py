"""query, search, hits: from claims to questions, from questions to stored answers, from those to hits.

A SearchPage is the cache: it is asked for once, and hits are read from it as often as the reader
changes. Equal questions of two claims are asked once.
"""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Claim, CleanedClaim, Document, Hit, Query, SearchPage, utc_now
from dalil.stages import Drop, Reads, Request, Result, Unit
from dalil.state.store import Store
from dalil.text.urls import canonical_url, host
from retrieval.engines import Engine, Question, make_engine
from retrieval.queries import merge, plan


class SearchSettings(Settings):
    """`[search]` of corpus.toml."""

    engines: tuple[str, ...] = ()
    variants: tuple[str, ...] = ("claim",)
    """which of the query variants are asked"""
    pages: int = 1
    """pages of results a question, at most"""


class MakeQueries:
    """Each cleaned claim becomes the queries of the chosen variants; equal ones are merged."""

    NAME = "query"
    VERSION = "1"
    READS = Reads(config=("search",))
    WRITES = (Query,)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("search", SearchSettings)

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a claim."""
        claims = {claim.id: claim for claim in store.all(Claim)}
        for cleaned in store.all(CleanedClaim):
            if cleaned.id in claims:
                claim = claims[cleaned.id]
                dates = [claim.claim_date, claim.review_date, claim.veracity]
                yield Unit(
                    cleaned.id, (claim, cleaned), digest=make_id("inputs", cleaned.text, *map(str, dates))
                )

    def work(self, inputs: tuple[Claim, CleanedClaim]) -> Result:
        """A claim's queries, and the variants that it cannot have."""
        claim, cleaned = inputs
        planned = plan(claim, cleaned.text, None)
        wanted = set(self.settings.variants)
        queries = [
            query.model_copy(update={"variants": tuple(name for name in query.variants if name in wanted)})
            for query in planned.queries
            if wanted & set(query.variants)
        ]
        absent = [absent for absent in planned.absent if absent.variant in wanted]
        drops = tuple(
            Drop(f"no_query:{item.reason}", item.variant, f"{claim.id} {item.variant}") for item in absent
        )
        return Result(records=merge(queries), drops=drops)


class Search:
    """Ask each engine each question once."""

    NAME = "search"
    WRITES = (SearchPage,)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("search", SearchSettings)
        self.engines: dict[str, Engine] = {name: make_engine(name, corpus) for name in self.settings.engines}

    def requests(self, store: Store) -> Iterator[Request]:
        """Page after page of every question on every engine."""
        questions = {
            query.question: Question(query.text, query.start, query.end) for query in store.all(Query)
        }
        for name, engine in self.engines.items():
            for key in sorted(questions):
                previous: SearchPage | None = None
                for page in range(1, self.settings.pages + 1):
                    what = engine.request(questions[key], page, previous)
                    if what is None:
                        break
                    request = Request(name, what, engine.COST, context=(key, questions[key], page))
                    yield request
                    previous = store.get(SearchPage, make_id("page", request.fingerprint))
                    if previous is None:
                        break

    def send(self, request: Request) -> Result:
        """One page of one engine."""
        key, question, page = request.context
        answer = self.engines[request.service].ask(request.what)
        stored = SearchPage(
            id=make_id("page", request.fingerprint),
            engine=request.service,
            question=key,
            text=question.text,
            start=question.start,
            end=question.end,
            page=page,
            request=request.what,
            status=answer.status,
            answer=answer.body,
            cost=answer.cost,
            asked_at=utc_now(),
        )
        return Result(records=(stored,))


class ReadHits:
    """Stored answers to hits and documents."""

    NAME = "hits"
    VERSION = "1"
    READS = Reads(config=("engines",))
    WRITES = (Hit,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.engines: dict[str, Engine] = {}

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a SearchPage."""
        for page in store.all(SearchPage):
            yield Unit(page.id, page, digest=make_id("inputs", page.answer))

    def work(self, inputs: SearchPage) -> Result:
        """The hits on one page, with their documents."""
        if inputs.engine not in self.engines:
            self.engines[inputs.engine] = make_engine(inputs.engine, self.corpus)
        hits = self.engines[inputs.engine].hits(inputs)
        return Result(records=tuple(hits), shared=tuple(_document(hit) for hit in hits))


def _document(hit: Hit) -> Document:
    if hit.url.startswith("collection:"):
        return Document(id=hit.document_id, url=hit.url, host="")
    return Document(id=hit.document_id, url=canonical_url(hit.url), host=host(hit.url))
