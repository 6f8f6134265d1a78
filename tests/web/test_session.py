"""The API session against services with limits: what is retried, what stops the run, what is never shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakeweb.client import FakeWeb

from dalil.config import Budget
from dalil.corpus import Corpus
from dalil.errors import DalilError, LimitReached
from dalil.net import secrets
from dalil.net.google import SessionHttp
from dalil.net.guard import Refused
from dalil.net.pacing import Pacer
from dalil.net.session import Service, Session
from dalil.progress import Silent
from dalil.records import SearchPage
from dalil.runner import run_stage
from dalil.stages import Request, Result, Transient
from dalil.state import journal
from dalil.state.store import Store

KEY = "AIza-secret/key+1"


class Sleeps(list[float]):
    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def slept() -> Sleeps:
    return Sleeps()


@pytest.fixture
def session(slept: Sleeps) -> Session:
    return Session(
        Service("toy", rate=100, attempts=4, patience=30), Pacer(), sleep=slept, jitter=lambda: 0.5
    )


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    secrets.forget_all()


def test_a_read_that_is_answered(web: FakeWeb, session: Session) -> None:
    reply = session.get("https://api.example/ok", params={"q": "سؤال", "key": KEY})
    assert reply.json()["params"] == {"q": "سؤال", "key": KEY}
    assert KEY not in reply.url
    assert "key=***" in reply.url


def test_a_busy_service_is_asked_again_with_growing_waits(
    web: FakeWeb, session: Session, slept: Sleeps
) -> None:
    assert session.get("http://api.example/busy-then-ok").json() == {"ok": True}
    assert slept == [0.75, 1.5]
    assert len(web.asked()) == 3


def test_retry_after_is_kept(web: FakeWeb, session: Session, slept: Sleeps) -> None:
    assert session.get("http://api.example/rate-then-ok").json() == {"ok": True}
    assert slept == [pytest.approx(1.05)]


@pytest.mark.parametrize(
    ("path", "said", "asked"),
    [
        ("google/daily", "the quota is spent", 1),
        ("google/quota", "the quota is spent", 1),
        ("x/cap", "the quota is spent", 1),
        ("x/credits", "the credits are spent", 1),
        ("rate-hour", "it asks to wait 36", 1),
        ("x/rate", "it asks to wait", 1),
        ("rate-always", "rate limit, HTTP 429, after 4 attempts", 4),
        ("google/rate", "rate limit, HTTP 429, after 4 attempts", 4),
    ],
)
def test_limits_stop_the_run_and_only_rates_are_tried_again(
    web: FakeWeb, session: Session, path: str, said: str, asked: int
) -> None:
    with pytest.raises(LimitReached) as caught:
        session.get(f"http://api.example/{path}")
    assert said in caught.value.line()
    assert caught.value.exit_status == 3
    assert len(web.asked()) == asked


@pytest.mark.parametrize("path", ["google/key", "echo-key"])
def test_a_refused_key_is_an_error_that_does_not_show_it(web: FakeWeb, session: Session, path: str) -> None:
    secrets.remember(KEY)
    with pytest.raises(DalilError, match="the key was refused") as caught:
        session.get(f"http://api.example/{path}", params={"key": KEY})
    assert not isinstance(caught.value, LimitReached)
    assert KEY not in str(caught.value)
    assert len(web.asked()) == 1


def test_a_lost_connection_is_transient_and_does_not_show_the_key(web: FakeWeb, session: Session) -> None:
    import traceback

    with pytest.raises(Transient, match="toy: the connection was lost") as caught:
        session.get("http://api.example/drop", params={"key": KEY})
    assert len(web.asked()) == 4
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "AIza" not in "".join(traceback.format_exception(caught.value))


def test_a_write_is_not_sent_twice(web: FakeWeb, session: Session) -> None:
    with pytest.raises(Transient):
        session.send("POST", "http://api.example/drop", body=b"x")
    assert len(web.asked()) == 1
    with pytest.raises(Transient):
        session.send("POST", "http://api.example/drop", body=b"x", repeatable=True)
    assert len(web.asked()) == 5


def test_a_redirect_does_not_take_the_key_along(web: FakeWeb, session: Session) -> None:
    reply = session.get("http://api.example/moved", params={"key": KEY})
    assert reply.status == 302
    assert web.asked("other.example") == []


def test_private_addresses_are_refused_but_the_users_own_host(web: FakeWeb, session: Session) -> None:
    with pytest.raises(Refused):
        session.get("http://192.168.1.7/search")
    own = Session(Service("own", own_host="127.0.0.1:9", attempts=1), Pacer())
    with pytest.raises(Transient, match="no connection"):
        own.get("http://127.0.0.1:9/search")


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http://a..org/", {}),
        (f"http://{'a' * 70}.org/", {}),
        ("http://①②⑦.⓪.⓪.①/", {}),
        ("http://api.example/ok", {"X-Key": f"{KEY}\nX-Other: y"}),
        ("http://api.example/ok", {"X-Key": f"مفتاح {KEY}"}),
    ],
)
def test_what_cannot_be_sent_is_said_once_and_without_the_key(
    web: FakeWeb, session: Session, slept: Sleeps, url: str, headers: dict[str, str]
) -> None:
    import traceback

    with pytest.raises(DalilError, match="the request cannot be sent") as caught:
        session.get(url, headers=headers)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert not slept
    assert web.asked() == []


def test_service_and_host_are_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    paced = Session(Service("slow", rate=0.5), Pacer(), sleep=sleep, clock=lambda: now[0])
    monkeypatch.setattr(Session, "_once", lambda *_: (_reply(), None))
    for _ in range(4):
        paced.get("https://api.slow.org/x")
    assert sum(waits) == pytest.approx(6.0)


def _reply() -> Any:
    from dalil.net.session import Reply

    return Reply("https://api.slow.org/x", 200, {}, b"{}")


def test_googles_client_goes_through_the_session(web: FakeWeb, session: Session) -> None:
    from googleapiclient.discovery import build

    options = {"api_endpoint": f"http://{web.address}/_at/api.example/"}
    service = build(
        "customsearch",
        "v1",
        developerKey=KEY,
        http=SessionHttp(session),
        static_discovery=True,
        client_options=options,
    )
    short = service.cse().list(q="سؤال", cx="x").execute(num_retries=0)
    assert (short["method"], short["sent"]["q"], short["sent"]["key"]) == ("GET", "سؤال", KEY)
    long = service.cse().list(q="كلمة " * 200, cx="x").execute(num_retries=0)
    assert (long["method"], long["override"]) == ("POST", "GET")


class Stage:
    """An acquisition over the session."""

    NAME = "search"
    WRITES = (SearchPage,)

    def __init__(self, session: Session, paths: list[str]):
        self.session = session
        self.paths = paths

    def requests(self, store: Store) -> Iterator[Request]:
        for path in self.paths:
            yield Request("toy", {"path": path}, cost=0.005)

    def send(self, request: Request) -> Result:
        reply = self.session.get(f"http://api.example/{request.what['path']}", params={"key": KEY})
        page = SearchPage(
            id=request.fingerprint,
            engine="toy",
            question="q",
            text="q",
            answer=reply.text,
            request={"url": reply.url},
        )
        return Result(records=(page,))


def corpus(folder: Path, budget: str = "") -> Corpus:
    return Corpus.create(folder, f'[corpus]\nname = "x"\n{budget}')


def test_every_retry_is_a_request_in_the_journal(web: FakeWeb, session: Session, tmp_path: Path) -> None:
    with corpus(tmp_path / "c") as opened:
        tally = run_stage(opened, Stage(session, ["busy-then-ok", "drop", "ok"]), Silent())
        assert (tally.worked, tally.failed) == (3, 1)
        assert journal.states(opened.store) == {("toy", "answered"): 2, ("toy", "failed"): 6}
        assert sum(journal.states(opened.store).values()) == len(web.asked())
        assert journal.spent(opened.store, "toy").cost == pytest.approx(8 * 0.005)


def test_a_budget_holds_for_retries_too(web: FakeWeb, session: Session, tmp_path: Path) -> None:
    with corpus(tmp_path / "c", "[budgets.toy]\nmax_cost = 0.01\n") as opened:
        assert opened.config.budgets["toy"] == Budget(max_cost=0.01)
        with pytest.raises(LimitReached, match=r"budgets\.toy\.max_cost"):
            run_stage(opened, Stage(session, ["drop"]), Silent())
        assert len(web.asked()) == 2
        assert ("toy", "sent") not in journal.states(opened.store)


@pytest.mark.parametrize("path", ["ok", "echo-key", "drop", "google/daily", "rate-always"])
def test_no_secret_reaches_the_database(web: FakeWeb, session: Session, tmp_path: Path, path: str) -> None:
    secrets.remember(KEY)
    with corpus(tmp_path / "c") as opened:
        said = ""
        try:
            run_stage(opened, Stage(session, [path]), Silent())
        except DalilError as error:
            said = error.line()
        assert KEY not in said
    held = b"".join(file.read_bytes() for file in (tmp_path / "c").rglob("*") if file.is_file())
    if path == "ok":  # this service echoes its parameters: what it answers is kept as it came
        held = held.replace(json.dumps(KEY)[1:-1].encode(), b"", 1)
    for form in (KEY, KEY.replace("/", "%2F").replace("+", "%2B"), "AIza-secret"):
        assert path == "ok" or form.encode() not in held
