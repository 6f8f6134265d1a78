"""A crawl killed at twenty failpoints and run again leaves the same database; a replay does too.

The crawl has good pages of four sites, redirects, compression, a PDF, what robots.txt forbids, a
domain that refuses until it is left alone, and dead links that are found in an archive.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import add_documents, crawl, fetches, stored
from fakeweb.client import VARIABLE, FakeWeb, running
from forked import forked_crawls, start
from killing import KILLED, run_in_child

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Claim, Dropped, Fetch, Hit, Query
from dalil.state import failpoints, journal, warc
from dalil.state.dump import dump, equal
from dalil.text.urls import document_id

STAGE = "spiders.articles:FetchArticles"
TOML = '[corpus]\nname = "killed"\n[fetch]\narchive = "http://archive.example"\n'
URLS = (
    *(f"http://{host}.news.example/article/{number}" for host in "abcd" for number in (1, 2, 3)),
    "http://loops.example/twice",
    "http://loops.example/circle/a",
    "http://files.example/report",
    "http://closed.example/story",
    *(f"http://forbidden.example/{number}" for number in range(6)),
    "http://www.gone.example/story",
    "http://www.gone.example/moved",
    "http://www.gone.example/leads-out",
    "http://www.gone.example/never-captured",
)
DAYS = {
    "http://www.gone.example/story": ("2019-07-01", "2018-02-20"),
    "http://www.gone.example/moved": (None,),
}
"""claim dates of the claims whose hits include a dead link"""


@pytest.fixture(scope="module")
def web() -> Iterator[FakeWeb]:
    with running() as found, pytest.MonkeyPatch.context() as patch, forked_crawls():
        patch.setenv(VARIABLE, found.address)
        yield found


def make(folder: Path) -> None:
    """A corpus as a search leaves it."""
    with Corpus.create(folder, TOML) as corpus:
        add_documents(corpus, URLS)
        rows: list[Claim | Query | Hit] = []
        for url in URLS:
            for number, day in enumerate(DAYS.get(url, (None,))):
                key = f"{url} {number}"
                rows.append(Claim(id=make_id("claim", key), site="t", raw=key, claim_date=day))
                rows.append(
                    Query(
                        id=make_id("query", key),
                        claim_id=make_id("claim", key),
                        variants=("claim",),
                        text=key,
                        question=key,
                    )
                )
                rows.append(
                    Hit(
                        id=make_id("hit", key),
                        page_id="p",
                        question=key,
                        engine="e",
                        rank=1,
                        url=url,
                        document_id=document_id(url),
                    )
                )
        with corpus.store.transaction() as writer:
            writer.put(rows)


def go(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        crawl(corpus, STAGE)


def counting(folder: Path, report: Path) -> None:
    go(folder)
    report.write_text(json.dumps(failpoints.counts()), "utf-8")


def stable(folder: Path, out: Path) -> Path:
    with Corpus.open(folder, writable=False) as corpus:
        dump(corpus, out, stable=True)
    return out


@pytest.fixture(scope="module")
def undisturbed(web: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders `before`, `corpus` (crawled) and `after` (its stable dump), and the failpoints passed."""
    root = tmp_path_factory.mktemp("crawl")
    make(root / "before")
    shutil.copytree(root / "before", root / "corpus")
    assert run_in_child(lambda: counting(root / "corpus", root / "passed.json"), "commit:0") == 0
    stable(root / "corpus", root / "after")
    return root


def points(root: Path) -> list[str]:
    """Twenty passings of failpoints, spread over the crawl."""
    passed = json.loads((root / "passed.json").read_text("utf-8"))
    found = []
    for point, many in (("send", 5), ("write", 6), ("sent", 5), ("commit", 4)):
        # batches are never twice the same; sixteen commits there are at least, one after the other
        count = min(passed[point], 16) if point == "commit" else passed[point]
        assert count >= many, (point, passed)
        found += [f"{point}:{1 + step * (count - 1) // (many - 1)}" for step in range(many)]
    return found


def test_what_the_undisturbed_crawl_found(undisturbed: Path) -> None:
    with Corpus.open(undisturbed / "corpus", writable=False) as corpus:
        found = list(corpus.store.all(Fetch, purpose="article"))
        good = [row for row in found if row.status == 200 and row.error is None]
        assert len(good) == 12 + 1 + 2
        archived = {row.url: row.snapshot_at for row in good if row.snapshot_at}
        assert archived == {
            "http://www.gone.example/story": "2018-03-01T12:00:00Z",  # nearest to the earlier claim date
            "http://www.gone.example/moved": "2019-01-02T03:04:06Z",  # where the archive's redirect led
        }
        assert {row.document_id for row in good if row.snapshot_at} == {document_id(url) for url in archived}
        reasons = sorted(row.reason for row in corpus.store.all(Dropped))
        assert reasons == [
            "domain_stopped",
            "domain_stopped",
            "domain_stopped",
            "left_archive",
            "pdf",
            "redirect_loop",
            "robots",
        ]
        assert (
            "كما كانت الصفحة في 20180301120000"
            in stored(corpus, next(row for row in good if row.url.endswith("/story"))).content().decode()
        )


