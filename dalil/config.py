"""corpus.toml: read, checked, and explained when it is wrong.

`[corpus]` and `[budgets.*]` belong to the ground. Every other section belongs to a stage, which
brings its own model: `corpus.section("pair", PairSettings)`. A key that no model knows is refused,
so that a slip of the pen is not silently a default.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dalil.errors import UsageError

FILE = "corpus.toml"


class Settings(BaseModel):
    """Base of all sections: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class CorpusSettings(Settings):
    """`[corpus]`."""

    name: str = "corpus"
    """shown in reports and on the data card"""
    languages: tuple[str, ...] = ("ar",)
    """ISO 639 codes of the languages that articles are kept in"""
    contact: str | None = None
    """address or page that site owners can write to, in the user agent: without one nothing is crawled"""


class Budget(Settings):
    """`[budgets.SERVICE]`: limits that stop a run (exit status 3) before they are passed."""

    max_cost: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """in dollars, over the life of the corpus"""
    max_requests_per_day: int | None = Field(default=None, ge=0)
    """a day is a UTC day"""


GROUND_SECTIONS = ("corpus", "budgets")
S = TypeVar("S", bound=BaseModel)


class Config:
    """The parsed file. Raises UsageError naming file, line or key for what is wrong in it."""

    def __init__(self, path: Path, values: dict[str, Any]):
        self.path = path
        self.values = values
        self.corpus = self.section("corpus", CorpusSettings)
        self.budgets = {name: self.section(f"budgets.{name}", Budget) for name in self._table("budgets")}

    @classmethod
    def read(cls, path: Path) -> Config:
        """Read corpus.toml; a missing file is a missing corpus."""
        try:
            values = tomllib.loads(path.read_text("utf-8-sig"))
        except FileNotFoundError as error:
            raise UsageError(
                "there is no corpus here",
                where=path.parent,
                todo="name the folder of one, or make one with: dalil init CORPUS",
            ) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(
                f"not valid TOML: {error}", where=path, todo="mend the line and run again"
            ) from error
        except OSError as error:
            raise UsageError(
                f"cannot be read: {error.strerror}", where=path, todo="check the path"
            ) from error
        return cls(path, values)

    def section(self, name: str, model: type[S]) -> S:
        """A section, checked by its model; an absent one has the model's defaults."""
        value: Any = self.values
        for part in name.split("."):
            value = value.get(part, {}) if isinstance(value, dict) else value
        if not isinstance(value, dict):
            raise UsageError(
                f"[{name}] must be a section, not {value!r}", where=self.path, todo="see docs/config.md"
            )
        try:
            return model.model_validate(value)
        except ValidationError as error:
            raise UsageError(
                _first(error, name, model), where=self.path, todo="see docs/config.md"
            ) from error

    def has(self, name: str) -> bool:
        """Whether a section is written in the file."""
        value: Any = self.values
        for part in name.split("."):
            if not isinstance(value, dict) or part not in value:
                return False
            value = value[part]
        return True

    def raw(self, name: str) -> dict[str, Any]:
        """A section as written, for hashing."""
        return self._table(name)

    def override(self, name: str, values: Mapping[str, Any]) -> None:
        """Values of the command line stand above those of the file."""
        self.values[name] = {**self._table(name), **values}

    def check_sections(self, known: set[str]) -> None:
        """Raise UsageError for a section that no stage has.

        Known are `pair`, `engines.google`, …; `budgets.SERVICE` stands for a name of one's own.
        """
        groups = {name.partition(".")[0] for name in known if "." in name}
        free = {name.partition(".")[0] for name in known if name.partition(".")[2].isupper()}
        for name, value in self.values.items():
            inner = isinstance(value, dict) and name in groups - free
            for found in (f"{name}.{key}" for key in value) if inner else (name,):
                if found not in known | groups:
                    raise UsageError(
                        f"unknown section [{found}]",
                        where=self.path,
                        todo=f"one of {', '.join(sorted(known))}",
                    )

    def _table(self, name: str) -> dict[str, Any]:
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            raise UsageError(
                f"[{name}] must be a section, not {value!r}", where=self.path, todo="see docs/config.md"
            )
        return value


def _first(error: ValidationError, section: str, model: type[BaseModel]) -> str:
    problem = error.errors()[0]
    key = ".".join(str(part) for part in (section, *problem["loc"]))
    if problem["type"] == "extra_forbidden":
        return f"unknown key {key} (known: {', '.join(sorted(model.model_fields)) or 'none'})"
    said = problem["msg"].removeprefix("Value error, ").replace("a valid tuple", 'a list, as in ["a", "b"]')
    return f"{key} = {problem['input']!r}: {said}"
