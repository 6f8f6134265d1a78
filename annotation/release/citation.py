"""BibTeX and CITATION.cff. Both are written by hand-made templates over escaped values.

BibTeX counts every brace of a field, escaped or not, and takes ` and ` outside braces for the end of a name:
so braces of a text are written as words of TeX, and a name that is no "Family, Given" stands in braces of
its own. Files are UTF-8; titles keep their letters, case and script.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence

from annotation.release import ReleaseSettings

ARASTANCE_BIB = """@inproceedings{alhindi-etal-2021-arastance,
  title = {{AraStance}: A Multi-Country and Multi-Domain Dataset of {A}rabic Stance Detection for
    Fact Checking},
  author = {Alhindi and Alabdulkarim and Alshehri and Abdul-Mageed and Nakov},
  booktitle = {NLP4IF},
  year = {2021},
}
"""
_TEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}
_AND = re.compile(r"(?<!\S)and(?!\S)", re.IGNORECASE)
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f]")

# YAML 1.2, production 1 (printable), without its line breaks and byte order mark
_UNFIT = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def bibtex(title: str, settings: ReleaseSettings, day: str | None) -> str:
    """The data set's entry, and that of the paper whose method it follows."""
    names = [made for name in settings.authors if (made := author(name))]
    fields = {
        "title": f"{{{tex(title)}}}",  # twice in braces: no style changes its case
        "author": " and ".join(names),
        "year": (day or "")[:4],
        "version": tex(settings.version),
        "doi": _address(settings.doi),
        "url": _address(settings.url),
        "note": "Data set made with dalil",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key(title, settings.version)},", *lines, "}", "", ARASTANCE_BIB])


def key(title: str, version: str) -> str:
    """A citation key: Latin letters, digits, full stops and hyphens, which every reader of BibTeX takes.

    A title that leaves none of its words (an Arabic one) is told apart by its hash.
    """
    name = _slug(title) or f"dataset-{hashlib.sha256(title.encode()).hexdigest()[:8]}"
    return "-".join(part for part in (name, _slug(version)) if part)


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9.]+", "-", plain).strip("-.")


def author(name: str) -> str:
    """A name as BibTeX takes it: "Family, Given" as it is, any other (a group's) as one whole, in braces."""
    parts = [" ".join(part.split()) for part in _INVISIBLE.sub(" ", name).split(",")]
    if len(parts) == 2 and all(parts) and not _AND.search(name):
        return ", ".join(map(tex, parts))
    whole = tex(", ".join(part for part in parts if part))
    return f"{{{whole}}}" if whole else ""


def citation_cff(title: str, abstract: str, settings: ReleaseSettings, day: str | None) -> str:
    """CITATION.cff 1.2.0 (values are JSON strings, which are YAML)."""
    lines = [
        "cff-version: 1.2.0",
        f"title: {quoted(title)}",
        'message: "If you use this data set, please cite it."',
        "type: dataset",
    ]
    lines += [f"version: {quoted(settings.version)}", f"abstract: {quoted(abstract)}", "authors:"]
    lines += authors(settings.authors, title)
    if settings.licence:
        lines.append(f"license: {quoted(settings.licence)}")
    if day:
        lines.append(f"date-released: {quoted(day)}")
    if settings.doi:
        lines.append(f"doi: {quoted(settings.doi)}")
    if settings.url:
        lines.append(f"url: {quoted(settings.url)}")
    return "\n".join(lines) + "\n"


def authors(names: Sequence[str], title: str) -> list[str]:
    """Authors as CFF persons; without any, the data set's makers as an entity (the format asks for one)."""
    if not names:
        return [f"  - name: {quoted(f'The makers of {title}')}"]
    lines = []
    for name in names:
        family, given = (part.strip() for part in (*name.split(",", 1), "")[:2])
        if not family or not given:  # a group, or one name alone
            lines.append(f"  - name: {quoted(family or given)}")
            continue
        lines += [f"  - family-names: {quoted(family)}", f"    given-names: {quoted(given)}"]
    return lines


def _address(text: str | None) -> str:
    """An address as BibTeX takes it: what would end the field or a command is percent-encoded."""
    plain = _INVISIBLE.sub("", text or "").strip()
    return "".join(f"%{ord(letter):02X}" if letter in '{}\\" ' else letter for letter in plain)


def tex(text: str) -> str:
    """Text as TeX reads it: one line, with what means something to TeX spelt out."""
    plain = " ".join(_INVISIBLE.sub(" ", text).split())
    return "".join(_TEX.get(letter, letter) for letter in plain)


def quoted(text: str) -> str:
    """A YAML string: as JSON has it, and what YAML does not let stand as it is, escaped."""
    return _UNFIT.sub(lambda found: f"\\U{ord(found[0]):08x}", json.dumps(text, ensure_ascii=False))
