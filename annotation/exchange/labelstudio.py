"""Label Studio: a list of tasks, each with `data` and `annotations` (the JSON that it imports and exports).

Each answer is a `result` whose `from_name` is the question; skips are annotations with `was_cancelled`.
`config` writes the labelling configuration (XML) that these names belong to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from annotation.exchange.votes import Export, Task, Vote, inside, listed, text_of, whole
from annotation.schemes import LABEL, Question, Scheme
from dalil.errors import InputError

TO = "article"


def write(export: Export) -> str:
    """Every task, judged or not."""
    people = {name: place for place, name in enumerate(sorted({v.annotator for v in export.votes}), start=1)}
    by_pair: dict[str, list[Vote]] = {}
    for vote in [*export.last(), *export.skips()]:
        by_pair.setdefault(vote.pair, []).append(vote)
    tasks = [
        {
            "id": place,
            "data": _data(task),
            "annotations": [
                _annotation(export.scheme, vote, people[vote.annotator]) for vote in by_pair.get(pair, ())
            ],
            "predictions": [],
        }
        for place, (pair, task) in enumerate(sorted(export.tasks.items()), start=1)
    ]
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of an export of Label Studio. Raises InputError with the place in the file."""
    try:
        tasks = json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg})", where=f"{path}:{error.lineno}") from error
    if not isinstance(tasks, list):
        raise InputError("must be a list of tasks", where=path)
    for place, task in enumerate(tasks):
        where = f"{path}: task {place}"
        task = inside(task, where, "a task")
        pair = inside(task.get("data"), where, "data").get("pair_id")
        if not isinstance(pair, str):
            raise InputError("has no data.pair_id", where=where)
        for number, annotation in enumerate(listed(task.get("annotations"), where, "annotations")):
            yield _vote(pair, annotation, f"{where}, annotation {number}")


def config(scheme: Scheme, language: str = "ar") -> str:
    """The labelling configuration for Label Studio's project settings."""
    lines = [
        "<View>",
        "  <Style>.htx-text { direction: rtl; text-align: right; }</Style>" if language == "ar" else "",
        '  <Header name="claim" value="$claim"/>',
        '  <Header name="title" value="$title" size="5"/>',
        f'  <Text name="{TO}" value="$text"/>',
        f'  <Choices name="{LABEL}" toName="{TO}" choice="single-radio" required="true">',
        *(
            f"    <Choice value={quoteattr(label.name)} alias={quoteattr(label.name)} "
            f"hint={quoteattr(label.titled(language))}/>"
            for label in scheme.labels
        ),
        "  </Choices>",
        *(line for question in scheme.questions for line in _question(scheme, question, language)),
        "</View>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _question(scheme: Scheme, question: Question, language: str) -> list[str]:
    name = f"name={quoteattr(question.name)} toName={quoteattr(TO)}"
    header = f"  <Header value={quoteattr(question.text.within(language, question.name))}/>"
    if question.kind == "scale":
        most = max(int(option.value) for option in question.options)
        return [header, f'  <Rating {name} maxRating="{most}"/>']
    if question.kind == "text":
        return [header, f'  <TextArea {name} maxSubmissions="1"/>']
    values = [option.value for option in question.options]
    if question.kind == "label":
        values = [*scheme.names, *values]
    choices = [f"    <Choice value={quoteattr(value)}/>" for value in values]
    return [header, f'  <Choices {name} choice="single-radio">', *choices, "  </Choices>"]


def _data(task: Task) -> dict[str, Any]:
    found = {
        "pair_id": task.pair,
        "claim_id": task.claim_id,
        "claim": task.claim,
        "title": task.title or "",
        "text": task.text,
        "url": task.url,
        "outlet": task.outlet,
        "published": task.published,
        "language": task.language,
    }
    return {key: value for key, value in found.items() if value is not None}


def _annotation(scheme: Scheme, vote: Vote, person: int) -> dict[str, Any]:
    results = []
    if vote.label is not None:
        results.append(_result(vote, LABEL, "choices", {"choices": [vote.label]}))
    if vote.confidence is not None:
        results.append(_result(vote, "confidence", "rating", {"rating": vote.confidence}))
    if vote.second is not None:
        results.append(_result(vote, "second", "choices", {"choices": [vote.second]}))
    kinds = {question.name: question.kind for question in scheme.questions}
    for name, value in vote.answers.items():
        kind = kinds.get(name)
        if kind == "scale":
            results.append(_result(vote, name, "rating", {"rating": value}))
        elif kind in ("choice", "label"):
            results.append(_result(vote, name, "choices", {"choices": [value]}))
        elif kind == "text":
            results.append(_result(vote, name, "textarea", {"text": [value]}))
    return {
        "completed_by": {"id": person, "email": f"{person}@annotators.invalid", "first_name": vote.annotator},
        "result": results,
        "was_cancelled": vote.kind == "skip",
        "ground_truth": False,
        "lead_time": vote.seconds,
        **({"created_at": vote.at} if vote.at else {}),
        "meta": {
            key: value
            for key, value in {
                "round": vote.round,
                "number": vote.number,
                "reason": vote.reason,
                "note": vote.note,
                "guideline": vote.guideline,
                "sentences": vote.answers.get("sentences"),
            }.items()
            if value is not None
        },
    }


def _result(vote: Vote, name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{vote.pair}-{vote.round}-{name}",
        "from_name": name,
        "to_name": TO,
        "type": kind,
        "value": value,
    }


def _vote(pair: str, annotation: Any, where: str) -> Vote:
    annotation = inside(annotation, where, "an annotation")
    meta = inside(annotation.get("meta"), where, "meta")
    said: dict[str, Any] = {}
    for result in listed(annotation.get("result"), where, "result"):
        result = inside(result, where, "a result")
        value = inside(result.get("value"), where, "value")
        found = value.get("choices") or value.get("text") or value.get("rating")
        said[str(result.get("from_name"))] = found[0] if isinstance(found, list) else found
    cancelled = bool(annotation.get("was_cancelled"))
    answers = {key: value for key, value in said.items() if key not in (LABEL, "confidence", "second")}
    if meta.get("sentences"):
        answers["sentences"] = meta["sentences"]
    return Vote(
        pair=pair,
        annotator=_person(annotation.get("completed_by"), where),
        round=str(meta.get("round", "")),
        label=said.get(LABEL),
        confidence=whole(said.get("confidence"), where, "confidence"),
        second=said.get("second"),
        answers=answers,
        note=meta.get("note"),
        number=whole(meta.get("number"), where, "number") or 1,
        reason=str(meta.get("reason") or "other") if cancelled else None,
        kind="skip" if cancelled else "annotation",
        seconds=annotation.get("lead_time"),
        at=annotation.get("created_at"),
        guideline=meta.get("guideline"),
        where=where,
    )


def _person(found: Any, where: str) -> str:
    if isinstance(found, dict):
        found = found.get("first_name") or found.get("email") or found.get("id")
    if found in (None, ""):
        raise InputError("does not say by whom (completed_by)", where=where)
    return str(found)
