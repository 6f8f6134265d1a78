"""`dalil models`: what can run here, and bringing what cannot, only when that is asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize("name", ["stanza", "camel", "corenlp"])
def test_without_a_network_it_is_one_line(name: str, tmp_path: Path) -> None:
    """Each library's own installer, with every way out led to a port where nobody listens."""
    nowhere = "http://127.0.0.1:9"
    outside = {"HTTPS_PROXY": nowhere, "HTTP_PROXY": nowhere, "https_proxy": nowhere, "http_proxy": nowhere}
    own = {
        "STANZA_RESOURCES_DIR": str(tmp_path / "stanza"),
        "CAMELTOOLS_DATA": str(tmp_path / "camel"),
        "CORENLP_HOME": str(tmp_path / "corenlp"),
        "HF_HOME": str(tmp_path / "hub"),
    }
    (tmp_path / "camel").mkdir()
    code = f"from dalil.cli import main; main(['models', 'download', {name!r}])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | outside | own | {"NO_PROXY": "", "no_proxy": ""},
    )
    assert done.returncode == 1, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("dalil: ")
    assert "cannot be had: " in last
    assert last.endswith("check the connection and run again")
    assert "Traceback" not in done.stderr
