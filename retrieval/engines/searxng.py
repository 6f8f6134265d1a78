"""SearXNG: a metasearch server of one's own. Free, and without date windows.

    [engines.searxng]
    address = "http://localhost:8888"

It knows the last day, month or year only, so that dalil filters by date itself: a hit that the
server dates outside the window is dropped, an undated one stays and is judged by its article.
JSON must be switched on in the server's settings.yml (`search: formats: [html, json]`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import DalilError, UsageError
from dalil.net import limits
from dalil.net.limits import Kind
from dalil.net.session import Service, Session
from dalil.records import Hit, SearchPage
from dalil.stages import Transient
from retrieval.engines import Answer, Question
from retrieval.engines.web import BEYOND, answered, date_of, json_answer, make_hit, plain, rows, stored

CAP = 1000
MOST_A_PAGE = 100
"""ranks a page: pages are as long as the engines behind the server make them"""


class SearxngSettings(Settings):
    """`[engines.searxng]` of corpus.toml."""

    address: str = ""
    """of your server; it may lie on your own network"""
    language: str = "ar"
    """language that is asked for, or `all`"""
    categories: tuple[str, ...] = ("general",)
    """e.g. general, news"""
    engines: tuple[str, ...] = ()
    """which of the server's engines; none named: those of the categories"""
    requests_per_second: float = Field(default=0.5, gt=0)
    """how fast it is asked: the engines behind it block a server that asks too fast"""


class SearxngEngine:
    """Asks a SearXNG server."""

    NAME: ClassVar[str] = "searxng"
    DATES: ClassVar[str] = "published"
    CAP: ClassVar[int] = CAP
    COST: ClassVar[float] = 0.0
    POST_FILTERS: ClassVar[bool] = True

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("engines.searxng", SearxngSettings)
        self.where = f"{corpus.config.path}: engines.searxng.address"

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """Pages until one is empty. Raises UsageError where no server is named.

        The window is no part of it: one answer serves all windows, and is filtered for each.
        """
        if not urlsplit(self.settings.address).hostname:
            raise UsageError(
                "no server is named", where=self.where, todo='set it: address = "http://localhost:8888"'
            )
        if page > CAP // MOST_A_PAGE or (previous is not None and not stored(previous).get("results")):
            return None
        what: dict[str, Any] = {
            "q": question.text,
            "pageno": page,
            "language": self.settings.language,
            "categories": ",".join(self.settings.categories),
            "engines": ",".join(self.settings.engines),
        }
        sent = {name: value for name, value in what.items() if value}
        return {"server": self.settings.address, "sent": sent}

    def reworded(self, what: dict[str, Any]) -> dict[str, Any]:
        """Without the window, which once stood beside what is sent."""
        return {name: value for name, value in what.items() if name != "window"}

    @cached_property
    def _session(self) -> Session:
        own = urlsplit(self.settings.address).netloc
        rate = self.settings.requests_per_second
        return Session(Service(self.NAME, rate=rate, own_host=own, verdict=verdict))

    def ask(self, what: dict[str, Any]) -> Answer:
        """Send it. Raises DalilError (JSON is switched off), LimitReached, Transient (no engine answered)."""
        address = f"{what['server'].rstrip('/')}/search"
        reply = self._session.get(address, params=what["sent"] | {"format": "json"})
        if reply.status == 403:
            raise DalilError(
                "the server gives no JSON (HTTP 403)",
                where=what["server"],
                todo="add json to search.formats in its settings.yml and restart it",
            )
        text = answered(reply, self.NAME, "check [engines.searxng]")
        value = json_answer(text, self.NAME)
        silent = value.get("unresponsive_engines")
        if not value.get("results") and silent and what["sent"]["pageno"] == 1:
            raise Transient(f"{self.NAME}: no engine behind it answered: {_named(silent)}", seconds=600)
        return Answer(reply.status, text)

    def hits(self, page: SearchPage) -> list[Hit]:
        """Hits of a stored answer, in the server's order; those past 100 are marked `beyond_page`."""
        first = (page.page - 1) * MOST_A_PAGE + 1
        found = [
            make_hit(
                page,
                first + place,
                row.get("url"),
                title=plain(row.get("title")),
                snippet=plain(row.get("content")),
                date=date_of(row.get("publishedDate"), page),
            )
            for place, row in enumerate(rows(stored(page).get("results")))
        ]
        beyond = [hit.model_copy(update={"marks": (*hit.marks, BEYOND)}) for hit in found[MOST_A_PAGE:]]
        return [*found[:MOST_A_PAGE], *beyond]


def verdict(status: int, headers: Mapping[str, str], body: str) -> Kind | None:
    """What a refusal is: 403 means that JSON is switched off, which `ask` says."""
    return None if status == 403 else limits.kind(status, headers, body)


def _named(silent: Any) -> str:
    """`google: too many requests, bing: timeout`."""
    pairs = silent if isinstance(silent, list) else []
    said = [": ".join(map(str, pair)) if isinstance(pair, list) else str(pair) for pair in pairs]
    return ", ".join(said)[:200]
