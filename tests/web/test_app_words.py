"""The page's own texts: there in both languages, used, and filled in alike."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from annotation.agreement.chance import nothing_shared
from annotation.app.words import Words, direction_of, keys
from annotation.exchange.checking import ROUNDS
from annotation.rounds.judging import SKIP_REASONS
from annotation.rounds.people import ROLES
from annotation.rounds.seating import REASONS
from dalil.errors import DalilError

APP = Path(__file__).resolve().parents[2] / "annotation" / "app"
TEXTS = tomllib.loads((APP / "words.toml").read_text("utf-8"))
BUILT = (
    "round_",
    "skip_",
    "step_",
    "notice_",
    "mark_",
    "dispute_",
    "role_",
    "left_out_",
    "lead_",
    "error_",
    "why_",
    "sure_",
    "flag_",
)
SOURCES = "".join(path.read_text("utf-8") for path in (*APP.rglob("*.html"), *APP.glob("*.py")))
SOURCES += "".join(path.read_text("utf-8") for path in APP.parent.glob("rounds/*.py"))
SOURCES += "".join(path.read_text("utf-8") for path in APP.parent.glob("agreement/*.py"))
SOURCES += (APP.parent / "answers.py").read_text("utf-8")


@pytest.mark.parametrize("key", TEXTS)
def test_every_text_is_in_both_languages_and_used(key: str) -> None:
    arabic, english = TEXTS[key]
    assert re.search("[\u0600-\u06ff]", arabic) or key in ("other_language",)
    assert set(re.findall(r"{(\w+)}", arabic)) == set(re.findall(r"{(\w+)}", english))
    used = re.search(rf"""["']{key}["']""", SOURCES) is not None
    assert used or key.startswith(BUILT), f"{key} is used nowhere"


def test_every_text_that_a_page_asks_for_is_there() -> None:
    asked = set(re.findall(r"""\bt\(["'](\w+)["']""", SOURCES)) | set(
        re.findall(r"""words\("(\w+)\"""", SOURCES)
    )
    built = {key for key in asked if key.endswith("_")}  # put together from a name
    assert asked - built - {"key"} <= keys()
    assert {f"round_{name}" for name in ROUNDS} <= keys()
    assert {f"skip_{reason}" for reason in SKIP_REASONS} <= keys()
    assert {f"role_{role}" for role in ROLES} <= keys()
    assert set(REASONS) <= keys()
    with pytest.raises(DalilError, match="no text"):
        Words("ar")("nothing_of_the_kind")


def test_every_reason_of_agreement_is_told_in_arabic() -> None:
    sources = {path.name: path.read_text("utf-8") for path in APP.parent.glob("agreement/*.py")}
    found = set(re.findall(r'reason = "([^"]+)"', "".join(sources.values())))
    found |= set(re.findall(r'undefined\([\w.]+, "([^"]+)"', "".join(sources.values())))
    found |= {nothing_shared(0), nothing_shared(1)}
    assert len(found) >= 6, "the sources are read"
    assert {reason for reason in found if not re.search("[\u0600-\u06ff]", Words("ar").why(reason))} == set()
    assert Words("en").why("no item has two raters") == "no item has two raters"
    assert Words("en").why("something new") == "something new"
    assert Words("ar").why("something new") == "\u2066something new\u2069", "set apart in an Arabic sentence"
    assert Words("ar").why(None) == ""


def test_direction_is_the_languages_own() -> None:
    assert [direction_of(name) for name in ("ar", "fa", "ar-EG", "en", "cs", None)] == [
        "rtl", "rtl", "rtl", "ltr", "ltr", "rtl",
    ]  # fmt: skip
    assert Words("xx").language == "ar"
