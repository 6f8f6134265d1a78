"""`dalil annotate plan`: what a corpus knows, and what it says where it knows too little."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import annotationkit as kit
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.rounds.people import invite
from dalil.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]


def plan(folder: Path, *words: str) -> dict[str, Any]:
    done = CliRunner().invoke(annotate, ["plan", "--json", *words, str(folder)], catch_exceptions=False)
    found: dict[str, Any] = json.loads(done.output)
    return found


def test_before_anybody_is_invited_it_asks_for_people_or_hours(tmp_path: Path) -> None:
    kit.make(tmp_path / "c", 12).close()
    with pytest.raises(
        UsageError, match="nobody is invited yet; give --hours or --people, or invite"
    ) as error:
        plan(tmp_path / "c", "--rate", "30")
    assert "dalil annotate invite" in error.value.line()
    assert plan(tmp_path / "c", "--rate", "30", "--people", "3")["unknown"] == "hours"
    assert plan(tmp_path / "c", "--rate", "30", "--hours", "1")["unknown"] == "people"


def test_people_without_capacity_are_not_planned_with(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 12) as corpus:
        invite(corpus.store, "amal", capacity=0)
    with pytest.raises(UsageError, match="nobody who annotates has capacity; give --hours or --people"):
        plan(tmp_path / "c", "--rate", "30")


def test_where_no_pair_waits_it_says_so(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 0) as corpus:
        kit.people(corpus, ("amal", "bashir"))
    with pytest.raises(UsageError, match="no pair waits to be given out"):
        plan(tmp_path / "c", "--rate", "30")


def test_the_commands_of_the_page_about_annotation_run_in_their_order(tmp_path: Path) -> None:
    """`serve` waits for an interrupt, and gold needs judgements: all others are done as they stand there."""
    page = (ROOT / "docs" / "4-annotation.md").read_text("utf-8")
    block = re.findall(r"```\n(.*?)```", page, flags=re.DOTALL)
    lines = [line.partition("#")[0].split() for part in block[:2] for line in part.splitlines()]
    commands = [words[2:-1] for words in lines if words[:2] == ["dalil", "annotate"] and words[2] != "serve"]
    assert {words[0] for words in commands} == {"plan", "invite", "assign"}
    with kit.make(tmp_path / "c", 48) as corpus:
        for words in commands:
            done = CliRunner().invoke(annotate, [*words, str(tmp_path / "c")])
            assert done.exception is None, (words, done.exception)
            if words[-1] == "Amal":
                invite(corpus.store, "Bashir")
