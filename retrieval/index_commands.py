"""`dalil index`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dalil.cli.common import json_option, print_json, quiet_option
from dalil.wording import counted, fitting

if TYPE_CHECKING:
    from dalil.collection.documents import StoredDocument
    from dalil.collection.jsonl import Source
    from dalil.collection.warc import CapturedPage, Extraction, NoArticle
    from retrieval.extract import Page


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder of the collection; an older one is replaced.",
)
@click.option(
    "--name",
    help="Name of the collection: documents without url are collection:NAME/ID. By default the folder's.",
)
@click.option(
    "--skip-bad", is_flag=True, help="Leave out rows that cannot be read, and list them, instead of stopping."
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    default=("ar",),
    show_default=True,
    help="Languages of pages in WARC files that are kept; may be repeated.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="Processes that extract pages from WARC files; by default one a core.",
)
@quiet_option
@json_option
def index(
    files: tuple[Path, ...],
    out: Path,
    name: str | None,
    skip_bad: bool,
    languages: tuple[str, ...],
    processes: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Make a searchable local collection from JSONL(.gz) or WARC(.gz) files.

    A JSONL row has a body (or text, content) or a title, an id or a url, and may have lead, outlet
    (by default the domain of its url), published, language, authors. Pages of WARC files (a name with
    .warc) go through extraction.
    Until a build has ended, the older collection at that place goes on answering.

    Example: dalil index articles.jsonl.gz --out mycorpus/collection
    """
    from dalil.collection import build
    from dalil.progress import Reporter

    sources = sources_of(files, extraction(languages, processes))
    with Reporter(quiet=quiet or as_json) as reporter:
        manifest = build(sources, out, name=name, skip_bad=skip_bad, reporter=reporter)
        if manifest.skipped:
            reporter.say(f"what was left out, and why: {out / manifest.index / 'skipped.jsonl'}")
        if manifest.unreadable_dates:
            undated = fitting(manifest.unreadable_dates, "its document is", "those documents are")
            reporter.say(f"{counted(manifest.unreadable_dates, 'date')} cannot be read: {undated} undated")
    if as_json:
        print_json(manifest.model_dump())


def sources_of(files: Sequence[Path], pages: Extraction) -> list[Source]:
    """Each file as the source that its name says: WARC where it has `.warc`, else JSONL."""
    from dalil.collection.jsonl import JsonlSource
    from dalil.collection.warc import WarcSource

    return [WarcSource(file, pages) if ".warc" in file.name.lower() else JsonlSource(file) for file in files]


def extraction(languages: tuple[str, ...], processes: int | None = None, seconds: float = 20.0) -> Extraction:
    """`retrieval.extract` over processes, each page with a time limit, as collections ask for it."""

    def run(pages: Iterator[CapturedPage]) -> Iterator[tuple[CapturedPage, StoredDocument | NoArticle]]:
        from dalil.parallel import over_processes
        from retrieval.extract import Rules, extract

        work = partial(extract, rules=Rules(languages=languages))
        for page, found in over_processes(work, pages, _page, seconds, processes, module=extract.__module__):
            yield page, _document(page, found)

    return run


def _page(page: CapturedPage) -> Page:
    from retrieval.extract import Page

    return Page(page.url, page.body, page.status, page.headers, seen_at=page.captured_at)


def _document(page: CapturedPage, found: object) -> StoredDocument | NoArticle:
    from dalil.collection.documents import StoredDocument
    from dalil.collection.warc import NoArticle
    from dalil.parallel import Broken, TimedOut
    from dalil.text.normal import keep
    from retrieval.extract import Extracted, Refused

    if isinstance(found, Extracted):
        return StoredDocument(
            id=page.url,
            url=page.url,
            body=keep(found.text),
            title=keep(found.title) if found.title else None,
            outlet=found.outlet,
            published=found.published,
            published_from=found.published_from,
            published_raw=found.published_raw,
            language=found.language,
            authors=found.authors,
        )
    if isinstance(found, Refused):
        return NoArticle(found.reason, found.detail or "")
    if isinstance(found, TimedOut):
        return NoArticle("timed_out")
    assert isinstance(found, Broken)
    return NoArticle("parser_failed", found.detail)
