"""`dalil annotate people`: everybody who is here, how they came, and how far they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import annotationkit as kit
import exchangekit as exchange
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.exchange.votes import Vote
from annotation.rounds.leaving import leave
from annotation.rounds.people import invite, revoke
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.errors import UsageError


def team(folder: Path) -> Corpus:
    corpus = kit.make(folder, 12)
    kit.people(corpus, ("أمل", "بشير", "dima"))
    kit.people(corpus, ("ليلى",), role="lead")
    invite(corpus.store, "dima", expert=True, languages=["ar"], capacity=5, excluded=["site0"])
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))
    first, second = open_assignments(corpus.store, "أمل")[:2]
    kit.judge(corpus, first, "agree")
    kit.judge(corpus, first, "disagree", based_on=1)
    kit.judging(corpus).skip(second, "text_broken")
    return corpus


def listed(corpus: Corpus) -> dict[str, dict[str, Any]]:
    done = CliRunner().invoke(annotate, ["people", "--json", str(corpus.path)], catch_exceptions=False)
    return {row["name"]: row for row in json.loads(done.output)}


def test_everybody_is_listed_with_what_they_may_do_and_have_done(tmp_path: Path) -> None:
    with team(tmp_path / "c") as corpus:
        revoke(corpus.store, "بشير")
        leave(corpus.store, kit.judging(corpus).follower, "dima")
        found = listed(corpus)
        assert {name: row["link"] for name, row in found.items()} == {
            "أمل": "active",
            "بشير": "none",
            "dima": "left",
            "ليلى": "active",
        }
        assert found["ليلى"]["role"] == "lead"
        mine = found["dima"]
        assert (mine["expert"], mine["languages"], mine["capacity"]) == (True, ["ar"], 5)
        assert mine["excluded"] == ["site0"]
        main = found["أمل"]["rounds"]["main"]
        assert (main["judged"], main["skipped"]) == (1, 1)
        assert main["open"] == main["assigned"] - 2 > 0
        assert (found["أمل"]["judged"], found["أمل"]["judged_unasked"]) == (1, 0)
        shown = CliRunner().invoke(annotate, ["people", str(corpus.path)], catch_exceptions=False).output
        assert all(name in shown for name in found)


def test_who_came_by_a_file_is_told_apart_and_can_be_invited(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        kit.people(corpus, ("أمل",))
        exchange.take(
            corpus, [Vote("pair-0000", "هدى", "main", "agree"), Vote("pair-0001", "أمل", "", "agree")]
        )
        found = listed(corpus)
        assert (found["هدى"]["link"], found["هدى"]["role"]) == ("imported", None)
        assert (found["هدى"]["judged"], found["أمل"]["judged_unasked"]) == (1, 1)
        for how in ("--leave", "--revoke"):
            done = CliRunner().invoke(annotate, ["invite", how, "هدى", str(corpus.path)])
            assert isinstance(done.exception, UsageError)
            assert "'هدى' is known by judgements of a file alone" in done.exception.line()
        invite(corpus.store, "هدى")
        assert listed(corpus)["هدى"]["link"] == "active"


def test_a_corpus_without_people_says_so(tmp_path: Path) -> None:
    kit.make(tmp_path / "c", 4).close()
    done = CliRunner().invoke(annotate, ["people", str(tmp_path / "c")], catch_exceptions=False)
    assert "nobody is invited yet" in done.output


@pytest.mark.parametrize("words", [["--json"], []])
def test_names_are_never_markup(tmp_path: Path, words: list[str]) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        kit.people(corpus, ("[red]أمل[/red]",))
    done = CliRunner().invoke(annotate, ["people", *words, str(tmp_path / "c")], catch_exceptions=False)
    assert "[red]أمل[/red]" in done.output
