"""docs/how-to-add-a-site.md, done as it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from dalil.cli import main

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to-add-a-site.md"
BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(line: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(line)[1:])
    return int(stop.value.code or 0)


def test_the_guide_works_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = 0
    for kind, what, text in BLOCK.findall(GUIDE.read_text("utf-8")):
        if kind == "console":
            for line in text.strip().split("\n"):
                assert (run(line) != 0) is (what == "fails"), f"{line}: {capsys.readouterr()}"
                done += 1
        else:
            (tmp_path / "mycorpus" / what).write_text(text, "utf-8")
    assert done == 6
    expected = json.loads((tmp_path / "mycorpus" / "sites" / "midan" / "only.json").read_text("utf-8"))
    (record,) = expected["records"]
    assert record["raw"] == "اكتشاف نهر قديم تحت ميدان المدينة"
    assert (record["verdict"], record["veracity"], record["domain"]) == ("مضروب", "false", "environment")
    assert (record["review_date"], record["review_date_from"]) == ("2023-05-06", "time")
    assert record["posts"][0]["url"] == "https://x.com/somebody/status/1654000000000000001"
    assert record["found"]["unverified"] is True


def test_a_fixture_that_differs_fails_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(f"dalil init {tmp_path}/c")
    run(f"dalil sites new midan {tmp_path}/c")
    folder = tmp_path / "c" / "sites" / "midan"
    (folder / "only.html").write_text("<h1>خبر عن جسر</h1>", "utf-8")
    assert run(f"dalil sites check midan --write {tmp_path}/c") == 0
    (folder / "only.html").write_text("<h1>خبر عن بئر</h1>", "utf-8")
    capsys.readouterr()
    assert run(f"dalil sites check midan {tmp_path}/c") == 1
    assert "بئر" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dalil sites new midan {0}/c", "there already"),
        ("dalil sites new Midan! {0}/c", "no site can be called"),
        ("dalil sites new other --start nowhere {0}/c", "not an address"),
        ("dalil sites new other {0}/empty", "neither a corpus nor a clone"),
        ("dalil sites check nosuch {0}/c", "unknown site"),
        ("dalil sites check midan --archived {0}/c", "go with --url"),
    ],
)
def test_mistakes_are_told(line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(f"dalil init {tmp_path}/c")
    run(f"dalil sites new midan {tmp_path}/c")
    (tmp_path / "empty").mkdir()
    assert run(line.format(tmp_path)) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('start = ["http://a.example/"]\n', "[selectors]"),
        ('start = ["http://a.example/"]\n[selectors]\ntitle = "h1["\n', "not a CSS selector"),
        (
            'start = ["http://a.example/"]\npage_pattern = "("\n[selectors]\ntitle = "h1"\n',
            "regular expression",
        ),
        (
            'start = ["http://a.example/"]\n[selectors]\ntitle = "h1"\n[verdicts]\nx = "wrong"\n',
            "use true, false, mixed",
        ),
        ("[selectors]\ntitle = 'h1'\n", "needs `start`"),
        ('way = "api"\n', "needs a table [api]"),
        ('like = "nosuch"\n', "no site 'nosuch'"),
        ("start = [", "not valid TOML"),
    ],
)
def test_a_bad_definition_names_its_file_and_key(
    toml: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(f"dalil init {tmp_path}/c")
    (tmp_path / "c" / "sites").mkdir()
    (tmp_path / "c" / "sites" / "bad.toml").write_text(toml, "utf-8")
    assert run(f"dalil sites check bad {tmp_path}/c") == 2
    message = capsys.readouterr().err
    assert "bad.toml" in message
    assert said in message
