"""The content of the demo corpus hangs together: claims, articles, labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from pathlib import Path

import pytest
from hijridate import Hijri

from dalil.demo import content
from dalil.errors import InputError
from dalil.resources import data
from dalil.text.dates import parse_date

LABELS = {"agree", "disagree", "discuss", "unrelated"}
Judgements = dict[tuple[str, str], list[content.LabelRow]]


@pytest.fixture(scope="module")
def judged() -> Judgements:
    pairs: Judgements = defaultdict(list)
    for row in content.label_rows():
        pairs[row.claim_url, row.article_url].append(row)
    return pairs


def named() -> list[content.LabelRow]:
    """The rows of labels.csv."""
    lines = data("demo", "labels.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "claim_url,article_url,worker,round,label"
    return [content.LabelRow(*line.split(",")) for line in lines[1:]]


def test_fifteen_claims_newest_first() -> None:
    claims = content.claims()
    assert len(claims) == len({claim.url for claim in claims}) == 15
    assert [claim.id for claim in claims] == sorted((claim.id for claim in claims), reverse=True)
    days = [claim.reviewed for claim in claims if claim.reviewed]
    assert days == sorted(days, reverse=True)
    assert [claim.id for claim in claims if not claim.printed] == [1027]
    assert [claim.id for claim in claims if claim.image] == [1075]
    assert Counter(claim.verdict for claim in claims)["صحيح"] == 3


def test_hijri_dates_mean_the_day_that_is_written_beside_them() -> None:
    reviewed = {claim.id: claim.reviewed for claim in content.claims()}
    assert Hijri(1440, 2, 18).to_gregorian().isoformat() == reviewed[1031]
    assert Hijri(1440, 9, 19).to_gregorian().isoformat() == reviewed[1068]


def test_printed_dates_mean_what_the_files_say() -> None:
    printed = [(claim.printed, claim.reviewed) for claim in content.claims() if not claim.iso]
    # alraya-alarabiya prints no year: such a date is unknown, and `time@datetime` has it.
    printed += [(a.printed, a.published[:10]) for a in content.articles() if a.outlet != "raya"]
    for text, day in printed:
        found = parse_date(text)
        assert (found.iso if found else "") == day, text


def test_articles_are_short_news_of_six_outlets() -> None:
    articles = content.articles()
    assert {article.outlet for article in articles} == set(content.outlets())
    assert 80 <= len(articles) <= 100
    for article in articles:
        assert date(2018, 6, 1) <= date.fromisoformat(article.published[:10]) <= date(2019, 7, 31)
        if article.readable:
            assert 50 <= len(" ".join(article.text).split()) <= 140, article.url


def test_every_special_kind_of_page_is_there() -> None:
    kinds = Counter(article.kind for article in content.articles())
    del kinds["plain"]
    assert kinds == dict.fromkeys(("twin", "cp1256", "challenge", "soft404", "paywall", "english"), 1)


def test_a_syndicated_copy_has_the_agencys_text_and_its_own_headline() -> None:
    by_url = {article.url: article for article in content.articles()}
    copies = [article for article in by_url.values() if article.copy_of]
    assert copies
    for copy in copies:
        original = by_url[copy.copy_of]
        assert copy.text == original.text
        assert copy.title != original.title
        assert copy.outlet != original.outlet


def test_labels_name_claims_and_articles_that_exist() -> None:
    claims = {claim.url for claim in content.claims()}
    articles = {article.url for article in content.articles()}
    rows = named()
    assert len(rows) == len(set(rows))
    for row in rows:
        assert row.claim_url in claims
        assert row.article_url in articles
        assert row.label in LABELS


def test_every_pair_that_could_be_retrieved_is_judged(judged: Judgements) -> None:
    searchable = [claim.url for claim in content.claims() if not claim.image]
    assert set(judged) == {(claim, article.url) for claim in searchable for article in content.articles()}


def test_rounds_follow_the_protocol(judged: Judgements) -> None:
    for pair, rows in judged.items():
        assert len({row.worker for row in rows}) == len(rows), pair
        rounds = Counter(row.round for row in rows)
        if rounds["pilot"]:
            assert rounds == {"pilot": 3}, pair
        else:
            first = {row.label for row in rows if row.round == "main"}
            assert rounds["main"] == 2, pair
            assert rounds["third"] == (1 if len(first) == 2 else 0), pair


def test_workers_of_the_rule_file_are_those_of_the_table(judged: Judgements) -> None:
    workers: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for (claim, _), rows in judged.items():
        workers[claim].add(tuple(sorted(row.worker for row in rows if row.round != "third")))
    assert all(len(teams) == 1 for teams in workers.values())
    assert {name for teams in workers.values() for team in teams for name in team} == {
        "amal",
        "bashir",
        "dima",
    }


def test_one_pair_has_three_labels_and_one_claim_only_unrelated_documents(judged: Judgements) -> None:
    split = [pair for pair, rows in judged.items() if len({row.label for row in rows}) == 3]
    assert [claim for claim, _ in split] == ["http://haqiqa.example/check/1061"]
    related = {claim for (claim, _), rows in judged.items() if any(row.label != "unrelated" for row in rows)}
    alone = {claim for claim, _ in judged} - related
    assert alone == {"http://haqiqa.example/check/1074"}


def test_search_rows_have_twins_and_what_walls_hide() -> None:
    rows = {row["url"]: row for row in content.search_rows()}
    assert list(rows) == sorted(rows)
    twin = next(article for article in content.articles() if article.kind == "twin")
    assert {rows[url]["title"] for url in content.twins(twin)} == {twin.title}
    walled = next(article for article in content.articles() if article.kind == "challenge")
    assert walled.text[0] in rows[walled.url]["text"]


def test_an_unknown_key_is_named_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "claims.toml"
    broken.write_text('[[claim]]\nid = 1\nheadline = "x"\n', encoding="utf-8")
    monkeypatch.setattr(content, "data", lambda *parts: tmp_path / parts[-1])
    content.claims.cache_clear()
    try:
        with pytest.raises(InputError, match=r"claims\.toml: claim 1"):
            content.claims()
        broken.write_text("[[claim]\n", encoding="utf-8")
        with pytest.raises(InputError, match="no valid TOML"):
            content.claims()
    finally:
        content.claims.cache_clear()
