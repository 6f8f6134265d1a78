"""The store: rows in, rows out, all or nothing, and one clear line when it cannot be."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
import toycorpus
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import StateError, UsageError
from dalil.records import RECORDS, Annotation, Claim, Dropped, Pair, fit_text
from dalil.state import migrate
from dalil.state.migrations import HEAD
from dalil.state.store import Store
from dalil.state.tables import METADATA, TABLES


def test_what_is_put_comes_back_as_it_was(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        written = Claim(
            id="a", site="s", raw="نص", posts=({"url": "u"},), found={"raw": "title"}, own_pages=("p", "q")
        )
        toycorpus.add(corpus, written)
        assert corpus.store.get(Claim, "a") == written
        assert corpus.store.get(Claim, "b") is None
        assert list(corpus.store.all(Claim, site="other")) == []
        assert corpus.store.count(Claim) == 1


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        with pytest.raises(ZeroDivisionError), corpus.store.transaction() as writer:
            writer.put([toycorpus.claim(1)])
            raise ZeroDivisionError
        assert corpus.store.count(Claim) == 0


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_text_entering_a_record_is_fit_to_be_kept(text: str) -> None:
    kept = Claim(id="a", site="s", raw=text).raw
    assert "\0" not in kept
    kept.encode("utf-8")
    assert fit_text(kept) == kept


def test_every_record_has_its_table_and_the_migrations_make_them(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "corpus.db")
    inspector = sa.inspect(store.engine)
    for table in METADATA.sorted_tables:
        columns = {column["name"]: column["nullable"] for column in inspector.get_columns(table.name)}
        assert columns == {column.name: column.nullable for column in table.columns}, table.name
        made = {index["name"] for index in inspector.get_indexes(table.name)}
        assert made == {index.name for index in table.indexes}
    assert set(TABLES) == set(RECORDS)


def test_head_is_the_newest_migration() -> None:
    assert max(migrate.known_revisions()) == HEAD


def test_a_judged_pair_does_not_move(tmp_path: Path) -> None:
    judged = Pair(id="judged", claim_id="c", article_id="a", rank=1, score=0.5)
    other = Pair(id="other", claim_id="c", article_id="b", rank=2, score=0.4)
    vote = Annotation(
        id="v", pair_id="judged", annotator="amal", round="main", scheme="arastance", label="agree"
    )
    with toycorpus.make(tmp_path / "c") as corpus:
        with corpus.store.transaction() as writer:
            writer.put([judged, other], stage="pair", key="corpus")
            writer.put_new([vote])
        with corpus.store.transaction() as writer:
            writer.clear("pair", "corpus", (Pair,))
            writer.put([judged.model_copy(update={"rank": 7})], stage="pair", key="corpus")
        assert list(corpus.store.all(Pair)) == [judged]


def test_judgements_are_never_overwritten(tmp_path: Path) -> None:
    vote = Annotation(id="v", pair_id="p", annotator="amal", round="main", scheme="arastance", label="agree")
    with toycorpus.make(tmp_path / "c") as corpus:
        with corpus.store.transaction() as writer:
            assert writer.put_new([vote]) == 1
            assert writer.put_new([vote.model_copy(update={"label": "disagree"})]) == 0
        assert corpus.store.get(Annotation, "v") == vote


def test_no_corpus_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="dalil init"):
        Store.open(tmp_path / "corpus.db")


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    path.write_bytes(b"not a database at all, but long enough to be read as one" * 100)
    with pytest.raises(StateError, match=r"corpus\.db.*not a readable corpus database"):
        Store.open(path)


def test_somebody_elses_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (id TEXT)")
    connection.close()
    with pytest.raises(StateError, match="not made by dalil"):
        Store.open(path)


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    Store.create(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StateError, match="newer dalil.*update dalil"):
        Store.open(path)


def test_a_full_disk_is_one_clear_line_and_loses_nothing(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))

        @sa.event.listens_for(corpus.store.engine, "begin")
        def _small(connection: sa.Connection) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count=1")  # cannot shrink: no page may be added

        with pytest.raises(StateError, match="disk is full.*nothing is lost"):
            toycorpus.add(corpus, *(toycorpus.claim(number, "ن" * 5000) for number in range(2, 200)))
        assert corpus.store.count(Claim) == 1


def test_a_read_only_place_is_one_clear_line() -> None:
    with pytest.raises(StateError, match="cannot make a corpus here.*choose a folder"):
        toycorpus.make(Path("/proc/dalil-corpus"))


def test_a_read_only_database_can_be_read_and_not_written(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))
    store = Store.open(tmp_path / "c" / "corpus.db", writable=False)
    assert store.count(Claim) == 1
    with pytest.raises(StateError, match="cannot be written here"), store.transaction() as writer:
        writer.put([toycorpus.claim(2)])
    store.close()


def test_making_a_corpus_twice_is_refused(tmp_path: Path) -> None:
    toycorpus.make(tmp_path / "c").close()
    with pytest.raises(UsageError, match="already"):
        toycorpus.make(tmp_path / "c")


def test_a_reader_sees_the_state_at_which_it_began(tmp_path: Path) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, *(toycorpus.claim(number) for number in range(10)))
        reading = corpus.store.all(Claim)
        first = next(reading)
        toycorpus.add(corpus, toycorpus.claim(99))
        assert len([first, *reading]) == 10
        assert corpus.store.count(Dropped) == 0
