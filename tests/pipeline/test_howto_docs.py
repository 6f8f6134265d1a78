"""docs/how-to-add-an-engine.md and -analyzer.md, tested by doing what they say in a copy of the house."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILE = re.compile(r"^`([\w/.]+\.py)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^Add to `(\w+)` in `([\w/.]+\.py)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^python -m pytest (\S+)$", re.MULTILINE)
KIT = ("web/conftest.py", "enginekit.py", "fakeweb")


def house(folder: Path) -> Path:
    """The packages and the kit of the tests: what a page's reader has."""
    for name in ("dalil", "retrieval"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("spiders", "annotation", "baselines", "data", "docs"):
        (folder / name).symlink_to(ROOT / name)
    for name in KIT:
        source, target = ROOT / "tests" / name, folder / "tests" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def follow(page: str, folder: Path) -> None:
    """Write the page's files, and its lines into the tables that it names."""
    files, lines = FILE.findall(page), LINE.findall(page)
    assert files
    assert lines
    for name, text in files:
        assert not (folder / name).exists(), name
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    for table, name, line in lines:
        before = (folder / name).read_text("utf-8")
        after = re.sub(
            rf"^({table}\b[^\n]*{{\n)", lambda found, line=line: found[1] + line, before, count=1, flags=re.M
        )
        assert after != before, f"no table {table} in {name}"
        (folder / name).write_text(after, "utf-8")


@pytest.mark.parametrize("name", ["how-to-add-an-engine", "how-to-add-an-analyzer"])
def test_what_the_page_says_works(name: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    folder = house(tmp_path)
    follow(page, folder)
    [test] = COMMAND.findall(page)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    code = "import retrieval, dalil, sys; print(retrieval.__file__, dalil.__file__)"
    where = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    assert where.stdout.count(str(folder)) == 2, "the copy is what was tested"


@pytest.mark.parametrize("name", ["how-to-add-an-engine", "how-to-add-an-analyzer"])
def test_the_code_of_the_page_keeps_the_rules_of_the_house(name: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    follow_files = FILE.findall((ROOT / "docs" / f"{name}.md").read_text("utf-8"))
    for path, text in follow_files:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    for words in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        command = [
            sys.executable,
            "-m",
            "ruff",
            *words,
            "--config",
            "lint.isort.known-first-party=['dalil', 'retrieval']",
            ".",
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_names_on_the_pages_exist() -> None:
    """Modules and functions that the text points to."""
    from retrieval.analyzers import align
    from retrieval.engines import NotAnswered

    engine = (ROOT / "docs" / "how-to-add-an-engine.md").read_text("utf-8")
    analyzer = (ROOT / "docs" / "how-to-add-an-analyzer.md").read_text("utf-8")
    assert NotAnswered.__name__ in engine
    for name in ("spread", "named", "in_order", "models_missing"):
        assert hasattr(align, name)
        assert name in analyzer
