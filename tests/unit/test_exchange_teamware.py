"""GATE Teamware: documents with annotation sets, as its manual shows them and as it takes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotationkit as kit
import exchangekit as exchange
import pytest

from annotation.exchange import FORMATS
from annotation.exchange.teamware_config import form
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.records import Annotation, Skip


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with kit.make(tmp_path / "c", 6, exchange.SCRUM9_TOML) as opened:
        yield opened


def annotation_set(name: str, features: dict[str, Any], **more: Any) -> dict[str, Any]:
    made = {"type": "Document", "start": 0, "end": 3, "id": 0, "features": features} | more
    return {"name": name, "annotations": [made], "next_annid": 1}


def raw(number: int, *sets: dict[str, Any], rejected: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "id": f"pair-{number:04d}",
        "text": "نص",
        "annotation_sets": {str(one["name"]): one for one in sets},
        "teamware_status": {"rejected_by": list(rejected), "timed_out": ["nur"], "aborted": []},
    }


def gate(number: int, *sets: dict[str, Any], rejected: tuple[str, ...] = ()) -> dict[str, Any]:
    made = raw(number, *sets, rejected=rejected)
    features = {"claim": "ادعاء", "teamware_status": made.pop("teamware_status")}
    return {"name": made.pop("id"), "features": features, "offset_type": "p"} | made


def bring(corpus: Corpus, tmp_path: Path, text: str, **more: Any) -> Any:
    path = tmp_path / "x"
    path.write_text(text, "utf-8")
    return exchange.come_in(corpus, path, "teamware", **more)


def said(corpus: Corpus) -> set[tuple[object, ...]]:
    return {(a.pair_id, a.annotator, a.label, a.confidence, a.second) for a in corpus.store.all(Annotation)}


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("made", [raw, gate])
def test_its_exports_come_back(corpus: Corpus, tmp_path: Path, made: Any, lines: bool) -> None:
    """Radio buttons give texts; anonymous users have a number; who ran out of time has judged nothing."""
    unsure = {"label": "comment", "confidence": "2", "second": "rejecting", "note": "سطر"}
    documents = [
        made(0, annotation_set("annotator105", {"label": "comment", "confidence": 5}), rejected=("dima",)),
        made(
            1, annotation_set("annotator105", unsure, elapsed_time=41.5, time_created="2026-03-01T10:00:00Z")
        ),
        made(2),
    ]
    text = "".join(json.dumps(one) + "\n" for one in documents) if lines else json.dumps(documents)
    done = bring(corpus, tmp_path, text, called={"annotator105": "Amal"})
    assert (done.judgements, done.skips) == (2, 1)
    assert said(corpus) == {
        ("pair-0000", "Amal", "comment", 5, None),
        ("pair-0001", "Amal", "comment", 2, "rejecting"),
    }
    second = next(corpus.store.all(Annotation, pair_id="pair-0001"))
    assert (second.seconds, second.at, second.note) == (41.5, "2026-03-01T10:00:00Z", "سطر")
    assert [(one.annotator, one.reason) for one in corpus.store.all(Skip)] == [("dima", "other")]
    assert bring(corpus, tmp_path, text, called={"annotator105": "Amal"}).known == 3


def test_sets_of_older_releases_are_read(corpus: Corpus, tmp_path: Path) -> None:
    """Before 2.2 the answers lay under `label`, and the name of an anonymous set was a number."""
    old = annotation_set("x", {"label": {"label": "comment", "confidence": 5}}, duration_seconds=3)
    document = raw(0, old) | {"annotation_sets": {"amal": old | {"name": 7}}}
    bring(corpus, tmp_path, json.dumps([document]))
    assert said(corpus) == {("pair-0000", "amal", "comment", 5, None)}
    assert [one.seconds for one in corpus.store.all(Annotation)] == [3.0]


def test_documents_are_what_teamware_takes(tmp_path: Path) -> None:
    with exchange.judged(tmp_path / "judged") as judged:
        documents = json.loads(FORMATS["teamware"].write(exchange.export(judged)))
    assert len(documents) == 6
    for document in documents:
        assert isinstance(document["text"], str)
        assert set(document["teamware_status"]) == {"rejected_by", "timed_out", "aborted"}
        for name, found in document["annotation_sets"].items():
            assert set(found) == {"name", "annotations", "next_annid"}
            assert found["name"] == name
            assert found["next_annid"] == len(found["annotations"])
            for place, annotation in enumerate(found["annotations"]):
                assert set(annotation) == {"type", "start", "end", "id", "features"}
                assert (annotation["type"], annotation["id"]) == ("Document", place)
                assert annotation["end"] == len(document["text"])
    assert sum(len(document["teamware_status"]["rejected_by"]) for document in documents) == 2


def test_its_form_asks_what_the_scheme_asks(tmp_path: Path) -> None:
    with exchange.judged(tmp_path / "judged") as judged:
        scheme = exchange.scheme(judged)
        documents = json.loads(FORMATS["teamware"].write(exchange.export(judged)))
    fields = json.loads(form(scheme, "ar", ["ar"]))
    assert [(one["name"], one["type"]) for one in fields] == [
        ("shown", "html"),
        ("label", "radio"),
        ("confidence", "radio"),
        ("second", "radio"),
        ("why", "radio"),
        ("remark", "textarea"),
        ("note", "textarea"),
    ]
    found = {one["name"]: one for one in fields}
    assert found["shown"]["text"].startswith("<div dir='rtl'")
    shown = set(re.findall(r"(?<!{){{(\w+)}}(?!})", found["shown"]["text"]))
    assert shown == {"claim", "title", "text"}, "three braces would make a stranger's text HTML"
    assert all(shown <= set(document) for document in documents)
    assert [one["value"] for one in found["second"]["options"]] == [*scheme.names, "highly_uncertain"]
    assert found["label"]["options"][0] == {"value": "agree", "label": "يؤيد"}
    assert [found[name]["optional"] for name in ("label", "second", "why", "note")] == [
        False,
        False,
        True,
        True,
    ]
    assert found["second"]["if"] == " || ".join(f'annotation["confidence"] == "{n}"' for n in "123").join(
        "()"
    )
    assert found["why"]["if"].startswith('(annotation["label"] == "discuss") && (')


@pytest.mark.parametrize(
    ("documents", "says"),
    [
        ([3], "document 0: is no document"),
        ([{"text": "x"}], "document 0: has no id"),
        ([raw(0, annotation_set("a", {"label": 7}))], "document 0, annotation_sets.a: has no label"),
        (
            [raw(0, annotation_set("a", {"label": "no", "confidence": 5}))],
            "sets.a: label 'no' is none",
        ),
        ([raw(0, annotation_set("a", {"label": "comment", "q": ["x", "y"]}))], "answer q has 2 values"),
        ([raw(0) | {"teamware_status": {"rejected_by": "a"}}], "rejected_by must be a list"),
        ([raw(9)], None),
        ([raw(9, rejected=("a",))], "no pair has the id 'pair-0009'"),
    ],
)
def test_a_wrong_document_says_where(
    corpus: Corpus, tmp_path: Path, documents: Any, says: str | None
) -> None:
    if says is None:
        assert bring(corpus, tmp_path, json.dumps(documents)).known == 0
        return
    with pytest.raises(InputError) as error:
        bring(corpus, tmp_path, json.dumps(documents))
    assert says in str(error.value)
    assert not corpus.store.count(Annotation)
