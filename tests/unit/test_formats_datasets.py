"""Baly 2018, Khouja 2020, CheckThat! 2019, Matsda2sh: like the releases, and the releases themselves."""

import json
from collections import Counter

import pytest
from realdata import data_dir

from dalil.errors import InputError, UsageError
from dalil.formats import FORMATS, detect, make_format
from dalil.formats.rows import Bad, Nothing, Options

NONE = Options()


def jsonl(path, *rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def read(path, kind, name):
    found = detect(path, kind)
    assert name == found.NAME
    return list(found.read(path, kind, NONE))


def baly(tmp_path, folds="Fold_1: V-1\nFold_2: R-2\n", **change):
    folder = tmp_path / "baly"
    (folder / "dataset").mkdir(parents=True)
    for key, fact in (("V-1", "false"), ("R-2", "true")):
        row = {
            "id": key, "claim": f"ادعاء {key}", "fact": fact, "article": ["نص أول", "نص ثان"],
            "url": ["https://a.example/1", "https://b.example/2"],
            "stance": ["agree", "unrelated"], "rationale": ["1", ""],
        }  # fmt: skip
        if key == "R-2":
            row |= change
        (folder / "dataset" / f"{key}.json").write_text(
            json.dumps(row, ensure_ascii=False, indent=1), "utf-8"
        )
    (folder / "train_test_splits.txt").write_text(folds, "utf-8")
    return folder


def test_baly_layout(tmp_path):
    folder = baly(tmp_path)
    claims = read(folder, "claims", "baly")
    assert [(c.key, c.veracity, c.found["split"]) for c in claims] == [
        ("R-2", "true", "fold_2"),
        ("V-1", "false", "fold_1"),
    ]
    labels = read(folder, "labels", "baly")
    assert [(row.claim.key, row.article.url, row.label) for row in labels[:2]] == [
        ("R-2", "https://a.example/1", "agree"),
        ("R-2", "https://b.example/2", "unrelated"),
    ]
    assert read(folder / "dataset", "labels", "baly") == labels


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"fact": "maybe"}, "fact", "must be true or false, not 'maybe'"),
        ({"stance": ["agree"]}, "stance", "has 1 entry for 2 articles"),
        ({"stance": ["agree", 1]}, "stance[1]", "is the bare number 1"),
        ({"article": ["نص", ""]}, "article[1]", "is empty"),
        ({"id": "R-9"}, "id", "R-9 is in no fold of train_test_splits.txt"),
    ],
)
def test_baly_bad_files(tmp_path, change, field, reason):
    bad = [item for item in read(baly(tmp_path, **change), "labels", "baly") if isinstance(item, Bad)]
    assert len(bad) == 1
    assert bad[0].where.endswith("R-2.json:1")
    assert bad[0].field == field
    assert bad[0].reason.startswith(reason)


@pytest.mark.parametrize(
    ("folds", "message"),
    [("Fold_1: V-1\nhello\n", "not a fold"), ("Fold_1: V-1\nFold_2: V-1 R-2\n", "V-1 is in fold 1 already")],
)
def test_baly_bad_folds(tmp_path, folds, message):
    with pytest.raises(InputError, match=message) as error:
        read(baly(tmp_path, folds), "claims", "baly")
    assert "train_test_splits.txt:2" in error.value.line()


def test_baly_real():
    folder = data_dir("baly2018")
    claims = read(folder, "claims", "baly")
    assert Counter(claim.veracity for claim in claims) == {"false": 219, "true": 203}
    labels = read(folder, "labels", "baly")
    assert Counter(row.label for row in labels) == {
        "unrelated": 2072,
        "agree": 474,
        "discuss": 409,
        "disagree": 87,
    }
    splits = Counter((row.claim.found["split"], row.label) for row in labels)
    # the paper's figures: folds 1-3 train, 4 dev, 5 test
    dev = {name: splits["fold_4", name] for name in ("agree", "disagree", "discuss", "unrelated")}
    test = {name: splits["fold_5", name] for name in ("agree", "disagree", "discuss", "unrelated")}
    assert dev == {"agree": 86, "disagree": 25, "discuss": 73, "unrelated": 403}
    assert test == {"agree": 110, "disagree": 25, "discuss": 70, "unrelated": 408}


def test_khouja_claims(tmp_path):
    path = tmp_path / "dev.csv"
    path.write_text('claim_s,fake_flag\n"ادعاء، أول",1\nادعاء ثان,0\nثالث,2\n', "utf-8")
    first, second, bad = read(path, "claims", "khouja")
    assert (first.raw, first.veracity, first.found) == (
        "ادعاء، أول",
        "false",
        {"split": "dev", "veracity": "fake_flag"},
    )
    assert second.veracity == "true"
    assert bad == Bad(f"{path}:4", "fake_flag", "must be 0 or 1, not '2'")