@pytest.mark.parametrize("number", range(20))
def test_killed_and_run_again_it_is_the_same_database(undisturbed: Path, tmp_path: Path, number: int) -> None:
    point = points(undisturbed)[number]
    folder = tmp_path / "c"
    shutil.copytree(undisturbed / "before", folder)
    assert run_in_child(lambda: go(folder), point) == KILLED
    assert run_in_child(lambda: go(folder)) == 0
    assert equal(undisturbed / "after", stable(folder, tmp_path / "dump")) == [], f"killed at {point}"
    with Corpus.open(folder, writable=False) as corpus:
        assert journal.repeated(corpus.store) <= 16
        whole = [record for path in warc.files(corpus.warc) for record in warc.records(path)]
        read = {(record.location.file, record.location.offset, record.location.length) for record in whole}
        for fetch in fetches(corpus).values():
            assert fetch.warc_file is None or (fetch.warc_file, fetch.warc_offset, fetch.warc_length) in read


class NetworkIsOff(Exception):
    """A socket was opened in a replay."""


def no_sockets(*arguments: object, **more: object) -> None:
    raise NetworkIsOff(str(arguments))


def replayed(folder: Path) -> None:
    socket.socket.connect = no_sockets  # type: ignore[method-assign]
    socket.getaddrinfo = no_sockets  # type: ignore[assignment]
    os.environ[VARIABLE] = "127.0.0.1:9"  # nobody listens there
    with Corpus.open(folder) as corpus:
        crawl(corpus, STAGE, replay=True)


def test_a_replay_with_the_network_off_makes_the_same_database(undisturbed: Path, tmp_path: Path) -> None:
    """From the WARC files alone: the database of the replay has seen no fetch."""
    shutil.copytree(undisturbed / "before", tmp_path / "c")
    shutil.copytree(undisturbed / "corpus" / "warc", tmp_path / "c" / "warc", dirs_exist_ok=True)
    assert run_in_child(lambda: replayed(tmp_path / "c")) == 0
    assert equal(undisturbed / "after", stable(tmp_path / "c", tmp_path / "dump")) == []
    with Corpus.open(tmp_path / "c") as corpus:  # and it goes on from there without losing a byte
        sizes = {path.name: path.stat().st_size for path in warc.files(corpus.warc)}
        warc.WarcWriter(corpus.warc, corpus.store)
        assert {path.name: path.stat().st_size for path in warc.files(corpus.warc)} == sizes


def test_a_replay_in_place_changes_nothing(undisturbed: Path, tmp_path: Path) -> None:
    shutil.copytree(undisturbed / "corpus", tmp_path / "c")
    assert run_in_child(lambda: replayed(tmp_path / "c")) == 0
    assert equal(undisturbed / "after", stable(tmp_path / "c", tmp_path / "dump")) == []


def test_the_crawl_process_ends_with_its_parent(undisturbed: Path, tmp_path: Path) -> None:
    """SIGKILL to the parent in the middle of a slow crawl: the child does not live on."""
    from crawling import corpus_of

    with corpus_of(tmp_path / "c", [f"http://slow.example/page?{n}" for n in range(5)]):
        pass
    note = tmp_path / "pid"

    def parent() -> None:
        def noted(arguments: list[str], errors: object) -> object:
            child = start(arguments, errors)  # type: ignore[arg-type]
            note.write_text(str(child.pid), "utf-8")
            return child

        import spiders.crawl.parent

        spiders.crawl.parent.start = noted  # type: ignore[assignment]
        with Corpus.open(tmp_path / "c") as corpus:
            from dalil.progress import Silent
            from dalil.runner import run

            run(corpus, ["crawling:Pages"], Silent())

    pid = os.fork()
    if pid == 0:
        try:
            parent()
        finally:
            os._exit(0)
    _until(lambda: note.exists() and note.read_text("utf-8") != "")
    child = int(note.read_text("utf-8"))
    time.sleep(0.3)
    assert _alive(child)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    _until(lambda: not _alive(child))


def _alive(pid: int) -> bool:
    """Whether a process runs (one that ended and is not yet collected does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _until(so: object, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not so():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_two_crawl_processes_never_write_at_once(undisturbed: Path, tmp_path: Path) -> None:
    """The second waits until the first is gone, and then works."""
    import fcntl

    shutil.copytree(undisturbed / "before", tmp_path / "c")
    lock = tmp_path / "c" / ".crawl.lock"
    first = os.fork()  # a crawl process that has not noticed that its parent is gone
    if first == 0:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT)
        fcntl.flock(handle, fcntl.LOCK_EX)
        os.write(handle, b"held")
        time.sleep(60)
        os._exit(0)
    _until(lambda: lock.exists() and lock.read_bytes() == b"held")
    errors = (tmp_path / "errors").open("w+b")
    second = start([str(tmp_path / "c"), STAGE, "run"], errors)
    time.sleep(0.5)
    assert _alive(second.pid)
    assert not list((tmp_path / "c" / "warc").iterdir())
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    assert second.wait() == 0
    for pipe in (second.stdin, second.stdout, errors):
        assert pipe is not None
        pipe.close()
    assert equal(undisturbed / "after", stable(tmp_path / "c", tmp_path / "dump")) == []
