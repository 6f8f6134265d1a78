"""Pages as requests, and pages as they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dalil.corpus import Corpus
from dalil.net.encoding import Undecodable
from dalil.records import Fetch
from dalil.stages import Request
from dalil.state import warc
from dalil.state.store import Store
from dalil.state.warc import Location


@dataclass(frozen=True)
class Context:
    """What a stage knows of a page that it asks for; no part of the request's identity."""

    site: str | None = None
    depth: int = 0
    document: str | None = None
    """id of the document, where it is known already"""


def page_request(
    url: str, purpose: str, site: str | None = None, *, depth: int = 0, document: str | None = None
) -> Request:
    """The request for a page. Its identity is the url and what it is wanted for.

    `purpose` is listing, claim, article or post.
    """
    return Request("web", {"url": url, "purpose": purpose}, context=Context(site, depth, document))


def latest(store: Store, **where: str) -> Iterator[Fetch]:
    """The last stored attempt for each request, with a body."""
    newest: dict[str, Fetch] = {}
    for fetch in store.all(Fetch, **where):
        known = newest.get(fetch.fingerprint)
        if fetch.warc_file and (known is None or (fetch.fetched_at or "") >= (known.fetched_at or "")):
            newest[fetch.fingerprint] = fetch
    yield from newest.values()


def latest_of(store: Store, fingerprint: str) -> Fetch | None:
    """The last attempt for a request, with a body or without."""
    return max(
        store.all(Fetch, fingerprint=fingerprint),
        key=lambda fetch: (fetch.fetched_at or "", fetch.id),
        default=None,
    )


def body_of(corpus: Corpus, fetch: Fetch) -> bytes:
    """The bytes of a fetch, from the WARC, without their Content-Encoding; none where they are damaged."""
    return bytes_of(corpus.warc, fetch)


def bytes_of(folder: Path, fetch: Fetch) -> bytes:
    """The same, from the folder of the WARC."""
    if fetch.warc_file is None or fetch.warc_offset is None or fetch.warc_length is None:
        return b""
    try:
        return warc.read(folder, Location(fetch.warc_file, fetch.warc_offset, fetch.warc_length)).content()
    except Undecodable:
        return b""
