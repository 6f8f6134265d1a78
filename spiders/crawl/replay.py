"""A crawl answered from the WARC, with the network off: the same order, rules and records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dalil.corpus import Corpus
from dalil.state import warc
from dalil.state.warc import Location
from spiders.crawl.answers import Answer, Kept, NoAnswer
from spiders.crawl.keeper import Keeper


class Index:
    """Url → its newest stored response or failure, over all WARC files of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._found: dict[str, tuple[Location, str, str | None, str | None]] = {}
        for path in warc.files(folder):
            for record in warc.records(path):
                if record.kind != "revisit":
                    self._found[record.url] = (record.location, record.date, record.error, record.truncated)

    async def __call__(self, url: str, domain: str, headers: Mapping[str, str]) -> Answer:
        """The stored answer. Raises NoAnswer where there is none, or where none came then."""
        found = self._found.get(url)
        if found is None:
            raise NoAnswer("not_stored")
        where, date, error, truncated = found
        if error is not None:
            reason, _, detail = error.partition(": ")
            raise NoAnswer(
                reason,
                detail,
                lasting=reason in ("too_large", "refused_address", "refused_scheme", "bad_url"),
            )
        response = warc.read(self.folder, where)
        at = f"{date[:19]}Z" if date else ""
        return Answer(url, response.status, "", response.headers, response.body, None, truncated, where, at)


class ReplayKeeper(Keeper):
    """Writes what a replay finds: rows, and no request and no byte.

    Made before the index, since the torn tail of a killed run is cut off here. Files that lie here
    from elsewhere are good as a whole from now on: rows will point into them, and nothing cuts them.
    """

    def __init__(self, corpus: Corpus, stage: str, run_id: str):
        super().__init__(corpus, stage, run_id)
        with corpus.store.transaction() as writer:
            for path in warc.files(corpus.warc):
                writer.warc_good(path.name, path.stat().st_size)

    async def sending(self, service: str, fingerprint: str) -> str:
        """Nothing is sent."""
        return ""

    def keep(self, row: str, answer: Answer, same_as: tuple[str, str] | None = None) -> Kept:
        """It is stored already."""
        return Kept(answer, location=answer.location)

    async def keep_failure(self, row: str, url: str, problem: NoAnswer) -> None:
        """It is stored already."""
