"""Laws of going out and coming in, over random courses of work."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import annotationkit as kit
import exchangekit as exchange
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.exchange import FORMATS
from annotation.exchange.gathering import gathered
from annotation.release.pseudonyms import Pseudonyms
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.records import Annotation

PEOPLE = ("amal", "bashir")
NOTES = st.sampled_from([None, "أ", "=1+1", "a\r\nb"])
ANSWERS = st.sampled_from(
    [
        ("agree", 5, None, {}),
        ("agree", 2, "highly_uncertain", {}),
        ("agree", 2, "discuss", {"remark": "x"}),
        ("discuss", 4, None, {"why": "asks"}),
        ("discuss", 4, None, {"why": "asks", "remark": "y"}),
        ("discuss", 4, None, {"sentences": ((0, 12),)}),
        ("disagree", 5, None, {}),
    ]
)
JUDGE = st.tuples(st.just("judge"), st.sampled_from(PEOPLE), st.integers(0, 1), ANSWERS, NOTES)
SKIP = st.tuples(
    st.just("skip"),
    st.sampled_from(PEOPLE),
    st.integers(0, 1),
    st.sampled_from(["other", "upsetting"]),
    NOTES,
)
RULE = st.tuples(st.just("rule"), st.integers(0, 1), st.sampled_from(["agree", "discuss"]), NOTES)
EXPORT = st.tuples(st.just("export"), st.sampled_from(sorted(FORMATS)), st.booleans())
COURSE = st.lists(st.one_of(JUDGE, JUDGE, SKIP, RULE, EXPORT), min_size=1, max_size=12)


class Course:
    """A corpus in which people work, and the files that were exported on the way."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.corpus = exchange.empty(folder / "c", 2)
        kit.people(self.corpus, PEOPLE)
        dealer = kit.dealer(self.corpus)
        dealer.write(dealer.main(None))
        self.held = {name: open_assignments(self.corpus.store, name) for name in PEOPLE}
        self.files: list[tuple[str, Path]] = []

    def go(self, step: tuple[Any, ...]) -> None:
        getattr(self, step[0])(*step[1:])

    def judge(self, name: str, place: int, answer: tuple[Any, ...], note: str | None) -> None:
        one = self.held[name][place]
        based_on = self.corpus.store.count(Annotation, pair_id=one.pair_id, annotator=name)
        label, confidence, second, answers = answer
        exchange.say(
            self.corpus, one, label, confidence, second=second, answers=answers, note=note, based_on=based_on
        )

    def skip(self, name: str, place: int, reason: str, note: str | None) -> None:
        kit.judging(self.corpus).skip(self.held[name][place], reason, note)

    def rule(self, place: int, label: str, note: str | None) -> None:
        pair = self.held["amal"][place].pair_id
        judging = kit.judging(self.corpus)
        for based_on in range(20):
            if judging.rule(pair, "salma", label, note, based_on) != "changed_elsewhere":
                return

    def export(self, name: str, named: bool) -> None:
        path = self.folder / f"{len(self.files)}{FORMATS[name].suffix}"
        called = str if named else Pseudonyms.of(self.corpus.path)
        found = gathered(self.corpus, exchange.scheme(self.corpus), called, notes=named)
        if found.votes:
            path.write_text(FORMATS[name].write(found), "utf-8", newline="")
            self.files.append((name, path))


@settings(max_examples=20, deadline=None)
@given(COURSE)
def test_no_file_of_a_corpus_changes_it_whatever_happened_since(course: list[tuple[Any, ...]]) -> None:
    """Under names or pseudonyms, in every format, old or new: what came from here is here."""
    with tempfile.TemporaryDirectory() as folder:
        work = Course(Path(folder))
        with work.corpus:
            for step in course:
                work.go(step)
            before = exchange.rows(work.corpus, without=())
            for name, path in work.files:
                if readable(name, path):
                    exchange.come_in(work.corpus, path, name)
                    assert exchange.rows(work.corpus, without=()) == before, (name, path.read_text("utf-8"))


@settings(max_examples=20, deadline=None)
@given(COURSE, COURSE)
def test_jsonl_brings_everything_in_and_once(
    first: list[tuple[Any, ...]], second: list[tuple[Any, ...]]
) -> None:
    """Two states of a corpus, brought into another: the later makes it the same, again changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        work = Course(Path(folder))
        files: list[Path] = []
        with work.corpus:
            for course in (first, second):
                for step in course:
                    work.go(step)
                files.append(exchange.out(work.corpus, Path(folder) / f"state{len(files)}.jsonl", "jsonl"))
            there = exchange.rows(work.corpus)
        with exchange.empty(Path(folder) / "copy", 2) as copy:
            for path in files:
                exchange.come_in(copy, path, "jsonl")
            assert exchange.rows(copy) == there
            for path in reversed(files):
                exchange.come_in(copy, path, "jsonl")
            assert exchange.rows(copy) == there


def readable(name: str, path: Path) -> bool:
    """A table without a row says nothing."""
    return FORMATS[name].suffix != ".csv" or len(path.read_text("utf-8").splitlines()) > 1


def test_the_course_does_what_it_says(tmp_path: Path) -> None:
    work = Course(tmp_path)
    with work.corpus:
        work.go(("judge", "amal", 0, ("agree", 5, None, {}), "أ"))
        work.go(("export", "csv", True))
        work.go(("skip", "bashir", 1, "other", None))
        work.go(("rule", 0, "agree", None))
        assert len(exchange.rows(work.corpus)) == 3
        assert [name for name, _ in work.files] == ["csv"]
        assert isinstance(work.corpus, Corpus)
