"""Files that are not what they claim to be: one clear line each, and nothing half-imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import exchangekit as exchange
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.annotate_commands import annotate
from annotation.exchange import FORMATS
from annotation.exchange.votes import Vote
from annotation.schemes import scheme_of
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation, Skip

JSONS = ("jsonl", "labelstudio", "teamware")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Nothing below may leave anything in it."""
    with exchange.empty(tmp_path_factory.mktemp("hostile") / "c") as opened:
        yield opened
        assert exchange.rows(opened) == []


def refused(corpus: Corpus, path: Path, name: str) -> str:
    with pytest.raises(InputError) as error:
        exchange.come_in(corpus, path, name)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(str(path))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe[\x00", "UTF-16 text"),
        (b"PK\x03\x04zip", "a workbook or another archive"),
        (b"[\xc3\x28", "not UTF-8"),
        (b"\x1f\x8b broken", "broken gzip"),
    ],
)
def test_what_is_no_text_is_named(
    corpus: Corpus, tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert says in refused(corpus, path, name)
    assert "No such file" in refused(corpus, tmp_path / "gone", name)


@pytest.mark.parametrize("name", JSONS)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('[{"pair": 1' + "0" * 5000 + "}]", "a number of thousands of digits"),
        ('[{"pair": ]', ":1: not JSON"),
        ('[{"a": "x\n"}]', "not JSON"),
    ],
)
def test_hostile_json_is_named(corpus: Corpus, tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / "x"
    path.write_text(text, "utf-8")
    assert says in refused(corpus, path, name)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"pair": 7}, ":1: has no pair"),
        ({"label": ["agree"]}, ":1: label ['agree'] is not a text"),
        ({"number": 0}, ":1: number 0 is no revision"),
        ({"number": True}, ":1: number True is not a whole number"),
        ({"number": 10**400}, ":1: number 1000"),
        ({"confidence": 1.5}, ":1: confidence 1.5 is not a whole number"),
        ({"confidence": 9}, ":1: confidence '9' is none of the scheme's answers"),
        ({"seconds": -1}, ":1: seconds -1 is not a number"),
        ({"seconds": "1e999"}, ":1: seconds '1e999'"),
        ({"at": "gestern"}, ":1: at 'gestern' is no time such as"),
        ({"at": 5}, ":1: at 5 is not a text"),
        ({"guideline": "x" * 1000}, ":1: guideline has 1,000 characters"),
        ({"note": "x" * 6000}, ":1: note has 6,000 characters, more than 5,000"),
        ({"answers": {"remark": {"a": 1}}}, ":1: answer remark {'a': 1} is neither text nor number"),
        ({"answers": {"nothing": "x"}}, ":1: nothing is no question of the scheme"),
        ({"answers": {"sentences": [[5, 5]]}}, ":1: sentences must be offsets"),
        ({"answers": {"sentences": [[-1, 5]]}}, ":1: sentences must be offsets"),
        ({"answers": {"sentences": [[0, 10**6]]}}, ":1: sentences end at 1,000,000, and the article has"),
        ({"answers": {"sentences": "ab"}}, ":1: sentences must be pairs"),
        ({"round": "fourth"}, ":1: unknown round 'fourth'; rounds are: training"),
        ({"scheme": "arastance"}, ":1: was judged by scheme 'arastance', and this corpus has 'full'"),
        ({"annotator": " "}, ":1: a name has 1 to 80 letters"),
        ({"annotator": "a\u202eb"}, "invisible or direction-changing"),
        ({"kind": "skip", "label": None, "reason": 5}, ":1: reason 5 is not a text"),
        ({"kind": "decision", "label": "maybe"}, ":1: label 'maybe' is none of the scheme's answers"),
        ({"second": "agree", "confidence": 5}, ":1: second 'agree' is not asked"),
    ],
)
def test_every_wrong_field_is_named_and_the_good_line_before_it_is_not_stored(
    corpus: Corpus, tmp_path: Path, row: dict[str, Any], says: str
) -> None:
    good = {"pair": "pair-0000", "annotator": "amal", "label": "agree", "confidence": 5}
    path = tmp_path / "x"
    lines = [{**good, "pair": "pair-0001", **row}, {**good, "annotator": "bashir"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert says in refused(corpus, path, "jsonl")
    path.write_text("".join(json.dumps(line) + "\n" for line in reversed(lines)), "utf-8")
    assert says.replace(":1:", ":2:") in refused(corpus, path, "jsonl")


def test_two_answers_in_one_place_are_refused_and_numbered_or_dated_ones_are_revisions(
    tmp_path: Path,
) -> None:
    def vote(label: str, where: str, **more: Any) -> Vote:
        return Vote("pair-0000", "amal", "main", label=label, confidence=5, where=where, **more)

    with exchange.empty(tmp_path / "c") as corpus:
        with pytest.raises(InputError, match="x:2: amal says something else of the same pair at x:1"):
            exchange.take(corpus, [vote("agree", "x:1"), vote("disagree", "x:2")])
        assert exchange.rows(corpus) == []
        assert exchange.take(corpus, [vote("agree", "x:1"), vote("agree", "x:2")]).known == 1
        later = vote("disagree", "x:1", at="2030-01-02T00:00:00Z")
        sooner = vote("discuss", "x:2", at="2030-01-01T00:00:00Z")
        assert exchange.take(corpus, [later, sooner]).revisions == 2
        found = sorted(corpus.store.all(Annotation), key=lambda one: one.number)
        assert [one.label for one in found] == ["agree", "discuss", "disagree"]


def test_texts_that_cannot_be_stored_as_they_are_are_made_fit(tmp_path: Path) -> None:
    """NUL and lone surrogates, which JSON can spell and a database cannot hold."""
    row = {
        "pair": "pair-0000",
        "annotator": "a\u0000",
        "label": "agree",
        "confidence": 5,
        "note": "x\ud800\u0000",
    }
    row |= {"guideline": "1\ud800", "shown_hash": "\ud800", "answers": {"remark": "y\ud800"}}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    with exchange.empty(tmp_path / "c") as corpus:
        exchange.come_in(corpus, path, "jsonl")
        (found,) = corpus.store.all(Annotation)
        assert (found.annotator, found.note, found.guideline, found.shown_hash) == ("a", "x", "1", None)
        assert found.answers == {"remark": "y"}
        assert exchange.come_in(corpus, path, "jsonl").known == 1


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["pair-0000", "agree", "main", "skip"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "pair",
                    "annotator",
                    "label",
                    "kind",
                    "round",
                    "answers",
                    "sentences",
                    "number",
                    "data",
                    "pair_id",
                    "annotations",
                    "result",
                    "from_name",
                    "value",
                    "choices",
                    "text",
                    "meta",
                    "dalil",
                    "completed_by",
                    "was_cancelled",
                    "annotation_sets",
                    "teamware_status",
                    "features",
                    "rejected_by",
                    "rejected_because",
                    "id",
                    "name",
                    "updated_by",
                    "confidence",
                    "start",
                    "end",
                    "annotator",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=25,
)


@pytest.mark.parametrize("name", JSONS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(value=VALUES)
def test_any_json_is_read_or_refused(tmp_path: Path, name: str, value: Any) -> None:
    """Never a traceback: what cannot be a vote is an InputError."""
    from annotation.exchange.checking import in_order

    path = tmp_path / "x"
    path.write_text(json.dumps(value if name == "jsonl" else [value]), "utf-8")
    try:
        votes = in_order(FORMATS[name].read(path, scheme_of("scrum9")), {})
    except InputError:
        return
    assert all(isinstance(vote, Vote) for vote in votes)


# on the command line


def test_the_command_says_what_is_wrong_and_who_is_meant(tmp_path: Path) -> None:
    kit.make(tmp_path / "c", 6, exchange.SCRUM9_TOML).close()

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(annotate, [*words, str(tmp_path / "x"), str(tmp_path / "c")])
        return done.exit_code, str(done.exception) if done.exception else done.output

    (tmp_path / "x").write_text(
        "pair_id,7_label,7_confidence\npair-0000,comment,5\npair-9,comment,5\n", "utf-8"
    )
    bring = ("import", "--format", "effiara")
    assert "x:3, 7_label: no pair has the id 'pair-9'" in run(*bring)[1]
    (tmp_path / "x").write_text("pair_id,7_label,7_confidence\npair-0000,comment,5\n", "utf-8")
    assert "--name 7: not NAME IN THE FILE=NAME HERE" in run(*bring, "--name", "7")[1]
    assert "--name: 7 is given two names" in run(*bring, "--name", "7=a", "--name", "7=b")[1]
    assert run(*bring, "--round", "fourth")[0] == 2
    code, output = run(*bring, "--new", "--name", "7=أمل", "--round", "pilot")
    assert code == 0
    assert output.startswith("1 new judgement, 0 revisions, 0 skips, 0 rulings; 0 were there already\n")
    assert "new here: أمل" in output
    assert "new here" not in run(*bring, "--name", "7=أمل", "--round", "pilot")[1]
    with Corpus.open(tmp_path / "c") as corpus:
        assert [(one.annotator, one.round) for one in corpus.store.all(Annotation)] == [("أمل", "pilot")]
        assert not corpus.store.count(Skip)
    assert "--plain belongs to --format effiara" in run("export", "--plain")[1]
