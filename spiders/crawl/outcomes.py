"""What a visit leaves: a Fetch, a Dropped with its reason, a row in the ledger."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dalil.errors import InputError, StateError
from dalil.ids import digest, make_id
from dalil.net import wayback
from dalil.records import Fetch, utc_now
from dalil.stages import Drop, Request
from dalil.state import warc
from dalil.state.ledger import Entry
from dalil.state.warc import Location, Response
from dalil.text.urls import document_id
from spiders.crawl.answers import PERMANENT, Got
from spiders.crawl.keeper import Outcome

_REPLAYED = re.compile(r"/web/(\d{4,14})(?:[a-z]{2}_)?/")


@dataclass(frozen=True)
class Past:
    """The stored fetch of a request that is asked again, if there is one."""

    folder: Path
    fetch: Fetch | None

    def response(self) -> Response | None:
        """Its response, from the WARC."""
        fetch = self.fetch
        if fetch is None or fetch.warc_file is None or fetch.warc_offset is None or fetch.warc_length is None:
            return None
        return warc.read(self.folder, Location(fetch.warc_file, fetch.warc_offset, fetch.warc_length))

    def capture(self) -> tuple[str, str] | None:
        """Url and time of its full record in the WARC."""
        if self.fetch is None or self.fetch.warc_file is None:
            return None
        return self.fetch.final_url or self.fetch.url, self.fetch.fetched_at or ""

    def has(self, body: bytes) -> bool:
        """Whether this is the stored body again."""
        return (
            self.fetch is not None
            and self.fetch.warc_file is not None
            and self.fetch.content_hash == digest(body)
        )

    def conditions(self) -> dict[str, str]:
        """Headers that ask for the page only if it has changed (RFC 9110, 13.1)."""
        if self.fetch is None or self.fetch.status != 200 or self.fetch.redirects:
            return {}
        try:
            old = self.response()
        except StateError:
            return {}
        if old is None:
            return {}
        pairs = {"If-None-Match": old.header("ETag"), "If-Modified-Since": old.header("Last-Modified")}
        return {
            name: value for name, value in pairs.items() if value and value.isascii() and value.isprintable()
        }


def outcome_of(request: Request, got: Got, past: Past) -> Outcome:
    """Records, drops and ledger rows of a visit."""
    key = request.fingerprint
    more = (got.domain,) if got.domain is not None else ()
    drops: tuple[Drop, ...] = ()
    if got.error in PERMANENT and not (got.transient and got.error == "no_such_host"):
        detail = f"{request.what['url']}: {got.detail or PERMANENT[got.error]}"
        drops = (Drop(got.error, detail, document_of(request)),)
    if got.transient:
        return Outcome(key, (), drops, Entry("", "", "failed", _later(got.retry_seconds)), more)
    return Outcome(key, (fetch_of(request, got, past),), drops, Entry("", "", "done", None), more)


def fetch_of(request: Request, got: Got, past: Past) -> Fetch:
    """The Fetch of a visit. The same bytes at the same url are the same Fetch, seen again later."""
    at = got.kept.answer.at if got.kept is not None else utc_now()
    if got.unchanged and past.fetch is not None:
        return past.fetch.model_copy(update={"fetched_at": at})
    content, where = None, None
    if got.kept is not None:
        content = digest(got.kept.answer.body)
        where = got.kept.location
    what = (str(got.status or ""), got.error or "", content or "")
    key = make_id("fetch", request.fingerprint, *what)
    if past.fetch is not None and past.fetch.id == key:
        return past.fetch.model_copy(update={"fetched_at": at})
    return Fetch(
        id=key,
        fingerprint=request.fingerprint,
        document_id=document_of(request),
        url=request.what.get("original", request.what["url"]),
        final_url=got.final_url,
        redirects=got.redirects,
        purpose=request.what["purpose"],
        site=getattr(request.context, "site", None),
        status=got.status,
        content_type=got.content_type,
        content_hash=content,
        error=got.error,
        snapshot_at=_snapshot(request, got),
        fetched_at=at,
        warc_file=where.file if where else None,
        warc_offset=where.offset if where else None,
        warc_length=where.length if where else None,
    )


def document_of(request: Request) -> str:
    """The id of the document that a request is for: of the original url, for a replay."""
    known = getattr(request.context, "document", None)
    if known is not None:
        return str(known)
    url = request.what.get("original", request.what["url"])
    try:
        return document_id(url)
    except InputError:
        return make_id("document", url)


def _snapshot(request: Request, got: Got) -> str | None:
    """When the capture was made that an archive answered with: the address it ended at says so."""
    if "original" not in request.what:
        return None
    found = _REPLAYED.search(got.final_url or "")
    return wayback.iso(found[1] if found else request.what["timestamp"])


def _later(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
