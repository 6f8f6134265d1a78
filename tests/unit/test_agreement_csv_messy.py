"""Files as spreadsheets and other tools write them: spaces, separators, leftover rounds, two rulings."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.ratings_csv import ReadOptions, read_csv
from annotation.ratings_scheme import LabelSet
from dalil.errors import InputError, UsageError

HEAD = "task,worker,label,confidence,second,round,claim,lang\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "ratings.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


PLAIN = "task,worker,label\nt1,أمل,x\nt1,b,y\n"


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        b"\xef\xbb\xbf" + PLAIN.replace("task,worker,label", '"task","worker","label"').encode(),
        PLAIN.replace("task,worker,label", " task , worker,label\t"),
        PLAIN.replace("\n", ",\n"),
        PLAIN.replace(",x", ",\u00a0x "),
    ],
)
def test_the_same_ratings_however_a_spreadsheet_writes_them(tmp_path, content) -> None:
    found = read_csv(written(tmp_path, content))
    assert (list(found.items), list(found.workers), found.labels) == (["t1"], ["أمل", "b"], ("x", "y"))
    assert found.label.tolist() == [0, 1]


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_another_separator_is_named(tmp_path, mark, name) -> None:
    with pytest.raises(InputError, match=f"separated by {name}"):
        read_csv(written(tmp_path, PLAIN.replace(",", mark)))


def test_a_column_that_is_none_of_ours_is_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match="--column tsak"):
        read_csv(written(tmp_path, PLAIN), options=ReadOptions(columns={"tsak": "task"}))


def test_rounds_that_no_column_names_are_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match="--round, but no column round"):
        read_csv(written(tmp_path, PLAIN), options=ReadOptions(rounds={"1": "main"}))


def test_a_column_of_texts_is_no_column_of_labels(tmp_path) -> None:
    """Counts are items × labels: of a hundred thousand labels they would fill any memory."""
    rows = "".join(f"t{n},a,text {n}\n" for n in range(300))
    with pytest.raises(InputError, match="300 different labels"):
        read_csv(written(tmp_path, "task,worker,label\n" + rows))
    labels = LabelSet(tuple(f"text {n}" for n in range(300)), "scheme s")
    assert read_csv(written(tmp_path, "task,worker,label\n" + rows), labels).n_labels == 300


def test_ignored_rounds_leave_no_trace(tmp_path) -> None:
    """Neither their labels, tasks, workers, claims and languages, nor what is wrong in them."""
    rows = (
        "q1,old,weird,9,weird,qualification,,\n"
        "t1,a,x,5,,main,c,ar\nt1,b,y,5,,main,c,ar\n"
        "q2,old,other,,,training,d,en\n"
    )
    found = read_csv(written(tmp_path, HEAD + rows))
    without = read_csv(written(tmp_path, HEAD + "t1,a,x,5,,main,c,ar\nt1,b,y,5,,main,c,ar\n"))
    for name in ("items", "workers", "labels", "claims", "langs"):
        assert list(getattr(found, name)) == list(getattr(without, name)), name
    for name in ("item", "worker", "label", "confidence", "second", "round", "claim", "lang"):
        assert getattr(found, name).tolist() == getattr(without, name).tolist(), name
    assert found.notes == ("2 ratings of ignored rounds left out",)


def test_lines_are_the_file_s_after_ignored_rows(tmp_path) -> None:
    path = written(tmp_path, HEAD + "q,a,x,,,training,c,ar\nt,a,x,,,main,c,ar\nt,a,x,,,main,c,ar\n")
    with pytest.raises(InputError) as error:
        read_csv(path)
    assert error.value.where == f"{path}:4"
    assert "on line 3" in error.value.what


def test_only_ignored_rounds_are_no_ratings(tmp_path) -> None:
    with pytest.raises(InputError, match="all are of ignored rounds"):
        read_csv(written(tmp_path, HEAD + "q,a,x,,,training,c,ar\n"))


RULINGS = "t,a,x,,,main,c,ar\nt,j,x,,,adjudication,c,ar\nt,k,y,,,adjudication,c,ar\n"


def test_two_rulings_on_a_task_are_refused(tmp_path) -> None:
    """Else the order of rows would decide."""
    path = written(tmp_path, HEAD + RULINGS)
    for repeats in ("refuse", "keep"):
        with pytest.raises(InputError) as error:
            read_csv(path, options=ReadOptions(repeats=repeats))
        assert error.value.where == f"{path}:4"
        assert "already ruled on in line 3" in error.value.what


@pytest.mark.parametrize(("repeats", "label"), [("first", "x"), ("last", "y")])
def test_one_of_two_rulings_may_be_chosen(tmp_path, repeats, label) -> None:
    found = read_csv(written(tmp_path, HEAD + RULINGS), options=ReadOptions(repeats=repeats))
    assert [found.labels[code] for code in found.label] == ["x", label]


def test_a_second_choice_is_a_label_seen(tmp_path) -> None:
    rows = "t,a,x,2,z,main,c,ar\nt,b,x,2,Highly Uncertain,main,c,ar\n"
    assert read_csv(written(tmp_path, HEAD + rows)).labels == ("x", "z")
    with pytest.raises(InputError, match="'z' is not a label of scheme s"):
        read_csv(written(tmp_path, HEAD + rows), LabelSet(("x", "y"), "scheme s"))


def test_labels_seen_that_differ_in_case_alone_are_told(tmp_path) -> None:
    found = read_csv(written(tmp_path, "task,worker,label\nt,a,Agree\nt,b,agree\nu,a,no\n"))
    assert found.labels == ("Agree", "agree", "no")
    assert found.notes == ("labels that differ in case alone are counted apart: Agree, agree",)
