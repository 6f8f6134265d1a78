"""An import that somebody may regret: names that are slips, people who are no raters, files taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import exchangekit as exchange
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.exchange.votes import Vote
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.errors import DalilError, InputError, UsageError
from dalil.records import Annotation, Assignment, Decision, Reference, Remark, Skip

HEADER = "task,worker,label,round,skipped,skipped_in\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Amal, Bashir and Dima annotate, Salma adjudicates, Layla leads."""
    with kit.make(tmp_path / "c", 12) as opened:
        kit.people(opened, ("أمل", "بشير", "dima"))
        kit.people(opened, ("سلمى",), role="adjudicator")
        kit.people(opened, ("ليلى",), role="lead")
        yield opened


def csv_file(corpus: Corpus, *rows: str, name: str = "x.csv") -> Path:
    path = corpus.path.parent / name
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), "utf-8")
    return path


def run(corpus: Corpus, *words: object) -> dict[str, Any]:
    done = CliRunner().invoke(
        annotate, ["import", "--json", *map(str, words), str(corpus.path)], catch_exceptions=False
    )
    found: dict[str, Any] = json.loads(done.output)
    return found


def refused(corpus: Corpus, *words: object) -> DalilError:
    before = exchange.rows(corpus, without=())
    done = CliRunner().invoke(annotate, ["import", *map(str, words), str(corpus.path)])
    assert isinstance(done.exception, DalilError), done.output
    assert exchange.rows(corpus, without=()) == before
    return done.exception


def test_names_that_nobody_here_has_are_refused_unless_they_are_said_to_be_new(corpus: Corpus) -> None:
    path = csv_file(
        corpus, "pair-0000,أمل,agree,main,,", "pair-0000,7,agree,main,,", "pair-0001,أمال,agree,main,,"
    )
    error = refused(corpus, "--format", "csv", path)
    assert isinstance(error, InputError)
    assert error.where == f"{path}:3"
    assert "nobody here is called '7', 'أمال'; say who is meant: --name THERE=HERE (here are " in error.line()
    assert "'بشير'" in error.line()
    assert "'أمل'" in error.line()
    assert "--new" in error.line()
    done = run(corpus, "--format", "csv", "--new", "--name", "أمال=بشير", path)
    assert (done["judgements"], done["people"]) == (3, ["7"])
    assert run(corpus, "--format", "csv", "--name", "أمال=بشير", path)["known"] == 3, "7 is known by now"


def test_a_slip_in_the_name_here_is_refused_too(corpus: Corpus) -> None:
    path = csv_file(corpus, "pair-0000,7,agree,main,,")
    assert "nobody here is called 'امل'" in refused(corpus, "--format", "csv", "--name", "7=امل", path).line()


@pytest.mark.parametrize("who", ["سلمى", "ليلى"])
@pytest.mark.parametrize("name", ["pilot", "main", "third"])
def test_who_rules_or_leads_is_no_rater_by_a_name(corpus: Corpus, who: str, name: str) -> None:
    path = csv_file(corpus, f"pair-0000,7,agree,{name},,")
    error = refused(corpus, "--format", "csv", "--name", f"7={who}", path)
    assert f"{who} is " in error.what
    assert f"and this is a judgement of round {name}" in error.what
    assert "--role annotator" in error.line()
    invite(corpus.store, who, role="annotator")
    assert run(corpus, "--format", "csv", "--name", f"7={who}", path)["judgements"] == 1


def test_an_adjudicator_may_be_an_expert_and_rule_in_a_file(corpus: Corpus) -> None:
    path = csv_file(corpus, "pair-0000,سلمى,agree,expert,,", "pair-0001,سلمى,agree,adjudication,,")
    done = run(corpus, "--format", "csv", path)
    assert (done["judgements"], done["rulings"]) == (1, 1)


def test_a_dry_run_shows_who_would_have_what_and_stores_nothing(corpus: Corpus) -> None:
    path = csv_file(
        corpus, "pair-0000,أمل,agree,main,,", "pair-0001,7,agree,pilot,,", "pair-0002,7,,ignore,other,main"
    )
    done = run(corpus, "--format", "csv", "--dry-run", path)
    assert exchange.rows(corpus) == []
    assert done["by_person"] == {"7": {"pilot": 1, "main": 1}, "أمل": {"main": 1}}
    assert (done["people"], done["dry_run"]) == (["7"], True)
    shown = CliRunner().invoke(
        annotate, ["import", "--format", "csv", "--dry-run", str(path), str(corpus.path)]
    )
    assert "nothing is stored" in shown.stdout
    assert "refused without --new" in shown.stderr
    assert exchange.rows(corpus) == []
    bad = csv_file(corpus, "pair-0000,أمل,agrees,main,,")
    assert "label 'agrees'" in refused(corpus, "--format", "csv", "--dry-run", bad).line()


