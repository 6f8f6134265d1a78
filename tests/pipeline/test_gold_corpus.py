"""`dalil agreement` and `dalil gold` on a corpus: revisions, rulings, the ledger."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from toycorpus import make

from annotation.agreement_commands import agreement, gold
from annotation.ratings_records import from_records
from annotation.ratings_scheme import LabelSet
from dalil.corpus import Corpus
from dalil.errors import DalilError, InputError, UsageError
from dalil.records import Annotation, Claim, Decision, Dropped, Gold, Pair

LABELS = LabelSet(("agree", "disagree", "discuss", "unrelated"), "scheme arastance")


def judged(pair: str, who: str, label: str, round: str = "main", number: int = 1, **more) -> Annotation:
    return Annotation(
        id=f"annotation-{pair}-{who}-{round}-{number}", pair_id=pair, annotator=who, round=round,
        scheme="toy-scheme", label=label, number=number, **more,
    )  # fmt: skip


def ruled(pair: str, label: str, number: int = 1, who: str = "judge") -> Decision:
    return Decision(
        id=f"decision-{pair}-{who}-{number}", pair_id=pair, adjudicator=who, label=label, number=number
    )


JUDGEMENTS = [
    judged("p1", "a", "agree"), judged("p1", "b", "agree"),
    judged("p2", "a", "agree"), judged("p2", "b", "discuss"), judged("p2", "c", "discuss", "third"),
    judged("p3", "a", "agree"), judged("p3", "b", "disagree"),
    judged("p4", "a", "disagree"), judged("p4", "b", "unrelated"),
    judged("p5", "a", "agree"), judged("p5", "a", "discuss", number=2), judged("p5", "b", "discuss"),
    judged("p6", "a", "agree"),
    judged("p1", "a", "unrelated", "training"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path) -> Path:
    with make(tmp_path / "corpus") as corpus, corpus.store.transaction() as writer:
        claims = [
            Claim(id=f"c{n}", site="toy", raw="ادعاء", language="ar" if n < 3 else "en") for n in range(1, 4)
        ]
        pairs = [
            Pair(id=f"p{n}", claim_id=f"c{(n + 1) // 2}", article_id=f"a{n}", rank=1, score=0.5)
            for n in range(1, 7)
        ]
        writer.put(
            [*claims, *pairs, *JUDGEMENTS, ruled("p4", "agree"), ruled("p4", "unrelated", 2, "other judge")]
        )
    return tmp_path / "corpus"


def report(command, *args) -> dict:
    result = CliRunner().invoke(command, ["--json", *map(str, args)], catch_exceptions=False)
    return json.loads(result.output)


def kept(folder: Path) -> dict[str, tuple[str, str]]:
    with Corpus.open(folder) as corpus:
        return {found.id: (found.label, found.how) for found in corpus.store.all(Gold)}


def test_agreement_of_a_corpus(folder) -> None:
    found = report(agreement, folder)
    assert found["read"]["rounds"] == {"main": 11, "third": 1, "adjudication": 1}
    assert found["read"]["cluster"] == "claim"
    assert found["first"]["raters_an_item"] == {"1": 1, "2": 5}
    outcome = found["adjudication"]
    # p5: `a` came round to `b`, nobody knows when: a disagreement that was settled by revising
    assert (outcome["pairs"], outcome["disagreed"], outcome["by_ruling"], outcome["open"]) == (5, 4, 1, 1)
    assert outcome["by_revision"] == 1
    assert found["read"]["revised"] == {"first_judgements": 1, "later": 1}
    assert list(found["languages"]["fleiss_kappa"]) == ["ar", "en"]


def test_gold_of_a_corpus_is_kept_with_its_reasons(folder) -> None:
    found = report(gold, folder)
    assert found["corpus"]["kept"]
    assert kept(folder) == {
        "p1": ("agree", "unanimous"),
        "p2": ("discuss", "majority"),
        "p4": ("unrelated", "adjudicated"),
        "p5": ("discuss", "unanimous"),
    }
    with Corpus.open(folder) as corpus:
        drops = {drop.key: drop.reason for drop in corpus.store.all(Dropped)}
    assert drops == {"p3": "needs_adjudication", "p6": "too_few_votes"}


def test_what_has_not_changed_is_not_done_again_and_a_ruling_changes_one_pair(folder) -> None:
    report(gold, folder)
    assert report(gold, folder)["corpus"] | {"line": ""} == {
        "kept": True,
        "worked": 0,
        "unchanged": 6,
        "line": "",
    }
    with Corpus.open(folder) as corpus, corpus.store.transaction() as writer:
        writer.put([ruled("p3", "disagree")])
    assert report(gold, folder)["corpus"]["worked"] == 1
    assert kept(folder)["p3"] == ("disagree", "adjudicated")


def test_one_method_is_kept_and_several_are_only_compared(folder) -> None:
    report(gold, folder)
    before = kept(folder)
    compared = report(gold, "--method", "mv,sv", folder)
    assert not compared["corpus"]["kept"]
    assert kept(folder) == before
    found = report(gold, "--method", "mv", folder)
    assert "put method = 'mv' under [gold]" in found["corpus"]["line"]
    after = kept(folder)
    assert after["p2"] == ("discuss", "mv")
    assert after["p6"] == ("agree", "mv")
    assert after["p4"] == ("unrelated", "adjudicated")
    assert "p3" not in after
    report(gold, folder)
    assert kept(folder) == before


def test_corpus_toml_chooses(folder) -> None:
    toml = folder / "corpus.toml"
    toml.write_text(toml.read_text("utf-8") + '\n[gold]\nmethod = "dawid-skene"\nseed = 4\n', "utf-8")
    found = report(gold, folder)
    assert [row["method"] for row in found["methods"]] == ["dawid-skene"]
    assert {how for _, how in kept(folder).values()} == {"dawid-skene", "adjudicated"}
    toml.write_text(toml.read_text("utf-8").replace("dawid-skene", "mode"), "utf-8")
    with pytest.raises(UsageError, match="'mode' is unknown"):
        report(gold, folder)


def settings(folder: Path, text: str) -> None:
    toml = folder / "corpus.toml"
    toml.write_text(toml.read_text("utf-8") + "\n[gold]\n" + text, "utf-8")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--scheme", "arastance"],
        ["--out-of-scope", "discuss"],
        ["--round", "third=ignore"],
        ["--rule", "unanimous"],
        ["--fewest", "1"],
        ["--method", "mv"],
        ["--method", "sv", "--ties", "seed", "--seed", "3"],
        ["--method", "mvc", "--missing-confidence", "4", "--out-of-scope", "unrelated"],
    ],
)
@pytest.mark.parametrize("usual", ["", 'method = "dawid-skene"\n', 'out_of_scope = ["agree"]\nfewest = 1\n'])
def test_what_is_reported_is_what_is_kept(folder, options, usual) -> None:
    """Whatever decides, and whether the command line or corpus.toml says so."""
    if usual:
        settings(folder, usual)
    found = report(gold, *options, folder)
    (said,) = found["gold"]
    labels, ways = Counter(), Counter()
    for label, how in kept(folder).values():
        labels[label] += 1
        ways[how] += 1
    with Corpus.open(folder) as corpus:
        ways.update(drop.reason for drop in corpus.store.all(Dropped) if drop.stage == "gold")
    assert {label: number for label, number in said["labels"].items() if number} == labels
    assert said["tally"] == ways


def test_a_rule_that_is_given_goes_before_a_method_of_corpus_toml(folder) -> None:
    settings(folder, 'method = "mv"\n')
    assert report(gold, "--rule", "unanimous", folder)["gold"][0]["rule"] == "unanimous"
    assert set(kept(folder)) == {"p1", "p4", "p5"}


def test_agreement_reads_a_corpus_by_its_settings(folder) -> None:
    settings(folder, 'levels = 7\nnormalisation = "share"\nseed = 5\n')
    with Corpus.open(folder) as corpus, corpus.store.transaction() as writer:
        writer.put([judged("p6", "z", "agree", confidence=7)])
    found = report(agreement, folder)["settings"]
    assert (found["votes"]["normalisation"], found["intervals"]["seed"]) == ("share", 5)
    assert report(agreement, "--seed", "6", folder)["settings"]["intervals"]["seed"] == 6
    assert report(gold, folder)["votes"] == 13


def test_a_kind_of_round_that_there_is_not_is_found_in_corpus_toml(folder) -> None:
    settings(folder, 'rounds = {third = "3rd"}\n')
    for command in (agreement, gold):
        with pytest.raises(UsageError, match="rounds.third"):
            report(command, folder)


@pytest.mark.parametrize("option", [["--column", "task=x"], ["--repeats", "last"], ["--labels", "agree,no"]])
def test_options_that_say_nothing_about_a_corpus_are_refused(folder, option) -> None:
    with pytest.raises(UsageError, match=f"{option[0]} is for CSV files"):
        report(gold, *option, folder)


def test_nobody_has_judged_yet(tmp_path) -> None:
    make(tmp_path / "empty").close()
    for command in (agreement, gold):
        with pytest.raises(DalilError, match="nobody has judged anything yet"):
            report(command, tmp_path / "empty")


def test_records_that_are_wrong_are_named() -> None:
    claims = {"p1": "c1"}
    with pytest.raises(InputError, match="annotation-p1-a-main-1: 'maybe' is not a label"):
        from_records([judged("p1", "a", "maybe")], claims, labels=LABELS)
    with pytest.raises(InputError, match="round 'warm-up' is none of"):
        from_records([judged("p1", "a", "agree", "warm-up")], claims, labels=LABELS)
    with pytest.raises(InputError, match="p9: an annotated pair has no claim"):
        from_records([judged("p9", "a", "agree")], claims, labels=LABELS)
    with pytest.raises(InputError, match="confidence 7"):
        from_records([judged("p1", "a", "agree", confidence=7)], claims, labels=LABELS)
    with pytest.raises(InputError, match="equals the first"):
        from_records([judged("p1", "a", "agree", confidence=2, second="agree")], claims, labels=LABELS)


def test_records_in_any_order_give_the_latest_revision() -> None:
    rows = [
        judged("p1", "a", "discuss", number=3),
        judged("p1", "a", "agree"),
        judged("p1", "a", "unrelated", number=2),
    ]
    for order in (rows, rows[::-1]):
        found = from_records(order, {"p1": "c1"}, labels=LABELS)
        assert [found.labels[code] for code in found.label] == ["discuss"]


def test_revised_first_judgements_are_told() -> None:
    """Who confers and then revises is no longer independent; rulings and thirds may be revised freely."""
    claims = {"p1": "c1"}
    first = [judged("p1", "a", "agree"), judged("p1", "b", "discuss")]
    later = [judged("p1", "c", "agree", "third"), judged("p1", "c", "discuss", "third", number=2)]
    rulings = [ruled("p1", "agree"), ruled("p1", "discuss", 2)]
    assert from_records([*first, *later], claims, labels=LABELS, decisions=rulings).notes == ()
    (note,) = from_records([*first, judged("p1", "b", "agree", number=2)], claims, labels=LABELS).notes
    assert note.startswith("1 first judgement was revised")


def test_k_comes_from_the_labels_seen_where_the_scheme_is_not_shipped(folder) -> None:
    assert report(agreement, folder)["read"]["labels_from"] == "the labels seen"
    assert report(agreement, "--labels", "agree,disagree,discuss,unrelated,other", folder)["read"]["K"] == 5
