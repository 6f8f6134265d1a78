"""extract: from fetches in the WARC to articles, on all cores, with a time limit a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import StateError
from dalil.ids import make_id, value_hash
from dalil.parallel import over_processes, result_of
from dalil.records import Article, Fetch, fit_text
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store
from dalil.state.warc import Location, Response, read
from retrieval.extract.core import MIN_CHARS, Rules, extract
from retrieval.extract.page import Extracted, Page

AT_ONCE = "1970-01-01T00:00:00Z"
"""a time to try again that has come already"""


class ExtractSettings(Settings):
    """`[extract]` of corpus.toml."""

    min_chars: int = Field(default=MIN_CHARS, ge=1)
    """characters of text below which a page is too short to be an article"""
    languages: tuple[str, ...] | None = None
    """ISO 639 codes; by default those of `[corpus]`"""
    seconds_per_page: float = Field(default=20.0, gt=0)
    """time after which a page is given up"""
    processes: int | None = Field(default=None, ge=1)
    """by default one a core"""


@dataclass(frozen=True)
class Job:
    """A fetch whose bytes are to become an article."""

    document_id: str
    fetch_id: str
    url: str
    final_url: str | None
    seen_at: str | None
    where: Location


class Extract:
    """The last good fetch of each document → its Article, or a Drop with the reason.

    Bytes are read by the process that needs them and never hashed again: a unit's digest is over
    the fetch's id and content hash, and over the settings that decide what is an article (not
    those that only decide how fast).
    """

    NAME: ClassVar[str] = "extract"
    VERSION: ClassVar[str] = "1"
    READS: ClassVar[Reads] = Reads()
    WRITES: ClassVar = (Article,)

    def __init__(self, corpus: Corpus):
        settings = corpus.section("extract", ExtractSettings)
        self.folder: Path = corpus.warc
        self.rules = Rules(settings.min_chars, settings.languages or corpus.config.corpus.languages)
        self.seconds = settings.seconds_per_page
        self.processes = settings.processes

    def keys(self, store: Store) -> Iterator[Unit]:
        """One unit a document that has a stored page."""
        for fetch in last_good(store):
            assert fetch.warc_file is not None
            assert fetch.warc_offset is not None
            assert fetch.warc_length is not None
            job = Job(
                fetch.document_id,
                fetch.id,
                fetch.url,
                fetch.final_url,
                fetch.snapshot_at or fetch.fetched_at,
                Location(fetch.warc_file, fetch.warc_offset, fetch.warc_length),
            )
            digest = value_hash(
                [fetch.id, fetch.content_hash, self.rules.min_chars, self.rules.languages, self.seconds]
            )
            yield Unit(fetch.document_id, job, digest)

    def work(self, inputs: Job) -> Result:
        """One page, in this process and without a time limit."""
        return article_of(inputs, self.folder, self.rules)

    def map(self, units: Iterator[Unit]) -> Iterator[tuple[Unit, Result]]:
        """All pages, over processes; one that hangs or crashes costs itself alone."""
        work = partial(article_of, folder=self.folder, rules=self.rules)
        for unit, outcome in over_processes(
            work, units, lambda unit: unit.inputs, self.seconds, self.processes, module=extract.__module__
        ):
            yield unit, result_of(outcome, self.seconds)


def last_good(store: Store) -> Iterator[Fetch]:
    """For each document the newest article fetch with bytes; one that succeeded before one that did not."""
    best: dict[str, Fetch] = {}
    for fetch in store.all(Fetch, purpose="article"):
        if fetch.warc_file is None or fetch.warc_offset is None or fetch.warc_length is None:
            continue
        known = best.get(fetch.document_id)
        if known is None or _worth(fetch) > _worth(known):
            best[fetch.document_id] = fetch
    yield from (best[key] for key in sorted(best))


def _worth(fetch: Fetch) -> tuple[bool, str, str]:
    return (200 <= (fetch.status or 0) < 300, fetch.fetched_at or "", fetch.id)


def article_of(job: Job, folder: Path, rules: Rules) -> Result:
    """The result of one job.

    A record that the WARC does not give back costs its page alone, and is tried again by the next
    run: the file may have been restored by then.
    """
    try:
        response: Response = read(folder, job.where)
    except StateError as error:
        return Result(drops=(Drop("unreadable_page", error.line()),), retry_after=AT_ONCE)
    page = Page(job.url, response.body, response.status, response.headers, job.final_url, job.seen_at)
    found = extract(page, rules)
    if not isinstance(found, Extracted):
        return Result(drops=(Drop(found.reason, found.detail),))
    title = fit_text(found.title) if found.title else None
    text = fit_text(found.text)
    content = value_hash([title, text])
    article = Article(
        id=make_id("article", job.document_id, content),
        document_id=job.document_id,
        url=job.url,
        fetch_id=job.fetch_id,
        title=title,
        text=text,
        outlet=found.outlet,
        authors=found.authors,
        language=found.language,
        published=found.published,
        published_from=found.published_from,
        published_raw=found.published_raw,
        canonical_url=found.canonical_url,
        content_hash=content,
    )
    return Result(records=(article,))
