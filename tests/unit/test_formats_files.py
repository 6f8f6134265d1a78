"""Records with true line numbers, whatever the fields hold."""

import csv
import gzip
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.errors import InputError
from dalil.formats.files import csv_records, first_record, jsonl_records
from dalil.formats.rows import Bad

LINE_SEPARATORS = "أ\u2028ب\u2029ج\x85د\x0cه\x0bو\x1cز"
"""what str.splitlines would break a line at"""


def put(tmp_path, content, name="x.jsonl"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_jsonl_lines_end_at_newline_alone(tmp_path):
    rows = [{"a": LINE_SEPARATORS}, {"a": "2"}]
    path = put(tmp_path, "\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    assert list(jsonl_records(path)) == [(f"{path}:1", rows[0]), (f"{path}:2", rows[1])]


def test_jsonl_bad_lines_keep_their_numbers_and_the_rest_goes_on(tmp_path):
    path = put(tmp_path, b'\xef\xbb\xbf{"a": 1}\n\n{"a": \n[1]\n\xff\n{"a": 6}\n')
    found = list(jsonl_records(path))
    assert found[0] == (f"{path}:1", {"a": 1})
    assert found[1] == Bad(f"{path}:3", "line", "is not JSON: Expecting value at character 7")
    assert found[2] == Bad(f"{path}:4", "line", "must be an object, not a list")
    assert found[3] == Bad(f"{path}:5", "line", "is not UTF-8 at byte 0")
    assert found[4] == (f"{path}:6", {"a": 6})


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_list(tmp_path, indent):
    path = put(tmp_path, json.dumps([{"a": 1}, {"a": 2}], indent=indent), "x.json")
    assert list(jsonl_records(path)) == [(f"{path}: item 1", {"a": 1}), (f"{path}: item 2", {"a": 2})]


def test_gzip_is_known_by_its_bytes(tmp_path):
    path = put(tmp_path, gzip.compress(b'{"a": 1}\n'), "x.jsonl")
    assert list(jsonl_records(path)) == [(f"{path}:1", {"a": 1})]


@pytest.mark.parametrize(
    "content", [gzip.compress(b'{"a": 1}\n' * 999, mtime=0)[:-9], gzip.compress(b'{"a": 1}\n', mtime=0)[:12]]
)
def test_a_torn_gzip_is_told(tmp_path, content):
    with pytest.raises(InputError, match="broken gzip"):
        list(jsonl_records(put(tmp_path, content)))


def test_csv_with_quoted_newlines_keeps_true_line_numbers(tmp_path):
    path = put(tmp_path, 'a,b\n"1\n1",x\n\n2,"y\ny\ny"\n3\n4,z\n', "x.csv")
    assert list(csv_records(path)) == [
        (f"{path}:2", {"a": "1\n1", "b": "x"}),
        (f"{path}:5", {"a": "2", "b": "y\ny\ny"}),
        Bad(f"{path}:8", "row", "has 1 cell where the first line has 2"),
        (f"{path}:9", {"a": "4", "b": "z"}),
    ]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_dialects(tmp_path, bom, delimiter, end):
    path = put(tmp_path, bom + f"a{delimiter}b{end}١{delimiter}٢{end}".encode(), "x.csv")
    assert list(csv_records(path)) == [(f"{path}:2", {"a": "١", "b": "٢"})]


def test_long_cells_are_read(tmp_path):
    path = put(tmp_path, f"a\n{'ن' * 200_000}\n", "x.csv")
    assert len(next(csv_records(path))[1]["a"]) == 200_000


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", "", "the file is empty"),
        (b"a,a\n1,2\n", ":1", "two columns are called 'a'"),
        (b'a,b\n1,2\n3,"x" y\n', ":3", "broken CSV"),
        (b'a,b\n1,2\n3,"x\n4,y\n', ":3", "broken CSV"),
        (b"a,b\n1,2\n\xd3,2\n", ":3", "not UTF-8 at byte 0"),
        (b"a,b\r1,2\r", ":1", "a lone carriage return"),
        (b"PK\x03\x04\x14\x00", "", "a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "", "an old workbook"),
        ("a\tb\r\n1\t2\r\n".encode("utf-16"), "", "UTF-16"),
    ],
)
def test_csv_that_is_none(tmp_path, content, line, message):
    path = put(tmp_path, content, "x.csv")
    with pytest.raises(InputError, match=message) as error:
        list(csv_records(path))
    assert str(path) + line in error.value.line()


def test_the_delimiter_that_a_spreadsheet_writes_first(tmp_path):
    path = put(tmp_path, b"\xef\xbb\xbfsep=|\r\na|b\r\n1,5|2\r\n3\r\n", "x.csv")
    assert list(csv_records(path)) == [
        (f"{path}:3", {"a": "1,5", "b": "2"}),
        Bad(f"{path}:4", "row", "has 1 cell where the first line has 2"),
    ]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_programs_write_for_nothing_is_null(tmp_path, number):
    path = put(tmp_path, f'{{"a": {number}}}\n')
    assert list(jsonl_records(path)) == [(f"{path}:1", {"a": None})]


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 100_000, '"\\u12"'])
def test_a_line_that_no_reader_can_take_is_a_bad_line(tmp_path, value):
    path = put(tmp_path, f'{{"a": {value}}}\n{{"a": 2}}\n')
    bad, good = jsonl_records(path)
    assert (bad.where, bad.field) == (f"{path}:1", "line")
    assert good == (f"{path}:2", {"a": 2})
    with pytest.raises(InputError, match="not JSON"):
        list(jsonl_records(put(tmp_path, f"[\n{value}\n]", "x.json")))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        list(jsonl_records(tmp_path / "none.jsonl"))
    assert first_record(tmp_path / "none.jsonl") is None


CELLS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00\r"), max_size=12)


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=6))
def test_any_csv_comes_back_with_the_line_of_each_row(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["a", "b"])
    places = []
    for row in rows:
        places.append(out.getvalue().count("\n") + 1)
        writer.writerow(row)
    path.write_text(out.getvalue(), "utf-8", newline="")
    expected = [
        (f"{path}:{line}", {"a": row[0], "b": row[1]})
        for line, row in zip(places, rows, strict=True)
        if any(row)
    ]
    assert list(csv_records(path)) == expected


@settings(deadline=None)
@given(st.lists(st.dictionaries(CELLS, CELLS, max_size=3), max_size=6))
def test_any_jsonl_comes_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("jsonl") / "x.jsonl"
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, "utf-8", newline="")
    assert list(jsonl_records(path)) == [(f"{path}:{n}", row) for n, row in enumerate(rows, start=1)]
