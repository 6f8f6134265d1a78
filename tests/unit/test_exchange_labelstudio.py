"""Label Studio: its configuration, and what its exports (JSON, JSON-MIN) look like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import annotationkit as kit
import exchangekit as exchange
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exchange import FORMATS
from annotation.exchange.labelstudio_config import config
from annotation.exchange.offsets import offsets_in
from annotation.exchange.votes import Vote
from annotation.schemes import Scheme, read_scheme_file, scheme_of
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation

SCRUM9 = scheme_of("scrum9")


@pytest.fixture
def full(tmp_path: Path) -> Scheme:
    path = tmp_path / "full.toml"
    path.write_text(exchange.SCHEME, "utf-8")
    return read_scheme_file(path)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "c", 6, exchange.SCRUM9_TOML) as opened:
        yield opened


def view(scheme: Scheme, language: str = "ar", languages: tuple[str, ...] = ("ar",)) -> ElementTree.Element:
    return ElementTree.fromstring(config(scheme, language, languages))


def controls(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {node.get("name", ""): node for node in root.iter() if node.get("toName")}


def parents(root: ElementTree.Element, node: ElementTree.Element) -> list[ElementTree.Element]:
    """The views around a node, the innermost first."""
    found = []
    above = {child: parent for parent in root.iter() for child in parent}
    while node in above:
        node = above[node]
        found.append(node)
    return found


# the configuration


def test_every_answer_of_the_scheme_can_be_given_and_is_called_as_on_the_page() -> None:
    found = controls(view(SCRUM9))
    assert set(found) == {"label", "confidence", "second", "note"}
    labels = {node.get("alias"): node for node in found["label"]}
    assert set(labels) == set(SCRUM9.names)
    assert labels["confirming"].get("value") == "يؤكد"
    assert [labels[name].get("hotkey") for name in SCRUM9.names] == [one.hotkey for one in SCRUM9.labels]
    assert {node.get("alias") for node in found["second"]} == {*SCRUM9.names, "highly_uncertain"}
    assert [node.get("alias") for node in found["confidence"]] == ["5", "4", "3", "2", "1"]
    assert found["confidence"][0].get("value") == "5: متأكد", "with its anchor"


def test_a_question_is_seen_only_where_its_conditions_hold(full: Scheme) -> None:
    root = view(full)
    found = controls(root)

    def conditions(name: str) -> set[tuple[str | None, str | None]]:
        around = [node for node in parents(root, found[name]) if node.get("visibleWhen")]
        assert all(node.get("visibleWhen") == "choice-selected" for node in around)
        for node in around:
            assert found[node.get("whenTagName", "")].tag == "Choices", "only a choice can be waited for"
        return {(node.get("whenTagName"), node.get("whenChoiceValue")) for node in around}

    assert conditions("label") == conditions("confidence") == conditions("note") == set()
    assert conditions("second") == {("confidence", "1,2,3")}
    assert conditions("why") == {("label", "discuss"), ("confidence", "4,5")}
    assert found["second"].get("required") == "true"
    assert found["why"].get("required") == "false"


@pytest.mark.parametrize(
    ("language", "languages", "texts", "questions"),
    [
        ("ar", ("ar", "ar"), "rtl", "rtl"),
        ("en", ("ar", "ar", "en"), "rtl", "ltr"),
        ("ar", ("en",), "ltr", "rtl"),
        ("ar", (), "rtl", "rtl"),
    ],
)
def test_texts_run_in_their_own_direction_and_questions_in_the_pages(
    language: str, languages: tuple[str, ...], texts: str, questions: str
) -> None:
    root = view(SCRUM9, language, languages)

    def direction(node: ElementTree.Element) -> str | None:
        style = next(node.get("style") for node in parents(root, node) if node.get("style"))
        return style.partition("direction: ")[2].partition(";")[0] if style else None

    text = next(root.iter("Text"))
    assert direction(text) == texts
    assert direction(controls(root)["label"]) == questions


def test_names_are_unique_whatever_a_scheme_calls_its_questions(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(
        '[[labels]]\nname = "a"\nar = "نعم"\n[[labels]]\nname = "b"\nar = "نعم"\n'
        '[[questions]]\nname = "article"\nkind = "text"\n[[questions]]\nname = "claim"\nkind = "text"\n'
        '[questions.text]\nar = "$5 \\"<b>\\""\n',
        "utf-8",
    )
    root = view(read_scheme_file(path))
    names = [name for node in root.iter() if (name := node.get("name"))]
    assert len(set(names)) == len(names)
    assert {node.get("toName") for node in root.iter() if node.get("toName")} == {"article_"}
    assert [node.get("value") for node in controls(root)["label"]] == ["نعم (a)", "نعم (b)"]
    assert {node.get("value") for node in root.iter("Header")} >= {'5 "<b>"', "$claim", "$title"}


def test_tasks_fit_the_configuration(tmp_path: Path) -> None:
    with exchange.judged(tmp_path / "judged") as judged:
        scheme = exchange.scheme(judged)
        tasks = json.loads(FORMATS["labelstudio"].write(exchange.export(judged)))
    root = view(scheme)
    found = controls(root)
    variables = {value[1:] for node in root.iter() if (value := node.get("value", "")).startswith("$")}
    kinds = {
        "Choices": ("choices", "choices"),
        "TextArea": ("textarea", "text"),
        "Labels": ("labels", "labels"),
    }
    assert len(tasks) == 6, "tasks nobody judged are there, too"
    seen = set()
    for one in tasks:
        assert variables <= set(one["data"])
        for annotation in one["annotations"]:
            assert set(annotation) >= {"id", "result", "was_cancelled", "ground_truth", "lead_time"}
            assert "completed_by" not in annotation, (
                "people whom it does not know would make it refuse the file"
            )
            for result in annotation["result"]:
                node = found[result["from_name"]]
                seen.add(node.tag)
                kind, key = kinds[node.tag]
                assert (result["type"], result["to_name"]) == (kind, node.get("toName"))
                offered = {choice.get("alias") for choice in node}
                assert node.tag == "TextArea" or set(result["value"][key]) <= offered
                if kind == "labels":
                    part = one["data"]["text"][result["value"]["start"] : result["value"]["end"]]
                    assert result["value"]["text"] == part
    assert seen == set(kinds)
    assert sum(annotation["was_cancelled"] for one in tasks for annotation in one["annotations"]) == 4


def test_an_address_is_whom_label_studio_may_know(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "c") as corpus:
        exchange.take(corpus, [Vote("pair-0000", "amal@x.example", "main", "agree", 5)])
        tasks = json.loads(FORMATS["labelstudio"].write(exchange.export(corpus)))
    assert tasks[0]["annotations"][0]["completed_by"] == {"email": "amal@x.example"}


# what comes back


def annotation(answers: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    """An annotation as Label Studio exports it: made in its editor, every field there."""
    results = [
        {
            "id": f"TN4D{number}",
            "from_name": name,
            "to_name": "article",
            "type": "textarea" if name == "note" else "choices",
            "value": {"text" if name == "note" else "choices": values},
            "origin": "manual",
        }
        for number, (name, values) in enumerate(answers.items())
    ]
    found = {
        "id": 21,
        "completed_by": 1,
        "result": results,
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-03-01T10:00:11.672807Z",
        "updated_at": "2026-03-01T12:00:11.672847+02:00",
        "draft_created_at": None,
        "lead_time": 7.274,
        "prediction": {},
        "result_count": len(results),
        "import_id": None,
        "last_action": None,
        "task": 5,
        "project": 1,
        "updated_by": 1,
        "parent_prediction": None,
        "parent_annotation": None,
    }
    return found | more


def task(number: int, *annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {
        "id": 100 + number,
        "annotations": list(annotations),
        "drafts": [],
        "predictions": [],
        "data": {"pair_id": f"pair-{number:04d}", "text": "نص"} | data,
        "meta": {},
        "created_at": "2026-03-01T09:00:00.811168Z",
        "inner_id": number,
        "total_annotations": len(annotations),
        "cancelled_annotations": 0,
        "total_predictions": 0,
        "project": 1,
        "updated_by": None,
        "comment_authors": [],
    }


def bring(corpus: Corpus, tmp_path: Path, tasks: Any, **more: Any) -> Any:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(tasks, ensure_ascii=False), "utf-8")
    return exchange.come_in(corpus, path, "labelstudio", **more)


def test_what_was_labelled_there_comes_back_whole(corpus: Corpus, tmp_path: Path) -> None:
    answers = {"label": ["rejecting"], "confidence": ["2"], "second": ["comment"], "note": ["سطر", "آخر"]}
    tasks = [
        task(0, annotation(answers), annotation({}, id=22, completed_by=2, was_cancelled=True)),
        task(
            1,
            annotation(
                {"label": ["comment"], "confidence": ["5"]}, completed_by={"id": 2, "email": "b@x.example"}
            ),
        ),
        task(2),
    ]
    called = {"1": "Amal", "2": "Bashir", "b@x.example": "Bashir"}
    done = bring(corpus, tmp_path, tasks, called=called)
    assert (done.judgements, done.skips) == (2, 1)
    first = next(corpus.store.all(Annotation, annotator="Amal"))
    assert (first.label, first.confidence, first.second, first.note) == (
        "rejecting",
        2,
        "comment",
        "سطر\nآخر",
    )
    assert (first.seconds, first.at, first.round) == (7.274, "2026-03-01T10:00:11Z", "main")
    assert next(corpus.store.all(Annotation, annotator="Bashir")).pair_id == "pair-0001"
    assert bring(corpus, tmp_path, tasks, called=called).known == 3


def test_what_is_labelled_there_anew_is_a_revision(corpus: Corpus, tmp_path: Path) -> None:
    made = annotation({"label": ["comment"], "confidence": ["5"]})
    bring(corpus, tmp_path, [task(0, made)])
    changed = annotation({"label": ["comment"], "confidence": ["4"]}, updated_at="2026-03-02T10:00:00Z")
    done = bring(corpus, tmp_path, [task(0, changed)])
    assert (done.judgements, done.revisions) == (0, 1)
    assert bring(corpus, tmp_path, [task(0, made)]).known == 1, "the older file takes nothing back"


def test_json_min_comes_back_too(corpus: Corpus, tmp_path: Path) -> None:
    """Answers stand beside the data; a rating and a text in two pieces are lists; nobody judged the last."""
    common = {"text": "نص", "claim": "ادعاء", "id": 5, "created_at": "2026-03-01T10:00:00.000001Z"}
    common |= {"updated_at": "2026-03-01T10:00:00.000002Z", "lead_time": 3.5}
    items = [
        common
        | {"pair_id": "pair-0000", "label": "comment", "confidence": "5", "annotator": 1, "annotation_id": 7},
        common
        | {"pair_id": "pair-0001", "label": "comment", "confidence": [{"rating": 2}], "second": "rejecting"}
        | {"note": ["أ", "ب"], "annotator": "b@x.example", "annotation_id": 8},
        common | {"pair_id": "pair-0002", "annotator": None, "annotation_id": None, "lead_time": None},
    ]
    done = bring(corpus, tmp_path, items, called={"1": "Amal"})
    assert done.judgements == 2
    found = {one.annotator: one for one in corpus.store.all(Annotation)}
    assert found["Amal"].confidence == 5
    second = found["b@x.example"]
    assert (second.confidence, second.second, second.note, second.seconds) == (2, "rejecting", "أ\nب", 3.5)
    assert bring(corpus, tmp_path, items, called={"1": "Amal"}).known == 2


def test_what_passed_through_label_studio_untouched_is_whose_it_was(tmp_path: Path) -> None:
    """Its import makes annotations the importer's own, at new times, and keeps results as they are."""
    with exchange.judged(tmp_path / "judged") as judged:
        tasks = json.loads(FORMATS["labelstudio"].write(exchange.export(judged)))
        for one in tasks:
            one["annotations"] = [
                annotation(
                    {},
                    **{key: made[key] for key in ("result", "was_cancelled", "lead_time")},
                    updated_by=None,
                )
                for made in one["annotations"]
            ]
        before = exchange.rows(judged, without=())
        assert bring(judged, tmp_path, tasks).known
        assert exchange.rows(judged, without=()) == before
        changed = tasks[0]["annotations"][0]
        changed |= {
            "updated_by": 1,
            "result": [one for one in changed["result"] if one["from_name"] != "note"],
        }
        bring(judged, tmp_path, tasks)
        assert judged.store.count(Annotation, annotator="1") == 1, (
            "what was changed there is no longer theirs"
        )


