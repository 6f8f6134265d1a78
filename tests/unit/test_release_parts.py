"""Parts of a release: pseudonyms, soft labels, archive links, escaping."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.ratings import HIGHLY_UNCERTAIN, ratings_of
from annotation.release import ReleaseSettings
from annotation.release.citation import citation_cff
from annotation.release.files import flat_rows, write_csv, write_jsonl, write_parquet
from annotation.release.head import hub_split, yaml_head
from annotation.release.judgements import _soft
from annotation.release.layouts import arastance_layout, hugging_face_rows
from annotation.release.material import Released, label_order
from annotation.release.pseudonyms import FILE, Pseudonyms
from annotation.release.words import column_meanings, words
from dalil.errors import StateError
from dalil.records import Article, Claim, Fetch, Gold, Pair

LABELS = ("agree", "disagree", "discuss", "unrelated")
TEXT = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=40)


def test_pseudonyms_stay_with_the_corpus_and_need_its_key(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first, again = Pseudonyms.of(tmp_path / "one"), Pseudonyms.of(tmp_path / "one")
    other = Pseudonyms.of(tmp_path / "two")
    assert first("amal") == again("amal") != other("amal")
    assert first("amal") != first("Amal")
    assert "amal" not in first("amal").removeprefix("annotator-")
    assert (tmp_path / "one" / FILE).stat().st_mode & 0o777 == 0o600


def test_a_key_that_hides_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("short", "ascii")
    with pytest.raises(StateError, match="too short; restore it"):
        Pseudonyms.of(tmp_path)


def test_two_people_never_share_a_pseudonym(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.release.pseudonyms.LETTERS", 0)
    names = Pseudonyms(b"k" * 64)
    names("amal")
    names("amal")
    with pytest.raises(StateError, match="two annotators have the same pseudonym"):
        names("dima")


def test_soft_labels_are_shares_of_votes() -> None:
    rows = [("p", "a", "agree"), ("p", "b", "agree"), ("p", "c", "discuss"), ("q", "a", "unrelated")]
    soft, method = _soft(ratings_of(rows, LABELS))
    assert method == "sv"
    assert soft == {
        "p": {"agree": 0.666667, "disagree": 0.0, "discuss": 0.333333, "unrelated": 0.0},
        "q": {"agree": 0.0, "disagree": 0.0, "discuss": 0.0, "unrelated": 1.0},
    }


def test_confidence_and_second_choices_weigh_where_every_vote_has_them() -> None:
    rows = [("p", "a", "agree"), ("p", "b", "agree")]
    sure, method = _soft(ratings_of(rows, LABELS, confidence=[5, 5], second=["", ""]))
    unsure, _ = _soft(ratings_of(rows, LABELS, confidence=[5, 2], second=["", "discuss"]))
    vague, _ = _soft(ratings_of(rows, LABELS, confidence=[5, 2], second=["", HIGHLY_UNCERTAIN]))
    assert method == "svc2"
    assert sure["p"]["agree"] == 1.0
    assert 0 < unsure["p"]["discuss"] < unsure["p"]["agree"] < 1
    assert vague["p"]["agree"] <= 1.0
    assert sum(unsure["p"].values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("fetched", "snapshot", "published", "stamp"),
    [
        ("2024-05-06T08:00:00Z", None, "2018-03-04", "20240506080000"),
        ("2024-05-06T08:00:00Z", "2019-06-07T12:00:00Z", None, "20190607120000"),
        (None, None, "2018-03-04", "20180304"),
        (None, None, "2018", "2018"),
        (None, None, None, "2"),
    ],
)
def test_archive_links_point_at_the_capture_nearest_to_what_was_read(
    fetched: str | None, snapshot: str | None, published: str | None, stamp: str
) -> None:
    url = "https://nahr.example/a?b=1"
    fetch = (
        Fetch(
            id="f",
            fingerprint="f",
            document_id="d",
            url=url,
            purpose="article",
            fetched_at=fetched,
            snapshot_at=snapshot,
        )
        if fetched
        else None
    )
    assert _released(url, published, fetch).archive_url == f"https://web.archive.org/web/{stamp}/{url}"


def test_an_article_without_an_address_has_no_links() -> None:
    one = _released("collection:ant/7", None, None)
    assert one.url is None
    assert one.archive_url is None


def _released(url: str, published: str | None, fetch: Fetch | None) -> Released:
    article = Article(id="a", document_id="d", url=url, text="نص", published=published, content_hash="h")
    claim = Claim(id="c", site="s", raw="ادعاء")
    pair = Pair(id="p", claim_id="c", article_id="a", rank=1, score=0.1)
    return Released(pair, claim, "ادعاء", None, article, Gold(id="p", label="agree", how="unanimous"), fetch)


def test_labels_keep_the_schemes_order() -> None:
    assert label_order({"discuss", "agree"}) == LABELS
    assert label_order({"comment"}, ("confirming", "rejecting", "questioning", "comment"))[-1] == "comment"
    assert label_order({"z", "b"}) == ("b", "z")


@settings(deadline=None)
@given(title=TEXT.filter(str.strip), author=TEXT.filter(str.strip), terms=TEXT)
def test_hostile_words_break_no_yaml(title: str, author: str, terms: str) -> None:
    import yaml

    own = ReleaseSettings(authors=(author,), url=terms or None, licence="CC-BY-4.0")
    cite = yaml.safe_load(citation_cff(title, terms, own, "2024-01-01"))
    assert cite["title"] == title
    assert cite["abstract"] == terms
    head = yaml.safe_load(yaml_head(title, own, ["ar"], LABELS, {"train": 1}, texts=True).strip("-\n "))
    assert head["pretty_name"] == title


def test_split_names_are_fit_for_the_hub() -> None:
    assert [hub_split(name) for name in ("train", "dev", "fold_1", "by site!")] == [
        "train",
        "validation",
        "fold_1",
        "by_site_",
    ]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(TEXT, TEXT, st.sampled_from(LABELS)), min_size=1, max_size=6))
def test_texts_survive_every_form(drawn: list[tuple[str, str, str]]) -> None:
    import tempfile

    import pyarrow.parquet as pq

    rows = [
        {
            "id": str(number),
            "claim_id": str(number),
            "claim": claim,
            "article": article,
            "label": label,
            "soft": None,
            "votes": {label: 2},
        }
        for number, (claim, article, label) in enumerate(drawn)
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flat = flat_rows(rows, LABELS)
        write_jsonl(folder / "a.jsonl", rows)
        write_csv(folder / "a.csv", flat)
        write_parquet(folder / "a.parquet", flat)
        lines = (folder / "a.jsonl").read_bytes().decode("utf-8").splitlines()
        with (folder / "a.csv").open(encoding="utf-8-sig", newline="") as file:
            cells = list(csv.DictReader(file))
        table = pq.read_table(folder / "a.parquet").to_pylist()
    assert [json.loads(line) for line in lines if line] == rows
    for found in (cells, table):
        assert [(row["claim"], row["article"], row["label"]) for row in found] == drawn
        assert json.loads(found[0]["votes"]) == rows[0]["votes"]


def test_the_two_known_layouts() -> None:
    rows = [
        {
            "id": f"p{n}",
            "claim_id": claim,
            "claim": f"ادعاء {claim}",
            "article": f"نص {n}",
            "label": label,
            "article_url": None,
        }
        for n, (claim, label) in enumerate([("a", "agree"), ("b", "unrelated"), ("a", "discuss")])
    ]
    objects = arastance_layout(rows)
    assert [(one["claim"], one["article"], one["stance"]) for one in objects] == [
        ("ادعاء a", ["نص 0", "نص 2"], ["Agree", "Discuss"]),
        ("ادعاء b", ["نص 1"], ["Unrelated"]),
    ]
    numbered = hugging_face_rows(rows, LABELS)
    assert [row["stance"] for row in numbered] == [0, 3, 2]
    assert list(numbered[0]) == ["id", "claim", "article", "stance", "pair_id"]


def test_both_languages_have_every_word_and_the_same_blanks() -> None:
    import re

    english, arabic = words("en"), words("ar")
    assert english._values.keys() <= arabic._values.keys() | {"glossary"}
    for name, value in english._values.items():
        if isinstance(value, str):
            assert set(re.findall(r"{\w+}", value)) == set(re.findall(r"{\w+}", getattr(arabic, name))), name
    assert list(english.file_list) == list(arabic.file_list)
    with pytest.raises(AttributeError, match="no word 'colour'"):
        _ = english.colour
    assert column_meanings()["label"]
