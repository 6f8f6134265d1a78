"""The labelling configuration (XML) for a Label Studio project: the scheme's labels, questions and keys.

Every answer is a `Choices`, because only a choice can be what another question's `visibleWhen` waits for.
What people see is the scheme's wording; what results hold is its names (`alias`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

from annotation.app.words import direction_of
from annotation.exchange.words import NOTE_CALLED, SENTENCE_CALLED, most_frequent
from annotation.schemes import LABEL, Label, Option, Question, Scheme

NOTE, SENTENCES, SENTENCE = "note", "sentences", "sentence"


def text_name(scheme: Scheme) -> str:
    """What the text is called that answers belong to: no question may have the same name."""
    name = "article"
    while name in {LABEL, *(question.name for question in scheme.questions)}:
        name += "_"
    return name


def config(scheme: Scheme, language: str = "ar", languages: Iterable[str] = ()) -> str:
    """The configuration. `language`: of questions and answers; `languages`: of the tasks' texts, of which
    the most frequent decides their direction (a project has one for all its tasks).
    """
    texts = most_frequent(languages)
    to = text_name(scheme)
    lines = [
        "<View>",
        f"  <View style={_style(texts)}>",
        '    <Header value="$claim"/>',
        '    <Header value="$title" size="5"/>',
        f'    <Text name="{to}" value="$text"/>',
        "  </View>",
        f"  <View style={_style(language)}>",
        *_header(scheme.question.within(language, LABEL)),
        *_choices(LABEL, to, [_label(label, language) for label in scheme.labels], required=True),
        *(line for question in scheme.questions for line in _question(scheme, question, language, to)),
        *(_sentences(language, to) if scheme.sentences else ()),
        *_header(NOTE_CALLED[language]),
        f'    <TextArea name="{NOTE}" toName="{to}" rows="2" maxSubmissions="1" editable="true"/>',
        "  </View>",
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def _style(language: str) -> str:
    direction = direction_of(language)
    return quoteattr(f"direction: {direction}; text-align: {'right' if direction == 'rtl' else 'left'}")


def _header(text: str) -> list[str]:
    # a value that begins with $ would be taken for the name of a field
    return [f'    <Header value={quoteattr(text.lstrip("$"))} size="5"/>']


def _question(scheme: Scheme, question: Question, language: str, to: str) -> list[str]:
    lines = _header(question.text.within(language, question.name))
    if question.kind == "text":
        required = ' required="true"' if question.required else ""
        lines.append(
            f"    <TextArea name={quoteattr(question.name)} toName={quoteattr(to)} "
            f'rows="2" maxSubmissions="1" editable="true"{required}/>'
        )
    else:
        offered = [_option(question, option, language) for option in question.options]
        if question.kind == "label":
            offered = [(name, title, "", "") for name, title, _, _ in _labels(scheme, language)] + offered
        lines += _choices(question.name, to, offered, required=question.required)
    for name, wanted in question.when.items():
        lines = [f"    <View {_when(name, wanted)}>", *("  " + line for line in lines), "    </View>"]
    return lines


def _when(name: str, wanted: Sequence[str]) -> str:
    return (
        f'visibleWhen="choice-selected" whenTagName={quoteattr(name)} '
        f"whenChoiceValue={quoteattr(','.join(wanted))}"
    )


_Choice = tuple[str, str, str, str]
"""name in the data, what it is called, what it means, key"""


def _labels(scheme: Scheme, language: str) -> list[_Choice]:
    return [_label(label, language) for label in scheme.labels]


def _label(label: Label, language: str) -> _Choice:
    return label.name, label.titled(language), label.definition.within(language), label.hotkey


def _option(question: Question, option: Option, language: str) -> _Choice:
    said = option.within(language)
    if question.kind == "scale":
        said = f"{option.value}: {said}" if said else option.value
    return option.value, said or option.value, "", ""


def _choices(name: str, to: str, offered: Sequence[_Choice], *, required: bool) -> list[str]:
    titles = Counter(title for _, title, _, _ in offered)
    lines = [
        f'    <Choices name={quoteattr(name)} toName={quoteattr(to)} choice="single-radio" '
        f'required="{"true" if required else "false"}">'
    ]
    for value, title, meaning, key in offered:
        shown = title if titles[title] == 1 else f"{title} ({value})"
        hint = f" hint={quoteattr(meaning)}" if meaning else ""
        hotkey = f" hotkey={quoteattr(key)}" if key else ""
        lines.append(f"      <Choice value={quoteattr(shown)} alias={quoteattr(value)}{hint}{hotkey}/>")
    return [*lines, "    </Choices>"]


def _sentences(language: str, to: str) -> list[str]:
    return [
        f'    <Labels name="{SENTENCES}" toName={quoteattr(to)}>',
        f'      <Label value="{SENTENCE_CALLED[language]}" alias="{SENTENCE}"/>',
        "    </Labels>",
    ]
