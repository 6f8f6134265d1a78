"""Searching a collection: windows, modes, ties, and the traps of the engine below."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.collection import Collection, build
from dalil.collection.search import needed_terms
from dalil.collection.tantivy_index import Entry, IndexReader, IndexWriter, Restriction
from dalil.errors import UsageError


def made(folder: Path, *rows: dict[str, Any]) -> Collection:
    file = folder / "rows.jsonl"
    lines = (
        json.dumps({"id": str(n), "body": ""} | row, ensure_ascii=False) + "\n" for n, row in enumerate(rows)
    )
    file.write_text("".join(lines), "utf-8", newline="\n")
    build([file], folder / "c")
    return Collection.open(folder / "c")


def ids(collection: Collection, text: str, **options: Any) -> list[str]:
    return [found.document.id for found in collection.search(text, **options).found]


DATED = (
    {"title": "زلزال في إيران", "published": "2018-03-01"},
    {"title": "زلزال في تركيا", "published": "2018-03-31"},
    {"title": "زلزال بلا تاريخ"},
    {"title": "مباراة كرة قدم", "published": "2018-03-15"},
    {"title": "زلزال في شهر", "published": "2018-03"},
    {"title": "زلزال في سنة", "published": "2018"},
)


def test_a_window_is_inclusive_at_both_ends(tmp_path: Path) -> None:
    collection = made(tmp_path, *DATED)
    assert sorted(ids(collection, "زلزال", start="2018-03-01", end="2018-03-31")) == ["0", "1", "4"]
    assert sorted(ids(collection, "زلزال", start="2018-03-02", end="2018-03-31")) == ["1"]
    assert sorted(ids(collection, "زلزال", start="2018-03-01", end="2018-03-30")) == ["0"]
    assert sorted(ids(collection, "زلزال", start="2018-01-01")) == ["0", "1", "4", "5"]
    assert sorted(ids(collection, "زلزال", end="2018-03-30")) == ["0"]
    assert len(ids(collection, "زلزال")) == 5


def test_undated_documents_lie_outside_every_window_and_are_counted(tmp_path: Path) -> None:
    collection = made(tmp_path, *DATED)
    results = collection.search("زلزال", start="0001-01-01", end="9999-12-31")
    assert "2" not in [found.document.id for found in results.found]
    assert (results.matched, results.undated) == (4, 1)
    assert collection.search("زلزال").undated is None
    assert collection.search("مباراة كرة", start="2018-01-01").undated == 0


def test_a_window_returns_only_documents_with_the_terms(tmp_path: Path) -> None:
    """Trap: optional terms beside a required range return the whole window at score 0."""
    collection = made(tmp_path, *DATED)
    for match in ("any", "most", "all"):
        results = collection.search("فيضان", start="2018-01-01", end="2018-12-31", match=match)
        assert (results.found, results.matched) == ((), 0)
    assert ids(collection, "مباراة", start="2018-01-01", end="2018-12-31") == ["3"]


def test_a_window_changes_no_score(tmp_path: Path) -> None:
    """Trap: a required range adds 1 to the score of all that it lets through."""
    collection = made(tmp_path, *DATED)
    for match in ("any", "most", "all"):
        free = {f.document.id: f.score for f in collection.search("زلزال إيران", match=match).found}
        within = collection.search("زلزال إيران", start="2018-03-01", end="2018-03-31", match=match)
        assert within.found
        for found in within.found:
            assert found.score == pytest.approx(free[found.document.id], abs=1e-6)


@pytest.mark.parametrize(
    "date", ["0001-01-01", "1439-06-02", "1677-01-01", "1969-12-31", "2300-01-01", "9999-12-31"]
)
def test_no_date_is_too_early_or_too_late(tmp_path: Path, date: str) -> None:
    """Traps: the engine's dates begin in 1677; an unsigned number that is not one loses the batch."""
    collection = made(
        tmp_path, {"title": "خبر قديم", "published": date}, {"title": "خبر جديد", "published": "2018-01-01"}
    )
    assert ids(collection, "خبر قديم", start=date, end=date) == ["0"]
    assert len(ids(collection, "خبر", match="any")) == 2


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """Two hundred documents, one in seven undated, the rest on days of 2018."""
    first = dt.date(2018, 1, 1)
    rows: list[dict[str, Any]] = [
        {"title": "خبر", "body": "زلزال " * (n % 5)}
        | ({} if n % 7 == 0 else {"published": (first + dt.timedelta(n * 37 % 365)).isoformat()})
        for n in range(200)
    ]
    return made(tmp_path_factory.mktemp("year"), *rows)


