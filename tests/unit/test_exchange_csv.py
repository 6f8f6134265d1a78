"""CSV that spreadsheets open and programs read: marks, line ends, quotes, formulas, long cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import exchangekit as exchange
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.exchange import FORMATS
from annotation.exchange.cells import guarded, unguarded
from annotation.exchange.votes import Export, Task, Vote
from annotation.schemes import scheme_of
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation, Decision, Skip

SCRUM9 = scheme_of("scrum9")
NASTY = st.text(
    st.one_of(
        st.sampled_from("'=+-@\t\r\n\",;\\|\u200f\u202e\u2066\u2028\x85\ufeff أب😀0"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=12,
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "c", 6, exchange.SCRUM9_TOML) as opened:
        yield opened


def written(*votes: Vote) -> str:
    return FORMATS["csv"].write(Export(SCRUM9, {}, votes))


@given(NASTY)
def test_every_cell_is_guarded_and_comes_back(cell: str) -> None:
    assert guarded(cell)[:1] not in tuple("=+-@\t\r")
    assert unguarded(guarded(cell)) == cell


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(note=NASTY, reason=NASTY)
def test_any_text_in_a_cell_comes_back_as_it_was(tmp_path: Path, note: str, reason: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        written(
            Vote("pair-0000", "amal", "main", label="comment", note=note, answers={"q": note}),
            Vote("pair-0000", "bashir", "main", kind="skip", reason=f"x{reason}", note=note),
        ),
        "utf-8",
        newline="",
    )
    first, second = FORMATS["csv"].read(path, SCRUM9)
    assert (first.note, second.note) == (note or None, note or None)
    assert (first.answers, second.reason) == ({"q": note}, f"x{reason}")


def test_no_cell_is_a_formula_and_none_is_cut(tmp_path: Path) -> None:
    """A name, a note and a claim's text as an attacker would write them; an article of a megabyte."""
    long = "ن" * 1_000_000
    votes = [Vote("pair-0", "=cmd|' /C calc'!A0", "main", "comment", 5, note="@SUM(1+1)*cmd|' /C calc'!A0")]
    tasks = {"pair-0": Task("pair-0", "-claim", "+1", "\t=1", long, None, None, None, "ar")}
    for name in ("csv", "effiara"):
        text = FORMATS[name].write(Export(SCRUM9, tasks, votes))
        assert text.startswith("\ufeff")
        csv.field_size_limit(2**27)
        for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")):
            assert not any(cell[:1] in tuple("=+-@\t\r") for cell in row)
        path = tmp_path / f"{name}.csv"
        path.write_text(text, "utf-8", newline="")
        assert [vote.annotator for vote in FORMATS[name].read(path, SCRUM9)] == ["=cmd|' /C calc'!A0"]
    assert long in text


def test_long_cells_are_read(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    long = "كلمة،\r\n" * 150_000
    path.write_text(
        f'pair_id,text,amal_label,amal_confidence\npair-0000,"{long}",comment,5\n', "utf-8", newline=""
    )
    assert exchange.come_in(corpus, path, "effiara").judgements == 1


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_spreadsheets_save_is_read(
    corpus: Corpus, tmp_path: Path, delimiter: str, start: str, end: str
) -> None:
    rows = [
        ["task", "worker", "label", "confidence", "note"],
        ["pair-0000", "أمل", "comment", "5", '"قال ""لا""' + end + 'وسكت"'],
        ["", "", "", "", ""],
        ["pair-0001", "أمل", "comment", "5", ""],
    ]
    path = tmp_path / "x.csv"
    path.write_text(start + "".join(delimiter.join(row) + end for row in rows), "utf-8", newline="")
    assert exchange.come_in(corpus, path, "csv").judgements == 2
    found = next(corpus.store.all(Annotation, pair_id="pair-0000"))
    assert (found.annotator, (found.note or "").split()) == ("أمل", ["قال", '"لا"', "وسكت"])


def test_skips_and_rulings_have_rows_that_agreement_understands(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "task,worker,label,confidence,round,skipped,skipped_in\n"
        "pair-0000,amal,comment,5,main,,\n"
        "pair-0000,salma,rejecting,,adjudication,,\n"
        "pair-0001,amal,,,ignore,upsetting,pilot\n"
        "pair-0002,amal,,,ignore,الصفحة فارغة,\n",
        "utf-8",
    )
    done = exchange.come_in(corpus, path, "csv")
    assert (done.judgements, done.rulings, done.skips) == (1, 1, 2)
    assert [(one.adjudicator, one.label) for one in corpus.store.all(Decision)] == [("salma", "rejecting")]
    skips = {one.pair_id: (one.round, one.reason, one.note) for one in corpus.store.all(Skip)}
    assert skips == {
        "pair-0001": ("pilot", "upsetting", None),
        "pair-0002": ("main", "other", "الصفحة فارغة"),
    }, "a reason of another tool's stays as a note"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("task,worker,label\npair-0000,a\n", "x:2: the row has 2 cells where the first line has 3"),
        ("task,worker,label\npair-0000,a,comment,5\n", "x:2: the row has 4 cells where the first line has 3"),
        ('task,worker,label\npair-0000,a,"comment\n', "x:2: broken CSV"),
        (
            'task,worker,label,confidence,note\npair-0000,a,comment,5,"\n\n"\npair-9,a,comment,5,\n',
            "x:5: no pair has the id",
        ),
        ("task,task,worker,label\n", "x:1: two columns are called 'task'"),
        ("", "x: the file is empty"),
    ],
)
def test_a_broken_table_says_where(corpus: Corpus, tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        exchange.come_in(corpus, path, "csv")
    assert says in str(error.value)
    assert not corpus.store.count(Annotation)
