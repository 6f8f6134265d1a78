"""A CSV file of ratings: what is read, and where it says what is wrong."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.ratings import ADJUDICATION, HIGHLY_UNCERTAIN, MAIN, NO_CONFIDENCE, NO_SECOND, THIRD
from annotation.ratings_csv import ReadOptions, read_csv
from annotation.ratings_scheme import LabelSet
from dalil.errors import DalilError, InputError

HEAD = "task,worker,label,confidence,second,round,claim,lang\n"
SCHEME = LabelSet(("agree", "disagree", "discuss", "unrelated"), "scheme arastance")


def written(folder: Path, text: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_all_columns(tmp_path) -> None:
    path = written(
        tmp_path,
        "\ufeff" + HEAD + "t1,أمل,agree,5,,main,c1,ar\nt1,بشير,discuss,2,agree,main,c1,ar\n"
        "t1,dana,agree,3,Highly Uncertain,third,c1,ar\nt1,adj,agree,,,adjudication,c1,ar\n",
    )
    found = read_csv(path, SCHEME)
    assert list(found.workers) == ["أمل", "بشير", "dana", "adj"]
    assert found.label.tolist() == [0, 2, 0, 0]
    assert found.confidence.tolist() == [5, 2, 3, NO_CONFIDENCE]
    assert found.second.tolist() == [NO_SECOND, 0, HIGHLY_UNCERTAIN, NO_SECOND]
    assert found.round.tolist() == [MAIN, MAIN, THIRD, ADJUDICATION]
    assert (found.labels_from, found.n_labels) == ("scheme arastance", 4)
    assert len(found.votes()) == 3


def test_without_a_scheme_the_labels_seen_are_k_and_it_says_so(tmp_path) -> None:
    found = read_csv(written(tmp_path, "task,worker,label\nt,a,y\nt,b,x\n"))
    assert (found.labels, found.labels_from, found.rounds_named) == (("x", "y"), "the labels seen", False)


def test_other_names_of_columns_and_rounds(tmp_path) -> None:
    path = written(tmp_path, "item,rater,rating,phase\n1,a,x,1\n1,b,y,1\n1,c,x,2\n1,d,x,warm-up\n")
    options = ReadOptions(
        columns={"task": "item", "worker": "rater", "label": "rating", "round": "phase"},
        rounds={"1": "main", "2": "third", "warm-up": "ignore"},
    )
    found = read_csv(path, options=options)
    assert found.round.tolist() == [MAIN, MAIN, THIRD]
    assert found.notes == ("1 rating of ignored rounds left out",)


@given(st.lists(st.booleans(), min_size=1, max_size=9).filter(any))
def test_rows_of_ignored_rounds_count_nowhere_wherever_they_stand(
    tmp_path_factory: pytest.TempPathFactory, kept: list[bool]
) -> None:
    """Such as the skips at the end of an export: no label, and perhaps the only row of a task."""
    folder = tmp_path_factory.mktemp("ignored")
    rows = [
        f"t{n},w{n % 3},{'xy'[n % 2]},main" if counts else f"skipped{n},only{n},{'z' * (n % 2)},ignore"
        for n, counts in enumerate(kept)
    ]
    head = "task,worker,label,round"
    found = read_csv(written(folder, "\n".join([head, *rows]) + "\n"))
    counted = [row for row, counts in zip(rows, kept, strict=True) if counts]
    alone = read_csv(written(folder, "\n".join([head, *counted]) + "\n"))
    for name in ("items", "workers", "labels"):
        assert list(getattr(found, name)) == list(getattr(alone, name)), name


def test_labels_that_differ_in_case_and_unicode_form_are_the_scheme_s(tmp_path) -> None:
    scheme = LabelSet(("Agree", "أُخرى"), "scheme x")
    found = read_csv(written(tmp_path, "task,worker,label\nt,a, agree \nt,b,\u0627\u0654\u064fخرى\n"), scheme)
    assert found.label.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("rows", "where", "what"),
    [
        ("t1,a,agree,5,,main,c,ar\nt2,a,maybe,5,,main,c,ar\n", 3, "label: 'maybe' is not a label of scheme"),
        ("t1,a,,5,,main,c,ar\n", 2, "label: is empty"),
        (",a,agree,5,,main,c,ar\n", 2, "task: is empty"),
        ("t1,,agree,5,,main,c,ar\n", 2, "worker: is empty"),
        ("t1,a,agree,6,,main,c,ar\n", 2, "confidence: '6' is no whole number of 1 to 5"),
        ("t1,a,agree,0,,main,c,ar\n", 2, "confidence: '0'"),
        ("t1,a,agree,4.5,,main,c,ar\n", 2, "confidence: '4.5'"),
        ("t1,a,agree,٣,,main,c,ar\n", 2, "confidence: '٣'"),
        ("t1,a,agree,2,agree,main,c,ar\n", 2, "second: equals the first choice ('agree')"),
        ("t1,a,agree,2,maybe,main,c,ar\n", 2, "second: 'maybe' is not a label"),
        ("t1,a,agree,2,,tertiary,c,ar\n", 2, "round: 'tertiary' is none of pilot, main, third, adjudication"),
        (
            "t1,a,agree,2,,main,c,ar\nt1,b,agree,2,,main,d,ar\n",
            3,
            "claim: task 't1' has 'd' here, 'c' elsewhere",
        ),
        ("t1,a,agree,2,,main,c,ar\nt1,b,agree,2,,main,c,en\n", 3, "lang: task 't1' has 'en' here"),
        ("t1,a,agree,2,,main,c,ar\nt1,b,agree\n", 3, "3 fields where the header has 8"),
        ("t1,a,agree,2,,main,c,ar\nt1,b,agree,2,,main,c,ar,x\n", 3, "9 fields where the header has 8"),
        ('"t\n1",a,agree,2,,main,c,ar\n"t\n1",b,agree,7,,main,c,ar\n', 4, "confidence: '7'"),
        ("t1,a,agree,2,,main,c,ar\n\nt1,b,agree,7,,main,c,ar\n", 4, "confidence: '7'"),
    ],
)
def test_what_is_wrong_and_on_which_line(tmp_path, rows, where, what) -> None:
    path = written(tmp_path, HEAD + rows)
    with pytest.raises(InputError) as error:
        read_csv(path, SCHEME)
    assert error.value.where == f"{path}:{where}"
    assert what in error.value.what


def test_the_same_task_worker_and_round_twice(tmp_path) -> None:
    rows = (
        "t1,a,agree,,,main,c,ar\nt2,a,agree,,,main,c,ar\nt1,a,discuss,,,main,c,ar\nt1,a,agree,,,third,c,ar\n"
    )
    path = written(tmp_path, HEAD + rows)
    with pytest.raises(InputError) as error:
        read_csv(path, SCHEME)
    assert error.value.where == f"{path}:4"
    assert "'a' already rated 't1' in this round on line 2" in error.value.what
    kept = {name: read_csv(path, SCHEME, ReadOptions(repeats=name)) for name in ("first", "last", "keep")}
    assert kept["first"].label.tolist() == [0, 0, 0]
    assert kept["last"].label.tolist() == [0, 2, 0]
    assert len(kept["keep"]) == 4
    assert kept["keep"].notes == ("1 repeated rating kept: each counts",)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "cannot be read as CSV"),
        (b"task,worker,label\n", "no ratings, only a header"),
        (b"item,rater,label\n1,2,3\n", "no column task, worker (columns are: item, rater, label)"),
        (b"task,worker,label,label\n1,2,3,4\n", "column 'label' occurs more than once"),
        ("task,worker,label\n1,2,سلام\n".encode("cp1256"), "is not UTF-8"),
    ],
)
def test_files_that_are_no_ratings(tmp_path, content, what) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_csv(path)
    assert what in error.value.what
    assert str(path) in str(error.value.where)


def test_a_missing_file(tmp_path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_csv(tmp_path / "absent.csv")


def test_a_misspelt_column_is_told(tmp_path) -> None:
    found = read_csv(written(tmp_path, "task,worker,label,confidnce\nt,a,x,5\n"))
    assert found.notes == ("columns not used: confidnce",)
    assert found.confidence.tolist() == [NO_CONFIDENCE]


texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=6).filter(
    lambda text: bool(text.strip())
)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(texts, texts, st.sampled_from(["agree", "discuss"])), min_size=1, max_size=20))
def test_any_text_is_read_back_or_refused_clearly(tmp_path_factory, rows) -> None:
    path = tmp_path_factory.mktemp("any") / "ratings.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("task", "worker", "label"), *rows])
    try:
        found = read_csv(path, SCHEME, ReadOptions(repeats="keep"))
    except DalilError as error:
        pytest.fail(error.line())
    labels = np.array(found.labels)[found.label].tolist()
    assert labels == [label for _, _, label in rows]
    assert len(found) == len(rows)
