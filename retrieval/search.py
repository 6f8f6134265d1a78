"""query, search, hits: from claims to questions, from questions to stored answers, from those to hits.

A SearchPage is the cache: it is asked for once, and hits are read from it as often as the reader
changes. Equal questions of two claims are asked once, and so are questions that are one request to an
engine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from pydantic import Field, field_validator

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.formats.answers import hits as imported_hits
from dalil.formats.answers import is_imported
from dalil.ids import make_id, value_hash
from dalil.records import Claim, CleanedClaim, Document, Hit, Query, SearchPage, utc_now
from dalil.stages import Drop, Reads, Request, Result, Unit
from dalil.state.judged import left_over
from dalil.state.store import Store
from dalil.text.urls import canonical_url, host
from dalil.wording import counted, fitting
from retrieval.analyzers import Analyzer, load
from retrieval.answers import OLDER, said, standing
from retrieval.engines import Announces, Chooses, Engine, NotAnswered, Question, make_engine
from retrieval.engines.web import DROPPED
from retrieval.former import Former, present
from retrieval.queries import DIAGNOSTICS, PAPER, diagnostics, merge, plan
from retrieval.window import OUTSIDE, outside

NEED_ANALYSIS = {"claim+date+entities", "vp+date", "vp+date+entities", *DIAGNOSTICS}


class SearchSettings(Settings):
    """`[search]` of corpus.toml."""

    engines: tuple[str, ...] = ()
    """which engines are asked"""
    retired: tuple[str, ...] = ()
    """engines that are asked no more: their stored answers to what would be asked count still"""
    variants: tuple[str, ...] = ("claim",)
    """which query variants are asked: the paper's `claim`, `claim+date`, `claim+date+entities`, `vp+date`,
    `vp+date+entities`; for undated corpora the diagnostics `claim+entities`, `vp`, `vp+entities`"""
    analyzer: str = "auto"
    """what finds names and verb phrases: see dalil models list"""
    pages: int = Field(default=1, ge=1)
    """pages of results a question, at most"""
    allow_unedited: bool = False
    """search for claims that cleaning flagged needs_edit, too"""

    @field_validator("variants")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in value if name not in (*PAPER, *DIAGNOSTICS)]
        if unknown:
            raise ValueError(
                f"no variant is called {unknown[0]}; there are {', '.join((*PAPER, *DIAGNOSTICS))}"
            )
        return value


class MakeQueries:
    """Each cleaned claim becomes the queries of the chosen variants; equal ones are merged.

    A claim that cleaning flagged `needs_edit` is dropped with that reason until a person has edited
    it (`dalil claims export`), unless `allow_unedited`.
    """

    NAME = "query"
    VERSION = "2"
    READS = Reads(config=("search",))
    WRITES = (Query,)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("search", SearchSettings)
        self.wanted = set(self.settings.variants)
        self.waiting = 0
        self.analyzer: Analyzer | None = None
        if self.wanted & NEED_ANALYSIS:
            self.analyzer = load(self.settings.analyzer)

    @property
    def notes(self) -> tuple[str, ...]:
        """What waits for a person, after a run."""
        if not self.waiting:
            return ()
        todo = "dalil claims export --flagged FILE CORPUS, edit, then import"
        wait = fitting(self.waiting, "waits for an edit by hand and is", "wait for an edit by hand and are")
        return (f"{counted(self.waiting, 'claim')} {wait} not searched for: {todo}",)

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a claim, but for those that are given up and only there because they were judged."""
        given_up = left_over(store, Claim, CleanedClaim)
        claims = {claim.id: claim for claim in store.all(Claim) if claim.id not in given_up}
        self.waiting = 0
        for cleaned in store.all(CleanedClaim):
            if cleaned.id in claims:
                self.waiting += needs_edit(cleaned) and not self.settings.allow_unedited
                claim = claims[cleaned.id]
                yield Unit(cleaned.id, (claim, cleaned), digest=value_hash(self._decides(claim, cleaned)))

    def work(self, inputs: tuple[Claim, CleanedClaim]) -> Result:
        """A claim's queries, and the variants that it cannot have."""
        claim, cleaned = inputs
        if needs_edit(cleaned) and not self.settings.allow_unedited:
            return Result(drops=(Drop("needs_edit", " ".join(cleaned.flags)),))
        analysis = self.analyzer.analyse(cleaned.text) if self.analyzer is not None else None
        planned = plan(claim, cleaned.text, analysis)
        queries = [*planned.queries]
        if self.wanted & set(DIAGNOSTICS) and analysis is not None:
            queries += diagnostics(cleaned.text, claim_id=claim.id, analysis=analysis)
        chosen = [
            query.model_copy(
                update={"variants": tuple(name for name in query.variants if name in self.wanted)}
            )
            for query in merge(queries)
            if self.wanted & set(query.variants)
        ]
        absent = [absent for absent in planned.absent if absent.variant in self.wanted]
        drops = tuple(
            Drop(f"no_query:{item.reason}", item.variant, f"{claim.id} {item.variant}") for item in absent
        )
        return Result(records=tuple(chosen), drops=drops)

    def _decides(self, claim: Claim, cleaned: CleanedClaim) -> list[object]:
        """All that a claim's queries depend on, the analyzer's weights and lists included."""
        made_by = (
            [self.analyzer.name, self.analyzer.version, self.analyzer.model_hash] if self.analyzer else []
        )
        return [
            cleaned.text,
            list(cleaned.flags),
            claim.claim_date,
            claim.review_date,
            claim.veracity,
            made_by,
        ]


