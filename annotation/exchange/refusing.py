"""An answer of a file that the scheme does not allow: what is wrong with it, and what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from annotation.answers import LONGEST_TEXT
from annotation.schemes import LABEL, Label, Option, Question, Scheme
from dalil.errors import InputError

_SHOWN = 40
"""characters of a wrong answer, at most"""


def refused(scheme: Scheme, given: Mapping[str, str], name: str, why: str, where: str) -> InputError:
    """The error for the answer to a question. `why` is a key of the page's texts (`Unanswered.problems`)."""
    question = next((one for one in scheme.questions if one.name == name), None)
    value = given.get(name, "").strip()
    said = f"{name} {value[:_SHOWN]!r}{'…' if len(value) > _SHOWN else ''}"
    if why == "choose_one":
        return InputError(f"has no {name}", where=where, todo=f"the answers are: {_listed(scheme, question)}")
    if why == "unknown_answer":
        meant = _meant(scheme, question, value)
        near = f"is {meant!r} meant? " if meant else ""
        todo = f"{near}the answers are: {_listed(scheme, question)}"
        return InputError(f"{said} is none of the scheme's answers", where=where, todo=todo)
    if why == "not_asked":
        when = " and ".join(f"{key} {' or '.join(values)}" for key, values in _when(question).items())
        todo = f"it is asked with {when} alone: leave it out" if when else "leave it out"
        return InputError(f"{said} is not asked with the answers before it", where=where, todo=todo)
    if why == "same_as_first":
        return InputError(
            f"{said} equals the first choice", where=where, todo="leave one of the two out, or mend it"
        )
    long = f"{name} has {len(value):,} characters, more than {LONGEST_TEXT:,}"
    return InputError(long, where=where, todo="shorten it")


def _when(question: Question | None) -> Mapping[str, tuple[str, ...]]:
    return question.when if question else {}


def _listed(scheme: Scheme, question: Question | None) -> str:
    return ", ".join(name for name, _ in _offered(scheme, question))


def _meant(scheme: Scheme, question: Question | None, value: str) -> str | None:
    """The answer that is called so on the page, or that is spelt almost so."""
    names: dict[str, str] = {}
    for name, one in _offered(scheme, question):
        for called in (name, one.ar, one.en):
            if called.strip():
                names.setdefault(_form(called), name)
    found = get_close_matches(_form(value), names, n=1)
    return names[found[0]] if found else None


def _offered(scheme: Scheme, question: Question | None) -> Iterator[tuple[str, Label | Option]]:
    if question is None or question.kind == LABEL:
        yield from ((label.name, label) for label in scheme.labels)
    for option in question.options if question else ():
        yield option.value, option


def _form(text: str) -> str:
    return text.strip().casefold().replace("_", " ").replace("-", " ")
