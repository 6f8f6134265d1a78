"""A user's own CSV and JSONL."""

import json

import pytest

from dalil.formats import make_format
from dalil.formats.rows import Bad, Found, Options

NONE = Options()


def csv_rows(tmp_path, kind, text, options=NONE):
    path = tmp_path / "x.csv"
    path.write_text(text, "utf-8")
    return path, list(make_format("csv").read(path, kind, options))


def test_claims(tmp_path):
    path, (_, claim, other, bad) = csv_rows(
        tmp_path,
        "claims",
        "raw,url,veracity,claim_date,site,extra\n"
        'ادعاء,https://s.example/1,FALSE,٧ أبريل ٢٠١٩,s,x\n"سطر\nسطر",,,,,\nثالث,,perhaps,,,\n',
    )
    assert (claim.raw, claim.url, claim.veracity, claim.claim_date, claim.site) == (
        "ادعاء", "https://s.example/1", "false", "2019-04-07", "s",
    )  # fmt: skip
    assert (other.raw, other.veracity, other.where) == ("سطر\nسطر", None, f"{path}:3")
    assert (bad.where, bad.field) == (f"{path}:5", "veracity")
    assert bad.reason.startswith("must be one of true, false, mixed, unknown, not 'perhaps' (")


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ({}, "raw", "is missing"),
        ({"id": 1, "clam": "x"}, "raw", "is missing (is 'clam' meant?)"),
        ({"id": 1, "الادعاء": "x"}, "raw", "is missing (fields here: id, الادعاء)"),
        ({"raw": " "}, "raw", "is empty"),
        ({"raw": ["x"]}, "raw", "must be text, not a list"),
        ({"raw": "x", "claim_date": "tomorrow"}, "claim_date", "is no date that can be read: 'tomorrow'"),
    ],
)
def test_bad_claims(tmp_path, row, field, reason):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    assert list(make_format("jsonl").read(path, "claims", NONE)) == [Bad(f"{path}:1", field, reason)]


def test_articles(tmp_path):
    path, (article, bad, nameless) = csv_rows(
        tmp_path, "articles", "id,url,title,text,date\n7,,عنوان,نص,2019-04-07\n8,,عنوان,,\n,,عنوان,نص,\n"
    )
    assert (article.key, article.collection, article.text, article.published) == (
        "7",
        "x",
        "نص",
        "2019-04-07",
    )
    assert bad == Bad(f"{path}:3", "text", "is empty")
    assert nameless.where == f"{path}:4"
    assert "neither id nor url" in nameless.reason


def test_labels(tmp_path):
    _, (gold, judged, *bad) = csv_rows(
        tmp_path,
        "labels",
        "claim,article,label,annotator,confidence,second\nج,أ,Agree,,,\nج,أ,discuss,هند,3,agree\n"
        "ج,أ,maybe,,,\nج,أ,agree,x,9,\nج,أ,2,,,\n",
    )
    assert (gold.label, gold.annotator, gold.scheme) == ("agree", None, "arastance")
    assert (judged.label, judged.annotator, judged.confidence, judged.second) == (
        "discuss",
        "هند",
        3,
        "agree",
    )
    assert [(item.where[-2:], item.field) for item in bad] == [
        (":4", "label"),
        (":5", "confidence"),
        (":6", "label"),
    ]
    assert "--label-order" in bad[2].reason


def test_results_of_one_query_stand_together(tmp_path):
    path, items = csv_rows(
        tmp_path,
        "results",
        "query,rank,url,title,start,end\n"
        "س,1,https://a.example/1,ع,2019-01-01,2019-05-01\nس,2,https://a.example/2,,2019-01-01,2019-05-01\n"
        "س,1,https://a.example/3,,,\nس,9,https://a.example/4,,2019-01-01,2019-05-01\n"
        "ص,1,https://a.example/5,,,\nص,1,https://a.example/6,,,\nط,x,https://a.example/7,,,\nظ,1,,,,\n",
    )
    first, second, *bad = items
    assert (first.text, first.start, first.end) == ("س", "2019-01-01", "2019-05-01")
    assert first.results == (Found(1, "https://a.example/1", "ع"), Found(2, "https://a.example/2"))
    assert (second.text, second.start) == ("س", None)
    assert [(item.where, item.field) for item in bad] == [
        (f"{path}:5", "query"),
        (f"{path}:7", "rank"),
        (f"{path}:8", "rank"),
        (f"{path}:9", "url"),
    ]