@given(st.text(st.sampled_from("اب \n😀𝄞e\u0301"), max_size=20), st.data())
def test_offsets_in_characters_stay_as_they_are(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert offsets_in(text, start, end, text[start:end]) == (start, end)
    assert offsets_in("", start, end, text[start:end]) == (start, end), "even where the text is gone"


def test_offsets_that_count_an_emoji_twice_are_told_by_what_they_mark() -> None:
    text = "😀😀 قال الوزير 😀 لا"
    start, end = text.index("الوزير"), text.index("لا") + 2
    assert offsets_in(text, start + 2, end + 3, text[start:end]) == (start, end)


@pytest.mark.parametrize(
    ("tasks", "says"),
    [
        ([7], "task 0: a task must be an object"),
        ([{"data": 7}], "task 0: data must be an object"),
        (
            [task(0, annotation({"label": ["comment", "rejecting"]}))],
            "task 0, annotation 0: label has 2 answers",
        ),
        (
            [task(0, annotation({"label": ["comment"], "confidence": ["2"], "second": ["comment"]}))],
            "equals the first",
        ),
        ([task(0, annotation({"label": ["comment"], "other": ["x"]}))], "other is no question of the scheme"),
        ([task(0, annotation({}))], "has no label; the answers are: "),
        ([task(0, annotation({"label": ["comment"]}, completed_by=None))], "does not say by whom"),
        ([task(0, annotation({"label": ["comment"]}, updated_at="yesterday"))], "at 'yesterday' is no time"),
        ([{"pair_id": 7, "annotator": 1}], "task 0: has no pair_id"),
        ([{"pair_id": "pair-0000", "annotator": 1, "label": ["a", {"b": 1}]}], "task 0: label has 2 answers"),
    ],
)
def test_a_wrong_export_says_which_task(corpus: Corpus, tmp_path: Path, tasks: Any, says: str) -> None:
    with pytest.raises(InputError) as error:
        bring(corpus, tmp_path, tasks)
    assert says in str(error.value)
    assert not corpus.store.count(Annotation)
