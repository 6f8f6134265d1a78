"""The cleaning rules as a person writes them (data/cleaning/rules.toml), read and checked.

Patterns are matched against the search form of a text, so that harakat, tatweel, hamza seats and
alternative letters do not hide a phrase; spans lead back to the text itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dalil.errors import InputError
from dalil.text.normal import search_form, search_form_with_offsets, span_in_original

KINDS = ("noise", "cut", "prefix", "suffix", "never", "frame", "intro", "media")
SHAPES = (
    "question", "inverted", "framed", "staged", "exclaims", "points", "first_person", "speech", "states",
    "says_first", "says_after", "no_speaker", "no_name",
)  # fmt: skip
WORDS = ("sentence", "clause", "preposition", "perfect", "either", "noun", "lam")
_ESCAPE = re.compile(r"(\\.)", re.DOTALL)
_ARABIC = re.compile("[\u0620-\u064a\u064b-\u065f\u0670-\u06d3]+")


class Example(BaseModel):
    """What a rule does to one raw text."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    raw: str
    text: str | None = None
    flags: tuple[str, ...] = ()
    drop: str | None = None


class _Written(BaseModel):
    """A rule as written."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    pattern: str
    says: Literal["true", "false"] | None = None
    asks: bool = False
    article: bool = False
    noun: bool = False
    keeps: Literal["speaker", "signature"] | None = None
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Rule:
    """One rule. `name` is what records hold: kind and id, as `prefix:truth-of`."""

    kind: str
    id: str
    pattern: re.Pattern[str]
    says: str | None
    asks: bool
    article: bool
    """the phrase ends in ل, which swallows the alef of an article after it (للخبر = ل + الخبر)"""
    noun: bool
    """a noun must follow the phrase, so that what it leaves does not begin with a verb"""
    keeps: str | None
    examples: tuple[Example, ...]

    @property
    def name(self) -> str:
        """Kind and id."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True)
class Rules:
    """All rules by kind, in the order of the file, and the words and patterns of `shape`."""

    path: Path
    by_kind: dict[str, tuple[Rule, ...]]
    words: dict[str, frozenset[str]]
    shape: dict[str, re.Pattern[str]]

    def of(self, kind: str) -> tuple[Rule, ...]:
        """The rules of one kind."""
        return self.by_kind.get(kind, ())

    def __iter__(self) -> Iterator[Rule]:
        for kind in KINDS:
            yield from self.of(kind)

    def without(self, off: tuple[str, ...]) -> Rules:
        """These rules without those named. Raises ValueError for a name that none has."""
        names = {rule.name for rule in self}
        for name in off:
            if name not in names:
                raise ValueError(f"no cleaning rule is called {name!r}")
        kept = {kind: tuple(r for r in rules if r.name not in off) for kind, rules in self.by_kind.items()}
        return Rules(self.path, kept, self.words, self.shape)


class Folded:
    """A text with its search form: match on the form, get spans of the text."""

    def __init__(self, text: str):
        self.text = text
        self.form, self._offsets = search_form_with_offsets(text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Span of the text for a span of the form."""
        return span_in_original(self._offsets, start, end)

    def of(self, match: re.Match[str], group: str | int = 0) -> str:
        """What of the text a match (or a group of it) covers."""
        start, end = self.span(*match.span(group))
        return self.text[start:end]


def folded_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern in plain Arabic as one over the search form: its Arabic letters folded, the rest kept."""
    parts = _ESCAPE.split(pattern)
    return re.compile(
        "".join(
            part if part.startswith("\\") else _ARABIC.sub(lambda m: search_form(m[0]), part)
            for part in parts
        ),
        flags,
    )


@lru_cache(maxsize=8)
def load_rules(path: Path) -> Rules:
    """Read a rules file. Raises InputError naming the rule and what is wrong with it."""
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not valid TOML: {error}", where=path, todo="mend the line") from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=path) from error
    unknown = set(values) - {*KINDS, "words", "shape"}
    if unknown:
        raise InputError(
            f"unknown kind of rule {sorted(unknown)[0]!r}", where=path, todo=f"one of {', '.join(KINDS)}"
        )
    by_kind: dict[str, tuple[Rule, ...]] = {}
    seen: set[str] = set()
    for kind in KINDS:
        by_kind[kind] = tuple(_rule(kind, row, path, seen) for row in values.get(kind, ()))
    words = {name: frozenset(search_form(text).split()) for name, text in values.get("words", {}).items()}
    shape = {name: _compiled(text, f"shape.{name}", path) for name, text in values.get("shape", {}).items()}
    for name in WORDS:
        if name not in words:
            raise InputError(f"[words] has no {name}", where=path, todo="put it back")
    for name in SHAPES:
        if name not in shape:
            raise InputError(f"[shape] has no {name}", where=path, todo="put it back")
    return Rules(path, by_kind, words, shape)


def _rule(kind: str, row: Any, path: Path, seen: set[str]) -> Rule:
    try:
        written = _Written.model_validate(row)
    except ValidationError as error:
        problem = error.errors()[0]
        name = row.get("id", "?") if isinstance(row, dict) else "?"
        key = ".".join(str(part) for part in problem["loc"])
        raise InputError(f"{key}: {problem['msg']}", where=f"{path}: {kind} rule {name!r}") from error
    name = f"{kind}:{written.id}"
    if name in seen:
        raise InputError("two rules have this name", where=f"{path}: {name}", todo="give each its own id")
    if not written.examples:
        raise InputError("a rule without an example", where=f"{path}: {name}", todo="add one")
    seen.add(name)
    # an introduction is looked for right before a quotation, a suffix at the end of the text
    ends = kind in ("suffix", "intro")
    pattern = _compiled(f"(?:{written.pattern})" + (r"\Z" if ends else ""), name, path)
    return Rule(
        kind=kind,
        id=written.id,
        pattern=pattern,
        says=written.says,
        asks=written.asks,
        article=written.article,
        noun=written.noun,
        keeps=written.keeps,
        examples=written.examples,
    )


def _compiled(text: str, name: str, path: Path) -> re.Pattern[str]:
    try:
        return folded_pattern(text)
    except re.error as error:
        raise InputError(f"not a regular expression: {error}", where=f"{path}: {name}") from error
