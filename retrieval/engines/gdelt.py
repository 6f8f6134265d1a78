"""GDELT DOC 2.0: news that it has seen, free, by words in English.

It reads articles of many languages in machine translation: the words are English
(`sourcelang:arabic` keeps Arabic pages). They come from the claim (`english` of an imported claim)
or from a function of yours:

    [engines.gdelt]
    terms = "mypackage.words:english"     # takes the Claim, gives a list of words or phrases

A claim without words, and a query without a window (GDELT would answer for the last three months
only), are not asked, and the report says how many. 250 results a question. GDELT asks for at most
one request in five seconds; its errors are plain text, also under HTTP 200; its JSON may hold
illegal escapes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.net import limits
from dalil.net.limits import Kind
from dalil.net.session import Service, Session
from dalil.records import Claim, Hit, SearchPage
from dalil.resources import entry_point
from dalil.stages import Transient
from retrieval.engines import Answer, NotAnswered, Question
from retrieval.engines.web import answered, make_hit, rows

ADDRESS = "https://api.gdeltproject.org/api/v2/doc/doc"
CAP = 250
SECONDS = 6.5
"""between two requests: it asks for five, and punishes what comes close"""
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')


class GdeltSettings(Settings):
    """`[engines.gdelt]` of corpus.toml."""

    terms: str | None = None
    """module:function that gives a claim's English words; without one the claim's own `english` are taken"""
    most_terms: int = Field(default=6, ge=1)
    """words or phrases a query, at most: all of them must occur"""
    sourcelang: str | None = "arabic"
    """language of the pages; none: any"""
    seconds: float = Field(default=SECONDS, ge=5)
    """between two requests"""


class GdeltEngine:
    """Asks GDELT for articles."""

    NAME: ClassVar[str] = "gdelt"
    DATES: ClassVar[str] = "seen"
    CAP: ClassVar[int] = CAP
    COST: ClassVar[float] = 0.0
    POST_FILTERS: ClassVar[bool] = False

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.settings = corpus.section("engines.gdelt", GdeltSettings)
        self.unasked: Counter[str] = Counter()

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """All results come on one page. The dated variants of a claim ask for the same words: one request."""
        if page > 1:
            return None
        if question.start is None or question.end is None:
            self.unasked["no window"] += 1
            return None
        terms = self._terms(question)
        if not terms:
            self.unasked["no English words"] += 1
            return None
        language = f" sourcelang:{self.settings.sourcelang}" if self.settings.sourcelang else ""
        return {
            "query": " ".join(terms) + language,
            "mode": "artlist",
            "format": "json",
            "maxrecords": CAP,
            "sort": "hybridrel",
            "startdatetime": question.start.replace("-", "") + "000000",
            "enddatetime": question.end.replace("-", "") + "235959",
        }

    def reworded(self, what: dict[str, Any]) -> dict[str, Any]:
        """Without the query's text, which once stood beside what is sent."""
        sent: dict[str, Any] = what.get("sent", what)
        return sent

    def _terms(self, question: Question) -> list[str]:
        for key in question.claims:
            claim = self.corpus.store.get(Claim, key)
            if claim is not None:
                given = self._function(claim) if self._function is not None else claim.english
                found = [term for word in given if (term := quoted(word))]
                if found:
                    return found[: self.settings.most_terms]
        return []

    @cached_property
    def _function(self) -> Callable[[Claim], Iterable[str]] | None:
        """The user's function. Raises UsageError where it cannot be imported."""
        if self.settings.terms is None:
            return None
        try:
            found: Callable[[Claim], Iterable[str]] = entry_point(self.settings.terms)
        except (ImportError, AttributeError, ValueError) as error:
            raise UsageError(
                f"{self.settings.terms!r} cannot be imported: {error}",
                where=f"{self.corpus.config.path}: engines.gdelt.terms",
                todo='name an installed function: terms = "package.module:function"',
            ) from error
        return found

    @cached_property
    def _session(self) -> Session:
        rate = 1 / self.settings.seconds
        return Session(Service(self.NAME, rate=rate, timeout=60.0, verdict=verdict))

    def ask(self, what: dict[str, Any]) -> Answer:
        """Send it. Raises LimitReached (asked too often), Transient (no answer of GDELT)."""
        reply = self._session.get(ADDRESS, params=what)
        text = answered(reply, self.NAME, "check the claim's English words")
        if text.lstrip().startswith("<"):
            raise Transient(f"{self.NAME}: a page instead of an answer", seconds=300)
        if text.lstrip().startswith("{") and mended(text) is None:
            raise Transient(f"{self.NAME}: the answer was damaged on its way", seconds=300)
        return Answer(reply.status, text)

    def hits(self, page: SearchPage) -> list[Hit]:
        """Hits of a stored answer. Raises NotAnswered where GDELT refused the words (plain text)."""
        text = page.answer.strip()
        value = mended(text) if text.startswith("{") else None
        if value is None:
            if not text:
                return []
            raise NotAnswered(" ".join(text[:200].split()))
        return [
            make_hit(page, rank, row.get("url"), title=row.get("title"), date=seen(row.get("seendate")))
            for rank, row in enumerate(rows(value.get("articles")), 1)
        ]


def quoted(term: str) -> str:
    """A word, or a phrase in quotation marks, without the signs that GDELT reads as operators."""
    plain = " ".join(re.sub(r"[^\w\s'.-]|_", " ", term).split()).strip("-.' ")
    return f'"{plain}"' if " " in plain or "-" in plain else plain


def mended(text: str) -> dict[str, Any] | None:
    """GDELT's JSON, illegal escapes (`\\'`, `\\x`) and bare control characters read as text; None: none."""
    legal = _ESCAPE.sub(lambda found: found[0] if len(found[0]) > 1 else "\\\\", text)
    try:
        value = json.loads(legal, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def seen(text: Any) -> str | None:
    """`20180218T101500Z` as an ISO date: when GDELT saw the page."""
    found = re.match(r"(\d{4})(\d\d)(\d\d)T", text) if isinstance(text, str) else None
    return "-".join(found.groups()) if found else None


def verdict(status: int, headers: Mapping[str, str], body: str) -> Kind | None:
    """What a refusal is: that it was asked too often, GDELT says under HTTP 200 as well."""
    if status == 429 or (status == 200 and "limit requests to one every" in body[:300]):
        return Kind.RATE
    return limits.kind(status, headers, body)
