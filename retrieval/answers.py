"""Which stored answers count: those to the requests that the present configuration makes.

Answers are never thrown away. One to a request that would be made differently now (another state of the
collection, another `match`, an engine no longer listed) stays stored, with its hits, and the pairs that
were judged from it keep it as their origin; but it counts for no pairing and no ablation.

An answer counts for every question that makes its request: variants whose words come out the same for
an engine (gdelt) share one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dalil.errors import StateError
from dalil.formats.answers import is_imported
from dalil.ids import make_id
from dalil.records import Dropped, Query, SearchPage
from dalil.state import ledger
from dalil.state.store import Store
from dalil.wording import counted as with_noun
from retrieval.engines import Engine, Question
from retrieval.former import present

if TYPE_CHECKING:
    from retrieval.search import Search

OLDER = "older_answer"
"""mark of a hit, and reason of a drop: the answer is to a request that is not made any more"""
READER = "hits"
"""the stage that decides it"""


@dataclass
class Standing:
    """What the present configuration asks, and which stored answers are to that."""

    asked: dict[str, Question]
    """question → what it asks"""
    engines: Mapping[str, Engine]
    """those that are asked, and those that were and are retired"""
    answers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """page id → questions that make its request"""
    requests: dict[tuple[str, str, int], dict[str, Any]] = field(default_factory=dict)
    """(engine, question, page) → what would be sent"""
    unknown: set[str] = field(default_factory=set)
    """engines whose requests cannot be made here (the collection is elsewhere)"""
    newest: dict[tuple[str, str], str] = field(default_factory=dict)
    """(engine, question) of those → when it was last answered: that answer counts"""

    def questions(self, page: SearchPage) -> tuple[str, ...]:
        """The questions that a stored answer answers now; none: it is an older one."""
        if is_imported(page):
            return (page.question,)
        if page.engine in self.unknown:
            known = self.newest.get((page.engine, page.question))
            return (page.question,) if page.question in self.asked and known == (page.asked_at or "") else ()
        return tuple(self.answers.get(page.id, ()))

    def why_older(self, page: SearchPage) -> str:
        """Why a stored answer does not count, in a line."""
        if page.engine not in self.engines:
            return f"{page.engine} is neither among [search] engines nor retired"
        if page.question not in self.asked:
            return "no query asks this any more"
        if page.engine in self.unknown:
            return "there is a newer answer"
        now = self.requests.get((page.engine, page.question, page.page))
        if now is None:
            return f"page {page.page} of this is not asked any more"
        engine = self.engines[page.engine]
        changes = ", ".join(_other(present(engine, page.request), present(engine, now)))
        return f"asked with {changes}" if changes else "there is a newer answer"


def standing(search: Search, store: Store) -> Standing:
    """What the present configuration asks, beside what is stored."""
    from retrieval.search import questions_of

    asked = questions_of(store.all(Query))
    found = Standing(asked, search.engines)
    for name in search.engines:
        try:
            for request in search.ask(store, asked, engines=(name,)):
                key, _, number = request.context
                found.answers[make_id("page", request.fingerprint)].append(key)
                found.requests[name, key, number] = request.what
        except StateError:
            found.unknown.add(name)
    for page in store.all(SearchPage, engine=sorted(found.unknown)) if found.unknown else ():
        if is_imported(page):  # it counts beside whatever the engine itself has answered
            continue
        place = (page.engine, page.question)
        found.newest[place] = max(found.newest.get(place, ""), page.asked_at or "")
    return found


def counted(store: Store, **where: str) -> Iterator[tuple[SearchPage, tuple[str, ...]]]:
    """The answers that count, each with the questions that it answers, as hits were last read."""
    older = {drop.key for drop in store.all(Dropped, stage=READER, reason=OLDER)}
    shared: dict[str, list[str]] = defaultdict(list)
    for key in ledger.entries(store, READER):
        page_id, _, question = key.partition(" ")
        if question:
            shared[page_id].append(question)
    for page in store.all(SearchPage, **where):
        own = () if page.id in older else (page.question,)
        questions = (*own, *sorted(shared.get(page.id, ())))
        if questions:
            yield page, questions


def set_aside(store: Store) -> int:
    """How many stored answers do not count."""
    return store.count(Dropped, stage=READER, reason=OLDER)


def said(older: int) -> str:
    """The same for a reader."""
    are, they = ("is", "it answers") if older == 1 else ("are", "they answer")
    return f"{with_noun(older, 'older answer')} {are} stored and not counted: {they} what is not asked now"


def _other(then: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """`match any, now all`: in what two requests differ, long values by their names alone."""
    for key in sorted(then.keys() | now.keys()):
        old, new = then.get(key), now.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _other(old, new)
        elif len(f"{old}{new}") > 60:
            yield f"another {key}"
        else:
            yield f"{key} {old}, now {new}"
