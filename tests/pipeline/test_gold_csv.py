"""`dalil agreement` and `dalil gold` on plain CSV files."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from annotation.agreement_commands import agreement, gold
from dalil.errors import DalilError, InputError, UsageError

ROWS = """task,worker,label,confidence,second,round,claim,lang
p1,أمل,agree,5,,pilot,c1,ar
p1,بشير,agree,4,,pilot,c1,ar
p1,dana,discuss,2,agree,pilot,c1,ar
p2,أمل,unrelated,5,,pilot,c2,ar
p2,بشير,unrelated,5,,pilot,c2,ar
p2,dana,unrelated,5,,pilot,c2,ar
m1,أمل,agree,5,,main,c3,ar
m1,بشير,agree,5,,main,c3,ar
m2,أمل,agree,3,discuss,main,c3,ar
m2,dana,discuss,4,,main,c3,ar
m2,بشير,discuss,5,,third,c3,ar
m3,بشير,disagree,1,Highly Uncertain,main,c4,en
m3,dana,unrelated,2,disagree,main,c4,en
m4,بشير,disagree,4,,main,c4,en
m4,dana,unrelated,4,,main,c4,en
m4,أمل,discuss,4,,third,c4,en
m4,حكم,disagree,,,adjudication,c4,en
"""


@pytest.fixture
def ratings(tmp_path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture
def scheme(tmp_path) -> Path:
    path = tmp_path / "mine.toml"
    names = ("agree", "disagree", "discuss", "unrelated")
    path.write_text("\n".join(f'[[labels]]\nname = "{name}"' for name in names), encoding="utf-8")
    return path


def run(command, *args) -> str:
    result = CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def report(command, *args) -> dict:
    return json.loads(run(command, "--json", *args))


def test_agreement_reports_pilot_first_raters_and_adjudication_apart(ratings, scheme) -> None:
    found = report(agreement, "--scheme", scheme, ratings)
    assert found["read"]["labels_from"] == "scheme mine"
    assert found["read"]["cluster"] == "claim"
    assert found["read"]["notes"] == []
    assert found["first"]["notes"] == ["only 2 claims to resample: intervals are probably too narrow"]
    assert found["pilot"]["raters_an_item"] == {"3": 2}
    assert found["first"]["raters_an_item"] == {"2": 4}
    raw = {figure["name"]: figure["value"] for figure in found["first"]["coefficients"]}
    assert raw["raw_agreement"] == 0.25
    outcome = found["adjudication"]
    assert (outcome["disagreed"], outcome["by_third"], outcome["by_ruling"], outcome["open"]) == (3, 2, 1, 1)
    assert {row["rater"]: row["overruled"] for row in outcome["raters"]} == {"أمل": 1, "dana": 1, "بشير": 0}
    assert list(found["languages"]["cosine"]["with_second_and_confidence"]) == ["ar", "en", "All"]


def test_agreement_for_people(ratings) -> None:
    text = run(agreement, ratings)
    assert "K = 4 (agree, disagree, discuss, unrelated), from the labels seen" in text
    assert "pilot round, all raters: 3 raters, 2 items" in text
    assert "main round, first raters" in text
    assert "3 of 4 items disagreed on (75.0%)" in text
    assert "nan" not in text.lower()


def test_plots_are_written(ratings, tmp_path) -> None:
    found = report(agreement, "--plots", tmp_path / "plots", "--bootstrap", "50", ratings)
    names = {Path(path).stem for path in found["plots"]}
    # two raters share too little in the main round for a map of raters
    assert names == {
        "confusion-pilot",
        "raters-pilot",
        "labels-pilot",
        "confusion-first",
        "labels-first",
        "languages",
    }
    assert all(Path(path).stat().st_size > 1000 for path in found["plots"])


def test_without_a_round_column_an_adjudicated_file_is_refused(tmp_path) -> None:
    lines = ["task,worker,label"]
    for n in range(12):
        lines += [f"t{n},a,x", f"t{n},b,{'x' if n % 2 else 'y'}"] + ([] if n % 2 else [f"t{n},c,x"])
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="a third rater seems to have been asked only where two disagreed"):
        run(agreement, path)
    # gold from the same file is fine: a third vote is a vote
    assert report(gold, path)["gold"][0]["tally"] == {"unanimous": 6, "majority": 6}


def test_gold_by_rule(ratings, tmp_path) -> None:
    out = tmp_path / "out" / "gold.csv"
    found = report(gold, "--out", out, ratings)
    assert found["gold"][0]["tally"] == {
        "adjudicated": 1,
        "unanimous": 2,
        "majority": 2,
        "needs_adjudication": 1,
    }
    rows = {row["task"]: row for row in csv.DictReader(out.read_text("utf-8").splitlines())}
    assert rows["m4"] == {
        "task": "m4", "label": "disagree", "how": "adjudicated", "reason": "",
        "votes": "disagree:1;discuss:1;unrelated:1",
    }  # fmt: skip
    assert (rows["m3"]["label"], rows["m3"]["reason"]) == ("", "needs_adjudication")
    assert not list(out.parent.glob("*.part"))


def test_gold_by_methods_says_what_each_used_and_how_alike_they_are(ratings, tmp_path) -> None:
    plot = tmp_path / "methods.png"
    out = tmp_path / "methods.csv"
    found = report(gold, "--method", "all", "--missing-confidence", 5, "--plot", plot, "--out", out, ratings)
    names = [row["method"] for row in found["methods"]]
    assert names == ["mv", "mvc", "mvc2", "sv", "svc", "svc2", "dawid-skene", "bsv"]
    used = {row["method"]: row["settings"] for row in found["methods"]}
    assert used["mvc2"]["second"] == "c/2"
    assert used["mvc2"]["normalisation"] == "effiara"
    assert used["bsv"]["likelihood_among"] == "any"
    assert len(found["method_agreement"]["cosine"]) == 8
    assert plot.stat().st_size > 1000
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert len(rows) == 8 * 6
    soft = [row for row in rows if row["method"] == "svc2" and row["task"] == "m2"]
    assert sum(float(soft[0][f"p_{label}"]) for label in found["labels"]) == pytest.approx(1, abs=1e-5)


def test_accuracy_against_known_labels(ratings, tmp_path) -> None:
    known = tmp_path / "known.csv"
    known.write_text("task,label\np1,agree\nm2,agree\nm3,disagree\nx9,agree\n", encoding="utf-8")
    by_rule = report(gold, "--against", known, ratings)["gold"][0]["against"]
    assert by_rule == {"accuracy": 0.5, "compared": 2, "without_label": 2}
    by_method = report(gold, "--against", known, "--method", "mv", ratings)["gold"][0]["against"]
    assert by_method["compared"] == 3


def test_labels_out_of_scope_leave_by_majority(ratings, scheme) -> None:
    found = report(gold, "--scheme", scheme, "--out-of-scope", "unrelated", ratings)
    assert found["out_of_scope"] == {"labels": ["unrelated"], "items_removed": 1, "stray_votes": 2}
    assert found["labels"] == ["agree", "disagree", "discuss"]
    assert found["gold"][0]["tally"]["out_of_scope"] == 1
    assert "unrelated" in run(gold, "--scheme", scheme, "--out-of-scope", "unrelated", ratings)


def test_the_seed_decides_ties_only_when_it_may(ratings) -> None:
    left = report(gold, "--method", "mv", ratings)["gold"][0]
    decided = report(gold, "--method", "mv", "--ties", "seed", "--seed", 3, ratings)["gold"][0]
    assert left["tally"]["needs_adjudication"] == 1
    assert "needs_adjudication" not in decided["tally"]


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("--method", "mode"), "no aggregation method 'mode'"),
        (("--method", "mv", "--rule", "majority"), "give --rule or --method, not both"),
        (("--labels", "a,b", "--scheme", "x"), "give --scheme or --labels, not both"),
        (("--scheme", "nowhere.toml"), "no such scheme file"),
        (("--scheme", "no-such-scheme"), "no scheme 'no-such-scheme'"),
        (("--labels", "agree,agree"), "named twice"),
        (("--out-of-scope", "nothing"), "'nothing' is not a label"),
        (("--round", "main"), "not NAME=VALUE"),
        (("--method", "mvc"), "1 of 17 ratings has no confidence"),
        (("--method", "mvc", "--missing-confidence", "9"), "a confidence lies within 1 to 5"),
        (("--method", "mv", "--plot", "x.png"), "--plot compares methods"),
    ],
)
def test_what_was_asked_wrongly(ratings, args, what) -> None:
    with ratings.open("a", encoding="utf-8") as file:
        file.write("m5,dana,agree,,,main,c5,ar\n")
    with pytest.raises(DalilError, match=what.replace("(", r"\(")):
        run(gold, *args, ratings)


def test_neither_a_file_nor_a_corpus(tmp_path) -> None:
    path = tmp_path / "ratings.xlsx"
    path.write_bytes(b"PK")
    for command in (agreement, gold):
        with pytest.raises(UsageError):
            run(command, path)
        with pytest.raises(UsageError):
            run(command, tmp_path / "absent")
        with pytest.raises(InputError, match="no such file"):
            run(command, tmp_path / "absent.csv")


def test_help_has_an_example() -> None:
    for command in (agreement, gold):
        assert "Example" in run(command, "--help")


def test_what_is_read_is_never_written_over(ratings, tmp_path) -> None:
    known = tmp_path / "known.csv"
    known.write_text("task,label\np1,agree\n", encoding="utf-8")
    for out in (ratings, known, tmp_path / "." / "ratings.csv"):
        with pytest.raises(UsageError, match="--out would write over what is read"):
            run(gold, "--against", known, "--out", out, ratings)
    assert ratings.read_text("utf-8") == ROWS


@pytest.mark.parametrize("target", ["--out", "--plot"])
def test_what_cannot_be_written_is_told(ratings, target) -> None:
    path = ratings / "below-a-file.png"
    with pytest.raises(InputError, match="cannot be written") as error:
        run(gold, "--method", "mv,sv", target, path, ratings)
    assert error.value.where == str(path)
    with pytest.raises(InputError, match="cannot be written"):
        run(agreement, "--plots", ratings / "below", "--bootstrap", 0, ratings)


def test_known_labels_are_read_as_ratings_are(ratings, tmp_path) -> None:
    """Trimmed, in one Unicode form and whatever their case; and those that are no labels are told."""
    known = tmp_path / "known.csv"
    known.write_text("task,label\n p1 ,Agree \nm2,discuss\n", encoding="utf-8")
    found = report(gold, "--against", known, ratings)
    assert found["gold"][0]["against"] == {"accuracy": 1.0, "compared": 2, "without_label": 0}
    known.write_text("task,label\np1,agree\nm2,perhaps\n", encoding="utf-8")
    found = report(gold, "--against", known, ratings)
    assert found["gold"][0]["against"]["accuracy"] == 0.5
    assert any("none of the ratings': perhaps" in note for note in found["notes"])
    known.write_bytes("task,label\np1,موافق\n".encode("cp1256"))
    with pytest.raises(InputError, match="is not UTF-8"):
        run(gold, "--against", known, ratings)


def test_rulings_alone_give_gold_and_nothing_to_learn(tmp_path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("task,worker,label,round\nt,j,x,adjudication\n", encoding="utf-8")
    assert report(gold, path)["gold"][0]["tally"] == {"adjudicated": 1}
    assert report(gold, "--method", "mv,sv", path)["gold"][0]["tally"] == {"adjudicated": 1}
    with pytest.raises(DalilError, match="no votes to learn from"):
        run(gold, "--method", "all", path)


def test_a_kind_of_round_that_there_is_not(ratings) -> None:
    for command in (agreement, gold):
        with pytest.raises(UsageError, match="'3rd' is no kind of round"):
            run(command, "--round", "third=3rd", ratings)


@pytest.mark.parametrize("command", [agreement, gold])
@pytest.mark.parametrize("option", [["--seed", "-1"], ["--missing-confidence", "0"], ["--levels", "1"]])
def test_numbers_out_of_range_are_wrong_arguments(command, option, ratings) -> None:
    result = CliRunner().invoke(command, [*option, str(ratings)])
    assert result.exit_code == 2
    assert "is not in the range" in result.output


def test_a_third_entered_as_a_first_rater_is_told(tmp_path) -> None:
    """Where rounds are named nothing is refused, but a shape that no first raters have is said."""
    lines = ["task,worker,label,round"]
    for n in range(12):
        lines += [f"t{n},a,x,main", f"t{n},b,{'x' if n % 2 else 'y'},main"] + (
            [] if n % 2 else [f"t{n},c,x,main"]
        )
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (note,) = [note for note in report(agreement, path)["first"]["notes"] if "third rater" in note]
    assert "far too high" in note
    path.write_text("\n".join(lines).replace("c,x,main", "c,x,third") + "\n", encoding="utf-8")
    assert not any("third rater" in note for note in report(agreement, path)["first"]["notes"])


def test_confidences_that_are_missing_are_told_or_assumed(ratings) -> None:
    ratings.write_text(ROWS.replace("m3,dana,unrelated,2,", "m3,dana,unrelated,,"), encoding="utf-8")
    found = report(agreement, ratings)
    assert list(found["first"]["cosine"]) == ["first_choice"]
    assert any("1 of 8 ratings has no confidence" in note for note in found["first"]["notes"])
    found = report(agreement, "--missing-confidence", 2, ratings)
    assert list(found["first"]["cosine"]) == ["first_choice", "with_second_and_confidence"]
    assert list(found["languages"]["cosine"]) == ["first_choice", "with_second_and_confidence"]
    assert not any("no confidence" in note for note in found["first"]["notes"])


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_rows_changes_no_report(tmp_path, seed) -> None:
    """Nor which pairs of raters are shown and get an interval."""
    random = Random(seed)
    names = [f"rater {number}" for number in range(12)]
    langs = ["ar", "en"]
    rows = [
        f"t{item},{who},{random.choice('xyz')},{random.randint(1, 5)},main,c{item // 3},{langs[item % 2]}"
        for item in range(80)
        for who in random.sample(names, 2)
    ]
    path = tmp_path / "ratings.csv"
    found = []
    for _ in range(2):
        path.write_text("task,worker,label,confidence,round,claim,lang\n" + "\n".join(rows), encoding="utf-8")
        found.append([report(agreement, "--bootstrap", 100, path), report(gold, "--method", "mv,svc", path)])
        random.shuffle(rows)
    assert rounded(found[0]) == rounded(found[1])


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 9) if isinstance(value, float) else value


def test_a_rater_with_two_votes_on_an_item_is_told(ratings) -> None:
    assert report(gold, ratings)["notes"] == []
    ratings.write_text(ROWS.replace("m2,بشير,discuss,5,,third", "m2,أمل,discuss,5,,third"), encoding="utf-8")
    (note,) = report(gold, ratings)["notes"]
    assert "1 vote is by a rater who had a vote on the item already" in note


def test_one_claim_has_no_intervals_and_a_note_says_so(ratings) -> None:
    ratings.write_text("\n".join(line for line in ROWS.splitlines() if ",c4," not in line), encoding="utf-8")
    found = report(agreement, ratings)["first"]
    assert found["notes"] == ["fewer than two claims, so nothing to resample: no intervals"]
    assert not any("interval" in figure for figure in found["coefficients"])


def test_control_characters_do_not_reach_the_screen(tmp_path) -> None:
    path = tmp_path / "ratings.csv"
    rows = [
        f"t{n},{who},{label}"
        for n in range(3)
        for who, label in (('"\x1b[31mred\nhot"', "x\x07"), ("b", "y"))
    ]
    path.write_text("task,worker,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    for text in (run(agreement, path), run(gold, "--method", "mv,sv", path)):
        assert not {mark for mark in text if ord(mark) < 32 or 127 <= ord(mark) < 160} - {"\n"}
    assert "[31mred hot" in run(agreement, path)
