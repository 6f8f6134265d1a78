"""The command line as a house: light, documented, every entry resolves, errors are one line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from dalil.cli import cli, command, docs, main
from dalil.cli.table import SECTIONS, STAGES, TABLE
from dalil.corpus import Corpus
from dalil.errors import DalilError, LimitReached, UsageError
from dalil.records import RECORDS
from dalil.resources import entry_point
from dalil.stages import make

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "torch",
    "stanza",
    "camel_tools",
    "scrapy",
    "sklearn",
    "pandas",
    "trafilatura",
    "tantivy",
    "matplotlib",
    "scipy",
)


@pytest.mark.parametrize("words", [["--help"], ["status", "--help"], ["run", "--help"], ["init", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\nfrom dalil.cli import main\n"
        f"try:\n    main({words!r})\nexcept SystemExit as stop:\n    assert not stop.code\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\nassert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage: dalil" in done.stdout


@pytest.mark.parametrize("name", TABLE)
def test_every_entry_of_the_command_table_resolves(name: str) -> None:
    entry = TABLE[name]
    found = command(name, entry)
    assert isinstance(found, click.Command)
    assert found.name == name
    assert set(entry.stages) <= set(STAGES)
    assert bool(entry.target) != bool(entry.stages)


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_resolves_and_has_the_shape_of_one(name: str, tmp_path: Path) -> None:
    with Corpus.create(tmp_path / "c", '[corpus]\ncontact = "me@university.example"\n') as corpus:
        stage = make(STAGES[name], corpus)
    assert name == stage.NAME
    assert stage.WRITES


@pytest.mark.parametrize("name", SECTIONS)
def test_every_key_of_corpus_toml_says_what_it_means(name: str) -> None:
    for key, field in entry_point(SECTIONS[name]).model_fields.items():
        assert field.description, f"[{name}] {key}: write a line below the field"


def test_the_pages_are_what_commands_and_settings_say() -> None:
    for name, page in (("commands", docs.commands_page()), ("config", docs.config_page())):
        written = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
        assert written == page, "write it anew: python -m dalil.cli.docs"
    for name in TABLE:
        assert f"## dalil {name}\n" in docs.commands_page()
    for status in range(4):
        assert f"| {status} |" in docs.commands_page()


def test_every_record_is_among_the_words() -> None:
    page = (ROOT / "docs" / "words.md").read_text("utf-8")
    without = [record.__name__ for record in RECORDS if not re.search(rf"\b{record.__name__}\b", page)]
    assert not without, "say in docs/words.md what it is"


def test_the_walk_through_names_files_that_there_are() -> None:
    page = (ROOT / "docs" / "walk-through.md").read_text("utf-8")
    named = re.findall(
        r"`((?:dalil|spiders|retrieval|annotation|baselines|data|tests)/[\w./]+?)(?::[^`]*)?`", page
    )
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", TABLE)
def test_every_command_has_an_example_and_every_option_a_help(name: str) -> None:
    for path, found in docs._flat(f"dalil {name}", command(name, TABLE[name])):
        if not isinstance(found, click.Group):
            assert re.search(rf"Examples?:\s+.*\b{path}\b", found.help or "", re.DOTALL), path
        for option in found.params:
            if isinstance(option, click.Option):
                assert option.help, f"{path} {option.opts}"


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (DalilError("broken", where="a:1", todo="mend it"), 1, "dalil: a:1: broken; mend it\n"),
        (UsageError("wrong\nkey"), 2, "dalil: wrong key\n"),
        (
            LimitReached("enough for today", todo="run again tomorrow"),
            3,
            "dalil: enough for today; run again tomorrow\n",
        ),
        (
            KeyError("x"),
            1,
            "dalil: unexpected KeyError: 'x'; run again with --debug and report what it shows\n",
        ),
        (
            OSError(28, "No space left on device"),
            1,
            "dalil: No space left on device; check the path, permissions and free space\n",
        ),
        (
            PermissionError(13, "Permission denied", "out/card.md"),
            1,
            "dalil: out/card.md: Permission denied; check the path, permissions and free space\n",
        ),
        (KeyboardInterrupt(), 1, "dalil: stopped; run the command again to go on\n"),
    ],
)
def test_an_error_is_one_line_and_a_status(
    error: BaseException,
    status: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(cli, "main", fail)
    with pytest.raises(SystemExit) as stop:
        main(["status"])
    assert stop.value.code == status
    assert capsys.readouterr().err == line


def test_wrong_arguments_are_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["nothing"], ["status", "--no-such-option"], ["dump"]):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["statu"], "status"), (["serch", "c"], "search"), (["import", "clams", "x"], "claims")],
)
def test_a_command_that_is_misspelt_is_told_what_may_be_meant(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert f"Did you mean '{meant}'?" in capsys.readouterr().err


def test_no_corpus_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["status", str(tmp_path)])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
