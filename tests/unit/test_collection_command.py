"""`dalil index`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dalil.collection import Collection
from dalil.errors import InputError
from retrieval.index_commands import index

SENTENCE = (
    "أعلنت وزارة الصحة في بيان لها صباح اليوم أن حملة التطعيم ستبدأ في جميع المحافظات مطلع الشهر المقبل. "
)
PARAGRAPHS = "".join(f"<p>{SENTENCE}{number}</p>" for number in range(6))
PAGE = (
    '<html lang="ar"><head><meta charset="utf-8"><title>حملة التطعيم</title>'
    '<meta property="article:published_time" content="2019-05-04T10:00:00+03:00"></head>'
    f"<body><article><h1>حملة التطعيم</h1>{PARAGRAPHS}</article></body></html>"
)


def invoke(*words: str | Path) -> str:
    result = CliRunner().invoke(index, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_jsonl_to_a_collection_with_a_report(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"id": "1", "title": "خبر عاجل"}\n{"id": "1", "title": "خبر عاجل"}\n', "utf-8")
    report = json.loads(invoke(file, "--out", tmp_path / "c", "--name", "أخبار", "--json"))
    assert (report["name"], report["documents"], report["skipped"]) == ("أخبار", 1, {"repeated": 1})
    result = CliRunner().invoke(index, [str(file), "--out", str(tmp_path / "c")])
    assert "1 document, 1 undated, 1 repeated" in result.stderr
    assert "skipped.jsonl" in result.stderr


def test_bad_rows_stop_it_unless_they_are_to_be_skipped(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"id": "1", "title": "خبر"}\nnot json\n', "utf-8")
    with pytest.raises(InputError, match=r"rows.jsonl:2: not JSON"):
        invoke(file, "--out", tmp_path / "c")
    assert json.loads(invoke(file, "--out", tmp_path / "c", "--skip-bad", "--json"))["skipped"] == {
        "not_json": 1
    }


@pytest.mark.parametrize("name", ["rows.csv", "rows.TSV", "rows.csv.gz"])
def test_a_csv_file_is_refused_as_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("id,text\n1,خبر\n", "utf-8")
    with pytest.raises(
        InputError, match=r"a CSV file: a collection is made of JSONL or WARC; write each row"
    ):
        invoke(tmp_path / name, "--out", tmp_path / "c", "--skip-bad")


def test_pages_of_a_warc_file_are_extracted(tmp_path: Path) -> None:
    path = tmp_path / "pages.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, body in (("https://news.example/1", PAGE), ("https://news.example/2", "<html></html>")):
            http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    url,
                    "response",
                    payload=io.BytesIO(body.encode()),
                    length=len(body.encode()),
                    http_headers=http,
                )
            )
    report = json.loads(invoke(path, "--out", tmp_path / "c", "--processes", "1", "--json"))
    assert (report["documents"], report["skipped"]) == (1, {"empty": 1})
    stored = Collection.open(tmp_path / "c").get("https://news.example/1")
    assert stored is not None
    assert (stored.title, stored.published, stored.outlet) == ("حملة التطعيم", "2019-05-04", "news.example")
    assert SENTENCE.strip() in stored.body
