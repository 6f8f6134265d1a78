"""Answers whose requests an older dalil wrote down in another form: they answer the same requests still.

Such a request is made in its old form again, so that it has the identity of its answer: nothing is asked
anew, and hits, and the pairs made of them, keep their ids.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from dalil.ids import make_id
from dalil.records import SearchPage
from dalil.stages import Request
from dalil.state.store import Store
from dalil.state.tables import TABLES
from retrieval.engines import Engine, Rewords

_PAGES = TABLES[SearchPage]


class Former:
    """The stored requests of one engine that are of an older form."""

    def __init__(self, store: Store, name: str, engine: Engine):
        self.store = store
        self.known: dict[str, dict[str, dict[str, Any]]] = {}
        """fingerprint of a request as it is made now → question → the request as it was made"""
        if not isinstance(engine, Rewords):
            return
        columns = (_PAGES.c.id, _PAGES.c.question, _PAGES.c.request)
        query = sa.select(*columns).where(_PAGES.c.engine == name).order_by(_PAGES.c.id)
        for _, question, then in store.rows(query):  # without the answers, which are long
            now = present(engine, then)
            if now != then:
                self.known.setdefault(Request(name, now).fingerprint, {}).setdefault(question, then)

    def of(self, request: Request, question: str) -> Request:
        """The request in the form in which it was answered: for this question, else for another one."""
        forms = self.known.get(request.fingerprint)
        if forms is None or self.store.count(SearchPage, id=make_id("page", request.fingerprint)):
            return request
        what = forms.get(question) or next(iter(forms.values()))
        return Request(request.service, what, request.cost, request.context)


def present(engine: Engine, what: dict[str, Any]) -> dict[str, Any]:
    """A stored request as it would be made now."""
    return engine.reworded(what) if isinstance(engine, Rewords) else what
