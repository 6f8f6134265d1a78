"""Google's Custom Search JSON API: what AraStance searched with.

It is closed to new customers, and closes for all on 2027-01-01; it says so at every use. Its date
window (`sort=date:r:…`) goes by a date that Google estimates, so that hits are checked again when
their articles are known. At most 100 results a question, ten a page. A request whose address would
be longer than 2,048 characters (some 310 Arabic letters) goes as POST: Google's client does that.

    [engines.google]
    cx = "0123456789abcdef0"      # the id of your Programmable Search Engine

The key is read from GOOGLE_API_KEY.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cached_property
from typing import Any, ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import DalilError, UsageError
from dalil.net.google import SessionHttp
from dalil.net.secrets import redact, redact_known, secret
from dalil.net.session import Service, Session
from dalil.records import Hit, SearchPage
from dalil.wording import counted
from retrieval.engines import Answer, Question
from retrieval.engines.web import date_of, google_hit, json_answer, rows, stored

ADDRESS = "https://customsearch.googleapis.com/"
KEY = "GOOGLE_API_KEY"
CLOSES = date(2027, 1, 1)
PER_PAGE = 10
CAP = 100
_DATE_HEAD = re.compile(
    r"^(?!(?:في|on|in)\s)((?=.{4,40}?\s*(?:\.\.\.|…)\s)(?:\S+\s+){0,3}?\S+?)\s*(?:\.\.\.|…)\s", re.I
)
"""Google begins a snippet with the date it estimates: «Feb 18, 2018 ... text». More than four words, or a
preposition, are the page's own sentence, cut short."""


class GoogleSettings(Settings):
    """`[engines.google]` of corpus.toml."""

    cx: str = ""
    """id of the Programmable Search Engine (it is no secret); the key is read from GOOGLE_API_KEY"""
    lr: str | None = "lang_ar"
    """language of the pages"""
    gl: str | None = None
    """country whose results are preferred, two letters"""
    requests_per_second: float = Field(default=1.0, gt=0)
    """how fast it is asked"""


class GoogleEngine:
    """Asks the Custom Search JSON API through Google's own client."""

    NAME: ClassVar[str] = "google"
    DATES: ClassVar[str] = "estimated"
    CAP: ClassVar[int] = CAP
    COST: ClassVar[float] = 0.005
    POST_FILTERS: ClassVar[bool] = False

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("engines.google", GoogleSettings)
        self.where = f"{corpus.config.path}: engines.google.cx"

    def notices(self) -> tuple[str, ...]:
        """The closing date."""
        return (closing(date.today()),)

    def request(self, question: Question, page: int, previous: SearchPage | None) -> dict[str, Any] | None:
        """Ten results a page, ten pages. Raises UsageError where no search engine is named."""
        if not self.settings.cx:
            raise UsageError("no search engine is named", where=self.where, todo='set it: cx = "…"')
        start = (page - 1) * PER_PAGE + 1
        if start > CAP or (previous is not None and not has_more(previous)):
            return None
        what = {
            "q": question.text,
            "cx": self.settings.cx,
            "lr": self.settings.lr,
            "gl": self.settings.gl,
            "num": PER_PAGE,
            "start": start,
            "sort": window(question.start, question.end),
        }
        return {name: value for name, value in what.items() if value is not None}

    @cached_property
    def _client(self) -> Any:
        from googleapiclient.discovery import build

        session = Session(Service(self.NAME, rate=self.settings.requests_per_second))
        return build(
            "customsearch",
            "v1",
            developerKey=secret(KEY, what="key of Google's Custom Search API"),
            http=SessionHttp(session),
            static_discovery=True,
            client_options={"api_endpoint": ADDRESS},
        )

    def ask(self, what: dict[str, Any]) -> Answer:
        """Send it. Raises LimitReached (daily quota), Transient, DalilError (key, cx)."""
        from googleapiclient.errors import HttpError

        request = self._client.cse().list(**what)
        request.postproc = lambda _, content: content.decode("utf-8", "replace")
        try:
            text = redact_known(request.execute(num_retries=0))
        except HttpError as error:
            said = redact(" ".join(error.content[:300].decode("utf-8", "replace").split()))
            # from None: the client's error holds the address, and that the key
            raise DalilError(
                f"the request was refused (HTTP {error.resp.status}: {said})",
                where=self.NAME,
                todo="check [engines.google] cx and the query",
            ) from None
        json_answer(text, self.NAME)
        return Answer(200, text, self.COST)

    def hits(self, page: SearchPage) -> list[Hit]:
        """Hits of a stored answer; the date is the one Google puts before a snippet."""
        first = page.request.get("start", 1)
        return [
            google_hit(page, rank, row, snippet_date(row.get("snippet"), page))
            for rank, row in enumerate(rows(stored(page).get("items")), first)
        ]


def window(start: str | None, end: str | None) -> str | None:
    """`date:r:20180101:20180301`, or None without a window."""
    if start is None or end is None:
        return None
    return f"date:r:{start.replace('-', '')}:{end.replace('-', '')}"


def has_more(page: SearchPage) -> bool:
    """Whether Google says that another page follows."""
    queries = stored(page).get("queries")
    return isinstance(queries, dict) and bool(queries.get("nextPage"))


def snippet_date(snippet: Any, page: SearchPage) -> str | None:
    """The date at the head of a snippet, or None."""
    head = _DATE_HEAD.match(snippet) if isinstance(snippet, str) else None
    return date_of(head[1], page) if head else None


def closing(today: date) -> str:
    """What is said at every use."""
    days = (CLOSES - today).days
    when = f"closes on {CLOSES} ({counted(days, 'day')} from now)" if days > 0 else f"was closed on {CLOSES}"
    return (
        f"google: the Custom Search JSON API {when}; brave and serpapi have date windows too. What it has "
        "answered counts on with google under [search] retired"
    )
