"""WARC files: written, cut, repaired, read by others."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from dalil.corpus import Corpus
from dalil.errors import StateError
from dalil.net import secrets
from dalil.state import warc
from dalil.state.warc import Captured, Failure, Location, WarcWriter

HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("ETag", '"x"'),
    ("Set-Cookie", "a=1"),
    ("Set-Cookie", "b=2"),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus.create(tmp_path / "c", '[corpus]\nname = "w"\n')


def commit(corpus: Corpus, *locations: Location) -> None:
    with corpus.store.transaction() as writer:
        for where in locations:
            writer.warc_good(where.file, where.offset + where.length)


ITEMS = [
    Captured("http://a.example/1", 200, "OK", HEADERS, "مقال ".encode() * 100, address="93.184.216.34"),
    Failure("http://b.example/", "timeout"),
    Captured(
        "http://a.example/1", 304, "Not Modified", (), same_as=("http://a.example/1", "2020-01-01T00:00:00Z")
    ),
    Captured("http://a.example/2", 200, "", (("X", "قيمة"),), b"cut", truncated="disconnect"),
    Captured(
        "http://a.example/1", 200, "OK", (), b"same", same_as=("http://a.example/1", "2020-01-01T00:00:00Z")
    ),
]


def test_what_was_written_is_read(corpus: Corpus) -> None:
    where = WarcWriter(corpus.warc, corpus.store).write(ITEMS)
    found = list(warc.records(corpus.warc / where[0].file))
    assert [record.location for record in found] == where
    assert [record.kind for record in found] == ["response", "failure", "revisit", "response", "revisit"]
    first = warc.read(corpus.warc, where[0])
    assert first == found[0].response
    assert (first.status, first.body, first.headers) == (200, ITEMS[0].body, HEADERS)  # type: ignore[union-attr]
    assert found[1].error == "timeout"
    assert found[3].truncated == "disconnect"


def test_other_readers_agree(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    where = WarcWriter(corpus.warc, corpus.store).write(ITEMS)
    path = corpus.warc / where[0].file
    with path.open("rb") as file:
        kinds = [
            (record.rec_type, record.rec_headers.get_header("WARC-Profile"))
            for record in ArchiveIterator(file, check_digests="raise")
        ]
    assert kinds == [
        ("response", None),
        ("metadata", None),
        ("revisit", warc.NOT_MODIFIED),
        ("response", None),
        ("revisit", warc.SAME_PAYLOAD),
    ]

    class Options:
        inputs = (str(path),)
        verbose = False

    assert Checker(Options()).process_all() == 0, capsys.readouterr().out


def test_a_file_cut_anywhere_gives_its_whole_records(corpus: Corpus) -> None:
    where = WarcWriter(corpus.warc, corpus.store).write(ITEMS)
    path = corpus.warc / where[0].file
    data = path.read_bytes()
    for cut in range(0, len(data) + 1, 7):
        path.write_bytes(data[:cut])
        whole = [one for one in where if one.offset + one.length <= cut]
        assert [record.location for record in warc.records(path)] == whole


def test_a_torn_tail_is_cut_off_and_nothing_behind_it_is_lost(corpus: Corpus) -> None:
    writer = WarcWriter(corpus.warc, corpus.store)
    first, second = writer.write(ITEMS[:2])
    commit(corpus, first)
    path = corpus.warc / first.file
    path.write_bytes(path.read_bytes()[: second.offset + second.length // 2])
    again = WarcWriter(corpus.warc, corpus.store)
    assert path.stat().st_size == first.length
    third = again.append("http://a.example/3", 200, "OK", (), b"three")
    assert [record.url for record in warc.records(path)] == ["http://a.example/1", "http://a.example/3"]
    assert third.offset == first.length


def test_a_file_that_the_database_does_not_know_is_left_as_it_is(corpus: Corpus, tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "other", '[corpus]\nname = "o"\n') as other:
        where = WarcWriter(other.warc, other.store).write(ITEMS)
        foreign = corpus.warc / where[0].file
        foreign.write_bytes((other.warc / where[0].file).read_bytes())
    before = foreign.read_bytes()
    new = WarcWriter(corpus.warc, corpus.store).append("http://a.example/9", 200, "OK", (), b"nine")
    assert foreign.read_bytes() == before
    assert new.file == "dalil-00002.warc.gz"


def test_missing_bytes_are_said(corpus: Corpus) -> None:
    where = WarcWriter(corpus.warc, corpus.store).write(ITEMS)
    commit(corpus, *where)
    path = corpus.warc / where[0].file
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(StateError, match="10 bytes that the database knows are missing"):
        WarcWriter(corpus.warc, corpus.store)
    path.unlink()
    with pytest.raises(StateError, match="bytes that the database knows are missing"):
        WarcWriter(corpus.warc, corpus.store)


def test_reading_at_a_wrong_place_is_an_error(corpus: Corpus) -> None:
    where = WarcWriter(corpus.warc, corpus.store).write(ITEMS)
    for wrong in (
        Location(where[0].file, 3, 50),
        Location(where[0].file, 10**9, 50),
        Location("no.warc.gz", 0, 10),
        where[1],
    ):
        with pytest.raises(StateError):
            warc.read(corpus.warc, wrong)


def test_a_full_file_is_followed_by_another(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc, "ROTATE", 800)
    where = WarcWriter(corpus.warc, corpus.store).write([ITEMS[0]] * 6)
    assert len({one.file for one in where}) > 1
    assert sum(len(list(warc.records(path))) for path in warc.files(corpus.warc)) == 6


def test_no_secret_is_written(corpus: Corpus) -> None:
    secrets.remember("s3cret/value")
    try:
        item = Captured(
            "http://a.example/?k=s3cret%2Fvalue",
            302,
            "Found",
            (("Location", "http://b.example/?k=s3cret/value"),),
        )
        where = WarcWriter(corpus.warc, corpus.store).write(
            [item, Failure("http://a.example/?k=s3cret/value", "timeout")]
        )
    finally:
        secrets.forget_all()
    for record in warc.records(corpus.warc / where[0].file):
        assert "s3cret" not in str(record)


@given(
    url=st.from_regex(r"http://[a-z]{1,9}\.example/[a-zA-Z0-9%/?=&.-]{0,40}", fullmatch=True),
    status=st.integers(100, 599),
    headers=st.lists(
        st.tuples(
            st.from_regex(r"[A-Za-z-]{1,12}", fullmatch=True),
            st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30),
        ),
        max_size=6,
    ),
    body=st.binary(max_size=3000),
)
@settings(max_examples=60)
def test_any_response_comes_back_byte_for_byte(
    url: str, status: int, headers: list[tuple[str, str]], body: bytes
) -> None:
    data = warc._record(Captured(url, status, "Reason", tuple(headers), body))
    found = next(warc._walk(io.BytesIO(data), "x", 0))
    assert found.response is not None
    assert (found.response.url, found.response.status, found.response.body) == (url, status, body)
    assert found.response.headers == tuple(headers)


def test_damage_in_the_middle_costs_only_the_records_it_lies_in(corpus: Corpus) -> None:
    where = WarcWriter(corpus.warc, corpus.store).write(ITEMS)
    path = corpus.warc / where[0].file
    whole = list(warc.records(path))
    data = path.read_bytes()
    for begin in range(0, len(data) - 9, 41):
        for noise in (b"\0" * 9, b"\xff" * 9, b"\x1f\x8b\x08WARC/1"):
            path.write_bytes(data[:begin] + noise + data[begin + 9 :])
            touched = {one for one in where if one.offset < begin + 9 and begin < one.offset + one.length}
            found = {record.location: record for record in warc.records(path)}
            for record in whole:
                if record.location not in touched:
                    assert found[record.location] == record, (begin, noise)


def test_a_hole_over_many_records_is_passed_over(corpus: Corpus) -> None:
    items = [Captured(f"http://a.example/{n}", 200, "OK", (), bytes([n]) * 5000) for n in range(40)]
    where = WarcWriter(corpus.warc, corpus.store).write(items)
    path = corpus.warc / where[0].file
    data = bytearray(path.read_bytes())
    data[where[5].offset : where[30].offset + 11] = b"\0" * (where[30].offset + 11 - where[5].offset)
    path.write_bytes(bytes(data))
    kept = [f"http://a.example/{n}" for n in (*range(5), *range(31, 40))]
    assert [record.url for record in warc.records(path)] == kept


def test_no_secret_reaches_a_failure_or_a_reference(corpus: Corpus) -> None:
    secrets.remember("hush-hush-key")
    try:
        note = "no_connection: http://x.example/?key=hush-hush-key"
        items = [
            Failure("http://x.example/?key=hush-hush-key", note),
            Captured(
                "http://x.example/", 304, "", (), same_as=("http://x.example/?key=hush-hush-key", "2020")
            ),
        ]
        where = WarcWriter(corpus.warc, corpus.store).write(items)
    finally:
        secrets.forget_all()
    with (corpus.warc / where[0].file).open("rb") as file:
        held = [
            record.rec_headers.to_str() + record.content_stream().read().decode()
            for record in ArchiveIterator(file)
        ]
    assert len(held) == 2
    assert "hush" not in "".join(held)
