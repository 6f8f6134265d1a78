"""A CSV file that lacks a column: what it has is listed, and the nearest is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil.errors import InputError
from dalil.formats import make_format
from dalil.formats.columns import check_columns, nearest
from dalil.formats.plain import COLUMNS, NEEDED
from dalil.formats.rows import Options, Unused


@pytest.mark.parametrize(
    ("kind", "header", "lacks", "todo"),
    [
        ("claims", "id,clam,url", "no column claim (or raw, text)", "rename the column 'clam' to claim"),
        ("claims", "claim_id,Claim Text", "no column claim (or raw, text)", "rename the column 'Claim Text'"),
        ("claims", "id;الادعاء;url", "no column claim (or raw, text)", "add a column claim"),
        ("articles", "url,body_text", "no column text (or body, content)", "rename the column 'body_text'"),
        ("articles", "text,URL", "no column url (or link, id)", "rename the column 'URL' to url"),
        ("labels", "claim,artcle,label", "no column article (or article_text)", "rename the column 'artcle'"),
        (
            "labels",
            "claim_id,article_id,lable",
            "no columns claim (or raw), article (or",
            "add columns claim, article",
        ),
        ("results", "query,link,rank", "no column url", "add a column url"),
    ],
)
def test_a_lacking_column_is_told_with_the_header_and_the_nearest(
    tmp_path: Path, kind: str, header: str, lacks: str, todo: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{header}\n{';' if ';' in header else ','}\n", "utf-8")
    with pytest.raises(InputError) as error:
        list(make_format("csv").read(path, kind, Options()))
    line = error.value.line()
    assert line.startswith(f"{path}:1: {lacks}")
    assert f"the columns are: {header.replace(';', ',').replace(',', ', ')};" in line
    assert todo in line


def test_the_todo_of_the_caller_stands_beside(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rename the column 'notes' to note, or export again$"):
        check_columns(tmp_path, ["id", "notes"], [("id",), ("note",)], todo="or export again")
    check_columns(tmp_path, ["id", "note"], [("id",), ("note",)])


def test_a_column_that_is_not_read_is_named_with_the_one_that_may_be_meant(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("claim,claimdate,mine\nادعاء,2019,x\n", "utf-8")
    unused, claim = make_format("csv").read(path, "claims", Options())
    assert isinstance(unused, Unused)
    assert unused.columns == ("claimdate", "mine")
    assert [nearest(name, unused.free) for name in unused.columns] == ["claim_date", None]
    assert not isinstance(claim, Unused)


@pytest.mark.parametrize("kind", sorted(NEEDED))
def test_no_known_column_is_proposed_for_another(kind: str) -> None:
    for names in NEEDED[kind]:
        for known in COLUMNS[kind] - set(names):
            assert nearest(names[0], [known], names[1:]) is None, (names, known)


@pytest.mark.parametrize(
    ("wanted", "among", "near"),
    [
        ("edit", ["edit_number", "edited"], "edited"),
        ("edit", ["edit_number"], None),
        ("claim", ["claim_id", "claim_date", "claims"], "claims"),
        ("claim", ["Claim Text", "clam"], "clam"),
        ("text", ["text_url", "body_text"], "body_text"),
        ("id", ["claim_id"], "claim_id"),
    ],
)
def test_a_slip_of_the_pen_is_nearer_than_a_longer_name(
    wanted: str, among: list[str], near: str | None
) -> None:
    assert nearest(wanted, among) == near


def test_no_needed_column_is_proposed_for_another_needed_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="add a column label_set$"):
        check_columns(tmp_path, ["labels_set", "label"], [("label",), ("labels_set",), ("label_set",)])


def test_an_id_is_the_thing_where_the_caller_says_so() -> None:
    assert nearest("task", ["task_id"]) is None
    assert nearest("task", ["label_id", "task_id"], ("task_id",)) == "task_id"
