"""EffiARA's columns, both ways: any name, and what somebody judged once more."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import exchangekit as exchange
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.exchange import FORMATS
from annotation.exchange.votes import Export, Task, Vote
from annotation.ratings_records import from_store
from annotation.rounds.kinds import AGAIN
from annotation.rounds.people import clean_name
from annotation.schemes import scheme_of
from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.records import Annotation

SCRUM9 = scheme_of("scrum9")
LABELS = ("confirming", "rejecting", "questioning", "comment")
NAMES = st.one_of(
    st.sampled_from(
        ["amal", "re_amal", "re_re_x", "a_label", "أمل_ب", "_", "x_soft", "'=x", "A B", "é_label_label"]
    ),
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12),
).filter(lambda name: name.strip() == name and bool(name))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "c", 6, exchange.SCRUM9_TOML) as opened:
        yield opened


def written(votes: list[Vote], **more: object) -> str:
    tasks = {vote.pair: task(vote.pair) for vote in votes}
    return FORMATS["effiara"].write(Export(SCRUM9, tasks, votes, **more))  # type: ignore[arg-type]


def task(pair: str, text: str = "نص") -> Task:
    return Task(pair, "claim", "ادعاء", None, text, None, None, None, "ar")


def read(path: Path, text: str) -> list[Vote]:
    path.write_text(text, "utf-8", newline="")
    return list(FORMATS["effiara"].read(path, SCRUM9))


@st.composite
def judgements(draw: st.DrawFn) -> list[Vote]:
    """Judgements by people of any name; some judged a pair once more."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=clean_name))
    votes = []
    for name in map(clean_name, names):
        for place in draw(st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True)):
            for round_name in draw(st.sampled_from([("main",), ("main", AGAIN), ("third",)])):
                label = draw(st.sampled_from(LABELS))
                confidence = draw(st.integers(1, 5))
                others = [*(other for other in LABELS if other != label), "highly_uncertain"]
                second = draw(st.sampled_from(others)) if confidence <= 3 else None
                votes.append(Vote(f"pair-{place}", name, round_name, label, confidence, second))
    return votes


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(judgements())
def test_names_and_second_judgements_come_back(tmp_path: Path, votes: list[Vote]) -> None:
    people = {vote.annotator for vote in votes}
    if any(f"re_{name}" in people for name in people) or people & {"true", "hard", "soft"}:
        with pytest.raises(UsageError):  # refused, never mixed up
            written(votes)
        return
    text = written(votes)
    found = read(tmp_path / "x.csv", text)
    assert {(v.pair, v.annotator, v.round == AGAIN, v.label, v.confidence, v.second) for v in found} == {
        (v.pair, v.annotator, v.round == AGAIN, v.label, v.confidence, v.second) for v in votes
    }


@pytest.mark.parametrize(
    ("people", "says"),
    [
        (("x", "re_x"), "'re_x' and 'x' could not be told apart"),
        (("true",), "EffiARA takes true_label for no person's"),
    ],
)
def test_names_that_columns_cannot_tell_apart_are_refused(people: tuple[str, ...], says: str) -> None:
    with pytest.raises(UsageError, match="export under pseudonyms") as error:
        written([Vote("pair-0", name, "main", "comment", 5) for name in people])
    assert says in str(error.value)


def test_what_was_judged_once_more_is_kept_and_decides_nothing(corpus: Corpus, tmp_path: Path) -> None:
    """A table as EffiARA puts it together: columns of its own, numbers with a point, much left empty."""
    path = tmp_path / "x.csv"
    path.write_text(
        "true_label,sample_id,amal_m_label,amal_m_confidence,amal_m_secondary,re_amal_m_label,"
        "re_amal_m_confidence,re_amal_m_secondary,أمل_label,أمل_confidence,أمل_secondary,amal_m_soft_label,"
        "is_reannotation\n"
        "comment,pair-0000,comment,5.0,,rejecting,2.0,comment,rejecting,4.0,NotAva,[0.1 0.9],True\n"
        "comment,pair-0001,comment,5.0,,,,,,,,,False\n",
        "utf-8",
    )
    done = exchange.come_in(corpus, path, "effiara")
    assert (done.judgements, done.known) == (4, 0)
    assert {(one.pair_id, one.annotator, one.round, one.label) for one in corpus.store.all(Annotation)} == {
        ("pair-0000", "amal_m", "main", "comment"),
        ("pair-0000", "amal_m", AGAIN, "rejecting"),
        ("pair-0000", "أمل", "main", "rejecting"),
        ("pair-0001", "amal_m", "main", "comment"),
    }
    assert len(from_store(corpus.store)) == 3
    again = exchange.come_in(corpus, exchange.out(corpus, tmp_path / "y.csv", "effiara"), "effiara")
    assert (again.judgements, again.revisions, again.known) == (0, 0, 4)


def test_numbers_that_effiara_gives_samples_do_not_hide_the_pairs(tmp_path: Path) -> None:
    text = written([Vote("pair-0003", "amal", "main", "comment", 5)]).replace(
        "\npair-0003,pair-0003", "\n0,pair-0003"
    )
    assert [vote.pair for vote in read(tmp_path / "x.csv", text)] == ["pair-0003"]


def test_highly_uncertain_is_no_label_of_effiaras(tmp_path: Path) -> None:
    """Its way to spread what confidence leaves over all other labels is to have no second choice."""
    text = written([Vote("pair-0", "amal", "main", "comment", 2, "highly_uncertain")])
    assert "highly_uncertain" not in text
    assert [vote.second for vote in read(tmp_path / "x.csv", text)] == ["highly_uncertain"]
    sure = "pair_id,amal_label,amal_confidence,amal_secondary\npair-0,comment,5,NotAva\n"
    assert [vote.second for vote in read(tmp_path / "x.csv", sure)] == [None]


def test_texts_are_no_formulas_unless_they_are_for_a_program() -> None:
    text = '@USER "لا"،\n=HYPERLINK(1)'
    votes = [Vote("pair-0", "=x", "main", "comment", 5)]

    def cells(plain: bool) -> dict[str, str]:
        made = FORMATS["effiara"].write(Export(SCRUM9, {"pair-0": task("pair-0", text)}, votes, plain))
        return next(csv.DictReader(io.StringIO(made.removeprefix("\ufeff"), newline="")))

    assert cells(plain=False)["text"] == "'" + text
    assert cells(plain=True)["text"] == text
    assert "'=x_label" in cells(plain=True), "names are guarded all the same"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "pair_id,a_label,a_confidence\npair-0000,comment,high\n",
            "x:2, a_confidence: confidence 'high'",
        ),
        ("pair_id,topic_label\npair-0000,sports\n", "x:2, topic_label: label 'sports' is none"),
        ("pair_id,re_a_label,re_a_confidence\npair-0000,no,5\n", "x:2, re_a_label: label 'no' is none"),
        ("pair_id,a_label\n,comment\n", "x:2: has no pair_id"),
        ("pair_id,a_label,a_label\npair-0000,comment,comment\n", "x:1: two columns are called 'a_label'"),
    ],
)
def test_a_wrong_table_says_which_column(corpus: Corpus, tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        exchange.come_in(corpus, path, "effiara")
    assert says in str(error.value)
    assert not corpus.store.count(Annotation)
