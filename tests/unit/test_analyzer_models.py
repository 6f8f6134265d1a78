"""`dalil models`: what can run here, and bringing what cannot, only when that is asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from dalil.cli import cli
from retrieval.analyzers import camel, corenlp, stanza


def test_the_list_names_all_four_and_loads_none() -> None:
    code = (
        "import sys; from dalil.cli import main\n"
        "try: main(['models', 'list', '--json'])\n"
        "except SystemExit: pass\n"
        "heavy = {'stanza', 'torch', 'camel_tools', 'transformers'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert set(rows) == {"embedded", "stanza", "camel", "corenlp"}
    assert rows["embedded"]["ready"]
    assert all(row["ready"] or row["why_not"] for row in rows.values())


@pytest.mark.parametrize(
    ("name", "said"),
    [("embedded", "embedded ships with dalil"), ("nonesuch", "no analyzer is called 'nonesuch'")],
)
def test_what_is_not_downloaded(name: str, said: str) -> None:
    done = CliRunner().invoke(cli, ["models", "download", name])
    assert done.exception is not None
    assert said in str(done.exception)
    assert "stanza, camel, corenlp" in str(done.exception)


@pytest.mark.parametrize("module", [stanza, camel, corenlp])
def test_a_download_that_brought_nothing_is_an_error(module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(module.__name__).rpartition(".")[2]  # type: ignore[attr-defined]
    asked = []
    monkeypatch.setattr(module, "download", lambda: asked.append(name))
    monkeypatch.setattr(module, "missing", lambda: "no models" if len(asked) == 1 else None)
    done = CliRunner().invoke(cli, ["models", "download", name])
    assert f"{name} still cannot run: no models" in str(done.exception)
    done = CliRunner().invoke(cli, ["models", "download", name])
    assert done.exit_code == 0
    assert f'analyzer = "{name}"' in done.output
    assert asked == [name, name]


def test_without_a_network_it_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stanza's own installer, with its addresses led to a port where nobody listens."""
    folder = tmp_path_factory.mktemp("models")
    code = (
        "import os, sys\n"
        f"os.environ['STANZA_RESOURCES_DIR'] = {str(folder)!r}\n"
        "os.environ['STANZA_RESOURCES_URL'] = 'http://127.0.0.1:9'\n"
        "from dalil.cli import main\n"
        "main(['models', 'download', 'stanza'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("dalil: the models of stanza cannot be had: ")
    assert last.endswith("check the connection and run again")
    assert "Traceback" not in done.stderr
