"""Numbers and their nouns."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalil.wording import counted, fitting, plural


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ((0, "claim"), "0 claims"),
        ((1, "claim"), "1 claim"),
        ((2, "claim"), "2 claims"),
        ((1200, "query"), "1,200 queries"),
        ((1, "query"), "1 query"),
        ((3, "day"), "3 days"),
        ((2, "search page"), "2 search pages"),
        ((2, "fetch"), "2 fetches"),
        ((2, "person"), "2 people"),
        ((2, "pair of raters", "pairs of raters"), "2 pairs of raters"),
        ((1, "pair of raters", "pairs of raters"), "1 pair of raters"),
    ],
)
def test_a_noun_agrees_with_its_number(number: tuple[int, str] | tuple[int, str, str], words: str) -> None:
    assert counted(*number) == words


def test_other_words_agree_too() -> None:
    assert [fitting(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]
    assert plural("copy") == "copies"


PLURAL = re.compile(
    r"^ (?:(?:new|open|judged|single|different|repeated|more|first|stored|older|article) ){0,2}"
    r"(articles|assignments|attempts|answers|bytes|cells|checks|claims|columns|documents|edits|entries|errors"
    r"|experts|fields|folds|groups|items|judgements|labels|lines|pairs|people|queries|questions|ratings|raters"
    r"|records|requests|results|reviews|revisions|rows|rulings|skips|splits|tables|texts|ties|votes)\b"
)
NEVER_ONE = {
    "dalil/net/encoding.py": "more than a limit of megabytes",
    "dalil/collection/search.py": "two numbers that differ",
    "dalil/collection/tantivy_index.py": "two numbers that differ",
    "annotation/rounds/design.py": "a mistake of the caller's",
    "annotation/exchange/labelstudio.py": "more than one",
    "annotation/exchange/teamware.py": "more than one",
    "retrieval/pair.py": "a kept reason: more than ten",
}
"""files in which a number before a plural is never 1, and why"""


def said_with_numbers(path: Path) -> Iterator[str]:
    """Places where a formatted value stands before a plural, or a noun with `(s)`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, text in itertools.pairwise(node.values):
            if not isinstance(value, ast.FormattedValue) or not isinstance(text, ast.Constant):
                continue
            number = ast.unparse(value.value)
            named = number in NAMES or (isinstance(value.value, ast.Call) and number.startswith(WORDS))
            if (PLURAL.match(text.value) and not named) or re.match(r"^ [\w ]+\(e?s\)", text.value):
                yield f"{path}:{value.lineno}: {{{number}}}{text.value[:30]}"


NAMES = {"kind", "name", "what", "level"}
"""variables that hold words"""
WORDS = ("fitting(", "counted(", "quoteattr(")
"""calls that give words"""


def test_no_text_puts_a_plural_behind_a_number_that_may_be_one() -> None:
    root = Path(__file__).resolve().parents[2]
    found = [
        said
        for package in ("dalil", "spiders", "retrieval", "annotation", "baselines")
        for path in sorted((root / package).rglob("*.py"))
        if str(path.relative_to(root)) not in NEVER_ONE
        for said in said_with_numbers(path)
    ]
    assert found == []


def test_the_scan_finds_what_it_is_for(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        'f"{len(x)} pairs"; f"{n:,} new judgements"; f"{n} check(s)"; f"{counted(n, 1)} kept"', "utf-8"
    )
    assert [said.rpartition(": ")[2] for said in said_with_numbers(path)] == [
        "{len(x)} pairs", "{n} new judgements", "{n} check(s)",
    ]  # fmt: skip
