"""What each format carries: the table of docs/4-annotation.md, tried out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import exchangekit as exchange
import pytest

from annotation.exchange import FORMATS
from annotation.exchange.votes import Vote
from annotation.ratings_csv import read_csv
from annotation.ratings_records import from_store
from annotation.ratings_scheme import LabelSet
from annotation.release.write import release
from annotation.rounds.queue import open_assignments
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation, Article, Assignment, Claim, Decision, Gold, Pair, Skip

DOCS = Path(__file__).parents[2] / "docs" / "4-annotation.md"
FIELDS = {
    "label": "label",
    "confidence": "confidence",
    "second choice": "second",
    "note": "note",
    "time taken": "seconds",
    "when": "at",
    "guideline version": "guideline",
    "hash of what was shown": "shown_hash",
    "scheme": "scheme",
}
"""row of the table → field of an Annotation"""


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Corpus]:
    with exchange.judged(tmp_path / "judged") as corpus:
        yield corpus


@pytest.fixture(params=sorted(FORMATS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def copy(judged: Corpus, tmp_path: Path, name: str) -> Iterator[Corpus]:
    """What came out in a format, brought into a corpus that has the same pairs and nobody in it."""
    path = exchange.out(judged, tmp_path / f"out{FORMATS[name].suffix}", name)
    with exchange.empty(tmp_path / "copy") as corpus:
        exchange.come_in(corpus, path, name)
        yield corpus


def promised(row: str, name: str) -> bool:
    """Whether the documentation says that a format carries something."""
    lines = [line.split("|") for line in DOCS.read_text("utf-8").splitlines() if line.startswith("|")]
    head = next(cells for cells in lines if cells[1].strip() == "Carried")
    columns = [re.sub(r"\W", "", cell) for cell in head]
    cells = next(cells for cells in lines if cells[1].strip() == row)
    return cells[columns.index(name)].strip().startswith("yes")


def test_the_last_judgements_come_back_with_what_the_table_promises(
    judged: Corpus, copy: Corpus, name: str
) -> None:
    for row, field in FIELDS.items():
        before, after = exchange.last(judged, field), exchange.last(copy, field)
        assert before.keys() == after.keys()
        assert (before == after) == promised(row, name), row


def test_answers_and_marked_sentences_come_back_where_the_table_promises_it(
    judged: Corpus, copy: Corpus, name: str
) -> None:
    def parts(corpus: Corpus) -> tuple[list[object], list[object]]:
        found = [one["answers"] for one in exchange.last(corpus, "answers").values()]
        marked = [one.pop("sentences", None) for one in found]
        return found, [[tuple(pair) for pair in one or ()] for one in marked]

    (answers, marked), (answers_back, marked_back) = parts(judged), parts(copy)
    assert any(answers)
    assert any(marked)
    assert (answers == answers_back) == promised("other answers", name)
    assert (marked == marked_back) == promised("marked sentences", name)


def test_rounds_come_back_where_the_table_promises_it(tmp_path: Path, name: str) -> None:
    with exchange.empty(tmp_path / "c") as corpus:
        exchange.take(corpus, [Vote(f"pair-{n:04d}", "amal", "pilot", "agree", 5) for n in range(3)])
        path = exchange.out(corpus, tmp_path / "x", name)
    with exchange.empty(tmp_path / "copy") as copy:
        exchange.come_in(copy, path, name)
        assert ({one.round for one in copy.store.all(Annotation)} == {"pilot"}) == promised("round", name)


def test_raw_annotations_of_a_release_come_back(judged: Corpus, tmp_path: Path) -> None:
    """A release's annotations.csv, read where it comes from: everything is there already."""
    with judged.store.transaction() as writer:
        writer.put(Gold(id=pair, label="agree", how="majority") for pair in judged.store.ids(Pair))
    toml = judged.path / "corpus.toml"
    toml.write_text(toml.read_text("utf-8") + "[release]\napart = []\nfolds = 2\n", "utf-8")
    with Corpus.open(judged.path) as opened:
        release(opened, tmp_path / "v1")
        before = exchange.rows(opened, without=())
        done = exchange.come_in(opened, tmp_path / "v1" / "annotations.csv", "csv")
        assert done.known
        assert exchange.rows(opened, without=()) == before


