"""Label Studio: a list of tasks, each with `data` and `annotations` (the JSON that it imports and exports).

Each answer is a `result` whose `from_name` is the question of `labelstudio_config`; skips are annotations
with `was_cancelled`. Of an annotation, Label Studio's import keeps how long it took, whether it was skipped,
and the results as they are. It refuses people whom it does not know by e-mail, and takes annotations of
nobody as the importer's own. What else dalil knows of a judgement, its author included, therefore stands in
the `meta` of its first result, and holds for as long as nobody changed the annotation there. Read are JSON
and JSON-MIN.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.exchange.files import inside, json_of, listed, whole
from annotation.exchange.labelstudio_config import NOTE, SENTENCE, SENTENCES, text_name
from annotation.exchange.offsets import offsets_in
from annotation.exchange.votes import ANNOTATION, SKIP, Export, Task, Vote
from annotation.schemes import LABEL, Scheme
from dalil.errors import InputError

OURS = "dalil"
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_BESIDE = frozenset((
    "pair_id", "claim_id", "claim", "title", "text", "url", "outlet", "published", "language",
    "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time",
))  # fmt: skip
"""fields of a task and of an annotation in JSON-MIN"""
_TOLD = ("annotator", "round", "number", "at", "guideline", "shown_hash", "scheme", "reason")


def write(export: Export) -> str:
    """Every task, judged or not."""
    by_pair: dict[str, list[Vote]] = {}
    for vote in export.judged_or_skipped():
        by_pair.setdefault(vote.pair, []).append(vote)
    tasks = []
    made = 0
    for place, (pair, task) in enumerate(sorted(export.tasks.items()), start=1):
        annotations = []
        for vote in by_pair.get(pair, ()):
            made += 1
            annotations.append(_annotation(export.scheme, task, vote, made))
        tasks.append({"id": place, "data": _data(task), "annotations": annotations, "predictions": []})
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


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


def _annotation(scheme: Scheme, task: Task, vote: Vote, place: int) -> dict[str, Any]:
    told = {name: getattr(vote, name) for name in _TOLD}
    results = _results(scheme, task, vote)
    results[0]["meta"] = {OURS: {name: value for name, value in told.items() if value is not None}}
    return {
        "id": place,
        **({"completed_by": {"email": vote.annotator}} if _EMAIL.fullmatch(vote.annotator) else {}),
        "result": results,
        "was_cancelled": vote.kind == SKIP,
        "ground_truth": False,
        "lead_time": vote.seconds,
        **({"created_at": vote.at} if vote.at else {}),
    }


def _results(scheme: Scheme, task: Task, vote: Vote) -> list[dict[str, Any]]:
    kinds = {question.name: question.kind for question in scheme.questions}
    said = {LABEL: vote.label, "confidence": vote.confidence, "second": vote.second}
    said |= {name: value for name, value in vote.answers.items() if name != SENTENCES} | {NOTE: vote.note}
    results = []
    for name, value in said.items():
        if value is None:
            continue
        free = name == NOTE or kinds.get(name) == "text"
        kind, key = ("textarea", "text") if free else ("choices", "choices")
        results.append(_result(scheme, name, name, kind, {key: [str(value)]}))
    if vote.kind == SKIP and not results:
        # without a result nothing would be left of who skipped, and why
        results.append(_result(scheme, NOTE, NOTE, "textarea", {"text": []}))
    for number, (start, end) in enumerate(vote.answers.get(SENTENCES, ())):
        span = {"start": start, "end": end, "text": task.text[start:end], "labels": [SENTENCE]}
        results.append(_result(scheme, f"{SENTENCES}-{number}", SENTENCES, "labels", span))
    return results


def _result(scheme: Scheme, key: str, name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": key, "from_name": name, "to_name": text_name(scheme), "type": kind, "value": value}


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of an export (JSON or JSON-MIN). Raises InputError with the place in the file."""
    tasks = json_of(path)
    if not isinstance(tasks, list):
        raise InputError("must be a list of tasks", where=path)
    for place, task in enumerate(tasks):
        where = f"{path}: task {place}"
        task = inside(task, where, "a task")
        if "data" in task or "annotations" in task:
            data = inside(task.get("data"), where, "data")
            pair = _pair(data, where, "data.pair_id")
            for number, annotation in enumerate(listed(task.get("annotations"), where, "annotations")):
                yield _vote(pair, data, annotation, f"{where}, annotation {number}")
        elif task.get("annotator") is not None or task.get("annotation_id") is not None:
            yield _least(_pair(task, where, "pair_id"), task, scheme, where)


def _pair(data: dict[str, Any], where: str, name: str) -> str:
    pair = data.get("pair_id")
    if not isinstance(pair, str):
        raise InputError(f"has no {name}", where=where)
    return pair


