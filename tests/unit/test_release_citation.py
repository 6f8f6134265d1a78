"""references.bib reads as BibTeX reads it, and says what was meant, whatever titles and names hold."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from annotation.release import ReleaseSettings
from annotation.release.citation import author, bibtex, citation_cff, key, tex

COMMANDS = {
    "textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~",
    "textasciicircum": "^", "textless": "<", "textgreater": ">", "textbar": "|", "textquotedbl": '"',
}  # fmt: skip
TEXT = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40)
HARD = st.sampled_from(
    ["and", " AND ", ",", "{", "}", "\\", "%", "@", '"', "#", "~", "\n\n", "شريف", "&", "$", "_"]
)
WORDS = st.lists(TEXT | HARD, min_size=1, max_size=6).map("".join)


@dataclass
class Entry:
    kind: str
    key: str
    fields: dict[str, str]


def parsed(text: str) -> list[Entry]:
    """The entries of a file, as BibTeX's grammar has it: every brace counts, a backslash before it or not."""
    entries = []
    at = 0
    while (found := re.compile(r"\s*@(\w+)\{").match(text, at)) is not None:
        at = found.end()
        name = re.compile(r"[^\s\"#%'(),={}\\~@]+").match(text, at)
        assert name is not None, "no key"
        at = name.end()
        fields: dict[str, str] = {}
        while (field := re.compile(r",\s*(\w+)\s*=\s*(?=\{)").match(text, at)) is not None:
            end = braced(text, field.end())
            assert field[1] not in fields
            fields[field[1]] = text[field.end() + 1 : end - 1]
            at = end
        closing = re.compile(r",?\s*\}").match(text, at)
        assert closing is not None, f"the entry does not end at {text[at : at + 30]!r}"
        at = closing.end()
        entries.append(Entry(found[1], name[0], fields))
    assert not text[at:].strip(), "something stands between entries"
    return entries


def braced(text: str, start: int) -> int:
    """Where a text in braces ends."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at + 1
    raise AssertionError("braces do not balance")


def names(field: str) -> list[str]:
    """The names of an author field: ` and ` outside braces divides them."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(field):
        depth += (letter == "{") - (letter == "}")
        if depth == 0 and re.compile(r"\sand\s", re.IGNORECASE).match(field, at):
            found.append(field[start:at])
            start = at + 5
    return [*found, field[start:]]


def commas(name: str) -> int:
    depth, count = 0, 0
    for letter in name:
        depth += (letter == "{") - (letter == "}")
        count += letter == "," and depth == 0
    return count


def read(value: str) -> str:
    """What TeX would print."""
    value = re.sub(r"\\([a-z]+)\{\}", lambda found: f"\0{ord(COMMANDS[found[1]])}\0", value)
    value = re.sub(r"\\([&%$#_])", lambda found: f"\0{ord(found[1])}\0", value)
    assert not re.search(r"[\\%$#_&~^]", value), "a letter of TeX's own is not spelt out"
    value = value.replace("{", "").replace("}", "")
    return re.sub("\0(\\d+)\0", lambda found: chr(int(found[1])), value)


def one_line(text: str) -> str:
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())


@given(title=WORDS, authors=st.lists(WORDS, max_size=4), version=WORDS, url=TEXT, doi=TEXT)
def test_whatever_it_holds_it_reads_as_bibtex_and_says_it(
    title: str, authors: list[str], version: str, url: str, doi: str
) -> None:
    own = ReleaseSettings(authors=tuple(authors), version=version, url=url, doi=doi)
    ours, paper = parsed(bibtex(title, own, "2024-06-01"))
    assert (paper.kind, paper.key) == ("inproceedings", "alhindi-etal-2021-arastance")
    assert len(names(paper.fields["author"])) == 5
    assert read(ours.fields["title"]) == one_line(title)
    assert ours.fields["year"] == "2024"
    given_names = [name for name in authors if author(name)]
    if given_names:
        found = names(ours.fields["author"])
        assert len(found) == len(given_names)
        for name, one in zip(given_names, found, strict=True):
            assert commas(one) <= 1
            assert re.sub(r"[\s,]", "", read(one)) == re.sub(r"[\s,]", "", one_line(name))
    else:
        assert "author" not in ours.fields
    assert "\n" not in "".join(ours.fields.values())


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Haddad, Amal", "Haddad, Amal"),
        ("حداد، أمل", "{حداد، أمل}"),
        ("حداد, أمل", "حداد, أمل"),
        ("Ministry of Health and Population", "{Ministry of Health and Population}"),
        ("Health AND Population, Ministry of", "{Health AND Population, Ministry of}"),
        ("Alexander, Andy", "Alexander, Andy"),
        ("others", "{others}"),
        ("Haddad, Amal, PhD", "{Haddad, Amal, PhD}"),
        ("R&D Group #1", r"{R\&D Group \#1}"),
        ("  Haddad ,\tAmal\n", "Haddad, Amal"),
        (", Amal", "{Amal}"),
        (" ", ""),
    ],
)
def test_a_person_stays_a_person_and_a_group_one_name(name: str, made: str) -> None:
    assert author(name) == made


@pytest.mark.parametrize(
    ("title", "version", "made"),
    [
        ("My Corpus", "1.0.0", "my-corpus-1.0.0"),
        ("Données, «vérifiées»: 100% {sûres}", "v 2, draft", "donnees-verifiees-100-sures-v-2-draft"),
        ("AraFacts", "٢", "arafacts"),
    ],
)
def test_a_key_is_of_plain_letters(title: str, version: str, made: str) -> None:
    assert key(title, version) == made


def test_arabic_titles_have_keys_of_their_own_and_stay_arabic() -> None:
    first, second = "مدونة الادعاءات", "مدونة المواقف: «تجربة» 100٪"
    assert key(first, "1") != key(second, "1")
    assert re.fullmatch(r"dataset-[0-9a-f]{8}-1", key(first, "1"))
    (entry, _) = parsed(bibtex(second, ReleaseSettings(authors=("شريف, ليلى",)), None))
    assert entry.fields["title"] == f"{{{second}}}"
    assert entry.fields["author"] == "شريف, ليلى"
    assert "year" not in entry.fields


def test_braces_of_a_text_do_not_count_as_braces_of_the_file() -> None:
    assert tex("50% of {x} \\ a_b") == r"50\% of \textbraceleft{}x\textbraceright{} \textbackslash{} a\_b"
    (entry, _) = parsed(
        bibtex("half a { brace", ReleaseSettings(url="https://a.example/x_{1}?q=%20#f"), None)
    )
    assert read(entry.fields["title"]) == "half a { brace"
    assert entry.fields["url"] == "https://a.example/x_%7B1%7D?q=%20#f"


def test_citation_cff_knows_groups_from_people() -> None:
    own = ReleaseSettings(authors=("Haddad, Amal", "Ministry of Health and Population", "شريف, ليلى"))
    cite = yaml.safe_load(citation_cff("t", "a", own, None))
    assert cite["authors"] == [
        {"family-names": "Haddad", "given-names": "Amal"},
        {"name": "Ministry of Health and Population"},
        {"family-names": "شريف", "given-names": "ليلى"},
    ]
