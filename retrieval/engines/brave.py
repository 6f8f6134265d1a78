"""Brave Search: its own index, exact windows by the date on which it discovered a page.

    [search]
    engines = ["brave"]

The key is read from BRAVE_API_KEY. Twenty results a page, ten pages. A query may have 400
characters and 50 words: a longer one is cut at a word, and the stored request says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.net import limits
from dalil.net.limits import Kind
from dalil.net.secrets import secret
from dalil.net.session import Service, Session
from dalil.records import Hit, SearchPage
from retrieval.engines import Answer, Question
from retrieval.engines.web import answered, date_of, json_answer, make_hit, plain, rows, stored

ADDRESS = "https://api.search.brave.com/res/v1/web/search"
KEY = "BRAVE_API_KEY"
PER_PAGE = 20
LAST_OFFSET = 9
CAP = PER_PAGE * (LAST_OFFSET + 1)
LONGEST = 400
"""characters of a query"""
MOST_WORDS = 50


class BraveSettings(Settings):
    """`[engines.brave]` of corpus.toml."""

    search_lang: str | None = "ar"
    """language of the pages"""
    country: str | None = None
    """country whose results are preferred, two letters or ALL"""
    requests_per_second: float = Field(default=1.0, gt=0, le=50)
    """how fast it is asked: as your plan allows"""


class BraveEngine:
    """Asks the web search of Brave."""

    NAME: ClassVar[str] = "brave"
    DATES: ClassVar[str] = "discovered"
    CAP: ClassVar[int] = CAP
    COST: ClassVar[float] = 0.005
    POST_FILTERS: ClassVar[bool] = False

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("engines.brave", BraveSettings)

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """Twenty results a page, as far as there are more."""
        if page - 1 > LAST_OFFSET or (previous is not None and not has_more(previous)):
            return None
        text = shortened(question.text)
        what = {
            "q": text,
            "count": PER_PAGE,
            "offset": page - 1,
            "search_lang": self.settings.search_lang,
            "country": self.settings.country,
            "freshness": f"{question.start}to{question.end}" if question.start and question.end else None,
            "cut_from": question.text if text != question.text else None,
        }
        return {name: value for name, value in what.items() if value is not None}

    @cached_property
    def _session(self) -> Session:
        return Session(Service(self.NAME, rate=self.settings.requests_per_second, verdict=verdict))

    def ask(self, what: dict[str, Any]) -> Answer:
        """Send it. Raises LimitReached (monthly quota, credits), Transient, DalilError (key, request)."""
        key = secret(KEY, what="key of Brave Search")
        sent = {name: value for name, value in what.items() if name != "cut_from"}
        params = sent | {"result_filter": "web", "text_decorations": "false"}
        headers = {"X-Subscription-Token": key, "Accept": "application/json"}
        reply = self._session.get(ADDRESS, params=params, headers=headers)
        text = answered(reply, self.NAME, "check [engines.brave]")
        json_answer(text, self.NAME)
        return Answer(reply.status, text, self.COST)

    def hits(self, page: SearchPage) -> list[Hit]:
        """Hits of a stored answer."""
        web = stored(page).get("web")
        first = page.request.get("offset", 0) * PER_PAGE + 1
        return [
            make_hit(
                page,
                first + place,
                row.get("url"),
                title=plain(row.get("title")),
                snippet=plain(row.get("description")),
                date=date_of(row.get("page_age") or row.get("age"), page),
            )
            for place, row in enumerate(rows(web.get("results") if isinstance(web, dict) else None))
        ]


def has_more(page: SearchPage) -> bool:
    """Whether Brave says that there is more."""
    query = stored(page).get("query")
    return isinstance(query, dict) and bool(query.get("more_results_available"))


def shortened(text: str) -> str:
    """A query as long as Brave takes it, cut between words."""
    words = text.split()
    if len(text) <= LONGEST and len(words) <= MOST_WORDS:
        return text
    kept = words[:MOST_WORDS]
    while len(kept) > 1 and len(" ".join(kept)) > LONGEST:
        kept.pop()
    return " ".join(kept)[:LONGEST]


def verdict(status: int, headers: Mapping[str, str], body: str) -> Kind | None:
    """What a refusal is. Brave answers 422 to a wrong key, and 429 to both a rate and a spent month."""
    error = _error(body)
    code = str(error.get("code", ""))
    if status == 422:
        about = json.dumps(error.get("meta", {})).lower()
        return Kind.AUTH if "SUBSCRIPTION_TOKEN" in code or "x-subscription-token" in about else None
    if status == 429:
        return Kind.QUOTA if "QUOTA" in code or _month_is_spent(error, headers) else Kind.RATE
    return limits.kind(status, headers, body)


def _error(body: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    found = value.get("error") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _month_is_spent(error: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """By the error's own figures, or by the last of `X-RateLimit-Remaining: second, month`."""
    meta = error.get("meta")
    if isinstance(meta, dict):
        limit, current = meta.get("quota_limit"), meta.get("quota_current")
        if isinstance(limit, int) and isinstance(current, int) and 0 < limit <= current:
            return True
    lowered = {name.lower(): value for name, value in headers.items()}
    left = [part.strip() for part in lowered.get("x-ratelimit-remaining", "").split(",")]
    policy = [part.strip() for part in lowered.get("x-ratelimit-limit", "").split(",")]
    return len(left) > 1 and left[-1] == "0" and policy[-1] not in ("", "0")
