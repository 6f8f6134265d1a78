"""Making a collection: what is read, what is refused, and that the old one stands until the new is whole."""

from __future__ import annotations

import gc
import gzip
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dalil.collection import Collection, Manifest, build
from dalil.collection.documents import Item, Placed, StoredDocument, days_of, document_from, read_date
from dalil.collection.tantivy_index import Entry, IndexWriter
from dalil.errors import DalilError, InputError, StateError, UsageError
from dalil.state.lock import stage_lock

ROWS = [
    {
        "id": "a1",
        "url": "https://news.example/a1",
        "title": "الحكومة ترفع الأسعار",
        "body": "أعلنت الحكومة اليوم رفع الأسعار.",
        "published": "2018-02-18",
        "outlet": "news.example",
        "authors": ["سلمى"],
        "language": "ar",
    },
    {
        "id": 2,
        "headline": "لا عنوان له",
        "content": "نص بلا رابط",
        "date": "Sun, 18 Feb 2018 23:35:43 +0400",
        "author": "كريم",
    },
    {"link": "https://news.example/a3", "text": "نص بلا عنوان ولا تاريخ", "category": "محلي"},
]


def jsonl(path: Path, rows: list[object]) -> Path:
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    return path


def test_a_collection_is_made_and_gives_back_what_it_was_given(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "rows.jsonl", [*ROWS, ""])
    manifest = build([file], tmp_path / "c")
    collection = Collection.open(tmp_path / "c")
    assert len(collection) == 3
    first = collection.get("a1")
    assert first is not None
    assert first == document_from(ROWS[0])
    second = collection.get("2")
    assert second is not None
    assert (second.title, second.body, second.published) == ("لا عنوان له", "نص بلا رابط", "2018-02-18")
    assert second.published_raw == ROWS[1]["date"]
    assert second.authors == ("كريم",)
    third = collection.get("https://news.example/a3")
    assert third is not None
    assert third.published is None
    assert collection.get("nobody") is None
    assert (manifest.documents, manifest.undated, manifest.without_url) == (3, 1, 1)
    assert (manifest.first_date, manifest.last_date) == ("2018-02-18", "2018-02-18")
    assert manifest.ignored_fields == ("category",)
    assert manifest.files[0].sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert manifest.files[0].bytes == file.stat().st_size
    assert Manifest.read(tmp_path / "c") == manifest


def test_gzip_is_known_by_its_bytes_and_makes_the_same_collection(tmp_path: Path) -> None:
    plain = jsonl(tmp_path / "rows.jsonl", ROWS)
    packed = tmp_path / "rows.data"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    manifests = [build([file], tmp_path / file.name.replace(".", "-")) for file in (plain, packed)]
    assert manifests[0].revision == manifests[1].revision
    assert manifests[1].files[0].sha256 == hashlib.sha256(packed.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{", "not JSON"),
        ("[1]", "expected an object with fields, got a list"),
        ('{"id": "x", "body": 7}', "field 'body' must be text, got a number"),
        ('{"id": true, "body": "نص"}', "field 'id' must be text, got true or false"),
        (
            '{"id": "x", "body": "نص", "author": {"name": "y"}}',
            "field 'author' must be text or a list of texts",
        ),
        ('{"body": "نص"}', "neither id nor url"),
        ('{"id": "a1", "body": "نص آخر"}', "another document has the id 'a1'"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id": "x", "body": "نص", "views": ' + "1" * 5000 + "}", "a number of thousands of digits"),
        (json.dumps({"id": "x" * 70_000, "body": "نص"}), "id of 70,000 bytes"),
    ],
)
def test_a_bad_row_is_refused_with_file_and_line(tmp_path: Path, row: str, words: str) -> None:
    file = jsonl(tmp_path / "rows.jsonl", [ROWS[0], "", row])
    with pytest.raises(InputError) as error:
        build([file], tmp_path / "c")
    assert error.value.where == f"{file}:3"
    assert words in error.value.what
    assert "--skip-bad" in (error.value.todo or "")
    assert not (tmp_path / "c").exists()

    manifest = build([file], tmp_path / "c", skip_bad=True)
    assert manifest.documents == 1
    assert sum(manifest.skipped.values()) == 1
    listed = json.loads((tmp_path / "c" / manifest.index / "skipped.jsonl").read_text("utf-8"))
    assert listed["where"] == f"{file}:3"
    assert words in listed["detail"]