def needs_edit(cleaned: CleanedClaim) -> bool:
    """Whether a person has to mend a claim before it can be searched for."""
    return any(flag.startswith("needs_edit") for flag in cleaned.flags)


class Search:
    """Ask each engine each question once."""

    NAME = "search"
    WRITES = (SearchPage,)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("search", SearchSettings)
        self.asked: dict[str, Engine] = {name: make_engine(name, corpus) for name in self.settings.engines}
        self.engines = {name: make_engine(name, corpus) for name in self.settings.retired} | self.asked
        """those whose answers count"""

    @property
    def notices(self) -> tuple[str, ...]:
        """What the engines have to say at every use, before anything is asked."""
        return tuple(
            line
            for engine in self.asked.values()
            if isinstance(engine, Announces)
            for line in engine.notices()
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not asked, and why, after a run."""
        return tuple(
            f"{engine.NAME}: {counted(count, 'question')} not asked: {reason}"
            for engine in self.asked.values()
            if isinstance(engine, Chooses)
            for reason, count in sorted(engine.unasked.items())
        )

    def requests(self, store: Store) -> Iterator[Request]:
        """Page after page of every question on every engine."""
        yield from self.ask(store, questions_of(store.all(Query)), self.asked)

    def ask(
        self, store: Store, questions: dict[str, Question], engines: Collection[str] | None = None
    ) -> Iterator[Request]:
        """Requests for given questions, by their hash: one claim's after another's.

        Two questions may make the same request. `engines`: of these alone, else also of the retired ones.
        """
        for name, engine in self.engines.items():
            if engines is not None and name not in engines:
                continue
            if isinstance(engine, Chooses):
                engine.unasked.clear()
            former = Former(store, name, engine)
            for key in sorted(questions, key=lambda key: (questions[key].claims, key)):
                previous: SearchPage | None = None
                for page in range(1, self.settings.pages + 1):
                    try:
                        what = engine.request(questions[key], page, previous)
                    except NotAnswered:  # the page before is no answer, which its hits will say
                        break
                    if what is None:
                        break
                    made = Request(name, what, engine.COST, context=(key, questions[key], page))
                    request = former.of(made, key)
                    yield request
                    if page == self.settings.pages:
                        break
                    previous = store.get(SearchPage, make_id("page", request.fingerprint))
                    if previous is None:
                        break

    def send(self, request: Request) -> Result:
        """One page of one engine."""
        key, question, page = request.context
        engine = self.engines[request.service]
        answer = engine.ask(present(engine, request.what))
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


def questions_of(queries: Iterable[Query]) -> dict[str, Question]:
    """The questions of queries, by their hash; equal ones of several claims once."""
    asking: dict[str, tuple[Query, set[str]]] = {}
    for query in queries:
        asking.setdefault(query.question, (query, set()))[1].add(query.claim_id)
    return {
        key: Question(query.text, query.start, query.end, tuple(sorted(claims)))
        for key, (query, claims) in asking.items()
    }


@dataclass(frozen=True)
class Reading:
    """A stored answer to be read for one question; `older` says why it does not count, if so."""

    page: SearchPage
    question: str
    start: str | None
    end: str | None
    older: str | None = None

    @property
    def key(self) -> str:
        """Of its unit: the page's id, and the question where it is another than the page's own."""
        return self.page.id if self.question == self.page.question else f"{self.page.id} {self.question}"


class ReadHits:
    """Stored answers to hits and documents, for each question that an answer is to.

    A hit that its engine dates outside the window is marked `outside_window`; where the engine has
    no windows of its own (POST_FILTERS) it is dropped, with that reason. So is an address that
    cannot be a page's (`bad_url`), and a result past the most that a page may have (`beyond_page`).
    Hits of an answer to a request that is not made any more are marked `older_answer`: pairing and
    ablation pass them over.
    """

    NAME = "hits"
    VERSION = "6"
    READS = Reads(config=("engines",))
    WRITES = (Hit,)

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.engines: dict[str, Engine] = {}
        self.older = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """How many answers do not count."""
        return (said(self.older),) if self.older else ()

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a SearchPage and question."""
        now = standing(Search(self.corpus), store)
        self.older = 0
        for page in store.all(SearchPage):
            questions = now.questions(page)
            if page.question not in questions:
                self.older += 1
                yield _unit(Reading(page, page.question, page.start, page.end, now.why_older(page)))
            for key in questions:
                asked = now.asked.get(key)
                start, end = (asked.start, asked.end) if asked is not None else (page.start, page.end)
                yield _unit(Reading(page, key, start, end))

    def work(self, inputs: Reading) -> Result:
        """The hits on one page for one question, with their documents."""
        page = inputs.page.model_copy(
            update={"question": inputs.question, "start": inputs.start, "end": inputs.end}
        )
        if is_imported(page):
            return self._kept(inputs, imported_hits(page), filters=False)
        if page.engine not in self.engines:
            self.engines[page.engine] = make_engine(page.engine, self.corpus)
        engine = self.engines[page.engine]
        try:
            hits = engine.hits(page)
        except NotAnswered as refusal:
            drop = Drop("no_answer", f"{page.engine}: {refusal}"[:300], inputs.key)
            return Result(drops=(drop, *_older(inputs)))
        return self._kept(inputs, hits, filters=engine.POST_FILTERS)

    def _kept(self, reading: Reading, hits: list[Hit], *, filters: bool) -> Result:
        kept, drops = [], [*_older(reading)]
        for hit in (_of_question(hit, reading) for hit in hits):
            late = outside(hit.engine_date, reading.start, reading.end)
            where = f"{reading.page.id} {hit.id}"
            bad = next((mark for mark in DROPPED if mark in hit.marks), None)
            if bad is not None:
                drops.append(Drop(bad, hit.url[:200], where))
            elif late and filters:
                drops.append(Drop(OUTSIDE, f"{hit.engine_date} {hit.url}"[:300], where))
            else:
                kept.append(_marked(hit, reading, late))
        return Result(records=tuple(kept), drops=tuple(drops), shared=tuple(_document(hit) for hit in kept))


def _unit(reading: Reading) -> Unit:
    decides = [reading.page.answer, reading.start, reading.end, reading.older]
    return Unit(reading.key, reading, digest=value_hash(decides))


def _older(reading: Reading) -> tuple[Drop, ...]:
    return (Drop(OLDER, reading.older, reading.page.id),) if reading.older is not None else ()


def _of_question(hit: Hit, reading: Reading) -> Hit:
    """A second question's hit has an id of its own, and so has its drop."""
    if reading.question == reading.page.question:
        return hit
    return hit.model_copy(update={"id": make_id("hit", hit.id, reading.question)})


def _marked(hit: Hit, reading: Reading, late: bool) -> Hit:
    """With what is to be said of it."""
    said_of_it = [name for name, true in ((OUTSIDE, late), (OLDER, reading.older is not None)) if true]
    return hit.model_copy(update={"marks": (*hit.marks, *said_of_it)}) if said_of_it else hit


def _document(hit: Hit) -> Document:
    if hit.url.startswith("collection:"):
        return Document(id=hit.document_id, url=hit.url, host="")
    return Document(id=hit.document_id, url=canonical_url(hit.url), host=host(hit.url))
