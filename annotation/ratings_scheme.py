"""The labels that ratings are coded with: K comes from the scheme, not from the labels seen.

Agreement by chance depends on K (Gwet's AC1 divides by K − 1, and a label nobody chose is still one that
could have been chosen), so every output says where its labels come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.ratings import LABELS_SEEN
from annotation.schemes import Scheme, scheme_of, shipped_names
from dalil.errors import UsageError

_SHOWN = 12


@dataclass(frozen=True)
class LabelSet:
    """Label names in their order, which of them are out of scope, and where they come from."""

    names: tuple[str, ...]
    origin: str
    out_of_scope: frozenset[str] = frozenset()
    levels: int | None = None
    """the highest confidence; None where the scheme asks for none"""

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise UsageError(f"a label is named twice in {self.origin}")
        if not self.names:
            raise UsageError(f"no labels in {self.origin}")

    @classmethod
    def seen(cls, values: Sequence[str]) -> LabelSet:
        """The labels that occur, sorted: what is left when no scheme is given."""
        return cls(tuple(sorted(set(values))), LABELS_SEEN)

    @classmethod
    def listed(cls, text: str) -> LabelSet:
        """From `a,b,c` as given on the command line."""
        names = tuple(name.strip() for name in text.split(",") if name.strip())
        return cls(names, "--labels")

    def code(self, value: str) -> int | None:
        """Code of a label: exact, else the only one that differs in case alone, else None."""
        if value in self.names:
            return self.names.index(value)
        folded = [code for code, name in enumerate(self.names) if name.casefold() == value.casefold()]
        return folded[0] if len(folded) == 1 else None

    def help(self) -> str:
        more = ", …" if len(self.names) > _SHOWN else ""
        return f"labels are: {', '.join(self.names[:_SHOWN])}{more}"


def read_scheme(name: str, folder: Path | None = None) -> LabelSet:
    """The labels of a scheme: a TOML file (`annotation.schemes`), or a shipped scheme's name.

    A file is looked for in `folder` (a corpus) first, then from here. `out_of_scope = true` in a label
    marks one whose items leave the data set where the majority chose it. Raises UsageError where there is
    no such scheme, InputError where the file is no scheme.
    """
    beside = folder is not None and (folder / name).is_file()
    scheme = scheme_of(name, folder if beside else None)
    return labels_of(scheme, Path(name).stem if name.endswith(".toml") else name)


def labels_of(scheme: Scheme, called: str | None = None) -> LabelSet:
    """The labels of a scheme that is read already."""
    return LabelSet(scheme.names, f"scheme {called or scheme.name}", scheme.out_of_scope, scheme.levels)


def shipped_scheme(name: str) -> LabelSet | None:
    """The scheme of a name, or None where none of that name is shipped."""
    return read_scheme(name) if name in shipped_names() else None
