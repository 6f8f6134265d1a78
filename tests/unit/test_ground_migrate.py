"""Databases of older revisions, made as they were then: migrated with all their rows, or left as they are."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import toycorpus
from killing import KILLED, run_in_child

from dalil.cli import main
from dalil.config import FILE
from dalil.corpus import DATABASE, Corpus
from dalil.errors import InputError, StateError
from dalil.ids import canonical_json
from dalil.records import Dropped
from dalil.state import migrate
from dalil.state.dump import NOTICE, dump, equal, load
from dalil.state.migrations import HEAD
from dalil.state.store import Store
from dalil.state.tables import METADATA, CanonicalJSON

KEYS = ("claim-1 claim+date", "page-1 hit-9", "document-2", "", " claim-1", "claim-1\u00a0x", "claim-1\nx y")
"""keys of drops: ids and names; the odd ones are of imported collections"""
ROWS = {
    "claims": {
        "id": "claim-1", "site": "s", "raw": "حقيقة رفع الأسعار\u2028سطر", "veracity": "false",
        "language": "ar", "english": "[]", "own_pages": '["https://s.example/1"]', "posts": '[{"url":"u"}]',
        "found": '{"raw":"h1"}',
    },
    "pairs": {
        "id": "pair-1", "claim_id": "claim-1", "article_id": "article-1", "rank": 1, "score": 0.5,
        "hits": "[]", "marks": "[]", "ranker": "tfidf", "owner_stage": "pair", "owner_key": "corpus",
    },
    "annotations": {
        "id": "v", "pair_id": "pair-1", "annotator": "أمل", "round": "main", "scheme": "arastance",
        "label": "agree", "answers": '{"sentences":[[0,4]]}', "number": 1, "shown_hash": "x", "seconds": 12.5,
    },
    "people": {
        "id": "أمل", "role": "annotator", "expert": 1, "languages": "[]", "excluded": "[]",
        "cleared": 0, "left": 0,
    },
    "journal": {
        "id": "j", "stage": "search", "service": "google", "fingerprint": "f", "state": "answered",
        "cost": 0.5, "sent_at": "2020-01-01T00:00:00Z",
    },
}  # fmt: skip


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def made_at_0001(folder: Path, drops: int = 0) -> Path:
    """A corpus as the first dalil wrote it: rows in every kind of column, and drops."""
    folder.mkdir()
    (folder / FILE).write_text(toycorpus.TOML, "utf-8")
    Store.create(folder / DATABASE, "0001").close()
    with closing(sqlite3.connect(folder / DATABASE)) as connection, connection:
        for table, row in ROWS.items():
            insert(connection, table, row)
        for number, key in enumerate([*KEYS, *(f"claim-{n} article-{n}" for n in range(drops))]):
            drop = {"id": f"drop-{number:05}", "stage": "pair", "key": key, "reason": "beyond_ten"}
            insert(
                connection, "dropped", drop | {"detail": "rank 11", "owner_stage": "pair", "owner_key": "c"}
            )
    return folder


def rows_of(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in names}


def revision_of(folder: Path) -> str:
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def open_and_dump(folder: Path, out: Path) -> Path:
    with Corpus.open(folder) as corpus:
        dump(corpus, out)
    return out


def dumped_at_0001(folder: Path, out: Path) -> Path:
    """The dump that the first dalil would write of a database."""
    out.mkdir()
    (out / FILE).write_text(toycorpus.TOML, "utf-8")
    engine, then = sa.create_engine(f"sqlite:///{folder / DATABASE}"), sa.MetaData()
    then.reflect(engine)
    today = {column.name: column.type for table in METADATA.sorted_tables for column in table.c}
    with engine.connect() as connection:
        for table in then.tables.values():
            if table.name == migrate.VERSIONS:
                continue
            rows = [dict(row) for row in connection.execute(sa.select(table)).mappings()]
            head = {"dalil_dump": 1, "revision": "0001", "rows": len(rows), "stable": False, "notice": NOTICE}
            for row in rows:
                for name, value in row.items():
                    if isinstance(today.get(name), CanonicalJSON) and value is not None:
                        row[name] = json.loads(value)
            lines = [canonical_json(one) for one in (head, *sorted(rows, key=lambda row: str(row.get("id"))))]
            (out / f"{table.name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    engine.dispose()
    return out


def test_a_writer_migrates_an_older_database_and_every_row_is_there(tmp_path: Path) -> None:
    folder = made_at_0001(tmp_path / "c", drops=20_500)
    before = rows_of(folder)
    with Corpus.open(folder) as corpus:
        for drop in corpus.store.all(Dropped):
            assert drop.about == Dropped(id="x", stage="s", key=drop.key, reason="r").about
        assert [drop.key for drop in corpus.store.all(Dropped, about="claim-7")] == ["claim-7 article-7"]
        assert {drop.key for drop in corpus.store.all(Dropped, about="claim-1")} >= {"claim-1 claim+date"}
    assert revision_of(folder) == HEAD
    after = rows_of(folder)
    assert {name: after[name] for name in before if name not in ("dropped", migrate.VERSIONS)} == {
        name: rows for name, rows in before.items() if name not in ("dropped", migrate.VERSIONS)
    }
    assert [row[0] for row in after["dropped"]] == [row[0] for row in before["dropped"]]


def test_a_reader_names_an_older_database_and_leaves_it_alone(tmp_path: Path) -> None:
    folder = made_at_0001(tmp_path / "c")
    before = rows_of(folder)
    with pytest.raises(StateError, match=r"older dalil \(revision 0001, now \d+\).*run dalil status"):
        Corpus.open(folder, writable=False)
    assert rows_of(folder) == before


def test_status_brings_an_older_database_up_to_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_at_0001(tmp_path / "c")
    monkeypatch.setattr("dalil.state.store._can_write", lambda path: False)
    with pytest.raises(SystemExit) as stop:
        main(["status", "--json", str(folder)])
    assert stop.value.code == 1
    assert "written by an older dalil" in capsys.readouterr().err
    assert revision_of(folder) == "0001"
    monkeypatch.undo()
    for said in ("brought up to date", ""):
        with pytest.raises(SystemExit) as stop:
            main(["status", "--json", str(folder)])
        assert stop.value.code == 0
        shown = capsys.readouterr()
        assert shown.err.strip() == (f"made by an older dalil: its database was {said}" if said else "")
        assert json.loads(shown.out)["dropped"] == {"pair": {"beyond_ten": len(KEYS)}}


def killing_at(number: int, count: list[int]) -> Callable[..., None]:
    """Counts the statements of this process, and kills it before the one with this number."""

    def listen(*_: Any) -> None:
        count[0] += 1
        if count[0] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return listen


def test_the_doctor_calls_an_older_database_no_broken_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made_at_0001(tmp_path / "old")
    with pytest.raises(SystemExit) as stop:
        main(["doctor", "--json", str(folder)])
    assert not stop.value.code
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert checks["corpus.db"]["state"] == "note"
    assert checks["corpus.db"]["note"].startswith("made by an older dalil")
    assert revision_of(folder) == "0001", "the doctor mends nothing"


def test_killed_in_the_middle_of_a_migration_it_is_as_if_nothing_had_happened(tmp_path: Path) -> None:
    made = made_at_0001(tmp_path / "made", drops=30)
    (tmp_path / "said").mkdir()

    def opened(folder: Path, number: int) -> None:
        count = [0]
        sa.event.listen(sa.Engine, "before_cursor_execute", killing_at(number, count))
        Corpus.open(folder).close()
        (tmp_path / "said" / "count").write_text(str(count[0]), "utf-8")

    calm = copied(made, tmp_path / "calm")
    assert run_in_child(lambda: opened(calm, 0)) == 0
    wanted = open_and_dump(calm, tmp_path / "wanted")
    statements = int((tmp_path / "said" / "count").read_text("utf-8"))
    assert statements > 20
    older = 0
    numbers = range(1, statements + 1, max(statements // 8, 1))
    for number in numbers:
        folder = copied(made, tmp_path / f"killed-{number}")
        assert run_in_child(lambda: opened(folder, number)) == KILLED  # noqa: B023
        older += revision_of(folder) == "0001"
        assert equal(wanted, open_and_dump(folder, tmp_path / f"again-{number}")) == [], number
    assert 3 < older <= len(numbers), "most kills came in the migration"


def test_killed_before_its_commit_it_goes_on(tmp_path: Path) -> None:
    folder = made_at_0001(tmp_path / "c")
    before = rows_of(folder)
    assert run_in_child(lambda: Corpus.open(folder).close(), "migrate:1") == KILLED
    assert revision_of(folder) == "0001"
    assert rows_of(folder) == before
    assert run_in_child(lambda: Corpus.open(folder).close()) == 0
    assert revision_of(folder) == HEAD


def copied(folder: Path, to: Path) -> Path:
    to.mkdir()
    for path in folder.iterdir():
        if path.is_file():
            (to / path.name).write_bytes(path.read_bytes())
    return to


def test_two_that_open_an_older_database_at_once_do_not_meet(tmp_path: Path) -> None:
    folder = made_at_0001(tmp_path / "c", drops=3000)
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                Corpus.open(folder).close()
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    assert revision_of(folder) == HEAD


def test_a_dump_of_an_older_dalil_becomes_a_corpus_of_this_one(tmp_path: Path) -> None:
    folder = made_at_0001(tmp_path / "c", drops=5)
    old = dumped_at_0001(folder, tmp_path / "old")
    assert load(old, tmp_path / "again")["dropped"] == len(KEYS) + 5
    assert revision_of(tmp_path / "again") == HEAD
    wanted = open_and_dump(folder, tmp_path / "wanted")
    assert equal(wanted, open_and_dump(tmp_path / "again", tmp_path / "got")) == []


def test_files_of_two_revisions_are_no_dump(tmp_path: Path) -> None:
    folder = made_at_0001(tmp_path / "c")
    old = dumped_at_0001(folder, tmp_path / "old")
    new = open_and_dump(folder, tmp_path / "new")
    (old / "pairs.jsonl").write_bytes((new / "pairs.jsonl").read_bytes())
    with pytest.raises(
        InputError, match=rf"pairs\.jsonl:1: this file is of revision {HEAD}, others .* of 0001"
    ):
        load(old, tmp_path / "again")
    assert not (tmp_path / "again").exists()