def test_khouja_stance(tmp_path):
    path = tmp_path / "train.csv"
    path.write_text(
        "s1,s2,stance\nعنوان,ادعاء,disagree\nعنوان,ادعاء ثان,other\nعنوان,ادعاء,discuss\n", "utf-8"
    )
    first, second, bad = read(path, "labels", "khouja")
    assert (first.claim.raw, first.article.text, first.label, first.scheme) == (
        "ادعاء",
        "عنوان",
        "disagree",
        "khouja",
    )
    assert second.label == "other"
    assert bad == Bad(f"{path}:4", "stance", "must be one of agree, disagree, other, not 'discuss'")
    assert [row.raw for row in read(path, "claims", "khouja")] == ["ادعاء", "ادعاء ثان"]


@pytest.mark.parametrize(
    ("split", "pairs", "claims"),
    [
        ("train", {"agree": 903, "disagree": 1686, "other": 63}, 3185),
        ("dev", {"agree": 268, "disagree": 471, "other": 16}, 906),
        ("test", {"agree": 130, "disagree": 242, "other": 7}, 456),
    ],
)
def test_khouja_real(split, pairs, claims):
    folder = data_dir("ans_khouja2020") / "data"
    assert Counter(row.label for row in read(folder / "stance" / f"{split}.csv", "labels", "khouja")) == pairs
    found = read(folder / "claim" / f"{split}.csv", "claims", "khouja")
    assert len(found) == claims
    assert {row.veracity for row in found} == {"true", "false"}


def test_checkthat(tmp_path):
    results = [
        {"pageID": "1-1", "rank": 1, "title": "عنوان", "snippet": "مقتطف", "url": "https://a.example/1"},
        {"pageID": "1-2", "rank": 2, "title": "", "snippet": None, "url": "https://b.example/2"},
    ]
    row = {"claimID": "CT-1", "text": "ادعاء", "results": results}
    twice = {**row, "results": [results[0], results[0]]}
    path = jsonl(tmp_path / "x.jsonl", row, {**row, "results": [{**results[0], "rank": 0}]}, twice)
    found, bad, same = read(path, "results", "checkthat")
    assert (found.text, found.claim.key, [r.url for r in found.results]) == (
        "ادعاء",
        "CT-1",
        ["https://a.example/1", "https://b.example/2"],
    )
    assert found.results[1].title is None
    assert bad == Bad(f"{path}:2", "results[0].rank", "must be a whole number from 1, not 0")
    assert same == Bad(f"{path}:3", "results", "two of them have the same rank")


def test_checkthat_real():
    path = data_dir("checkthat2019") / "claims_with_results.jsonl.gz"
    rows = read(path, "results", "checkthat")
    assert len(rows) == 30
    assert sum(len(row.results) for row in rows) == 1315
    assert len(read(path, "claims", "checkthat")) == 30


def test_matsda2sh(tmp_path):
    page = {
        "link": "https://matsda2sh.com/details/1/%D8%AD%D9%82%D9%8A%D9%82%D8%A9-%D8%A7%D9%84%D8%AE%D8%A8%D8%B1",
        "fakes": ["الإدعاء\nخبر"],
        "trues": ["غير صحيح"],
    }
    path = jsonl(tmp_path / "x.jsonl", page, {**page, "fakes": []}, {**page, "fakes": [3]})
    claim, nothing, bad = read(path, "claims", "matsda2sh")
    assert (claim.raw, claim.title, claim.body, claim.veracity) == (
        "الإدعاء\nخبر",
        "حقيقة الخبر",
        "غير صحيح",
        None,
    )
    assert nothing == Nothing(f"{path}:2", "no_claim", page["link"])
    assert bad == Bad(f"{path}:3", "fakes[0]", "must be text, not a number")


def test_matsda2sh_real():
    rows = read(data_dir("matsda2sh") / "claims.jsonl.gz", "claims", "matsda2sh")
    assert Counter(type(row).__name__ for row in rows) == {"ClaimRow": 1433, "Nothing": 64}
    assert all(row.title for row in rows if not isinstance(row, Nothing))


def test_every_format_is_made_and_names_itself():
    for name in FORMATS:
        assert name == make_format(name).NAME
    with pytest.raises(UsageError, match="unknown format 'xml'"):
        make_format("xml")


def test_a_file_of_another_kind_is_told(tmp_path):
    path = tmp_path / "train.csv"
    path.write_text("claim_s,fake_flag\nا,1\n", "utf-8")
    with pytest.raises(InputError, match="a file of the format khouja has no results"):
        detect(path, "results")
    with pytest.raises(InputError, match="no known format"):
        detect(jsonl(tmp_path / "x.txt", {}), "claims")
    with pytest.raises(InputError, match="there is no such file"):
        detect(tmp_path / "none.csv", "claims")