def test_revisions_skips_and_rulings_come_back_where_the_table_promises_it(
    judged: Corpus, copy: Corpus, name: str
) -> None:
    def skips(corpus: Corpus) -> list[tuple[object, ...]]:
        return [(s.pair_id, s.annotator, s.reason, s.note, s.round, s.number) for s in corpus.store.all(Skip)]

    revisions = [{one.id for one in corpus.store.all(Annotation)} for corpus in (judged, copy)]
    assert (revisions[0] == revisions[1]) == promised("revisions", name)
    assert (skips(judged) == skips(copy)) == promised("skips, with reason and note", name)
    rulings = [
        max(corpus.store.all(Decision), key=lambda one: one.number, default=None) for corpus in (judged, copy)
    ]
    same = rulings[1] is not None and rulings[0] is not None and rulings[0].label == rulings[1].label
    assert same == promised("rulings", name)


def test_jsonl_loses_nothing_at_all(judged: Corpus, tmp_path: Path) -> None:
    path = exchange.out(judged, tmp_path / "x.jsonl", "jsonl")
    with exchange.empty(tmp_path / "copy") as copy:
        exchange.come_in(copy, path, "jsonl")
        assert exchange.rows(copy) == exchange.rows(judged)
        assert exchange.out(copy, tmp_path / "y.jsonl", "jsonl").read_bytes() == path.read_bytes()


def test_what_is_there_already_changes_nothing(
    judged: Corpus, copy: Corpus, tmp_path: Path, name: str
) -> None:
    """Where it came from, where it was brought in before, and where people went on on the page since."""
    path = tmp_path / f"out{FORMATS[name].suffix}"
    for corpus in (judged, copy):
        before = exchange.rows(corpus, without=())
        done = exchange.come_in(corpus, path, name)
        assert (done.judgements, done.revisions, done.skips, done.rulings) == (0, 0, 0, 0)
        assert exchange.rows(corpus, without=()) == before
    changed = next(one for one in judged.store.all(Annotation, annotator="bashir") if one.number == 2)
    for number, label in ((2, "agree"), (3, "discuss")):
        one = next(held for held in dealt_to(judged, "bashir") if held.pair_id == changed.pair_id)
        exchange.say(judged, one, label, 5, based_on=number)
    before = exchange.rows(judged, without=())
    exchange.come_in(judged, path, name)
    assert exchange.rows(judged, without=()) == before, "an old file takes nobody's revision back"


def dealt_to(corpus: Corpus, person: str) -> list[Assignment]:
    return list(corpus.store.all(Assignment, annotator=person))


def test_pseudonyms_of_an_export_are_the_names_again_where_it_came_from(
    judged: Corpus, tmp_path: Path
) -> None:
    from annotation.exchange.gathering import gathered
    from annotation.release.pseudonyms import Pseudonyms

    before = exchange.rows(judged, without=())
    for name, made in FORMATS.items():
        found = gathered(judged, exchange.scheme(judged), Pseudonyms.of(judged.path), notes=False)
        path = tmp_path / f"pseudonyms{made.suffix}"
        path.write_text(made.write(found), "utf-8", newline="")
        done = exchange.come_in(judged, path, name)
        assert done.known, name
        assert exchange.rows(judged, without=()) == before, "nobody judges twice, once under each name"


