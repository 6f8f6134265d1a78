"""An annotator's form, checked against the scheme: the rules hold on the server, whatever a page did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.schemes import LABEL, Question, Scheme
from dalil.records import fit_text

LONGEST_TEXT = 5_000


@dataclass(frozen=True)
class Answer:
    """A judgement as it will be stored."""

    label: str
    confidence: int | None = None
    second: str | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    note: str | None = None


class Unanswered(Exception):
    """What is missing or not allowed: name of the question → what is wrong (a key of the page's texts)."""

    def __init__(self, problems: Mapping[str, str]):
        self.problems = dict(problems)
        super().__init__(", ".join(f"{name}: {why}" for name, why in self.problems.items()))


def answer_of(scheme: Scheme, given: Mapping[str, str], sentences: Sequence[tuple[int, int]] = ()) -> Answer:
    """The answer in a form. Raises Unanswered with every problem.

    SCRum-9's second choice: required where its conditions hold (confidence 3 or lower), refused where
    they do not, and never equal to the first.
    """
    problems: dict[str, str] = {}
    said = {name: value.strip() for name, value in given.items() if value.strip()}
    label = said.get(LABEL, "")
    if not label:
        problems[LABEL] = "choose_one"
    elif label not in scheme.names:
        problems[LABEL] = "unknown_answer"
    known: dict[str, str] = {LABEL: label}
    for question in scheme.questions:
        value = said.get(question.name, "")
        if not question.asked(known):
            if value:
                problems[question.name] = "not_asked"
            continue
        why = _problem(scheme, question, value, label)
        if why:
            problems[question.name] = why
        elif value:
            known[question.name] = value
    if len(said.get("note", "")) > LONGEST_TEXT:
        problems["note"] = "too_long"
    if problems:
        raise Unanswered(problems)
    return _made(scheme, known, said.get("note"), sentences)


def _problem(scheme: Scheme, question: Question, value: str, label: str) -> str | None:
    if not value:
        return "choose_one" if question.required else None
    if question.kind == "text":
        return "too_long" if len(value) > LONGEST_TEXT else None
    offered = {option.value for option in question.options}
    if question.kind == "label":
        if value == label:
            return "same_as_first"
        offered |= set(scheme.names)
    return None if value in offered else "unknown_answer"


def _made(
    scheme: Scheme, known: dict[str, str], note: str | None, sentences: Sequence[tuple[int, int]]
) -> Answer:
    answers: dict[str, Any] = {}
    for question in scheme.questions:
        if question.name in known and question.name not in ("confidence", "second"):
            value = known[question.name]
            answers[question.name] = int(value) if question.kind == "scale" else fit_text(value)
    if scheme.sentences and sentences:
        answers["sentences"] = tuple((start, end) for start, end in sentences)
    confidence = known.get("confidence")
    return Answer(
        label=known[LABEL],
        confidence=int(confidence) if confidence else None,
        second=known.get("second"),
        answers=answers,
        note=fit_text(note) if note else None,
    )
