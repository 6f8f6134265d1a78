"""Pairs that experts judge for training and tests: no gold, and the reason wherever pairs are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import exchangekit as exchange
import pytest

from annotation.exchange.votes import Vote
from annotation.gold import MakeGold
from annotation.release.write import write_release
from annotation.rounds.people import invite
from dalil.corpus import Corpus
from dalil.progress import Silent
from dalil.records import Dropped, Gold
from dalil.runner import run_stage
from dalil.status import status

TOML = "[corpus]\n[release]\napart = []\n[release.shares]\nall = 1.0\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Twelve pairs: experts judge four of them, two people judge the others."""
    with kit.make(tmp_path / "c", 12, TOML) as opened:
        kit.people(opened, ("amal", "bashir"))
        for name in ("e1", "e2", "e3"):
            invite(opened.store, name, role="adjudicator", expert=True)
        dealer = kit.dealer(opened)
        dealer.write(dealer.expert(4))
        dealer.write(dealer.main(None))
        for name in ("e1", "e2", "e3", "amal", "bashir"):
            kit.judge_all(opened, name, ["agree", "discuss"] if name.startswith("e") else "agree")
        yield opened


def made(corpus: Corpus) -> dict[str, str]:
    """Pair → why it has no gold."""
    run_stage(corpus, MakeGold(corpus), Silent())
    return {one.key: one.reason for one in corpus.store.all(Dropped, stage="gold")}


def test_every_pair_has_gold_or_a_reason(corpus: Corpus) -> None:
    reasons = made(corpus)
    assert list(reasons.values()) == ["reserved"] * 4
    counted = status(corpus)
    assert counted.rows["pairs"] == counted.rows["gold labels"] + sum(counted.dropped["gold"].values())
    assert made(corpus) == reasons


def test_the_card_and_the_list_of_what_was_dropped_tell_of_them(corpus: Corpus, tmp_path: Path) -> None:
    reasons = made(corpus)
    write_release(corpus, tmp_path / "v1")
    card = (tmp_path / "v1" / "README.md").read_text("utf-8")
    assert "| gold: reserved | 4 |" in card
    lines = (tmp_path / "v1" / "dropped.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["key"] for row in rows if row["reason"] == "reserved"} == set(reasons)
    assert made(corpus) == reasons, "a release leaves them as they are"


def test_before_anybody_else_judges_they_are_reserved_too(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        for name in ("e1", "e2", "e3"):
            invite(corpus.store, name, role="adjudicator", expert=True)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.expert(2))
        assert list(made(corpus).values()) == ["reserved"] * 2


def test_a_reserved_pair_that_a_file_has_two_votes_of_is_gold(corpus: Corpus) -> None:
    first = min(made(corpus))
    exchange.take(corpus, [Vote(first, name, "main", "agree") for name in ("huda", "samir")])
    assert first not in made(corpus)
    assert corpus.store.get(Gold, first) is not None


def test_a_pair_whose_label_was_imported_is_not_reserved(corpus: Corpus) -> None:
    first, *others = sorted(made(corpus))
    with corpus.store.transaction() as writer:
        writer.put([Gold(id=first, label="agree", how="imported")])
    assert sorted(made(corpus)) == others
