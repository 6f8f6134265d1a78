"""GATE Teamware: its `raw` JSON export, documents with `annotation_sets` and `teamware_status`.

The same file can be uploaded as documents: Teamware leaves fields that it does not know as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.exchange.votes import Export, Vote, inside, listed, text_of, whole
from annotation.schemes import LABEL, Scheme
from dalil.errors import InputError

_OWN = (LABEL, "confidence", "second", "note", "round", "number", "guideline", "seconds", "at")


def write(export: Export) -> str:
    """Every document, judged or not."""
    sets: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for vote in export.last():
        text = export.tasks[vote.pair].text if vote.pair in export.tasks else ""
        found = sets.setdefault(vote.pair, {}).setdefault(vote.annotator, [])
        found.append(
            {"type": "Document", "start": 0, "end": len(text), "id": len(found), "features": _features(vote)}
        )
    rejected: dict[str, dict[str, str]] = {}
    for skip in export.skips():
        rejected.setdefault(skip.pair, {})[skip.annotator] = skip.reason or "other"
    documents = []
    for pair, task in sorted(export.tasks.items()):
        document: dict[str, Any] = {
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
                "rejected_by": sorted(rejected.get(pair, {})),
                "timed_out": [],
                "aborted": [],
            },
        }
        if pair in rejected:
            document["rejected_because"] = dict(sorted(rejected[pair].items()))
        documents.append(document)
    return json.dumps(documents, ensure_ascii=False, indent=1) + "\n"


def read(path: Path, scheme: Scheme) -> Iterator[Vote]:
    """Votes of an export (a list, or one document a line). Raises InputError with the place in the file."""
    for place, document in enumerate(_documents(path)):
        where = f"{path}: document {place}"
        if not isinstance(document, dict):
            raise InputError("is no document", where=where)
        features = inside(document.get("features"), where, "features")
        pair = str(document.get("id", document.get("name", "")))
        if not pair:
            raise InputError("has no id", where=where)
        for name, found in inside(document.get("annotation_sets"), where, "annotation_sets").items():
            there = f"{where}, {name}"
            held = inside(found, there, "an annotation set").get("annotations")
            for annotation in listed(held, there, "annotations"):
                said = inside(annotation, there, "an annotation").get("features")
                yield _vote(pair, str(name), inside(said, there, "features"), there)
        status = document.get("teamware_status") or features.get("teamware_status")
        because = document.get("rejected_because") or features.get("rejected_because")
        because = inside(because, where, "rejected_because")
        rejected = inside(status, where, "teamware_status").get("rejected_by")
        for name in listed(rejected, where, "rejected_by"):
            reason = because.get(name, "other")
            yield Vote(pair, str(name), "", reason=reason, kind="skip", where=f"{where}, {name}")


def _documents(path: Path) -> Iterator[Any]:
    text = text_of(path)
    if text.lstrip().startswith("["):
        try:
            yield from json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"not JSON ({error.msg})", where=f"{path}:{error.lineno}") from error
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"not JSON ({error.msg})", where=f"{path}:{number}") from error


def _features(vote: Vote) -> dict[str, Any]:
    found = {
        LABEL: vote.label,
        "confidence": vote.confidence,
        "second": vote.second,
        **vote.answers,
        "note": vote.note,
        "round": vote.round,
        "number": vote.number,
        "guideline": vote.guideline,
        "seconds": vote.seconds,
        "at": vote.at,
    }
    return {key: value for key, value in found.items() if value is not None}


def _vote(pair: str, name: str, features: dict[str, Any], where: str) -> Vote:
    # before Teamware 2.2 the features lay one level deeper
    if isinstance(features.get(LABEL), dict):
        features = {**features, **features[LABEL]} if LABEL in features[LABEL] else features[LABEL]
    if not isinstance(features.get(LABEL), str):
        raise InputError(f"has no {LABEL}", where=where)
    return Vote(
        pair=pair,
        annotator=name,
        round=str(features.get("round", "")),
        label=features[LABEL],
        confidence=whole(features.get("confidence"), where, "confidence"),
        second=features.get("second"),
        answers={key: value for key, value in features.items() if key not in _OWN},
        note=features.get("note"),
        number=whole(features.get("number"), where, "number") or 1,
        seconds=features.get("seconds"),
        at=features.get("at"),
        guideline=features.get("guideline"),
        where=where,
    )