_days = st.dates(dt.date(2017, 12, 1), dt.date(2019, 1, 31)).map(dt.date.isoformat)


@given(st.one_of(st.none(), _days), st.one_of(st.none(), _days))
@settings(max_examples=60, deadline=None)
def test_a_window_is_what_comparing_dates_says(year: Collection, start: str | None, end: str | None) -> None:
    if start and end and start > end:
        start, end = end, start
    dates = {str(n): document.published for n in range(200) if (document := year.get(str(n)))}
    results = year.search("خبر", start=start, end=end, limit=500)
    inside = {
        key
        for key, date in dates.items()
        if (not start and not end) or (date and (start or "") <= date <= (end or "9"))
    }
    assert {found.document.id for found in results.found} == inside
    assert results.matched == len(inside)
    assert results.undated == (29 if start or end else None)


@given(st.integers(1, 200), st.sampled_from(["خبر", "زلزال", "خبر زلزال"]))
@settings(max_examples=40, deadline=None)
def test_fewer_results_are_the_best_of_more(year: Collection, limit: int, text: str) -> None:
    more = ids(year, text, match="any", limit=200)
    assert ids(year, text, match="any", limit=limit) == more[:limit]


MODES = (
    {"title": "رئيس الوزراء يزور مصر غدا"},
    {"title": "رئيس الوزراء يزور تونس"},
    {"title": "رئيس النادي"},
)


def test_modes_of_matching(tmp_path: Path) -> None:
    collection = made(tmp_path, *MODES)
    ask = "رئيس الوزراء يزور مصر"
    assert ids(collection, ask, match="all") == ["0"]
    assert ids(collection, ask, match="most") == ["0", "1"]
    assert ids(collection, ask, match="any") == ["0", "1", "2"]


def test_a_term_counts_once_however_often_and_wherever_it_is(tmp_path: Path) -> None:
    collection = made(
        tmp_path, {"title": "رئيس رئيس", "lead": "رئيس", "body": "رئيس رئيس"}, {"title": "رئيس مصر"}
    )
    assert ids(collection, "رئيس مصر رئيس", match="all") == ["1"]
    assert collection.search("رئيس الرئيس للرئيس").terms == collection.search("رئيس").terms


@pytest.mark.parametrize(("count", "most"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (10, 6)])
def test_most_is_more_than_half(count: int, most: int) -> None:
    assert needed_terms(count, "most") == most
    assert needed_terms(count, "all") == count
    assert needed_terms(count, "any") == 1


@pytest.mark.parametrize(
    "text", ["", "   ", "؟!…", '"', "(", "\u064e\u064b", "-", "*", "http://", "title:", "\x00", "\ud800"]
)
def test_signs_are_no_query_language(tmp_path: Path, text: str) -> None:
    """Trap: query strings that are parsed raise, or come back empty."""
    collection = made(tmp_path, *MODES)
    assert collection.search(text).found == ()
    assert ids(collection, f"{text} رئيس النادي {text}", match="any")[0] == "2"


def test_words_of_a_query_language_are_words(tmp_path: Path) -> None:
    collection = made(tmp_path, {"title": "AND OR NOT"}, {"title": "شيء آخر"})
    assert ids(collection, "AND NOT") == ["0"]


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_query_breaks_a_search(year: Collection, text: str) -> None:
    results = year.search(text, start="2020-01-01", match="any")
    assert results.matched == 0


def test_marks_in_text_and_query_do_not_matter(tmp_path: Path) -> None:
    collection = made(tmp_path, {"title": "الحُكُومَةُ تُقِرّ المـوازنة"})
    assert ids(collection, "والحكومة الموازنه", match="all") == ["0"]


def test_a_long_word_is_found(tmp_path: Path) -> None:
    word = "ابتثجحخدذرزسشصضطظعغفقكلمنه"
    assert ids(made(tmp_path, {"body": f"كلمة {word} هنا"}), word) == ["0"]


