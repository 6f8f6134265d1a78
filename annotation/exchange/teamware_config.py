"""The annotation configuration (JSON) for a GATE Teamware project: what is shown, and the form's fields.

After the manual's chapter on project configuration (2.3). Fields are called as the scheme's questions, which
is how answers find back; `if` shows a question only where its conditions hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from annotation.app.words import direction_of
from annotation.exchange.words import NOTE_CALLED, most_frequent
from annotation.schemes import LABEL, Label, Option, Question, Scheme


def form(scheme: Scheme, language: str = "ar", languages: Iterable[str] = ()) -> str:
    """The configuration. `language`: of questions and answers; `languages`: of the documents' texts."""
    direction = direction_of(most_frequent(languages))
    taken = {LABEL, "note", *(question.name for question in scheme.questions)}
    shown = "shown"
    while shown in taken:
        shown += "_"
    # double braces: texts of strangers are text, never HTML
    texts = (
        f"<div dir='{direction}' style='text-align: start'><h4>{{{{claim}}}}</h4><h5>{{{{title}}}}</h5>"
        "<div style='white-space: pre-line'>{{text}}</div></div>"
    )
    fields: list[dict[str, Any]] = [
        {"name": shown, "type": "html", "text": texts},
        _radio(
            LABEL,
            scheme.question.within(language, LABEL),
            [_label(label, language) for label in scheme.labels],
            required=True,
        ),
        *(_field(scheme, question, language) for question in scheme.questions),
        {"name": "note", "type": "textarea", "title": NOTE_CALLED[language], "optional": True},
    ]
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


def _field(scheme: Scheme, question: Question, language: str) -> dict[str, Any]:
    title = question.text.within(language, question.name)
    when = {"if": _condition(question)} if question.when else {}
    if question.kind == "text":
        optional = not question.required
        return {"name": question.name, "type": "textarea", "title": title, "optional": optional, **when}
    options = [_option(question, option, language) for option in question.options]
    if question.kind == "label":
        options = [_label(label, language) for label in scheme.labels] + options
    return _radio(question.name, title, options, required=question.required) | when


def _radio(name: str, title: str, options: Sequence[dict[str, str]], *, required: bool) -> dict[str, Any]:
    return {
        "name": name,
        "type": "radio",
        "title": title,
        "orientation": "vertical",
        "optional": not required,
        "options": list(options),
    }


def _label(label: Label, language: str) -> dict[str, str]:
    meaning = label.definition.within(language)
    found = {"value": label.name, "label": label.titled(language)}
    return found | ({"helptext": meaning} if meaning else {})


def _option(question: Question, option: Option, language: str) -> dict[str, str]:
    said = option.within(language)
    if question.kind == "scale" and said:
        said = f"{option.value}: {said}"
    return {"value": option.value, "label": said or option.value}


def _condition(question: Question) -> str:
    """An expression in Teamware's subset of JavaScript; what is not answered yet equals nothing."""
    parts = [
        " || ".join(f"annotation[{_quoted(name)}] == {_quoted(value)}" for value in wanted)
        for name, wanted in question.when.items()
    ]
    return " && ".join(f"({part})" for part in parts)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
