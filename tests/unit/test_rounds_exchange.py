"""Judgements in the formats of other tools, and back without loss or doubles."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from annotation.annotate_commands import annotate
from annotation.exchange import FORMATS
from annotation.exchange.cells import guarded, unguarded
from annotation.exchange.gathering import gathered
from annotation.exchange.importing import bring_in
from annotation.exchange.votes import Export
from annotation.ratings_csv import read_csv
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from annotation.schemes import Scheme, scheme_of
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation, Assignment, Decision, Skip

SCRUM9 = '[corpus]\n[annotate]\nscheme = "scrum9"\n'


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Corpus]:
    """Two of three annotators have judged: revisions, a skip, a ruling, second choices, notes."""
    with kit.make(tmp_path / "judged", 6, SCRUM9) as corpus:
        for name in ("amal", "bashir", "=cmd|' /C calc'!A0"):
            invite(corpus.store, name)
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        for name in ("amal", "bashir"):
            for place, one in enumerate(open_assignments(corpus.store, name)):
                if name == "amal" and place == 0:
                    kit.judging(corpus).skip(one, "text_broken", "مبتور")
                elif place % 2:
                    kit.judge(
                        corpus,
                        one,
                        "comment",
                        confidence=2,
                        second="highly_uncertain",
                        note='قال "لا", وسكت\n\n=1+1\'=2',
                    )
                else:
                    kit.judge(corpus, one, "confirming" if name == "amal" else "rejecting", confidence=5)
        first = next(corpus.store.all(Assignment, annotator="bashir", round="main"))
        kit.judge(corpus, first, "questioning", based_on=1, confidence=4)
        kit.judging(corpus).rule("pair-0000", "salma", "comment", "سبب", 0)
        yield corpus


def exported(corpus: Corpus) -> Export:
    return gathered(corpus, scheme_of("scrum9"), str, notes=True)


def empty_copy(folder: Path) -> Corpus:
    return kit.make(folder, 6, SCRUM9)


def come_back(corpus: Corpus, path: Path, name: str) -> dict[str, int]:
    scheme: Scheme = scheme_of("scrum9")
    done = bring_in(
        corpus, scheme, FORMATS[name].read(path, scheme), origin="file", follower=kit.judging(corpus).follower
    )
    return {
        "judgements": done.judgements,
        "revisions": done.revisions,
        "skips": done.skips,
        "known": done.known,
    }


def said(corpus: Corpus) -> set[tuple[object, ...]]:
    last: dict[tuple[str, str], Annotation] = {}
    for one in corpus.store.all(Annotation):
        if (one.pair_id, one.annotator) not in last or one.number > last[one.pair_id, one.annotator].number:
            last[one.pair_id, one.annotator] = one
    return {(o.pair_id, o.annotator, o.round, o.label, o.confidence, o.second) for o in last.values()}


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_comes_back(judged: Corpus, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"out{FORMATS[name].suffix}"
    path.write_text(FORMATS[name].write(exported(judged)), "utf-8", newline="")
    assert come_back(judged, path, name)["judgements"] == 0, "nothing is doubled where it came from"
    with empty_copy(tmp_path / "copy") as copy:
        come_back(copy, path, name)
        assert said(copy) == said(judged)
        if name != "effiara":
            assert [(s.pair_id, s.annotator, s.reason) for s in copy.store.all(Skip)] == [
                (s.pair_id, s.annotator, s.reason) for s in judged.store.all(Skip)
            ]
        again = come_back(copy, path, name)
        assert (again["judgements"], again["revisions"], again["skips"]) == (0, 0, 0)


def test_jsonl_loses_nothing(judged: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(FORMATS["jsonl"].write(exported(judged)), "utf-8", newline="")
    with empty_copy(tmp_path / "copy") as copy:
        come_back(copy, path, "jsonl")
        for kind in (Annotation, Skip, Decision):
            before = [one.model_dump(exclude={"origin"}) for one in judged.store.all(kind)]
            assert [one.model_dump(exclude={"origin"}) for one in copy.store.all(kind)] == before


def test_csv_has_a_byte_order_mark_and_agreement_reads_it(judged: Corpus, tmp_path: Path) -> None:
    text = FORMATS["csv"].write(exported(judged))
    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    skips = [row for row in rows if row["skipped"]]
    assert [row["label"] for row in skips] == [""]
    path = tmp_path / "judged.csv"
    kept = [line for line in text.splitlines(keepends=True) if "text_broken" not in line]
    path.write_text("".join(kept), "utf-8", newline="")
    assert len(read_csv(path)) == len(rows) - 1


@given(st.text("'=+-@\t\r\nab", max_size=6))
def test_every_cell_is_guarded_and_comes_back(cell: str) -> None:
    assert guarded(cell)[:1] not in tuple("=+-@\t\r")
    assert unguarded(guarded(cell)) == cell


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 4) as corpus:
        invite(corpus.store, "amal")
        invite(corpus.store, "=1+1")
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        kit.judge_all(corpus, "=1+1", "agree")
        found = gathered(corpus, scheme_of("arastance"), str, notes=True)
    for row in csv.reader(io.StringIO(FORMATS["csv"].write(found).removeprefix("\ufeff"), newline="")):
        assert not any(cell[:1] in ("=", "+", "-", "@") for cell in row)


def test_teamware_documents_have_annotation_sets_and_who_rejected(judged: Corpus) -> None:
    documents = json.loads(FORMATS["teamware"].write(exported(judged)))
    assert len(documents) == 6
    for document in documents:
        assert set(document["teamware_status"]) == {"rejected_by", "timed_out", "aborted"}
        for name, found in document["annotation_sets"].items():
            assert found["name"] == name
            assert found["next_annid"] == len(found["annotations"])
            for annotation in found["annotations"]:
                assert annotation["type"] == "Document"
                assert annotation["end"] == len(document["text"])
    assert sum(len(document["teamware_status"]["rejected_by"]) for document in documents) == 1


def test_teamware_files_of_other_shapes_are_read(tmp_path: Path) -> None:
    """The gate form puts what it does not know into features; before 2.2 answers lay under `label`."""
    features = {"label": {"label": "comment", "confidence": 5}}
    document = {
        "name": "pair-0001",
        "text": "x",
        "offset_type": "p",
        "features": {"teamware_status": {"rejected_by": ["dima"]}},
        "annotation_sets": {
            "amal": {"name": "amal", "annotations": [{"type": "Document", "features": features}]}
        },
    }
    path = tmp_path / "gate.jsonl"
    path.write_text(json.dumps(document) + "\n", "utf-8")
    votes = list(FORMATS["teamware"].read(path, scheme_of("scrum9")))
    assert [(v.pair, v.annotator, v.label, v.reason) for v in votes] == [
        ("pair-0001", "amal", "comment", None),
        ("pair-0001", "dima", None, None),
    ]


def test_effiara_has_its_columns(judged: Corpus) -> None:
    text = FORMATS["effiara"].write(exported(judged)).removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    for name in ("amal", "bashir"):
        for part in ("label", "confidence", "secondary"):
            assert f"{name}_{part}" in rows[0]
            assert f"re_{name}_{part}" in rows[0]
    assert {row["is_reannotation"] for row in rows} == {"False"}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("jsonl", "{}\n", "x:1: has no pair"),
        ("jsonl", "[1]\n", "x:1: not an object"),
        ("jsonl", '\n{"pair": "pair-9", "annotator": "a", "label": "comment"}\n', "x:2: no pair has the id"),
        (
            "jsonl",
            '{"pair": "pair-0000", "annotator": "a", "label": "agree", "confidence": 5}\n',
            "label 'agree'",
        ),
        (
            "jsonl",
            '{"pair": "pair-0000", "annotator": "a", "label": "comment",'
            ' "confidence": 2, "second": "comment"}\n',
            "second 'comment' equals the first choice",
        ),
        (
            "jsonl",
            '{"pair": "pair-0000", "annotator": "a", "round": "x", "label": "comment"}\n',
            "unknown round",
        ),
        ("jsonl", '{"pair": "pair-0000", "annotator": "\\u202e", "label": "comment"}\n', "invisible"),
        (
            "csv",
            "task,worker,label,round,confidence\npair-0000,a,comment,main,5\npair-0000,a,comment,third,5\n",
            "x:3: a judged this pair in round main already",
        ),
        (
            "csv",
            "task,worker,label,round,confidence\npair-0000,a,comment,pilot,5\npair-0000,a,comment,main,5\n",
            "x:3: a judged this pair in round pilot already",
        ),
        (
            "csv",
            "task,worker\npair-0000,a\n",
            "x:1: no column label; the columns are: task, worker; add a column label",
        ),
        ("csv", "task,worker,label\n", "x: has no rows"),
        ("csv", "task,worker,label,confidence\npair-0000,a,comment,high\n", "x:2: confidence 'high'"),
        ("csv", "task,worker,label,seconds\npair-0000,a,comment,soon\n", "x:2: seconds 'soon'"),
        ("csv", "task,worker,label,answers\npair-0000,a,comment,[1]\n", "x:2: answers must be an object"),
        ("csv", "task,worker,label,confidence\npair-0000,a,comment,inf\n", "x:2: confidence 'inf'"),
        ("jsonl", '{"pair": "pair-0000", "annotator": "a", "seconds": "soon"}\n', "x:1: seconds 'soon'"),
        ("jsonl", '{"pair": "pair-0000", "annotator": "a", "note": 5}\n', "x:1: note 5 is not a text"),
        (
            "jsonl",
            '{"pair": "pair-0000", "annotator": "a", "confidence": Infinity}\n',
            "x:1: has no label",
        ),
        ("jsonl", '{"pair": "pair-0000", "annotator": "a", "kind": "joke"}\n', "x:1: unknown kind"),
        (
            "jsonl",
            '{"pair": "pair-0000", "annotator": "a", "answers": {"sentences": [1]}}\n',
            "x:1: sentences must be pairs",
        ),
        ("labelstudio", '[{"data": []}]', "task 0: data must be an object"),
        (
            "labelstudio",
            '[{"data": {"pair_id": "pair-0000"}, "annotations": [{"result": [7]}]}]',
            "task 0, annotation 0: a result must be an object",
        ),
        ("labelstudio", '[{"data": {"pair_id": "pair-0000"}, "annotations": {"a": 1}}]', "must be a list"),
        ("teamware", '[{"id": "pair-0000", "annotation_sets": [1]}]', "annotation_sets must be an object"),
        ("teamware", '[{"id": "pair-0000", "annotation_sets": {"a": {"annotations": 1}}}]', "must be a list"),
        ("labelstudio", "{}", "must be a list"),
        ("labelstudio", '[{"data": {}}]', "task 0: has no data.pair_id"),
        ("labelstudio", '[{"data": {"pair_id": "pair-0000"}, "annotations": [{}]}]', "completed_by"),
        ("teamware", "[3]", "document 0: is no document"),
        ("teamware", "{\n", "x:1: not JSON"),
        ("effiara", "a,b\n1,2\n", "has no column pair_id or sample_id"),
        ("effiara", "pair_id,b\npair-0000,2\n", "x:1: has no column such as amal_label"),
    ],
)
def test_a_wrong_file_says_where_and_changes_nothing(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / "x"
    path.write_text(text, "utf-8")
    with empty_copy(tmp_path / "copy") as corpus:
        with pytest.raises(InputError) as error:
            come_back(corpus, path, name)
        assert says in str(error.value)
        assert corpus.store.count(Annotation) == 0


def test_a_skip_brought_in_stands_beside_those_of_the_page(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 2) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        one = open_assignments(corpus.store, "amal")[0]
        for note in ("أ", "ب"):
            kit.judging(corpus).skip(one, "other", note)
        path = tmp_path / "x.csv"
        path.write_text(f"task,worker,label,skipped\n{one.pair_id},amal,,upsetting\n", "utf-8")
        scheme = scheme_of("arastance")
        follower = kit.judging(corpus).follower
        for new in (1, 0):
            done = bring_in(corpus, scheme, FORMATS["csv"].read(path, scheme), origin="x", follower=follower)
            assert done.skips == new
        assert sorted(skip.reason for skip in corpus.store.all(Skip)) == ["other", "other", "upsetting"]


def test_imported_disagreements_are_given_to_a_third(tmp_path: Path) -> None:
    with kit.make(tmp_path / "c", 2) as corpus:
        kit.people(corpus, ("amal", "bashir", "dima"))
        path = tmp_path / "x.csv"
        path.write_text("task,worker,label\npair-0000,amal,agree\npair-0000,bashir,discuss\n", "utf-8")
        scheme = scheme_of("arastance")
        bring_in(
            corpus,
            scheme,
            FORMATS["csv"].read(path, scheme),
            origin="x",
            follower=kit.judging(corpus).follower,
        )
        assert [one.annotator for one in corpus.store.all(Assignment, round="third")] == ["dima"]


def test_the_commands_from_plan_to_export(tmp_path: Path) -> None:
    kit.make(tmp_path / "c", 12).close()
    corpus = str(tmp_path / "c")

    def run(*words: str) -> str:
        done = CliRunner().invoke(annotate, list(words), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    for name in ("amal", "bashir", "dima"):
        link = json.loads(run("invite", "--json", name, corpus))["link"]
        assert link.startswith("http://127.0.0.1:8765/join/")
    found = json.loads(run("plan", "--rate", "30", "--json", corpus))
    assert (found["items"], found["people"], found["unknown"]) == (12, 3, "hours")
    assert found["design"] == {"offsets": 1, "fewest_shared": 4, "fewest_load": 8, "most_load": 8}
    assert json.loads(run("assign", "--round", "pilot", "--pairs", "3", "--json", corpus))["new"] == 9
    assert json.loads(run("assign", "--dry-run", "--json", corpus))["new"] == 18
    assert json.loads(run("assign", "--json", corpus))["loads"] == {"amal": 6, "bashir": 6, "dima": 6}
    with Corpus.open(corpus) as opened:
        kit.judge_all(opened, "amal", "agree")
        note = open_assignments(opened.store, "bashir")[0]
        kit.judge(opened, note, "agree", note="رقم هاتف فلان")
    out = tmp_path / "out" / "ls.json"
    run("export", "--format", "labelstudio", str(out), corpus)
    assert out.with_suffix(".xml").is_file()
    text = out.read_text("utf-8")
    assert "amal" not in text, "pseudonyms unless names are asked for"
    assert "رقم هاتف" not in text, "notes may name people"
    run("export", "--names", str(tmp_path / "all.jsonl"), corpus)
    assert "رقم هاتف" in (tmp_path / "all.jsonl").read_text("utf-8")
    done = json.loads(run("import", "--format", "jsonl", "--json", str(tmp_path / "all.jsonl"), corpus))
    assert (done["judgements"], done["known"]) == (0, 10)
    assert "has left" in run("invite", "--leave", "dima", corpus)
    assert "has ended" in run("invite", "--revoke", "amal", corpus)
