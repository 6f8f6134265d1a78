"""Many at once, and a server that is killed: nothing is lost, nothing is doubled."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import annotationkit as kit
import pytest
import requests
from browserkit import running

from annotation.app.server import create_app
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Annotation, Assignment, Claim, Consent, Work
from dalil.state import failpoints
from dalil.state.dump import dump, equal

LABELS = ("agree", "disagree", "discuss", "unrelated")
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_FORM = re.compile(r'<form id="answer"[^>]*action="([^"]+)".*?</form>', re.DOTALL)


class Annotator:
    """Somebody who answers whatever comes, always the same way, and sends again what brought no answer."""

    def __init__(
        self, base: str, name: str, secret: str, twice: bool = False, revive: Callable[[], None] | None = None
    ):
        self.base, self.name, self.twice = base, name, twice
        self.revive = revive
        self.session = requests.Session()
        self.sent: dict[str, str] = {}
        self.send("POST", "/join", {"secret": secret})

    def send(self, method: str, path: str, data: dict[str, str] | None = None) -> requests.Response:
        for _ in range(4):
            try:
                return self.session.request(method, self.base + path, data=data, timeout=30)
            except requests.ConnectionError:
                if self.revive is None:
                    raise
                self.revive()
        raise AssertionError("the server never came back")

    def work(self) -> int:
        """Judge until nothing is left. Returns how many."""
        page = self.send("GET", "/work")
        while True:
            if "/notice/" in page.url:
                fields = dict(_HIDDEN.findall(page.text.split('action="/notice/')[1]))
                page = self.send("POST", page.url.removeprefix(self.base), fields)
                continue
            form = _FORM.search(page.text)
            if form is None:
                return len(self.sent)
            action = form[1]
            fields = {name: unescape(value) for name, value in _HIDDEN.findall(form[0])}
            label = LABELS[(sum(map(ord, self.name)) + len(self.sent)) % 4]
            self.sent[action.rsplit("/", 1)[1]] = label
            answer = {**fields, "label": label}
            if self.twice:
                with ThreadPoolExecutor(2) as both:
                    again = both.submit(
                        requests.post, self.base + action, answer, cookies=self.session.cookies
                    )
                    page = self.send("POST", action, answer)
                    assert again.result().status_code == 200
            else:
                page = self.send("POST", action, answer)
            assert page.status_code == 200, page.text[:500]


def test_twenty_annotators_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    names = tuple(f"annotator {number:02d}" for number in range(20))
    with kit.make(tmp_path / "c", 40) as corpus:
        secrets = kit.people(corpus, names)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        stop = threading.Event()

        def stage() -> int:
            """Meanwhile something else writes into the corpus."""
            written = 0
            while not stop.is_set():
                with corpus.store.transaction() as writer:
                    writer.put([Claim(id=f"claim-x{written}", site="x", raw="x")])
                written += 1
                stop.wait(0.01)
            return written

        with running(create_app(corpus)) as base, ThreadPoolExecutor(21) as pool:
            writing = pool.submit(stage)
            people = [
                Annotator(base, n, s, twice=place % 5 == 0) for place, (n, s) in enumerate(secrets.items())
            ]
            try:
                while any(open_assignments(corpus.store, name) for name in names):
                    list(pool.map(Annotator.work, people))  # third ratings come up while others still work
            finally:
                stop.set()
            written = writing.result()
        assert written > 5
        stored = list(corpus.store.all(Annotation))
        held = {one.id: one for one in corpus.store.all(Assignment) if one.withdrawn is None}
        by_key = {(one.pair_id, one.annotator, one.round): key for key, one in held.items()}
        assert Counter(one.number for one in stored) == {1: len(stored)}, "nothing doubled"
        said = {by_key[one.pair_id, one.annotator, one.round]: one.label for one in stored}
        assert said == {key: label for person in people for key, label in person.sent.items()}, "nothing lost"
        assert set(said) == set(held)
        assert len(stored) == corpus.store.count(Work, what="item")
        assert corpus.store.count(Consent) == 40
        differ = {pair for pair, found in labels_of(stored).items() if len(set(found)) > 1}
        third = [one.pair_id for one in held.values() if one.round == "third"]
        assert sorted(third) == sorted(differ), "one third rating for each disagreement"


def labels_of(stored: list[Annotation]) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for one in stored:
        if one.round == "main":
            out.setdefault(one.pair_id, []).append(one.label)
    return out


class Server:
    """The page in a forked child, on a socket that outlives it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.child = 0
        self.killed = 0

    def start(self, failpoint: str | None = None) -> None:
        self.child = os.fork()
        if self.child:
            return
        try:  # the child: its own connections, its own failpoints
            import uvicorn

            failpoints.reset()
            os.environ.pop(failpoints.VARIABLE, None)
            with Corpus.open(self.folder) as corpus:
                app = create_app(corpus)
                if failpoint:
                    os.environ[failpoints.VARIABLE] = failpoint
                config = uvicorn.Config(app, access_log=False, log_level="error", lifespan="off")
                uvicorn.Server(config).run(sockets=[self.socket])
        finally:
            os._exit(0)

    def revive(self) -> None:
        """The child was killed: start another."""
        _, code = os.waitpid(self.child, 0)
        assert os.WIFSIGNALED(code)
        assert os.WTERMSIG(code) == signal.SIGKILL
        self.killed += 1
        self.start()

    def stop(self) -> None:
        os.kill(self.child, signal.SIGTERM)
        os.waitpid(self.child, 0)
        self.socket.close()


def judged_by_all(folder: Path, secrets: dict[str, str], failpoint: str | None) -> int:
    """Everybody works, one after another, twice (the second time brings third ratings). Returns the kills."""
    server = Server(folder)
    server.start(failpoint)
    try:
        for name in (*secrets, *secrets):
            Annotator(server.base, name, secrets[name], revive=server.revive).work()
    finally:
        server.stop()
    return server.killed


def stable(folder: Path, out: Path) -> Path:
    with Corpus.open(folder, writable=False) as corpus:
        dump(corpus, out, stable=True)
    return out


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], Path, int]:
    """A corpus before the work, people's links, the dump after it, and how many commits it took."""
    root = tmp_path_factory.mktemp("killed")
    with kit.make(root / "before", 4) as corpus:
        secrets = kit.people(corpus, ("amal", "bashir", "dima"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
    shutil.copytree(root / "before", root / "calm")
    assert judged_by_all(root / "calm", secrets, None) == 0
    with Corpus.open(root / "calm", writable=False) as corpus:
        commits = corpus.store.count(Annotation) + corpus.store.count(Consent)
        assert corpus.store.count(Annotation, round="third") > 0
    return root / "before", secrets, stable(root / "calm", root / "after"), commits


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 1.0])
def test_a_server_killed_during_a_submit_loses_and_doubles_nothing(
    scene: tuple[Path, dict[str, str], Path, int], tmp_path: Path, part: float
) -> None:
    before, secrets, after, commits = scene
    folder = tmp_path / "corpus"
    shutil.copytree(before, folder)
    number = max(1, round(part * commits))
    assert judged_by_all(folder, secrets, f"commit:{number}") == 1
    assert equal(after, stable(folder, tmp_path / "dump")) == [], f"killed at commit {number} of {commits}"
