"""`dalil sites list`, `dalil sites check --page` and `dalil sites claimreview`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from dalil.cli import main
from dalil.corpus import Corpus
from dalil.records import Claim, CleanedClaim
from spiders.claimreview.nodes import typed
from spiders.claimreview.read import is_review, review_of
from spiders.sites import known_sites

PAGES = Path(__file__).with_name("pages")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


def test_the_list_has_every_site(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sites", "list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == known_sites()
    assert {row["name"] for row in rows if not row["verified"]} >= {"norumors", "araanews", "misbar", "dbkf"}
    assert all(row["unverified"] for row in rows if not row["verified"])
    assert run("sites", "list") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "unverified: the queries from other people's code" in shown
    assert "in part" in shown


def test_a_corpus_may_be_named_last_and_its_own_sites_are_listed_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = '[sites]\nnames = ["haqiqa", "midan", "nowhere"]\n'
    Corpus.create(tmp_path / "c", toml).close()
    assert run("sites", "new", "midan", str(tmp_path / "c")) == 0
    (tmp_path / "c" / "sites" / "broken.toml").write_text("way = 3\n", "utf-8")
    capsys.readouterr()
    assert run("sites", "list", "--json", str(tmp_path / "c")) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows) == {*known_sites(), "midan", "broken", "nowhere"}
    assert {name for name, row in rows.items() if row["named"]} == {"haqiqa", "midan", "nowhere"}
    assert {name for name, row in rows.items() if row["own"]} == {"midan", "broken"}
    assert "broken.toml: way" in rows["broken"]["note"]
    assert "unknown site 'nowhere'" in rows["nowhere"]["note"]
    assert run("sites", "list", str(tmp_path / "c")) == 0
    assert "midan" in capsys.readouterr().out


def test_a_list_for_what_is_no_corpus_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sites", "list", str(tmp_path / "none")) == 2
    assert "there is no corpus here" in capsys.readouterr().err


def test_what_the_skeleton_says_to_do_next_can_be_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Corpus.create(tmp_path / "my corpus", '[corpus]\nname = "c"\n').close()
    assert run("sites", "new", "midan", str(tmp_path / "my corpus")) == 0
    following = shlex.split(capsys.readouterr().out.rpartition("then: dalil ")[2])
    assert run(*following) == 1
    assert "nothing is expected of it yet" in capsys.readouterr().out


def test_a_saved_page_is_told_field_by_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGES / "fatabyyano" / "current.html"
    url = json.loads(page.with_suffix(".json").read_text("utf-8"))["url"]
    assert run("sites", "check", "fatabyyano", "--page", str(page), "--url", url, str(tmp_path)) == 0
    shown = capsys.readouterr().out
    assert "زائف" in shown
    assert "selector" in shown
    assert "jsonld" in shown


def test_a_page_without_a_claim_fails_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.html").write_text("<title>Casino slots poker</title>", "utf-8")
    line = (
        "sites",
        "check",
        "misbar",
        "--page",
        str(tmp_path / "x.html"),
        "--url",
        "https://misbar.com/x",
        str(tmp_path),
    )
    assert run(*line) == 1
    assert "hijacked_domain" in capsys.readouterr().out


def test_a_corpus_becomes_a_feed_that_can_be_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        Corpus.create(tmp_path / "c", '[corpus]\nname = "c"\n') as corpus,
        corpus.store.transaction() as writer,
    ):
        writer.put(
            [
                Claim(
                    id="a",
                    site="s",
                    raw="لا صحة لبئر",
                    verdict="زائف",
                    veracity="false",
                    url="https://s.example/1",
                ),
                Claim(id="b", site="s", raw="خبر بلا عنوان", veracity="false"),
                CleanedClaim(id="a", raw="لا صحة لبئر", text="اكتشاف بئر"),
            ]
        )
    assert (
        run("sites", "claimreview", "--author", "حقيقة", str(tmp_path / "feed.json"), str(tmp_path / "c"))
        == 0
    )
    assert "1 review; 1 claim" in capsys.readouterr().out
    nodes = list(typed(json.loads((tmp_path / "feed.json").read_text("utf-8"))))
    (review,) = [review_of(node) for node in nodes if is_review(node)]
    assert review is not None
    assert (review.claim, review.verdict, review.rating) == ("اكتشاف بئر", "زائف", "false")