def test_bytes_that_are_not_utf8_are_a_bad_row(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes('{"id": "x", "body": "نص"}\n'.encode() + '{"id": "y", "body": "نص"}\n'.encode("cp1256"))
    with pytest.raises(InputError, match=r"rows.jsonl:2: not UTF-8 at byte"):
        build([file], tmp_path / "c")


def test_a_torn_gzip_file_is_told_by_its_last_line(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": f"{i}", "body": hashlib.sha256(b"%d" % i).hexdigest() * 20} for i in range(200)
    ]
    data = gzip.compress(jsonl(tmp_path / "rows.jsonl", rows).read_bytes())
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"torn.jsonl.gz:\d+: broken after this line"):
        build([torn], tmp_path / "c")
    manifest = build([torn], tmp_path / "c", skip_bad=True)
    assert 0 < manifest.documents < 200
    assert manifest.skipped == {"broken_file": 1}


def test_what_is_left_out_is_counted_and_listed(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "rows.jsonl", [ROWS[0], ROWS[0], {"id": "e", "title": " ", "body": "\n"}])
    manifest = build([file], tmp_path / "c")
    assert manifest.documents == 1
    assert manifest.skipped == {"empty": 1, "repeated": 1}
    lines = (tmp_path / "c" / manifest.index / "skipped.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["where"] for line in lines] == [f"{file}:2", f"{file}:3"]


def test_no_documents_is_an_error_that_says_why(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "rows.jsonl", [{"id": "e", "body": ""}])
    with pytest.raises(InputError, match=r"no documents \(1 empty found\)"):
        build([file], tmp_path / "c")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        build([tmp_path / "absent.jsonl"], tmp_path / "c")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2018-02-18", "2018-02-18"),
        ("2018-02-18T23:59:00+04:00", "2018-02-18"),
        ("2018-02", "2018-02"),
        ("2018", "2018"),
        ("Sun, 18 Feb 2018 21:35:43 +0400", "2018-02-18"),
        ("18 شباط 2018", "2018-02-18"),
        ("٢٠١٨-٠٢-١٨", "2018-02-18"),
        ("٢٠١٨-٠٢", "2018-02"),
        ("٢٠١٨", "2018"),
        ("2018-13-40", None),
        ("2018-00", None),
        ("2019-02-29", None),
        ("قريبا", None),
    ],
)
def test_dates_are_the_day_that_is_printed(text: str, iso: str | None) -> None:
    assert read_date(text) == iso


