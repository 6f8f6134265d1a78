"""Schemes: labels with definitions, follow-up questions with conditions, guidelines. One TOML file each.

A file needs `[[labels]]` with a `name` each; everything else has a default (docs/how-to-add-a-scheme.md).
`scheme_of` reads one, for the annotators' page and (through `annotation.ratings_scheme`) for agreement.
"""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from dalil.errors import InputError, UsageError
from dalil.ids import value_hash

LANGUAGES = ("ar", "en")
HIGHLY_UNCERTAIN = "highly_uncertain"
LABEL = "label"
_NAME = re.compile(r"[\w][\w-]*")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_HOTKEY = re.compile(r"[0-9a-z]")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,3}")
_RESERVED = frozenset({LABEL, "note", "ticket", "csrf", "active", "reason", "sentence", "sentences", "skip"})
PAGE_KEYS = {"n": "note", "k": "skip", "z": "undo", "h": "shading"}
"""keys that the page has for itself, and for what: a label's hotkey would take them over"""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Said(_Part):
    """A text in the languages of the page."""

    ar: str = ""
    en: str = ""

    def within(self, language: str, default: str = "") -> str:
        """The text in a language, else in the other one, else `default`."""
        found = self.ar if language == "ar" else self.en
        return (found or self.en or self.ar or default).strip()


class Option(Said):
    """An answer to a follow-up question."""

    value: Annotated[str, BeforeValidator(str)]
    """a name, or a whole number on a scale"""


class Label(Said):
    """A label: its name in the data, how it is called, what it means, colour and key on the page."""

    name: str
    definition: Said = Said()
    colour: str = "#4b5a6b"
    hotkey: str = ""
    out_of_scope: bool = False
    """items leave the data set where the majority chose it"""

    def titled(self, language: str) -> str:
        """What it is called."""
        return self.within(language, self.name)


class Question(_Part):
    """A follow-up question, asked when its conditions hold."""

    name: str
    kind: Literal["scale", "choice", "label", "text"]
    text: Said = Said()
    options: tuple[Option, ...] = ()
    """a `label` question offers the labels, then these"""
    when: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """name of an earlier question (or `label`) → the answers on which this one is asked; all must hold"""
    required: bool = False

    @model_validator(mode="before")
    @classmethod
    def _plain_conditions(cls, values: Any) -> Any:
        when = values.get("when") if isinstance(values, dict) else None
        if isinstance(when, dict):
            listed = {key: value if isinstance(value, list) else [value] for key, value in when.items()}
            return {**values, "when": {key: [str(one) for one in value] for key, value in listed.items()}}
        return values

    def asked(self, answers: dict[str, str]) -> bool:
        """Whether it is asked, given the answers before it."""
        return all(answers.get(name) in wanted for name, wanted in self.when.items())


class Guidelines(Said):
    """What annotators read first, in Markdown; raise the version whenever it changes."""

    version: str = "1"


class Qualification(_Part):
    """Items of the test, how many experts stand behind each, and the share that passes."""

    items: int = Field(default=20, ge=1)
    experts: int = Field(default=3, ge=3)
    pass_mark: float = Field(default=0.7, gt=0, le=1, alias="pass")


class Training(_Part):
    """Items with feedback; `pass` asks that a share of them be met before work begins."""

    items: int = Field(default=10, ge=1)
    pass_mark: float = Field(default=0.0, ge=0, le=1, alias="pass")


class Scheme(_Part):
    """A label scheme."""

    name: str
    title: Said = Said()
    question: Said = Said()
    shows: Literal["article", "thread"] = "article"
    sentences: bool = False
    labels: tuple[Label, ...] = Field(min_length=1)
    questions: tuple[Question, ...] = ()
    qualification: Qualification = Qualification()
    training: Training = Training()
    guidelines: Guidelines = Guidelines()

    @model_validator(mode="after")
    def _sound(self) -> Scheme:
        for problem in _problems(self):
            raise ValueError(problem)
        return self

    @cached_property
    def hash(self) -> str:
        """Hash over everything but the guidelines, which have a version."""
        return value_hash(self.model_dump(mode="json", exclude={"guidelines"}))[:16]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the labels, in order: all that can be chosen, out of scope or not."""
        return tuple(label.name for label in self.labels)

    @property
    def out_of_scope(self) -> frozenset[str]:
        """Names of the labels whose items leave the data set: they do not count in K."""
        return frozenset(label.name for label in self.labels if label.out_of_scope)

    @property
    def levels(self) -> int | None:
        """The highest confidence that can be given; None where confidence is not asked."""
        asked = next((question for question in self.questions if question.name == "confidence"), None)
        return max(int(option.value) for option in asked.options) if asked else None

    def label(self, name: str) -> Label | None:
        """The label of a name."""
        return next((label for label in self.labels if label.name == name), None)

    def called(self, name: str, language: str) -> str:
        """What a label (or another option of a label question) is called; its name where it is unknown."""
        known = self.label(name)
        if known is not None:
            return known.titled(language)
        options = (option for question in self.questions for option in question.options)
        found = next((option for option in options if option.value == name), None)
        return found.within(language, name) if found else name


def scheme_of(name: str, folder: Path | None = None) -> Scheme:
    """A shipped scheme by its name, or a TOML file (relative to `folder`, where one is given).

    Raises UsageError where there is no such scheme, InputError naming the key of a file that is wrong.
    """
    path = Path(name)
    if path.suffix != ".toml":
        return read_scheme_file(shipped_path(name))
    if folder is not None and not path.is_absolute():
        path = folder / path
    if not path.is_file():
        raise UsageError("no such scheme file", where=path)
    return read_scheme_file(path)


def read_scheme_file(path: Path) -> Scheme:
    """Read one file; the scheme's name is the file's where it says none."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML ({error})", where=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=path) from error
    entries = content.get("labels")
    named = isinstance(entries, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("name"), str) for entry in entries
    )
    if not named or not entries:
        raise InputError("has no [[labels]] with a name each", where=path)
    try:
        return Scheme.model_validate({"name": path.stem, **content})
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(str(part) for part in problem["loc"]) or "scheme"
        said = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            said = "no such key"
        raise InputError(f"{key}: {said}", where=path, todo="see docs/how-to-add-a-scheme.md") from error


