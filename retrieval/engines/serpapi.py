"""SerpApi: Google's results by way of a paid service, with Google's own date windows.

    [search]
    engines = ["serpapi"]

The key is read from SERPAPI_KEY. Ten results a page.
"""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Any, ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.net.secrets import secret
from dalil.net.session import Service, Session
from dalil.records import Hit, SearchPage
from dalil.stages import Transient
from retrieval.engines import Answer, Question
from retrieval.engines.web import answered, date_of, google_hit, json_answer, rows, stored

ADDRESS = "https://serpapi.com/search.json"
KEY = "SERPAPI_KEY"
PER_PAGE = 10
CAP = 100
EMPTY = "hasn't returned any results"
"""what it says, under `error`, of a search that found nothing"""


class SerpApiSettings(Settings):
    """`[engines.serpapi]` of corpus.toml."""

    lr: str | None = "lang_ar"
    """language of the pages"""
    hl: str | None = "ar"
    """language of Google's page"""
    gl: str | None = None
    """country whose results are preferred, two letters"""
    google_domain: str | None = None
    """e.g. google.com.eg"""
    requests_per_second: float = Field(default=1.0, gt=0)
    """how fast it is asked"""


class SerpApiEngine:
    """Asks SerpApi's Google engine."""

    NAME: ClassVar[str] = "serpapi"
    DATES: ClassVar[str] = "estimated"
    CAP: ClassVar[int] = CAP
    COST: ClassVar[float] = 0.025
    POST_FILTERS: ClassVar[bool] = False

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("engines.serpapi", SerpApiSettings)

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """Ten results a page, as far as there is a next one."""
        start = (page - 1) * PER_PAGE
        if start >= CAP or (previous is not None and not has_more(previous)):
            return None
        what = {
            "engine": "google",
            "q": question.text,
            "start": start,
            "lr": self.settings.lr,
            "hl": self.settings.hl,
            "gl": self.settings.gl,
            "google_domain": self.settings.google_domain,
            "tbs": window(question.start, question.end),
        }
        return {name: value for name, value in what.items() if value is not None}

    @cached_property
    def _session(self) -> Session:
        return Session(Service(self.NAME, rate=self.settings.requests_per_second, timeout=90.0))

    def ask(self, what: dict[str, Any]) -> Answer:
        """Send it. Raises LimitReached (no searches left), Transient (it failed itself), DalilError (key)."""
        key = secret(KEY, what="key of SerpApi")
        reply = self._session.get(ADDRESS, params=what | {"api_key": key})
        text = answered(reply, self.NAME, "check [engines.serpapi]")
        value = json_answer(text, self.NAME)
        error = value.get("error")
        if error and EMPTY not in str(error):
            raise Transient(f"{self.NAME}: {error}", seconds=300)
        return Answer(reply.status, text, self.COST)

    def hits(self, page: SearchPage) -> list[Hit]:
        """Hits of a stored answer: the organic results, without news boxes, videos and advertisements."""
        first = page.request.get("start", 0) + 1
        return [
            google_hit(page, rank, row, date_of(row.get("date"), page))
            for rank, row in enumerate(rows(stored(page).get("organic_results")), first)
        ]


def window(start: str | None, end: str | None) -> str | None:
    """`cdr:1,cd_min:2/18/2018,cd_max:…`: Google's own form, month first and without zeros."""
    if start is None or end is None:
        return None
    return f"cdr:1,cd_min:{_american(start)},cd_max:{_american(end)}"


def has_more(page: SearchPage) -> bool:
    """Whether there is a next page."""
    pages = stored(page).get("serpapi_pagination")
    return isinstance(pages, dict) and bool(pages.get("next"))


def _american(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.month}/{day.day}/{day.year}"