def _vote(pair: str, data: dict[str, Any], annotation: Any, where: str) -> Vote:
    annotation = inside(annotation, where, "an annotation")
    said: dict[str, Any] = {}
    sentences: list[tuple[int, int]] = []
    told = _ours(annotation, where)
    for result in listed(annotation.get("result"), where, "result"):
        result = inside(result, where, "a result")
        name = str(result.get("from_name"))
        value = inside(result.get("value"), where, "value")
        told = told or _ours(result, where)
        if name == SENTENCES:
            sentences.append(_span(value, data, where))
        else:
            said[name] = _single(name, value, where)
    changed = annotation.get("updated_by") is not None
    told = {} if changed else told
    person = told.get("annotator") or _person(annotation.get("completed_by"), where)
    skipped = bool(annotation.get("was_cancelled"))
    return _made(
        pair,
        person,
        said,
        sentences,
        where,
        round=str(told.get("round", "")),
        number=whole(told.get("number"), where, "number"),
        reason=told.get("reason") if skipped else None,
        kind=SKIP if skipped else ANNOTATION,
        seconds=annotation.get("lead_time"),
        at=told.get("at") or annotation.get("updated_at") or annotation.get("created_at"),
        guideline=told.get("guideline"),
        shown_hash=told.get("shown_hash"),
        scheme=told.get("scheme"),
    )


def _least(pair: str, item: dict[str, Any], scheme: Scheme, where: str) -> Vote:
    """A judgement in JSON-MIN, where answers stand beside the task's own fields."""
    asked = (LABEL, NOTE, *(question.name for question in scheme.questions))
    if both := sorted(_BESIDE.intersection(asked)):
        raise InputError(
            f"{', '.join(both)}: a field of the task and a question, which JSON-MIN does not tell apart",
            where=where,
            todo="export as JSON instead",
        )
    said = {name: _least_value(item[name], where, name) for name in asked if item.get(name) is not None}
    spans = item.get(SENTENCES) if scheme.sentences else None
    return _made(
        pair,
        _person(item.get("annotator"), where),
        said,
        [_span(inside(span, where, "a sentence"), item, where) for span in listed(spans, where, SENTENCES)],
        where,
        round="",
        seconds=item.get("lead_time"),
        at=item.get("updated_at") or item.get("created_at"),
    )


def _made(
    pair: str, person: str, said: dict[str, Any], sentences: list[tuple[int, int]], where: str, **more: Any
) -> Vote:
    own = (LABEL, "confidence", "second", NOTE)
    answers = {name: value for name, value in said.items() if name not in own}
    return Vote(
        pair=pair,
        annotator=person,
        label=said.get(LABEL),
        confidence=whole(said.get("confidence"), where, "confidence"),
        second=said.get("second"),
        note=said.get(NOTE),
        answers=answers | ({SENTENCES: sentences} if sentences else {}),
        where=where,
        **more,
    )


def _ours(found: dict[str, Any], where: str) -> dict[str, Any]:
    return inside(inside(found.get("meta"), where, "meta").get(OURS), where, f"meta.{OURS}")


def _single(name: str, value: dict[str, Any], where: str) -> Any:
    """The one answer of a result: of choices, of a rating or a number, or a text in several pieces."""
    for key in ("choices", "rating", "number", "text"):
        if value.get(key) is not None:
            return _one(value[key], where, name, several=key == "text")
    return None


def _least_value(value: Any, where: str, name: str) -> Any:
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return _single(name, value[0], where) if len(value) == 1 else _one(value, where, name, several=False)
    if isinstance(value, dict):
        return _single(name, value, where)
    return _one(value, where, name, several=True)


def _one(value: Any, where: str, name: str, *, several: bool) -> Any:
    if not isinstance(value, list):
        return value
    if several and all(isinstance(part, str) for part in value):
        return "\n".join(value) or None
    if len(value) > 1:
        raise InputError(f"{name} has {len(value)} answers, and one is asked for", where=where)
    return value[0] if value else None


def _span(value: dict[str, Any], data: dict[str, Any], where: str) -> tuple[int, int]:
    start, end = (whole(value.get(name), where, f"{SENTENCES}.{name}") for name in ("start", "end"))
    if start is None or end is None:
        raise InputError(f"{SENTENCES} has a mark without start or end", where=where)
    return offsets_in(str(data.get("text") or ""), start, end, value.get("text"))


def _person(found: Any, where: str) -> str:
    if isinstance(found, dict):
        # two people may have one first name, and no two have one address
        found = next(
            (found[name] for name in ("email", "username", "id", "first_name") if found.get(name)), None
        )
    if found in (None, ""):
        raise InputError("does not say by whom (completed_by)", where=where)
    return str(found)