def test_what_a_program_built_another_finds(tmp_path: Path) -> None:
    """Trap: an index opened anew without its tokenizer finds nothing, silently."""
    made(tmp_path, *MODES)
    program = (
        "from dalil.collection import Collection; import sys\n"
        "found = Collection.open(sys.argv[1]).search('للرئيس والنادي', match='all').found\n"
        "assert [one.document.id for one in found] == ['2'], found\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "c")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_equal_scores_come_in_the_order_of_the_documents(tmp_path: Path) -> None:
    collection = made(tmp_path, *({"title": "خبر واحد"} for _ in range(60)))
    assert ids(collection, "خبر", limit=7) == [str(number) for number in range(7)]
    assert ids(collection, "خبر", limit=100) == [str(number) for number in range(60)]
    assert [found.rank for found in collection.search("خبر", limit=5).found] == [1, 2, 3, 4, 5]
    assert collection.search("خبر", limit=5).matched == 60


@pytest.mark.parametrize("limit", [1, 5, 12, 29, 30, 50])
def test_equal_scores_keep_their_order_over_segments(tmp_path: Path, limit: int) -> None:
    """Trap: the engine orders equal scores by segment, and how documents fall into segments is chance."""
    writer = IndexWriter(tmp_path / "i")
    for number in range(30):
        writer.add(Entry(str(number), str(number), "خبر", "", "", None, None))
        if number % 7 == 0:
            writer._writer.commit()
    writer.finish()
    reader = IndexReader(tmp_path / "i")
    ranked, matched = reader.search(reader.terms("خبر"), 1, {"title": 1.0}, Restriction(), limit)
    assert [one.number for one in ranked] == list(range(min(limit, 30)))
    assert matched == 30


def test_a_title_weighs_more_than_a_body(tmp_path: Path) -> None:
    collection = made(
        tmp_path,
        {"title": "شيء", "body": "زلزال مدمر اليوم"},
        {"title": "زلزال مدمر", "body": "شيء من اليوم"},
    )
    assert ids(collection, "زلزال مدمر") == ["1", "0"]
    assert ids(collection, "زلزال مدمر", boosts={"body": 1.0}) == ["0"]


def test_outlets_can_be_chosen(tmp_path: Path) -> None:
    collection = made(tmp_path, *({"title": "خبر", "outlet": name} for name in ("BBC", "CNN", "BBC", "شبكة")))
    assert ids(collection, "خبر", outlets=["BBC"]) == ["0", "2"]
    assert ids(collection, "خبر", outlets=["شبكة", "CNN"]) == ["1", "3"]
    assert ids(collection, "خبر", outlets=["nobody"]) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"start": "18/2/2018"}, "start of the window is no ISO date"),
        ({"end": "2018-02-30"}, "end of the window is no ISO date"),
        ({"start": "2018-03-01", "end": "2018-02-01"}, "ends before it begins"),
        ({"match": "some"}, "match must be all, most or any"),
        ({"limit": 0}, "limit must be at least 1"),
        ({"boosts": {"headline": 1.0}}, "fields to search must be among title, lead, body"),
        ({"boosts": {}}, "fields to search must be among"),
    ],
)
def test_impossible_questions_are_refused(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    collection = made(tmp_path, *MODES)
    with pytest.raises(UsageError, match=words):
        collection.search("رئيس", **options)


def test_a_snippet_shows_the_words_around_the_match(tmp_path: Path) -> None:
    filler = " ".join(f"كلمة{n}" for n in range(100))
    collection = made(tmp_path, {"title": "خبر", "body": f"{filler} أعلنت الحُكومة رفعَ الأسعار {filler}"})
    results = collection.search("والحكومة الأسعار", match="all")
    text = collection.snippet(results.found[0].document, results.terms)
    assert "أعلنت الحُكومة رفعَ الأسعار" in text
    assert text.startswith("… ")
    assert text.endswith(" …")
    assert len(text.split()) <= 32
    head = collection.snippet(results.found[0].document, ("لاشيء",))
    assert head.startswith("كلمة0 ")


@pytest.mark.parametrize("body", ["", "  ", "كلمة", "كلمة أخرى " * 14 + "زلزال"])
def test_a_snippet_of_a_short_body_is_the_body(tmp_path: Path, body: str) -> None:
    collection = made(tmp_path, {"title": "زلزال", "body": body})
    results = collection.search("زلزال")
    assert collection.snippet(results.found[0].document, results.terms) == body.strip()
