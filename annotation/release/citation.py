"""BibTeX and CITATION.cff. Both are written by hand-made templates over escaped values."""

from __future__ import annotations

import json
import re
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
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}

# YAML 1.2, production 1 (printable), without its line breaks and byte order mark
_UNFIT = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def bibtex(title: str, settings: ReleaseSettings, day: str | None) -> str:
    """The data set's entry, and that of the paper whose method it follows."""
    key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "dataset"
    fields = {
        "title": tex(title),
        "author": " and ".join(tex(name) for name in settings.authors),
        "year": (day or "")[:4],
        "version": tex(settings.version),
        "doi": _address(settings.doi),
        "url": _address(settings.url),
        "note": "Data set made with dalil",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key}-{settings.version},", *lines, "}", "", ARASTANCE_BIB])


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
        family, _, given = name.partition(",")
        lines.append(f"  - family-names: {quoted(family.strip())}")
        if given.strip():
            lines.append(f"    given-names: {quoted(given.strip())}")
    return lines


def _address(text: str | None) -> str:
    """An address as BibTeX takes it: braces, which would end the field, percent-encoded."""
    return (text or "").replace("{", "%7B").replace("}", "%7D")


def tex(text: str) -> str:
    """Text as TeX reads it."""
    return "".join(_TEX.get(letter, letter) for letter in text)


def quoted(text: str) -> str:
    """A YAML string: as JSON has it, and what YAML does not let stand as it is, escaped."""
    return _UNFIT.sub(lambda found: f"\\U{ord(found[0]):08x}", json.dumps(text, ensure_ascii=False))
