"""K of a corpus comes from its own scheme, without being told; labels out of scope are none of K."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import annotationkit as kit
import click
import pytest
from click.testing import CliRunner

from annotation.agreement_commands import agreement, gold
from annotation.release.judgements import judgements
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Dropped, Gold

OWN = """
[[labels]]
name = "supports"
[[labels]]
name = "refutes"
[[labels]]
name = "mixed"
[[labels]]
name = "picture"
out_of_scope = true
[[questions]]
name = "confidence"
kind = "scale"
required = true
options = [{ value = 3 }, { value = 2 }, { value = 1 }]
"""
TOML = '[corpus]\nname = "own"\n[annotate]\nscheme = "own.toml"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight pairs by two people and a third: nobody ever chose `mixed`."""
    with kit.make(tmp_path / "c", 8, TOML) as corpus:
        (corpus.path / "own.toml").write_text(OWN, "utf-8")
        kit.people(corpus, ("amal", "bashir", "dima"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        for name in ("amal", "bashir", "dima"):
            for one in open_assignments(corpus.store, name):
                if one.round != "main":
                    continue
                label = "picture" if one.pair_id == "pair-0000" else "supports"
                if name == "amal" and one.pair_id in ("pair-0001", "pair-0002", "pair-0005"):
                    label = "picture"
                kit.judge(corpus, one, label, confidence=3)
    return tmp_path / "c"


def report(command: click.Command, *args: object) -> dict[str, Any]:
    result = CliRunner().invoke(command, ["--json", *map(str, args)], catch_exceptions=False)
    found: dict[str, Any] = json.loads(result.output)
    return found


def test_agreement_of_a_corpus_reads_the_scheme_that_it_is_judged_by(folder: Path) -> None:
    found = report(agreement, "--bootstrap", "0", folder)
    assert found["read"]["labels"] == ["supports", "refutes", "mixed"]
    assert found["read"]["labels_from"] == "scheme own"
    assert found["read"]["K"] == 3


def test_gold_of_a_corpus_reads_it_too_and_removes_what_is_out_of_scope(folder: Path) -> None:
    found = report(gold, folder)
    assert (found["K"], found["labels_from"]) == (3, "scheme own")
    assert found["out_of_scope"]["labels"] == ["picture"]
    assert found["out_of_scope"]["items_removed"] == 1
    with Corpus.open(folder) as corpus:
        reasons = {drop.key: drop.reason for drop in corpus.store.all(Dropped, stage="gold")}
        assert reasons["pair-0000"] == "out_of_scope"
        assert {one.label for one in corpus.store.all(Gold)} == {"supports"}


def test_whether_a_pair_is_in_scope_is_measured_beside(folder: Path) -> None:
    found = report(agreement, "--bootstrap", "0", folder)["out_of_scope"]
    assert (found["labels"], found["items_removed"]) == (["picture"], 1)
    raw, kappa = found["agreement"]["first"]
    assert found["stray_votes"] > 0
    assert raw["value"] == pytest.approx(1 - found["stray_votes"] / 8)
    assert kappa["value"] < raw["value"]
    shown = CliRunner().invoke(agreement, ["--bootstrap", "0", str(folder)], catch_exceptions=False).output
    assert "out of scope (picture): 1 item and" in shown
    assert "on what is in scope, first raters: raw agreement" in shown


def test_where_nobody_chose_what_is_out_of_scope_nothing_is_said_of_it(tmp_path: Path) -> None:
    """In the pilot everybody keeps to the labels in scope, in the main round somebody does not."""
    with kit.make(tmp_path / "c", 8, TOML) as corpus:
        (corpus.path / "own.toml").write_text(OWN, "utf-8")
        kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(4))
        for name in ("amal", "bashir"):
            kit.judge_all(corpus, name, ["supports", "mixed"])
        said = report(agreement, "--bootstrap", "0", tmp_path / "c")
        assert said["out_of_scope"]["agreement"] == {}
        shown = CliRunner().invoke(agreement, ["--bootstrap", "0", str(tmp_path / "c")]).output
        assert "on what is in scope" not in shown
        dealer.write(dealer.main(None))
        kit.judge_all(corpus, "amal", ["picture", "supports"])
        kit.judge_all(corpus, "bashir", "supports")
    assert set(report(agreement, "--bootstrap", "0", tmp_path / "c")["out_of_scope"]["agreement"]) == {
        "first"
    }


def test_levels_of_confidence_come_from_the_scheme(folder: Path) -> None:
    """With three levels a 3 is certain: c̃ is 1, and a second-choice vector is the first choice's."""
    cosine = report(agreement, "--bootstrap", "0", folder)["first"]["cosine"]
    assert cosine["with_second_and_confidence"] == cosine["first_choice"]
    bad = CliRunner().invoke(agreement, ["--levels", "2", str(folder)])
    assert "confidence 3 is not within 1 to 2" in str(bad.exception)


def test_a_scheme_of_the_settings_is_found_beside_the_corpus(folder: Path) -> None:
    (folder / "corpus.toml").write_text('[corpus]\nname = "own"\n[gold]\nscheme = "own.toml"\n', "utf-8")
    assert report(agreement, "--bootstrap", "0", folder)["read"]["K"] == 3
    assert report(gold, folder)["K"] == 3


def test_a_release_has_the_labels_in_scope_alone(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        found = judgements(corpus, set(), str)
    assert found.labels == ("supports", "refutes", "mixed")
    assert "pair-0000" not in found.soft, "it left the data"
    assert all(set(shares) == set(found.labels) for shares in found.soft.values())
    assert found.agreement is not None
    assert found.agreement["read"]["K"] == 3
    assert found.agreement["out_of_scope"]["items_removed"] == 1
    assert {line["label"] for line in found.lines} == {"supports", "picture"}, "raw judgements are all kept"
