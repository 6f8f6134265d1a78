"""The labels that ratings are coded with: K comes from the scheme, not from the labels seen.

Agreement by chance depends on K (Gwet's AC1 divides by K − 1, and a label nobody chose is still one that
could have been chosen), so every output says where its labels come from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dalil.errors import InputError, UsageError

_SHOWN = 12


@dataclass(frozen=True)
class LabelSet:
    """Label names in their order, which of them are out of scope, and where they come from."""

    names: tuple[str, ...]
    origin: str
    out_of_scope: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise UsageError(f"a label is named twice in {self.origin}")
        if not self.names:
            raise UsageError(f"no labels in {self.origin}")

    @classmethod
    def seen(cls, values: Sequence[str]) -> LabelSet:
        """The labels that occur, sorted: what is left when no scheme is given."""
        return cls(tuple(sorted(set(values))), "the labels seen")

    @classmethod
    def listed(cls, text: str, out_of_scope: Sequence[str] = ()) -> LabelSet:
        """From `a,b,c` as given on the command line."""
        names = tuple(name.strip() for name in text.split(",") if name.strip())
        return cls(names, "--labels").with_out_of_scope(out_of_scope)

    def with_out_of_scope(self, names: Sequence[str]) -> LabelSet:
        """The same with further labels out of scope. UsageError where one is no label."""
        for name in names:
            if name not in self.names:
                raise UsageError(f"--out-of-scope {name!r} is not a label of {self.origin}", todo=self.help())
        return LabelSet(self.names, self.origin, self.out_of_scope | set(names))

    def code(self, value: str) -> int | None:
        """Code of a label: exact, else the only one that differs in case alone, else None."""
        if value in self.names:
            return self.names.index(value)
        folded = [code for code, name in enumerate(self.names) if name.casefold() == value.casefold()]
        return folded[0] if len(folded) == 1 else None

    def help(self) -> str:
        more = ", …" if len(self.names) > _SHOWN else ""
        return f"labels are: {', '.join(self.names[:_SHOWN])}{more}"


def read_scheme(name: str) -> LabelSet:
    """A scheme's labels: a TOML file with `[[labels]]` entries that have a `name`, or a shipped scheme.

    `out_of_scope = true` in an entry marks a label whose items leave the data set where the majority
    chose it. Raises UsageError where there is no such scheme, InputError where the file is no scheme.
    """
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise UsageError("no such scheme file", where=path)
    else:
        path = _shipped(name)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML ({error})", where=path) from error
    entries = content.get("labels")
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("name"), str) for entry in entries
    ):
        raise InputError("has no [[labels]] with a name each", where=path)
    outside = frozenset(entry["name"] for entry in entries if entry.get("out_of_scope"))
    return LabelSet(tuple(entry["name"] for entry in entries), f"scheme {path.stem}", outside)


def shipped_scheme(name: str) -> LabelSet | None:
    """The scheme of a name, or None where none of that name is shipped."""
    return read_scheme(name) if (_folder() / f"{name}.toml").is_file() else None


def _folder() -> Path:
    from dalil.resources import data

    return data() / "schemes"


def _shipped(name: str) -> Path:
    folder = _folder()
    path = folder / f"{name}.toml"
    if not path.is_file():
        known = sorted(file.stem for file in folder.glob("*.toml")) if folder.is_dir() else []
        raise UsageError(
            f"no scheme {name!r}",
            todo=f"schemes are: {', '.join(known) or 'none shipped'}; or give a .toml file",
        )
    return path
