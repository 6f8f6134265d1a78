"""GATE Teamware: its `raw` JSON export, documents with `annotation_sets` and `teamware_status`.

The same file can be uploaded as documents: Teamware leaves fields that it does not know as they are. It
exports documents in zip files of 500 a piece; what was timed out or aborted there was judged by nobody.
Read are its `gate` form, too, and sets that older releases wrote (before 2.2 answers lay under `label`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.exchange.files import inside, json_lines, json_of, listed, whole
from annotation.exchange.votes import SKIP, Export, Vote
from annotation.schemes import LABEL, Scheme
from dalil.errors import InputError
from dalil.formats.files import opened

_TOLD = ("note", "round", "number", "guideline", "shown_hash", "scheme", "seconds", "at")
SENTENCES = "sentences"
_ASKED = (LABEL, "confidence", "second")
_AT, _SECONDS = ("time_created", "created", "at"), ("elapsed_time", "duration_seconds", "seconds")
"""what some releases say beside the features of an annotation: when it was made, and how long it took"""


def write(export: Export) -> str:
    """Every document, judged or not."""
    sets: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for vote in export.last():
        text = export.tasks[vote.pair].text if vote.pair in export.tasks else ""
        found = sets.setdefault(vote.pair, {}).setdefault(vote.annotator, [])
        found.append(
            {
                "type": "Document",
                "start": 0,
                "end": len(text),
                "id": len(found),
                "features": _features(export.scheme, vote),
            }
        )
    skips: dict[str, list[Vote]] = {}
    for skip in export.skips():
        skips.setdefault(skip.pair, []).append(skip)
    documents = [
        {
            "id": pair,
            "text": task.text,
            "claim": task.claim,
            "claim_id": task.claim_id,
            "title": task.title,
            "url": task.url,
            "outlet": task.outlet,
            "published": task.published,
            "language": task.language,
            "annotation_sets": {
                name: {"name": name, "annotations": found, "next_annid": len(found)}
                for name, found in sorted(sets.get(pair, {}).items())
            },
            "teamware_status": {
                "rejected_by": sorted({skip.annotator for skip in skips.get(pair, ())}),
                "timed_out": [],
                "aborted": [],
            },
            **({"rejected_because": [_rejected(skip) for skip in skips[pair]]} if pair in skips else {}),
        }
        for pair, task in sorted(export.tasks.items())
    ]
    return json.dumps(documents, ensure_ascii=False, indent=1) + "\n"


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of an export (a list, or one document a line). Raises InputError with the place in the file."""
    for where, document in _documents(path):
        if not isinstance(document, dict):
            raise InputError("is no document", where=where)
        features = inside(document.get("features"), where, "features")
        pair = str(document.get("id", document.get("name", features.get("id", ""))))
        if not pair:
            raise InputError("has no id", where=where)
        for name, found in inside(document.get("annotation_sets"), where, "annotation_sets").items():
            there = f"{where}, annotation_sets.{name}"
            held = inside(found, there, "an annotation set").get("annotations")
            for annotation in listed(held, there, "annotations"):
                yield _vote(scheme, pair, str(name), inside(annotation, there, "an annotation"), there)
        yield from _skips(pair, document, features, where)


def _skips(pair: str, document: dict[str, Any], features: dict[str, Any], where: str) -> Iterator[Vote]:
    status = document.get("teamware_status") or features.get("teamware_status")
    there = f"{where}, teamware_status"
    rejected = listed(inside(status, where, "teamware_status").get("rejected_by"), there, "rejected_by")
    because = document.get("rejected_because") or features.get("rejected_because")
    told = set()
    for found in listed(because, where, "rejected_because"):
        skip = inside(found, f"{where}, rejected_because", "a reason")
        name = str(skip.get("by", ""))
        told.add(name)
        yield Vote(
            pair,
            name,
            str(skip.get("round") or ""),
            reason=skip.get("reason"),
            note=skip.get("note"),
            number=whole(skip.get("number"), there, "number"),
            at=skip.get("at"),
            kind=SKIP,
            where=there,
        )
    for name in rejected:
        if str(name) not in told:
            yield Vote(pair, str(name), "", kind=SKIP, where=there)


def _documents(path: Path) -> Iterator[tuple[str, Any]]:
    with opened(path) as stream:
        start = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        for place, document in enumerate(json_of(path)):
            yield f"{path}: document {place}", document
    else:
        yield from json_lines(path)


def _told_names(scheme: Scheme) -> dict[str, str]:
    """What is told beside the answers → its feature: a name that no question has."""
    taken = {question.name for question in scheme.questions}
    names = {}
    for name in _TOLD:
        called = name
        while called in taken:
            called += "_"
        names[name] = called
        taken.add(called)
    return names


def _features(scheme: Scheme, vote: Vote) -> dict[str, Any]:
    found = {
        LABEL: vote.label,
        "confidence": vote.confidence,
        "second": vote.second,
        **vote.answers,
        **{called: getattr(vote, name) for name, called in _told_names(scheme).items()},
    }
    return {key: value for key, value in found.items() if value is not None}


def _rejected(skip: Vote) -> dict[str, Any]:
    found: dict[str, Any] = {"by": skip.annotator, "reason": skip.reason, "note": skip.note}
    found |= {"round": skip.round, "number": skip.number, "at": skip.at}
    return {key: value for key, value in found.items() if value is not None}


def _vote(scheme: Scheme, pair: str, name: str, annotation: dict[str, Any], where: str) -> Vote:
    features = inside(annotation.get("features"), where, "features")
    # before Teamware 2.2 the features lay one level deeper
    if isinstance(features.get(LABEL), dict):
        features = {**features, **features[LABEL]} if LABEL in features[LABEL] else features[LABEL]
    features = {key: _single(value, where, key) for key, value in features.items()}
    if not isinstance(features.get(LABEL), str):
        raise InputError(f"has no {LABEL}", where=where)
    names = _told_names(scheme)
    told = {mine: features[called] for mine, called in names.items() if called in features}
    answers = {key: value for key, value in features.items() if key not in (*_ASKED, *names.values())}
    return Vote(
        pair=pair,
        annotator=name,
        round=str(told.get("round", "")),
        label=features[LABEL],
        confidence=whole(features.get("confidence"), where, "confidence"),
        second=features.get("second"),
        answers=answers,
        note=told.get("note"),
        number=whole(told.get("number"), where, "number"),
        seconds=_beside(told, annotation, _SECONDS),
        at=_beside(told, annotation, _AT),
        guideline=told.get("guideline"),
        shown_hash=told.get("shown_hash"),
        scheme=told.get("scheme"),
        where=where,
    )


def _single(value: Any, where: str, name: str) -> Any:
    """Checkboxes give lists; every question here has one answer."""
    if not isinstance(value, list) or name == SENTENCES:
        return value
    if len(value) > 1:
        raise InputError(f"answer {name} has {len(value)} values, and one is asked for", where=where)
    return value[0] if value else None


def _beside(told: dict[str, Any], annotation: dict[str, Any], names: tuple[str, ...]) -> Any:
    """A value of dalil's own features, else what Teamware says of the annotation."""
    found = (told.get(names[-1]), *(annotation.get(name) for name in names))
    return next((value for value in found if value is not None), None)
