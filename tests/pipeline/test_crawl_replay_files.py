"""A replay in a corpus whose WARC files are not as the database knows them: nothing is cut or lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawling import corpus_of, crawl, dropped, fetches, stored
from fakeweb.client import VARIABLE, FakeWeb, running

from dalil.corpus import Corpus
from dalil.state import warc
from dalil.state.warc import WarcWriter

URLS = [f"http://a.news.example/article/{number}" for number in range(1, 5)]


@pytest.fixture(scope="module")
def web() -> Iterator[FakeWeb]:
    with running() as found, pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, found.address)
        yield found


@pytest.fixture(scope="module")
def crawled(web: FakeWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files") / "c"
    with corpus_of(folder, URLS) as corpus:
        crawl(corpus)
    return folder


def only(corpus: Corpus) -> Path:
    (path,) = warc.files(corpus.warc)
    return path


def test_a_record_that_was_written_and_never_committed(crawled: Path, tmp_path: Path) -> None:
    """As a kill between sync and commit leaves it: a whole record behind the last committed offset."""
    shutil.copytree(crawled, tmp_path / "c")
    with Corpus.open(tmp_path / "c") as corpus:
        good = only(corpus).stat().st_size
        WarcWriter(corpus.warc, corpus.store).append(URLS[0], 200, "OK", (), b"never committed")
        assert only(corpus).stat().st_size > good
        crawl(corpus, replay=True)
        assert only(corpus).stat().st_size == good
        assert WarcWriter(corpus.warc, corpus.store).committed[only(corpus).name] == good
        assert stored(corpus, fetches(corpus)[URLS[0]]).body != b"never committed"


@pytest.mark.parametrize("damage", ["hole", "tail", "torn"])
@pytest.mark.parametrize("name", ["dalil-00001.warc.gz", "from-elsewhere.warc.gz"])
def test_a_damaged_file_from_elsewhere_is_never_cut(
    crawled: Path, tmp_path: Path, damage: str, name: str
) -> None:
    """What can be read of it is replayed, and later crawls leave each of its bytes where it is."""
    with Corpus.open(crawled, writable=False) as corpus:
        data = bytearray(only(corpus).read_bytes())
        where = next(iter(warc.records(only(corpus)))).location
    if damage == "hole":
        data[where.length + 3 : where.length + 20] = b"\xff" * 17  # in the second record
    elif damage == "tail":
        data += b"notes of mine"
    else:
        data = data[:-20]
    with corpus_of(tmp_path / "c", URLS) as corpus:
        (corpus.warc / name).write_bytes(bytes(data))
        tally = crawl(corpus, replay=True)
        assert tally.records == (4 if damage == "tail" else 3)
        crawl(corpus)
        assert (corpus.warc / name).read_bytes()[: len(data)] == bytes(data)
        assert set(fetches(corpus)) == set(URLS)
        for fetch in fetches(corpus).values():
            assert stored(corpus, fetch).content().startswith(b"<")


def test_what_a_replay_did_not_find_is_asked_by_the_next_run(web: FakeWeb, tmp_path: Path) -> None:
    """Also where robots.txt was not stored: nobody was asked, so nobody is left alone."""
    with corpus_of(tmp_path / "c", URLS) as corpus:
        assert crawl(corpus, replay=True).failed == len(URLS)
        assert set(dropped(corpus).values()) == {"not_stored"}
        assert crawl(corpus).records == len(URLS)
        assert dropped(corpus) == {}
