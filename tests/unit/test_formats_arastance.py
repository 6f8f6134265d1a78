"""AraStance in every form it is published in."""

import json

import pytest

from dalil.formats import detect
from dalil.formats.rows import Bad, ClaimRow, LabelRow, Options

ORDER = ("agree", "disagree", "discuss", "unrelated")
AUTHORS = {
    "claim": "الحكومة تسجل المكالمات",
    "article": ["نفت الوزارة", "قالت الوزارة"],
    "stance": ["Disagree", "Discuss"],
}
CARD = {
    **AUTHORS,
    "filename": "norumors_12.json",
    "claim_url": "http://norumors.net/?p=12",
    "article_title": ["نفي", ""],
    "article_url": ["https://a.example/1", "https://b.example/2"],
}


def put(tmp_path, *rows, name="train.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def read(path, kind="labels", order=()):
    found = detect(path, kind)
    assert found.NAME == "arastance"
    return list(found.read(path, kind, Options(label_order=order)))


def test_the_authors_files(tmp_path):
    rows = read(put(tmp_path, AUTHORS))
    assert [(row.claim.raw, row.article.text, row.label) for row in rows] == [
        ("الحكومة تسجل المكالمات", "نفت الوزارة", "disagree"),
        ("الحكومة تسجل المكالمات", "قالت الوزارة", "discuss"),
    ]
    assert {(row.claim.site, row.claim.veracity) for row in rows} == {("unknown", "unknown")}
    assert rows[0].claim.found == {"split": "train"}


def test_the_card_with_urls_and_titles(tmp_path):
    first, second = read(put(tmp_path, CARD))
    assert (first.claim.site, first.claim.veracity, first.claim.url) == (
        "norumors",
        "false",
        "http://norumors.net/?p=12",
    )
    assert (first.article.title, first.article.url) == ("نفي", "https://a.example/1")
    assert second.article.title is None


@pytest.mark.parametrize(
    ("fields", "site", "veracity"),
    [
        ({"claim_url": "https://ara.reuters.com/article/idARAKBN0FE2AL20140709"}, "reuters", "true"),
        ({"filename": "Dabegaed_3"}, "dabegad", "false"),
        ({"filename": "Aranews/7.txt"}, "araanews", "false"),
        ({"claim_url": "https://other.example/1", "filename": "reuters-9"}, "reuters", "true"),
        ({"claim_url": "https://other.example/1"}, "unknown", "unknown"),
        ({}, "unknown", "unknown"),
    ],
)
def test_site_and_veracity_come_from_url_or_filename_else_are_unknown(tmp_path, fields, site, veracity):
    row = read(put(tmp_path, {**AUTHORS, **fields}), "claims")[0]
    assert (row.site, row.veracity) == (site, veracity)


def test_one_row_a_pair_with_numbers_needs_their_order(tmp_path):
    rows = [
        {"id": "0", "claim": "ج", "article": "أ", "stance": 0},
        {"id": "1", "claim": "ج", "article": "ب", "stance": 3},
    ]
    path = put(tmp_path, *rows)
    refused = read(path)
    assert all(isinstance(item, Bad) and item.field == "stance" for item in refused)
    assert "the bare number 0" in refused[0].reason
    assert "--label-order" in refused[0].reason
    assert [row.label for row in read(path, order=ORDER)] == ["agree", "unrelated"]
    # the other published card numbers them otherwise
    assert [row.label for row in read(path, order=("discuss", "disagree", "unrelated", "agree"))] == [
        "discuss",
        "agree",
    ]
    assert len(read(path, "claims", ORDER)) == 1


@pytest.mark.parametrize("stance", [1, 1.0, "1", " 1 ", "1.0", "٣", "۱", "-1"])
def test_a_number_in_any_writing_is_a_bare_number(tmp_path, stance):
    (bad,) = read(put(tmp_path, {"claim": "ج", "article": "أ", "stance": stance}))
    assert "the bare number" in bad.reason


def test_one_row_a_pair_as_csv(tmp_path):
    path = tmp_path / "dev.csv"
    path.write_text("id,claim,article,stance\n0,ج,أ,2\n1,د,ب,Agree\n", "utf-8-sig")
    assert [row.label for row in read(path, order=ORDER)] == ["discuss", "agree"]


def test_two_objects_with_one_text_are_two_claims(tmp_path):
    rows = read(put(tmp_path, AUTHORS, AUTHORS), "claims")
    assert len({row.key for row in rows}) == 2
    assert all(isinstance(row, ClaimRow) for row in rows)


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"stance": ["Agree"]}, "stance", "has 1 label for 2 articles"),
        (
            {"stance": ["Agree", "Maybe"]},
            "stance[1]",
            "must be one of agree, disagree, discuss, unrelated, not 'Maybe'",
        ),
        ({"stance": ["Agree", None]}, "stance[1]", "is missing"),
        ({"stance": ["Agree", True]}, "stance[1]", "must be a label, not true or false"),
        ({"stance": "Agree"}, "stance", "must be a list, not text"),
        ({"article": ["أ", " "]}, "article[1]", "is empty"),
        ({"article": ["أ", 3]}, "article[1]", "must be text, not a number"),
        ({"article_url": ["https://a.example"]}, "article_url", "has 1 entry for 2 articles"),
        ({"claim": ""}, "claim", "is empty"),
        ({"stance": ["Agree", "9"]}, "stance[1]", "is 9, but --label-order has 4 labels (0 to 3)"),
    ],
)
def test_a_bad_object_says_where_and_what(tmp_path, change, field, reason):
    path = put(tmp_path, AUTHORS, {**AUTHORS, **change})
    found = read(path, order=ORDER if "9" in str(change) else ())
    assert found[-1] == Bad(f"{path}:2", field, reason)
    assert all(isinstance(item, LabelRow) for item in found[:-1])
