"""Every route of the page × everybody who may ask for it: who gets what, and nobody more.

A route without a line here fails the first test.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import annotationkit as kit
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

import annotation.app
from annotation.app.server import create_app
from annotation.rounds.following import Follower
from annotation.rounds.leaving import leave
from annotation.rounds.notices import accept
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import RECORDS, Assignment, Person, Reference

WHO = ("nobody", "gone", "new", "other", "own", "adjudicator", "lead")
"""nobody: not signed in; gone: signed in when they left; new: an annotator who accepted no notice;
other: an annotator with no part in the item; own: the one whose item it is"""


@dataclass(frozen=True)
class Line:
    """A route, asked for with one address, and the status that each of `WHO` gets."""

    method: str
    route: str
    statuses: tuple[int, ...]
    address: str = ""

    @property
    def called(self) -> str:
        return f"{self.method} {self.address or self.route}"


def everybody(method: str, route: str, status: int, address: str = "") -> Line:
    return Line(method, route, (status,) * len(WHO), address)


def leads(method: str, route: str, status: int, address: str = "") -> Line:
    return Line(method, route, (401, 401, 403, 403, 403, 403, status), address)


LINES = (
    everybody("GET", "/scheme.css", 200),
    everybody("GET", "/join/{secret}", 404, "/join/nonsense"),
    everybody("GET", "/join/{secret}", 200, "/join/SECRET"),
    everybody("POST", "/join", 404),
    everybody("POST", "/language", 303),
    Line("POST", "/sign-out", (401, 401, 200, 200, 200, 200, 200)),
    Line("GET", "/", (401, 401, 200, 200, 200, 303, 303)),
    Line("GET", "/notice/{kind}", (401, 401, 200, 200, 200, 200, 200), "/notice/guidelines"),
    Line("GET", "/notice/{kind}", (401, 401, 404, 404, 404, 404, 404), "/notice/nothing"),
    Line("POST", "/notice/{kind}", (401, 401, 403, 403, 403, 403, 403), "/notice/guidelines"),
    Line("GET", "/work", (401, 401, 303, 200, 200, 200, 303)),
    Line("GET", "/work/{assignment_id}", (401, 401, 303, 404, 200, 404, 303), "/work/OPEN"),
    Line("GET", "/work/{assignment_id}", (401, 401, 303, 404, 404, 404, 303), "/work/nothing"),
    Line("POST", "/work/{assignment_id}", (401, 401, 409, 404, 403, 404, 409), "/work/OPEN"),
    Line("POST", "/work/{assignment_id}/skip", (401, 401, 409, 404, 403, 404, 409), "/work/OPEN/skip"),
    Line(
        "GET", "/work/{assignment_id}/feedback", (401, 401, 303, 404, 200, 404, 303), "/work/trained/feedback"
    ),
    Line("GET", "/work/{assignment_id}/feedback", (401, 401, 303, 404, 404, 404, 303), "/work/OPEN/feedback"),
    Line(
        "POST",
        "/work/{assignment_id}/feedback",
        (401, 401, 409, 404, 303, 404, 409),
        "/work/trained/feedback",
    ),
    Line("GET", "/mine", (401, 401, 303, 200, 200, 200, 303)),
    Line("GET", "/discussion", (401, 401, 303, 200, 200, 200, 303)),
    Line("POST", "/discussion/{pair_id}", (401, 401, 409, 404, 303, 404, 409), "/discussion/PILOT"),
    Line("GET", "/adjudicate", (401, 401, 403, 403, 403, 200, 200)),
    Line("GET", "/adjudicate/{pair_id}", (401, 401, 403, 403, 403, 200, 200), "/adjudicate/PILOT"),
    Line("GET", "/adjudicate/{pair_id}", (401, 401, 403, 403, 403, 404, 404), "/adjudicate/MAIN"),
    Line("POST", "/adjudicate/{pair_id}", (401, 401, 403, 403, 403, 403, 403), "/adjudicate/PILOT"),
    leads("GET", "/lead", 200),
    leads("GET", "/lead/people", 200),
    leads("POST", "/lead/people", 422),
    leads("GET", "/lead/rounds", 200),
    leads("POST", "/lead/rounds", 400),
    leads("GET", "/lead/agreement", 200),
    leads("GET", "/lead/raters", 200),
    leads("GET", "/lead/confusion", 200),
    leads("GET", "/lead/disputes", 200),
    leads("GET", "/lead/discussion", 200),
    leads("POST", "/lead/discussion/{pair_id}", 303, "/lead/discussion/PILOT"),
    leads("POST", "/lead/discussion/{pair_id}", 404, "/lead/discussion/MAIN"),
    leads("GET", "/lead/skips", 200),
    leads("POST", "/lead/skips", 422),
    leads("GET", "/lead/preview/{pair_id}", 200, "/lead/preview/PILOT"),
    leads("GET", "/lead/preview/{pair_id}", 404, "/lead/preview/nothing"),
    leads("GET", "/lead/claims", 200),
    leads("GET", "/lead/claims/{claim_id}", 200, "/lead/claims/claim-0000"),
    leads("POST", "/lead/claims/{claim_id}", 422, "/lead/claims/claim-0000"),
)
ELSEWHERE = ("/", "/language", "/lead/discussion/{pair_id}")
"""routes that lead on without a notice between"""
CELLS = [
    pytest.param(line, who, status, id=f"{line.called} {who}".replace("/", "|"))
    for line in LINES
    for who, status in zip(WHO, line.statuses, strict=True)
]


class House:
    """A corpus with somebody of each kind; nothing that these tests send is stored."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        store = corpus.store
        secrets = kit.people(corpus, ("own", "second", "gone"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(2))
        self.app: Any = create_app(corpus)
        self.site = self.app.state.site
        self.cookies = {"gone": self.cookie("gone")}
        own = kit.settings(corpus)
        leave(store, Follower(store, own, self.site.scheme), "gone")
        kit.judge_all(corpus, "own", "agree")
        kit.judge_all(corpus, "second", "disagree")
        dealer.write(dealer.main(None))
        secrets |= kit.people(corpus, ("new", "other"))
        secrets |= kit.people(corpus, ("adjudicator",), "adjudicator") | kit.people(corpus, ("lead",), "lead")
        for kind in self.site.notices.kinds:
            for name in ("own", "other", "adjudicator"):
                accept(store, name, kind, self.site.notices.version(kind))
        held = open_assignments(store, "own")[0]
        pilot = next(store.all(Assignment, round="pilot"))
        trained = Assignment(id="trained", pair_id=held.pair_id, annotator="own", round="training")
        with store.transaction() as writer:
            gold = Reference(id=held.pair_id, purpose="training", label="agree", votes={"agree": 3})
            writer.put_new([trained, gold])
        assert kit.judge(corpus, trained, "agree") == "stored"
        self.names = {
            "SECRET": secrets["own"], "OPEN": held.id, "PILOT": pilot.pair_id, "MAIN": held.pair_id,
        }  # fmt: skip
        self.cookies |= {who: self.cookie(who) for who in WHO if who not in ("nobody", "gone")}
        self.before = self.counts()

    def cookie(self, name: str) -> str:
        person = self.corpus.store.get(Person, name)
        assert person is not None
        return str(self.site.sessions.begin(person))

    def counts(self) -> dict[str, int]:
        return {record.TABLE: self.corpus.store.count(record) for record in RECORDS}

    def ask(
        self,
        line: Line,
        who: str,
        headers: dict[str, str] | None = None,
        *,
        token: bool = True,
        method: str = "",
    ) -> tuple[int, str]:
        client = TestClient(self.app, raise_server_exceptions=False)
        form = {"csrf": ""}
        if who != "nobody":
            # of a session of its own: signing out ends it
            cookie = self.cookies["gone"] if who == "gone" else self.cookie(who)
            client.cookies.set(self.site.cookie, cookie)
            claims = self.site.sessions.claims(cookie)
            assert claims is not None
            form["csrf"] = self.site.sessions.form_token(claims["nonce"]) if token else ""
        address = line.address or line.route
        for name, value in self.names.items():
            address = address.replace(name, value)
        way = method or line.method
        found = client.request(
            way,
            address,
            headers=headers,
            follow_redirects=False,
            data=form if way == "POST" else None,
        )
        return found.status_code, found.headers.get("location", "")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with kit.make(tmp_path_factory.mktemp("matrix") / "corpus", 6) as corpus:
        yield House(corpus)


def routes_of(house: House) -> set[tuple[str, str]]:
    found = [one for one in house.app.routes if isinstance(one, APIRoute)]
    for module in pkgutil.iter_modules(annotation.app.__path__):
        own = getattr(importlib.import_module(f"annotation.app.{module.name}"), "routes", None)
        if isinstance(own, APIRouter):
            found += [one for one in own.routes if isinstance(one, APIRoute)]
    return {(method, one.path) for one in found for method in one.methods or ()}


def test_every_route_has_a_line_and_every_line_a_route(house: House) -> None:
    assert len(routes_of(house)) > 30, "the routes are found"
    assert routes_of(house) == {(line.method, line.route) for line in LINES}


@pytest.mark.parametrize(("line", "who", "status"), CELLS)
def test_who_gets_what(house: House, line: Line, who: str, status: int) -> None:
    found, where = house.ask(line, who)
    assert found == status
    if found == 303 and who in ("new", "lead") and line.route not in ELSEWHERE:
        assert where.startswith("/notice/"), "no item before the notices"
    assert house.counts() == house.before, "a form without a ticket changes nothing"


POSTS = [pytest.param(line, id=line.called.replace("/", "|")) for line in LINES if line.method == "POST"]


@pytest.mark.parametrize("line", POSTS)
def test_no_form_is_taken_without_its_token_or_from_elsewhere(house: House, line: Line) -> None:
    open_to_all = line.route in ("/join", "/language")
    for who in WHO[2:]:
        if not open_to_all:
            assert house.ask(line, who, token=False)[0] == 403, who
        for headers in (
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"sec-fetch-site": "same-site"},
        ):
            assert house.ask(line, who, headers)[0] == 403, (who, headers)
    assert house.counts() == house.before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_answers_to_other_methods(house: House, method: str) -> None:
    for line in LINES:
        assert house.ask(line, "lead", method=method)[0] == 405, line.called