def schemes_folder() -> Path:
    """Where the shipped schemes lie."""
    from dalil.resources import data

    return data() / "schemes"


def shipped_names() -> tuple[str, ...]:
    """Names of the shipped schemes."""
    return tuple(sorted(file.stem for file in schemes_folder().glob("*.toml")))


def shipped_path(name: str) -> Path:
    """The file of a shipped scheme. Raises UsageError where there is none of that name."""
    names = shipped_names()
    if name not in names:
        raise UsageError(
            f"no scheme {name!r}",
            todo=f"schemes are: {', '.join(names) or 'none shipped'}; or give a .toml file",
        )
    return schemes_folder() / f"{name}.toml"


def _problems(scheme: Scheme) -> list[str]:
    """What the types alone do not say."""
    found = [problem for label in scheme.labels for problem in _label_problems(label)]
    names = scheme.names
    if len({name.casefold() for name in names}) != len(names):
        found.append("a label is named twice")
    if len(scheme.out_of_scope) == len(names):
        found.append("every label is out of scope: leave at least one in scope")
    keys = [label.hotkey for label in scheme.labels if label.hotkey]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        sharing = ", ".join(label.name for label in scheme.labels if label.hotkey == key)
        found.append(f"two labels have the same hotkey {key!r}: {sharing}")
    earlier: dict[str, set[str]] = {LABEL: set(names)}
    for question in scheme.questions:
        if not _NAME.fullmatch(question.name):
            found.append(f"question {question.name!r}: letters, digits, _ and - only")
        found += _question_problems(question, earlier)
        values = {option.value for option in question.options}
        earlier[question.name] = values | (set(names) if question.kind == "label" else set())
    if not scheme.guidelines.version.strip():
        found.append("guidelines: the version is empty")
    return found


def _label_problems(label: Label) -> list[str]:
    name = label.name
    found = []
    if not name.strip() or name != name.strip() or not name.isprintable():
        found.append(f"label {name!r}: a name needs letters, without space around them")
    if re.sub(r"[ -]", "_", name.casefold()) == HIGHLY_UNCERTAIN:
        found.append(f"label {name}: the name is that of a second choice; add it to the options of `second`")
    if not _COLOUR.fullmatch(label.colour):
        found.append(f"label {name}: colour {label.colour!r} is not #rrggbb")
    if label.hotkey and not _HOTKEY.fullmatch(label.hotkey):
        found.append(f"label {name}: hotkey {label.hotkey!r} is not a digit or a small Latin letter")
    if label.hotkey in PAGE_KEYS:
        own = ", ".join(f"{key} ({what})" for key, what in PAGE_KEYS.items())
        found.append(f"label {name}: hotkey {label.hotkey!r} is a key of the page itself: {own}")
    return found


def _question_problems(question: Question, earlier: dict[str, set[str]]) -> list[str]:
    found = []
    values = [option.value for option in question.options]
    if question.name in earlier or question.name in _RESERVED:
        found.append(f"question {question.name}: the name is taken")
    if question.kind in ("scale", "choice") and len(values) < 2:
        found.append(f"question {question.name}: needs two options at least")
    if question.kind == "scale" and not all(_WHOLE.fullmatch(value) for value in values):
        found.append(f"question {question.name}: values of a scale are whole numbers")
    if len(set(values)) != len(values):
        found.append(f"question {question.name}: an option is there twice")
    if question.kind == "label" and (same := sorted(set(values) & earlier[LABEL])):
        found.append(f"question {question.name}: {', '.join(same)} is a label, and labels are offered anyway")
    found += _counted_problems(question)
    for name, wanted in question.when.items():
        if name not in earlier:
            found.append(f"question {question.name}: when.{name} is no earlier question")
        elif not wanted:
            found.append(f"question {question.name}: when.{name} names no answer, so it is never asked")
        elif unknown := sorted(set(wanted) - earlier[name]):
            found.append(f"question {question.name}: {', '.join(unknown)} is no answer to {name}")
    return found


def _counted_problems(question: Question) -> list[str]:
    """Confidence and second choice are weighed by aggregation, which knows what these can be."""
    found = []
    if question.name == "confidence":
        if question.kind != "scale":
            found.append("question confidence: must be a scale")
        elif "0" in {option.value for option in question.options}:
            found.append("question confidence: values begin at 1")
    if question.name == "second":
        if question.kind != "label":
            found.append("question second: must be of kind label")
        strange = sorted({option.value for option in question.options} - {HIGHLY_UNCERTAIN})
        if strange:
            found.append(
                f"question second: beside the labels only {HIGHLY_UNCERTAIN}, not {', '.join(strange)}"
            )
    return found