@settings(deadline=None)
@given(st.text("0123456789٠١٨۵²/-+:.,TZ JanFebSun", max_size=40) | st.text(max_size=30))
@example("Sun, 18 Feb 0018 21:35:43 +" + "9" * 30)
def test_what_is_read_as_a_date_is_one_in_plain_digits(text: str) -> None:
    found = read_date(text)
    if found is not None:
        assert re.fullmatch(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?", found)
        first, last = days_of(found)
        assert first <= last


def test_a_date_that_cannot_be_read_leaves_the_document_undated_and_counted(tmp_path: Path) -> None:
    row = {"id": "x", "body": "نص", "published": "قريبا"}
    manifest = build([jsonl(tmp_path / "rows.jsonl", [row])], tmp_path / "c")
    assert (manifest.undated, manifest.unreadable_dates) == (1, 1)
    stored = Collection.open(tmp_path / "c").get("x")
    assert stored is not None
    assert stored.published_raw == "قريبا"


def test_a_document_goes_through_json_unchanged() -> None:
    document = document_from(ROWS[0])
    assert StoredDocument.from_json(document.to_json()) == document


def test_a_new_build_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    out = tmp_path / "c"
    old = build([jsonl(tmp_path / "old.jsonl", ROWS)], out)
    reader = Collection.open(out)
    new = build([jsonl(tmp_path / "new.jsonl", ROWS[:1])], out, name="named")
    assert old.revision != new.revision
    assert Collection.open(out).name == "named"
    assert len(Collection.open(out)) == 1
    assert reader.search("الحكومة").matched == 1, "an open collection goes on answering"
    assert [folder.name for folder in out.glob("index-*")] == [new.index]


def test_a_failed_build_leaves_the_old_collection(tmp_path: Path) -> None:
    out = tmp_path / "c"
    build([jsonl(tmp_path / "old.jsonl", ROWS)], out)
    with pytest.raises(InputError):
        build([jsonl(tmp_path / "bad.jsonl", [*ROWS, "{"])], out)
    assert len(Collection.open(out)) == 3
    assert len(list(out.glob("index-*"))) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from dalil.collection import building
from dalil.collection.documents import Placed, StoredDocument
from dalil.collection.jsonl import JsonlSource

def die(*args):
    os.kill(os.getpid(), signal.SIGKILL)

class Dying(JsonlSource):
    def read(self):
        for number in range(500):
            yield Placed(StoredDocument(id=str(number), body="نص"), f"x:{number}")
        if sys.argv[2] == "reading":
            die()

if sys.argv[2] == "written":
    building.Manifest.write = die
building.build([Dying(Path("x"))], Path(sys.argv[1]))
"""


@pytest.mark.parametrize("moment", ["reading", "written"])
def test_a_killed_build_leaves_the_old_collection_and_the_next_clears_up(tmp_path: Path, moment: str) -> None:
    out = tmp_path / "c"
    file = jsonl(tmp_path / "old.jsonl", ROWS)
    build([file], out)
    done = subprocess.run([sys.executable, "-c", KILLED, str(out), moment], check=False, capture_output=True)
    assert done.returncode == -9, done.stderr
    assert len(list(out.glob("index-*"))) == 2
    assert Collection.open(out).search("الحكومة").matched == 1
    build([file], out)
    assert len(list(out.glob("index-*"))) == 1


def test_a_first_build_that_was_killed_is_no_collection(tmp_path: Path) -> None:
    out = tmp_path / "c"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(out), "reading"], check=False, capture_output=True
    )
    assert done.returncode == -9, done.stderr
    with pytest.raises(StateError, match="no finished collection here"):
        Collection.open(out)
    assert build([jsonl(tmp_path / "rows.jsonl", ROWS)], out).documents == 3


def test_a_folder_with_other_things_is_not_touched(tmp_path: Path) -> None:
    out = tmp_path / "work"
    out.mkdir()
    (out / "thesis.doc").write_text("years of work")
    with pytest.raises(UsageError, match=r"holds something else \(thesis.doc\)"):
        build([jsonl(tmp_path / "rows.jsonl", ROWS)], out)
    assert [file.name for file in out.iterdir()] == ["thesis.doc"]


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "rows.jsonl", ROWS)
    out = tmp_path / "c"
    build([file], out)
    with stage_lock(out, "index"), pytest.raises(StateError, match="at work"):
        build([file], out)


@pytest.mark.parametrize("name", ["a/b", "a:b", " a", "a\\b"])
def test_a_name_must_fit_into_an_address(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no name for a collection"):
        build([jsonl(tmp_path / "rows.jsonl", ROWS)], tmp_path / "c", name=name)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "a collection of format 2; this dalil reads 1"),
        ({"analysis": 99}, "its terms were made by analysis 99"),
        ({"documents": "many"}, "not a manifest: documents"),
        ({"documents": 4}, "4 documents were built and 3 are here"),
    ],
)
def test_another_version_or_a_damaged_manifest_is_refused(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    out = tmp_path / "c"
    build([jsonl(tmp_path / "rows.jsonl", ROWS)], out)
    path = out / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change))
    with pytest.raises(StateError) as error:
        Collection.open(out)
    assert words in error.value.what
    assert "dalil index" in (error.value.todo or "")


@pytest.mark.parametrize("content", [None, "", "[]", "not json"])
def test_no_manifest_is_no_collection(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(StateError):
        Collection.open(tmp_path)


def test_documents_that_did_not_arrive_are_noticed(tmp_path: Path) -> None:
    """Trap: a panic in tantivy's indexing thread loses a batch without a word."""
    writer = IndexWriter(tmp_path / "i")
    writer.add(Entry("a", "{}", "عنوان", "", "نص", None, None))
    writer.count += 1
    with pytest.raises(StateError, match="2 documents were added and 1 arrived"):
        writer.finish()


def test_documents_are_taken_one_at_a_time(tmp_path: Path) -> None:
    """A source is never read ahead into memory."""
    alive: list[int] = []

    class Stream:
        path = Path("stream")
        sha256 = ""
        size = 0
        ignored: set[str] = set()  # noqa: RUF012

        def read(self) -> Iterator[Item]:
            for number in range(300):
                yield Placed(StoredDocument(id=str(number), body="نص"), f"stream:{number}")
                if number % 100 == 50:
                    alive.append(_living(StoredDocument))

    assert build([Stream()], tmp_path / "c").documents == 300
    assert max(alive) - min(alive) <= 3


def _living(kind: type) -> int:
    return sum(type(one) is kind for one in gc.get_objects())


def test_every_error_says_what_to_do(tmp_path: Path) -> None:
    for work in (
        lambda: Collection.open(tmp_path / "absent"),
        lambda: build([tmp_path / "absent.jsonl"], tmp_path / "c"),
        lambda: build([], tmp_path / "c"),
    ):
        with pytest.raises(DalilError) as error:
            work()
        assert error.value.todo