def test_a_file_that_was_a_mistake_is_taken_back_as_a_whole_and_can_come_again(corpus: Corpus) -> None:
    exchange.take(corpus, [Vote("pair-0009", "أمل", "main", "agree")], origin="file:other.csv")
    before = exchange.rows(corpus, without=())
    path = csv_file(
        corpus,
        "pair-0000,أمل,agree,main,,",
        "pair-0000,بشير,disagree,main,,",
        "pair-0001,أمل,,ignore,other,main",
        "pair-0002,سلمى,agree,adjudication,,",
    )
    run(corpus, "--format", "csv", path)
    thirds = list(corpus.store.all(Assignment, round="third"))
    assert [(one.pair_id, one.annotator, one.withdrawn) for one in thirds] == [("pair-0000", "dima", None)]
    looked = run(corpus, "--undo", "--dry-run", path)
    assert (looked["judgements"], looked["skips"], looked["rulings"], looked["kept"]) == (2, 1, 1, None)
    assert len(exchange.rows(corpus)) == len(before) + 4
    held = exchange.rows(corpus)
    path.unlink()
    done = run(corpus, "--undo", path)
    assert done["by_person"] == {"أمل": 2, "بشير": 1, "سلمى": 1}
    assert exchange.rows(corpus, without=()) == before
    assert open_assignments(corpus.store, "dima") == [], "the question that followed from it is taken back"
    kept = Path(done["kept"])
    assert kept.stat().st_mode & 0o077 == 0
    run(corpus, "--format", "jsonl", kept)
    assert exchange.rows(corpus) == held
    assert [one.pair_id for one in open_assignments(corpus.store, "dima")] == ["pair-0000"], "asked again"


def judged_since(corpus: Corpus, path: Path, how: str) -> None:
    """What people make of a file's judgements of pair-0000."""
    if how == "gold for training and tests":
        with corpus.store.transaction() as writer:
            writer.put([Reference(id="pair-0003", purpose="training", label="agree", votes={"agree": 3})])
    elif how == "ruled on":
        kit.judging(corpus).rule("pair-0000", "سلمى", "agree", None, 0)
    elif how == "discussed":
        with corpus.store.transaction() as writer:
            writer.put([Remark(id="r", pair_id="pair-0000", person="أمل", text="لماذا؟")])
    elif how == "judged by a third since":
        kit.judge_all(corpus, "dima", "agree")
    else:
        again = csv_file(corpus, "pair-0000,أمل,disagree,main,,", name="later.csv")
        run(corpus, "--format", "csv", again)


@pytest.mark.parametrize(
    "how",
    ["ruled on", "discussed", "judged by a third since", "revised since", "gold for training and tests"],
)
def test_what_was_built_upon_stays(corpus: Corpus, how: str) -> None:
    path = csv_file(
        corpus,
        "pair-0000,أمل,agree,main,,",
        "pair-0000,بشير,disagree,main,,",
        "pair-0003,أمل,agree,expert,,",
    )
    run(corpus, "--format", "csv", path)
    judged_since(corpus, path, how)
    for words in (["--undo"], ["--undo", "--dry-run"]):
        error = refused(corpus, *words, path)
        assert isinstance(error, UsageError)
        assert f"1 pair {how} (pair-000" in error.line()
    assert not (corpus.path / "withdrawn").exists()


def test_a_file_that_never_came_in_is_told_with_those_that_did(corpus: Corpus) -> None:
    assert "no file was imported" in refused(corpus, "--undo", "y.csv").line()
    run(corpus, "--format", "csv", csv_file(corpus, "pair-0000,أمل,agree,main,,"))
    error = refused(corpus, "--undo", "y.csv")
    assert "nothing here came from a file called y.csv; files that were imported: x.csv" in error.line()


def test_what_the_page_stored_is_no_files(corpus: Corpus) -> None:
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(3))
    kit.judge_all(corpus, "أمل", "agree")
    refused(corpus, "--undo", "page")
    assert corpus.store.count(Annotation) == 2
    assert corpus.store.count(Skip) + corpus.store.count(Decision) == 0


@pytest.mark.parametrize("words", [["--format", "csv"], ["--name", "7=dima"], ["--new"]])
def test_undo_takes_nothing_that_is_about_reading(corpus: Corpus, words: list[str]) -> None:
    assert "--undo takes no --format" in refused(corpus, "--undo", *words, "x.csv").line()


def test_a_format_is_asked_for(corpus: Corpus) -> None:
    assert "--format is missing; one of jsonl, csv" in refused(corpus, "x.csv").line()