def test_agreement_reads_the_csv_as_it_reads_the_corpus(judged: Corpus, tmp_path: Path) -> None:
    path = exchange.out(judged, tmp_path / "x.csv", "csv")
    labels = LabelSet(exchange.scheme(judged).names, "scheme full")
    there, here = read_csv(path, labels), from_store(judged.store, labels=labels)

    def said(ratings: object) -> set[tuple[object, ...]]:
        from annotation.ratings import Ratings

        assert isinstance(ratings, Ratings)
        return {
            (ratings.items[item], ratings.workers[worker], ratings.labels[label], confidence, second, kind)
            for item, worker, label, confidence, second, kind in zip(
                ratings.item.tolist(),
                ratings.worker.tolist(),
                ratings.label.tolist(),
                ratings.confidence.tolist(),
                ratings.second.tolist(),
                ratings.round.tolist(),
                strict=True,
            )
        }

    assert said(there) == said(here)
    assert any("ignored rounds" in note for note in there.notes), "skips are passed over"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_judgements_outlive_their_texts(judged: Corpus, tmp_path: Path, name: str) -> None:
    """A pair whose article is gone is there without it; one that nobody judged is not."""
    with judged.store.transaction() as writer:
        writer.delete(Article, [f"article-{number:04d}" for number in range(6)])
        writer.delete(Claim, ["claim-0000", "claim-0001"])
    path = exchange.out(judged, tmp_path / "x", name)
    with exchange.empty(tmp_path / "copy") as copy:
        exchange.come_in(copy, path, name)
        assert exchange.last(copy, "label") == exchange.last(judged, "label")
    if name == "csv":
        assert len(read_csv(path)) == len(exchange.last(judged)) + 1


def test_a_judgement_without_a_round_belongs_to_the_one_in_which_it_was_asked_for(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "c") as corpus:
        kit.people(corpus, ("amal", "bashir", "dima"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.pilot(2))
        one = open_assignments(corpus.store, "amal")[0]
        path = tmp_path / "x.csv"
        path.write_text(
            f"pair_id,amal_label,amal_confidence,amal_secondary\n{one.pair_id},agree,5,\n", "utf-8"
        )
        exchange.come_in(corpus, path, "effiara")
        assert [found.round for found in corpus.store.all(Annotation)] == ["pilot"]
        assert one not in open_assignments(corpus.store, "amal")


OWN_NAMES = ("round", "number", "at", "seconds", "scheme", "guideline", "shown_hash", "kind", "pair", "title")
"""what formats call something of their own, as names of questions"""


def with_such_questions(folder: Path) -> Corpus:
    corpus = kit.make(folder, 2, '[corpus]\n[annotate]\nscheme = "odd.toml"\n')
    asked = "".join(
        f'[[questions]]\nname = "{name}"\nkind = "choice"\noptions = [{{value = "7"}}, {{value = "8"}}]\n'
        for name in OWN_NAMES
    )
    (folder / "odd.toml").write_text('[[labels]]\nname = "a"\n[[labels]]\nname = "b"\n' + asked, "utf-8")
    return corpus


def test_a_question_may_be_called_what_a_format_calls_something_of_its_own(tmp_path: Path, name: str) -> None:
    if not promised("other answers", name):
        pytest.skip("it carries no other answers")
    with with_such_questions(tmp_path / "c") as corpus:
        kit.people(corpus, ("amal", "bashir"))
        dealer = kit.dealer(corpus)
        dealer.write(dealer.main(None))
        held = open_assignments(corpus.store, "amal")
        kit.judge(corpus, held[0], "a", answers=dict.fromkeys(OWN_NAMES, "7"), note="ملاحظة", seconds=12.5)
        kit.judge(corpus, held[1], "b", seconds=7.0)
        path = exchange.out(corpus, tmp_path / f"out{FORMATS[name].suffix}", name)
        wanted = exchange.last(corpus, "label", "answers", "round", "note", "seconds", "at", "shown_hash")
    with with_such_questions(tmp_path / "copy") as copy:
        exchange.come_in(copy, path, name)
        found = exchange.last(copy, "label", "answers", "round", "note", "seconds", "at", "shown_hash")
        assert found == wanted


def test_json_min_is_refused_where_a_question_is_called_like_a_field_of_the_task(tmp_path: Path) -> None:
    """Where such a question is not answered, the title of the article would be taken for the answer."""
    row = {"pair_id": "pair-0000", "title": "7", "label": "a", "annotator": 1, "annotation_id": 7}
    path = tmp_path / "min.json"
    path.write_text(json.dumps([row]), "utf-8")
    with with_such_questions(tmp_path / "c") as corpus:
        with pytest.raises(InputError, match="title: a field of the task and a question"):
            exchange.come_in(corpus, path, "labelstudio")
        assert corpus.store.count(Annotation) == 0
