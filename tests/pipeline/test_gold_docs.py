"""docs/4-agreement.md: its file is read, its commands work, its Python runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dalil.cli import cli

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "4-agreement.md").read_text("utf-8")
COMMANDS = [line for line in PAGE.splitlines() if re.match(r"dalil (agreement|gold) .*ratings\.csv$", line)]


@pytest.fixture
def written(tmp_path, monkeypatch) -> Path:
    (ratings,) = re.findall(r"```csv\n(.*?)```", PAGE, flags=re.S)
    (tmp_path / "ratings.csv").write_text(ratings, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page(line, written) -> None:
    result = CliRunner().invoke(cli, shlex.split(line)[1:], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    for option in ("--out", "--plot", "--plots"):
        if option in shlex.split(line):
            assert (written / shlex.split(line)[shlex.split(line).index(option) + 1]).exists()


def test_the_python_of_the_page(written, capsys) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.S)
    exec(compile(program, "docs/4-agreement.md", "exec"), {})
    assert "Interval(" in capsys.readouterr().out


def test_every_option_of_the_commands_is_on_the_page() -> None:
    """But for those that `--help` alone explains well enough."""
    plain = {"--help", "--coverage", "--cosine-over", "--plot-format", "--bootstrap"}
    for name in ("agreement", "gold"):
        command = cli.get_command(None, name)
        options = {option for param in command.params for option in param.opts if option.startswith("--")}
        assert {option for option in options - plain if option not in PAGE} == set()
