"""An import while people submit on the page: nothing is lost, doubled or overwritten."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import annotationkit as kit
import pytest
from killing import KILLED, run_in_child

from annotation.exchange import FORMATS
from annotation.exchange.importing import Imported, bring_in
from annotation.exchange.votes import Vote
from annotation.rounds.queue import open_assignments
from annotation.schemes import scheme_of
from dalil.corpus import Corpus
from dalil.records import Annotation, Assignment, Decision, Skip

PAIRS = 12


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[Corpus]:
    """Amal and Bashir have all pairs to judge, and nobody has judged any."""
    with kit.make(tmp_path / "c", PAIRS) as corpus:
        kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        yield corpus


def import_votes(corpus: Corpus, votes: Iterator[Vote] | list[Vote], origin: str = "file:x") -> Imported:
    follower = kit.judging(corpus).follower
    return bring_in(corpus, scheme_of("arastance"), votes, origin=origin, follower=follower)


def import_file(corpus: Corpus, path: Path) -> Imported:
    return import_votes(
        corpus, list(FORMATS["jsonl"].read(path, scheme_of("arastance"))), f"file:{path.name}"
    )


def by_amal(corpus: Corpus, pair: str) -> list[tuple[int, str]]:
    found = corpus.store.all(Annotation, pair_id=pair, annotator="amal")
    return sorted((one.number, one.label) for one in found)


def test_what_is_submitted_while_a_file_is_read_stays_and_the_import_comes_after_it(dealt: Corpus) -> None:
    """The file is read slowly; meanwhile Amal judges the very pair that it has a judgement of hers on."""
    first = open_assignments(dealt.store, "amal")[0]

    def slow_file() -> Iterator[Vote]:
        yield Vote(first.pair_id, "amal", "main", label="agree")
        assert kit.judge(dealt, first, "discuss") == "stored"

    done = import_votes(dealt, slow_file())
    assert by_amal(dealt, first.pair_id) == [(1, "discuss"), (2, "agree")]
    assert (done.judgements, done.revisions) == (0, 1), "and the report says what happened"


def test_skips_and_rulings_given_meanwhile_keep_their_numbers(dealt: Corpus) -> None:
    first = open_assignments(dealt.store, "amal")[0]

    def slow_file() -> Iterator[Vote]:
        yield Vote(first.pair_id, "amal", "main", reason="upsetting", kind="skip")
        yield Vote(first.pair_id, "salma", "adjudication", label="agree", kind="decision")
        judging = kit.judging(dealt)
        assert judging.skip(first, "text_broken") == "stored"
        assert judging.rule(first.pair_id, "nur", "discuss", None, 0) == "stored"

    done = import_votes(dealt, slow_file())
    assert (done.skips, done.rulings) == (1, 1)
    assert [
        (one.number, one.reason) for one in sorted(dealt.store.all(Skip), key=lambda one: one.number)
    ] == [
        (1, "text_broken"),
        (2, "upsetting"),
    ]
    ruled = sorted(dealt.store.all(Decision), key=lambda one: one.number)
    assert [(one.number, one.adjudicator) for one in ruled] == [(1, "nur"), (2, "salma")]


def test_threads_that_submit_and_import_at_once_keep_every_judgement(dealt: Corpus) -> None:
    """Four writers on one corpus.db: Amal and Bashir on the page, two files with other answers of theirs."""
    labels = {"amal": "discuss", "bashir": "unrelated"}
    mine = {name: open_assignments(dealt.store, name) for name in labels}
    path = dealt.path
    start = threading.Barrier(4)
    failed: list[BaseException] = []

    def page(name: str) -> None:
        with Corpus.open(path) as own:
            start.wait()
            for one in mine[name]:
                based_on = len(list(own.store.all(Annotation, pair_id=one.pair_id, annotator=name)))
                while kit.judge(own, one, labels[name], based_on=based_on) == "changed_elsewhere":
                    based_on += 1

    def file(name: str) -> None:
        with Corpus.open(path) as own:
            start.wait()
            for one in mine[name]:
                import_votes(own, [Vote(one.pair_id, name, "main", label="agree")], f"file:{name}")

    def run(work: Callable[[str], None], name: str) -> None:
        try:
            work(name)
        except BaseException as error:
            failed.append(error)
            start.abort()

    threads = [threading.Thread(target=run, args=(work, name)) for work in (page, file) for name in labels]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    for name, label in labels.items():
        for one in mine[name]:
            found = list(dealt.store.all(Annotation, pair_id=one.pair_id, annotator=name))
            assert sorted(row.number for row in found) == [1, 2], "each answer has a number of its own"
            assert {row.label for row in found} == {label, "agree"}, "and none took the place of the other"


def test_processes_that_import_the_same_file_at_once_store_it_once(dealt: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    rows = [
        {"pair": f"pair-{number:04d}", "annotator": name, "round": "main", "label": label}
        for number in range(PAIRS)
        for name, label in (("amal", "agree"), ("bashir", "discuss"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    folder = dealt.path
    dealt.close()

    def work() -> None:
        with Corpus.open(folder) as own:
            import_file(own, path)

    statuses: list[int] = []
    threads = [threading.Thread(target=lambda: statuses.append(run_in_child(work))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert statuses == [0, 0]
    with Corpus.open(folder) as own:
        assert own.store.count(Annotation) == len(rows)
        assert {one.number for one in own.store.all(Annotation)} == {1}


def test_an_import_killed_before_its_end_has_changed_nothing_and_can_be_repeated(
    dealt: Corpus, tmp_path: Path
) -> None:
    kit.judge(dealt, open_assignments(dealt.store, "amal")[0], "agree")
    path = tmp_path / "x.jsonl"
    rows = [
        {"pair": f"pair-{number:04d}", "annotator": name, "label": "discuss"}
        for number in range(PAIRS)
        for name in ("amal", "bashir")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    folder = dealt.path
    before = [*dealt.store.all(Annotation)]
    dealt.close()

    def work() -> None:
        with Corpus.open(folder) as own:
            import_file(own, path)

    assert run_in_child(work, "commit:1") == KILLED
    with Corpus.open(folder) as own:
        assert [*own.store.all(Annotation)] == before
        assert import_file(own, path).judgements == len(rows) - 1
        assert import_file(own, path).known == len(rows)


def test_an_import_killed_before_third_raters_were_asked_asks_them_the_next_time(
    dealt: Corpus, tmp_path: Path
) -> None:
    kit.people(dealt, ("dima",))
    path = tmp_path / "x.jsonl"
    rows = [
        {"pair": f"pair-{number:04d}", "annotator": name, "label": label}
        for number in range(PAIRS)
        for name, label in (("amal", "agree"), ("bashir", "discuss"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    folder = dealt.path
    dealt.close()

    def work() -> None:
        with Corpus.open(folder) as own:
            import_file(own, path)

    assert run_in_child(work, "commit:2") == KILLED
    with Corpus.open(folder) as own:
        assert own.store.count(Annotation) == len(rows), "judgements are stored at once, and before"
        assert not own.store.count(Assignment, round="third")
        assert import_file(own, path).known == len(rows)
        assert own.store.count(Assignment, round="third") == PAIRS


def test_an_import_that_makes_two_agree_takes_the_question_back(dealt: Corpus) -> None:
    kit.people(dealt, ("dima",))
    import_votes(
        dealt, [Vote("pair-0000", "amal", "main", "agree"), Vote("pair-0000", "bashir", "main", "discuss")]
    )
    assert [one.withdrawn for one in dealt.store.all(Assignment, round="third")] == [None]
    import_votes(dealt, [Vote("pair-0000", "bashir", "main", "agree", number=2)])
    (asked,) = dealt.store.all(Assignment, round="third")
    assert asked.withdrawn


def test_imports_follow_what_third_raters_said_already(dealt: Corpus) -> None:
    """A file with first and third judgements asks nobody for a fourth."""
    kit.people(dealt, ("dima", "nur"))
    votes = [
        Vote("pair-0000", name, name_of_round, label=label)
        for name, name_of_round, label in (
            ("amal", "main", "agree"),
            ("bashir", "main", "discuss"),
            ("dima", "third", "agree"),
        )
    ]
    import_votes(dealt, votes)
    assert not list(dealt.store.all(Assignment, round="third"))
