"""A lead's whole course from the command line, with simulated annotators: from the pilot to gold."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import annotationkit as kit
import click
import pytest
from click.testing import CliRunner

from annotation.agreement_commands import agreement, gold
from annotation.annotate_commands import annotate
from annotation.rounds.disputes import to_discuss, to_rule
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from annotation.rounds.staffing import give_up
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import (
    Annotation,
    Assignment,
    Claim,
    Dropped,
    Gold,
    Pair,
    Person,
    Reference,
    Round,
    Superseded,
)

SCHEME = """
[[labels]]
name = "agree"
[[labels]]
name = "disagree"
[[labels]]
name = "discuss"
[training]
items = 2
[qualification]
items = 3
pass = 0.6
[guidelines]
version = "1"
en = "Read the claim, then the article."
"""
TOML = '[corpus]\nname = "played"\n[annotate]\nscheme = "own.toml"\n'
LABELS = ("agree", "disagree", "discuss")


def made(folder: Path, pairs: int, toml: str = TOML) -> Corpus:
    corpus = kit.make(folder, pairs, toml)
    (corpus.path / "own.toml").write_text(SCHEME, "utf-8")
    return corpus


def run(command: click.Command, *args: object) -> dict[str, Any]:
    """A command's report."""
    result = CliRunner().invoke(command, [*map(str, args), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(command: click.Command, *args: object) -> str:
    """What a command says that refuses."""
    with pytest.raises(UsageError) as error:
        CliRunner().invoke(command, [*map(str, args)], catch_exceptions=False)
    return error.value.line()


def truth(pair: str) -> str:
    return LABELS[int(pair[-4:]) % 3]


def simulated(name: str, skill: float) -> Callable[[str], str]:
    """Somebody who is right with a probability, else chooses at random: the same every time."""

    def label(pair: str) -> str:
        draw = random.Random(f"{name} {pair}")
        return truth(pair) if draw.random() < skill else draw.choice(LABELS)

    return label


def work(corpus: Corpus, names: Sequence[str], rounds: Sequence[str], skill: float = 0.7) -> int:
    """Everybody judges what they have open in these rounds, until nothing is left. Returns how many."""
    done = 0
    moving = True
    while moving:
        moving = False
        for name in names:
            for one in open_assignments(corpus.store, name):
                if one.round in rounds:
                    kit.judge(corpus, one, simulated(name, skill)(one.pair_id))
                    done, moving = done + 1, True
    return done


def live(corpus: Corpus, **where: Any) -> list[Assignment]:
    return [one for one in corpus.store.all(Assignment, **where) if one.withdrawn is None]


def check_laws(corpus: Corpus) -> None:
    """Nobody twice on a pair, two a pair in main, a third that is neither of them."""
    by_pair: dict[str, list[Assignment]] = {}
    for one in live(corpus):
        if one.round in ("pilot", "main", "third"):
            by_pair.setdefault(one.pair_id, []).append(one)
    for pair, found in by_pair.items():
        assert len({one.annotator for one in found}) == len(found), pair
        rounds = Counter(one.round for one in found)
        assert rounds["third"] <= 1
        assert not (rounds["pilot"] and rounds["main"])
    judged = Counter((one.pair_id, one.annotator) for one in corpus.store.all(Annotation) if one.number == 1)
    assert set(judged.values()) <= {1}


@pytest.mark.parametrize("people", [2, 3, 5, 16])
def test_from_plan_to_gold(tmp_path: Path, people: int) -> None:
    folder = tmp_path / "corpus"
    names = [f"person {n:02}" for n in range(people)]
    with made(folder, 44) as corpus:
        for name in names:
            assert run(annotate, "invite", name, folder)["role"] == "annotator"
        run(annotate, "invite", "salma", "--role", "adjudicator", folder)
        planned = run(annotate, "plan", "--rate", 30, folder)
        assert (planned["unknown"], planned["items"], planned["people"]) == ("hours", 44, people)
        assert planned["hours"] == pytest.approx(44 * 2 / 30 / people)

        dealt = run(annotate, "assign", "--round", "pilot", "--pairs", 8, folder)
        assert dealt["loads"] == dict.fromkeys(names, 8)
        assert work(corpus, names, ["pilot"]) == 8 * people
        shown = run(agreement, "--bootstrap", 200, folder)
        assert shown["pilot"]["raters"] == people
        kappa = next(one for one in shown["pilot"]["coefficients"] if one["name"] == "fleiss_kappa")
        assert kappa["value"] < 0.9
        assert kappa["interval"]["low"] <= kappa["value"] <= kappa["interval"]["high"]
        assert to_discuss(corpus.store, names[0])

        revised = SCHEME.replace('"1"', '"2"').replace("Read the claim", "Read the claim twice")
        (folder / "own.toml").write_text(revised, "utf-8")
        dealt = run(annotate, "assign", folder)
        loads = [dealt["loads"].get(name, 0) for name in names]
        assert sum(loads) == 2 * 36
        assert max(loads) - min(loads) <= 1
        assert not dealt["left_out"]
        work(corpus, names, ["main", "third"])
        check_laws(corpus)

        found = run(agreement, "--bootstrap", 0, folder)
        assert found["first"]["raters_an_item"] == {"2": 36}
        outcome = found["adjudication"]
        assert outcome["pairs"] == 36
        assert outcome["by_third"] == (outcome["disagreed"] if people > 2 else 0)
        waiting = to_rule(corpus.store, kit.settings(corpus))
        assert waiting, "three ways, or two with nobody left to ask"
        for one in waiting:
            assert kit.judging(corpus).rule(one.pair, "salma", truth(one.pair), None, 0) == "stored"
        assert to_rule(corpus.store, kit.settings(corpus)) == []
        report = run(gold, folder)
        assert report["K"] == 3
        labels = {one.id: one for one in corpus.store.all(Gold)}
        assert set(labels) == corpus.store.ids(Pair), "every pair has its label"
        assert Counter(one.how for one in labels.values())["adjudicated"] == len(waiting)
        right = sum(one.label == truth(pair) for pair, one in labels.items())
        assert right / len(labels) > 0.75


def test_a_dry_run_shows_who_with_whom_and_writes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 20) as corpus:
        for name in ("amal", "bashir", "dima", "emad", "farah"):
            run(annotate, "invite", name, folder)
        shown = {}
        for options in ((), ("--complete",), ("--offsets", "2")):
            words = ["assign", "--dry-run", *options, str(folder)]
            shown[options] = CliRunner().invoke(annotate, words, catch_exceptions=False).output
        assert "design, ar: g = 1; neighbours share at least 4 pairs" in shown[()]
        assert "design, ar: g = 2 (everybody with everybody)" in shown[("--complete",)]
        assert "design, ar: g = 2; neighbours share at least 2 pairs" in shown[("--offsets", "2")]
        assert all("40 assignments would be new" in one for one in shown.values())
        assert corpus.store.count(Assignment) == 0
        assert "g = 3 is not possible" in refused(annotate, "assign", "--offsets", 3, folder)


def test_one_person_is_no_team(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 8):
        run(annotate, "invite", "amal", folder)
        assert "two annotators a pair need at least two people, not 1" in refused(annotate, "assign", folder)
        assert run(annotate, "assign", "--round", "pilot", "--pairs", 4, folder)["loads"] == {"amal": 4}


def test_people_come_and_go_within_a_round(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    names = ["amal", "bashir", "dima", "emad"]
    with made(folder, 40) as corpus:
        for name in names:
            run(annotate, "invite", name, folder)
        run(annotate, "assign", "--pairs", 30, folder)
        for name in names:
            for one in open_assignments(corpus.store, name)[:7]:
                kit.judge(corpus, one, simulated(name, 0.6)(one.pair_id))
        run(annotate, "invite", "farah", folder)
        moved = run(annotate, "invite", "--leave", "emad", folder)
        assert moved["withdrawn"] == sum(moved["reassigned"].values()) > 0
        assert moved["reassigned"].get("farah", 0) == max(moved["reassigned"].values()), (
            "who has least gets most"
        )
        here = ["amal", "bashir", "dima", "farah"]
        work(corpus, here, ["main", "third"])
        check_laws(corpus)
        assert all(
            corpus.store.count(Annotation, pair_id=pair, round="main") == 2
            for pair in {one.pair_id for one in live(corpus, round="main")}
        )
        assert corpus.store.count(Annotation, annotator="emad", round="main") == 7

        # a second main round, over what is left and what has come since
        kit.fill(corpus, 20, start=40)
        dealt = run(annotate, "assign", folder)
        assert dealt["new"] == 2 * 30
        assert "emad" not in dealt["loads"]
        assert max(dealt["loads"].values()) - min(dealt["loads"].values()) <= 1
        work(corpus, here, ["main", "third"])
        check_laws(corpus)
        known = corpus.store.get(Round, "main")
        assert known is not None
        assert len(known.design["deals"]) == 2
        assert "no pair is left" in refused(annotate, "assign", folder)


def test_who_joins_after_the_pilot_gets_the_same_pairs(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 20) as corpus:
        for name in ("amal", "bashir"):
            run(annotate, "invite", name, folder)
        run(annotate, "assign", "--round", "pilot", "--pairs", 5, folder)
        work(corpus, ["amal", "bashir"], ["pilot"])
        said = refused(annotate, "assign", "--round", "pilot", folder)
        assert "everybody was given the pairs of round pilot" in said
        assert "--pairs N" in said
        run(annotate, "invite", "dima", folder)
        assert run(annotate, "assign", "--dry-run", "--round", "pilot", folder)["loads"] == {"dima": 5}
        assert run(annotate, "assign", "--round", "pilot", folder)["loads"] == {"dima": 5}
        pairs = {one.pair_id for one in live(corpus, round="pilot", annotator="amal")}
        assert {one.pair_id for one in live(corpus, round="pilot", annotator="dima")} == pairs
        work(corpus, ["dima"], ["pilot"])
        assert run(agreement, "--bootstrap", 0, folder)["pilot"]["raters_an_item"] == {"3": 5}
        more = run(annotate, "assign", "--round", "pilot", "--pairs", 4, folder)
        assert more["loads"] == {"amal": 4, "bashir": 4, "dima": 4}, "a number deals others to everybody"


def test_third_ratings_that_found_nobody_are_given_later(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 12) as corpus:
        for name in ("amal", "bashir"):
            run(annotate, "invite", name, folder)
        run(annotate, "invite", "salma", "--role", "adjudicator", folder)
        run(annotate, "assign", folder)
        for one in open_assignments(corpus.store, "amal"):
            kit.judge(corpus, one, "agree")
        for place, one in enumerate(open_assignments(corpus.store, "bashir")):
            kit.judge(corpus, one, "discuss" if place < 9 else "agree")
        waiting = [one.pair for one in to_rule(corpus.store, kit.settings(corpus))]
        assert len(waiting) == 9
        nobody = run(annotate, "assign", "--round", "third", folder)
        assert (nobody["new"], list(nobody["left_out"].values())) == (0, [9])
        kit.judging(corpus).rule(waiting[0], "salma", "agree", None, 0)
        run(annotate, "invite", "--capacity", 3, "dima", folder)
        run(annotate, "invite", "emad", folder)
        dealt = run(annotate, "assign", "--round", "third", folder)
        assert dealt["loads"] == {"dima": 3, "emad": 5}, "what was ruled on is settled; a capacity holds"
        assert run(annotate, "assign", "--round", "third", folder)["new"] == 0
        assert to_rule(corpus.store, kit.settings(corpus)) == []
        work(corpus, ["dima", "emad"], ["third"])
        check_laws(corpus)


def test_exclusions_and_languages_that_come_later_move_what_is_open(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 16) as corpus:
        for name in ("amal", "bashir", "dima"):
            run(annotate, "invite", name, folder)
        run(annotate, "assign", folder)
        claims = {pair.id: pair.claim_id for pair in corpus.store.all(Pair)}
        sites = {claim.id: claim.site for claim in corpus.store.all(Claim)}
        mine = open_assignments(corpus.store, "amal")
        barred = [one for one in mine if sites[claims[one.pair_id]] == "site0"]
        kit.judge(corpus, barred[0], "agree")
        moved = run(annotate, "invite", "--exclude", "site0", "amal", folder)
        assert moved["withdrawn"] == len(barred) - 1 > 0
        assert sum(moved["reassigned"].values()) + len(moved["nobody"]) == moved["withdrawn"]
        assert all(sites[claims[one.pair_id]] != "site0" for one in open_assignments(corpus.store, "amal"))
        assert corpus.store.count(Annotation, annotator="amal") == 1, "what was judged stays"
        check_laws(corpus)
        assert run(annotate, "invite", "--exclude", "site0", "amal", folder)["withdrawn"] == 0
        invite(corpus.store, "bashir", languages=["en"])
        assert give_up(corpus.store, kit.judging(corpus).follower, "bashir").withdrawn > 0
        assert open_assignments(corpus.store, "bashir") == []


def test_languages_capacities_and_exclusions_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 24) as corpus:
        with corpus.store.transaction() as writer:
            writer.put(
                claim.model_copy(update={"language": "en"})
                for claim in corpus.store.all(Claim)
                if claim.id in ("claim-0000", "claim-0003")
            )
        run(annotate, "invite", "--language", "ar", "amal", folder)
        run(annotate, "invite", "--language", "en", "--language", "ar", "bashir", folder)
        run(annotate, "invite", "--capacity", 5, "dima", folder)
        run(annotate, "invite", "--exclude", "outlet1.example", "emad", folder)
        dealt = run(annotate, "assign", folder)
        assert dealt["loads"]["dima"] == 5
        language = {claim.id: claim.language for claim in corpus.store.all(Claim)}
        pairs = {pair.id: pair for pair in corpus.store.all(Pair)}
        for one in live(corpus):
            pair = pairs[one.pair_id]
            assert one.annotator != "amal" or language[pair.claim_id] == "ar"
            assert one.annotator != "emad" or int(pair.article_id[-4:]) % 3 != 1
        work(corpus, ["amal", "bashir", "dima", "emad"], ["main", "third"], skill=0.2)
        check_laws(corpus)
        assert len(live(corpus, annotator="dima")) == 5, "thirds count, too"
        for one in live(corpus, round="third"):
            assert one.annotator != "amal" or language[pairs[one.pair_id].claim_id] == "ar"


def test_gold_for_tests_takes_three_experts_on_every_pair(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 24) as corpus:
        run(annotate, "invite", "amal", folder)
        for name in ("e1", "e2"):
            run(annotate, "invite", "--expert", "--role", "adjudicator", name, folder)
        assert "needs 3 experts, there are 2" in refused(annotate, "assign", "--round", "expert", folder)
        run(annotate, "invite", "--expert", "--role", "adjudicator", "--language", "en", "e3", folder)
        said = refused(annotate, "assign", "--round", "expert", folder)
        assert "no pair is left that 3 experts may judge" in said
        run(annotate, "invite", "--language", "ar", "e3", folder)
        run(annotate, "invite", "--expert", "--role", "adjudicator", "--exclude", "claim-0001", "e1", folder)
        dealt = run(annotate, "assign", "--round", "expert", "--pairs", 9, folder)
        assert dealt["loads"] == {"e1": 9, "e2": 9, "e3": 9}, "only pairs that three can judge"
        work(corpus, ["e1", "e2"], ["expert"], skill=1.0)
        said = refused(annotate, "assign", "--round", "qualification", folder)
        assert "there are 0" in said, "two experts are no gold"
        # one expert leaves; another takes the same pairs
        run(annotate, "invite", "--leave", "e3", folder)
        run(annotate, "invite", "--expert", "--role", "adjudicator", "e4", folder)
        assert run(annotate, "assign", "--round", "expert", folder)["loads"] == {"e4": 9}
        work(corpus, ["e4"], ["expert"], skill=1.0)
        assert run(annotate, "assign", "--round", "qualification", folder)["references"] == 3
        votes = [sum(one.votes.values()) for one in corpus.store.all(Reference)]
        assert votes == [3, 3, 3]


def test_hidden_gold_trains_nobody_and_enters_no_figure(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 40, TOML + "hidden_every = 4\n") as corpus:
        for name in ("e1", "e2", "e3"):
            run(annotate, "invite", "--expert", "--role", "adjudicator", name, folder)
        names = ["amal", "bashir", "dima"]
        for name in names:
            run(annotate, "invite", name, folder)
        run(annotate, "assign", "--round", "expert", "--pairs", 10, folder)
        work(corpus, ["e1", "e2", "e3"], ["expert"], skill=1.0)
        for name, number in (("training", 2), ("qualification", 3), ("hidden", 5)):
            found = run(annotate, "assign", "--round", name, folder)
            assert found["references"] == number
        run(annotate, "assign", folder)
        hidden = {one.id for one in corpus.store.all(Reference, purpose="hidden")}
        assert {one.pair_id for one in live(corpus, round="hidden")} <= hidden
        everything = ["training", "qualification", "main", "third", "hidden"]
        work(corpus, names, everything, skill=0.6)
        assert corpus.store.count(Annotation, round="hidden") > 0
        for name in names:
            met = [one.pair_id for one in live(corpus, annotator=name)]
            assert len(met) == len(set(met)), "hidden gold is no pair that they know"
        tested = corpus.store.ids(Reference)
        found = run(agreement, "--bootstrap", 0, folder)
        assert found["read"]["items"] == 30
        run(gold, folder)
        assert not tested & corpus.store.ids(Gold)
        reasons = {drop.key: drop.reason for drop in corpus.store.all(Dropped, stage="gold")}
        assert {reasons[pair] for pair in tested} == {"reserved"}


def test_who_fails_the_test_gets_no_third_ratings_either(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 30) as corpus:
        for name in ("e1", "e2", "e3"):
            run(annotate, "invite", "--expert", "--role", "adjudicator", name, folder)
        for name in ("amal", "bashir", "dima"):
            run(annotate, "invite", name, folder)
        run(annotate, "assign", "--round", "expert", "--pairs", 6, folder)
        work(corpus, ["e1", "e2", "e3"], ["expert"], skill=1.0)
        run(annotate, "assign", "--round", "qualification", folder)
        work(corpus, ["amal", "bashir"], ["qualification"], skill=1.0)
        for one in open_assignments(corpus.store, "dima"):
            kit.judge(corpus, one, next(label for label in LABELS if label != truth(one.pair_id)))
        run(annotate, "assign", folder)
        for name, label in (("amal", "agree"), ("bashir", "discuss")):
            for one in open_assignments(corpus.store, name):
                kit.judge(corpus, one, label)
        assert live(corpus, round="third") == []
        person = corpus.store.get(Person, "dima")
        assert person is not None
        with corpus.store.transaction() as writer:
            writer.put([person.model_copy(update={"cleared": True})])
        dealt = run(annotate, "assign", "--round", "third", folder)
        assert set(dealt["loads"]) == {"dima"}, "the lead lets her work: now she is asked"


def test_a_seat_that_found_nobody_is_filled_when_the_round_is_dealt_again(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with made(folder, 20) as corpus:
        for name in ("amal", "bashir"):
            run(annotate, "invite", name, folder)
        run(annotate, "assign", "--pairs", 10, folder)
        held = open_assignments(corpus.store, "amal")
        for one in held[:4]:
            kit.judge(corpus, one, "agree")
        kit.judging(corpus).skip(held[4], "upsetting")
        moved = run(annotate, "invite", "--leave", "amal", folder)
        assert (moved["withdrawn"], moved["reassigned"], len(moved["nobody"])) == (5, {}, 5)
        run(annotate, "invite", "dima", folder)
        kit.judging(corpus).rule(moved["nobody"][0], "salma", "agree", None, 0)
        lost = set(moved["nobody"][1:])
        with corpus.store.transaction() as writer:
            writer.put_new([Superseded(id=min(lost), why="pairing no longer keeps it")])
        lost.remove(min(lost))
        dealt = run(annotate, "assign", "--pairs", 4, folder)
        assert dealt["design"]["filled"] == len(lost) == 3
        assert dealt["loads"] == {"bashir": 4, "dima": 4 + 3}
        given = {one.pair_id for one in live(corpus, annotator="dima")}
        assert lost < given
        assert held[4].pair_id not in given, "a skip is for the lead to decide"
        check_laws(corpus)
        rest = run(annotate, "assign", folder)
        assert (rest["new"], "filled" in rest["design"]) == (12, False)
        assert "no pair is left" in refused(annotate, "assign", folder)
