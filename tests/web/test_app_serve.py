"""The page as a command: its port, its links, its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import annotationkit as kit
import pytest
import requests
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.app.where import FILE, address_of, announced, link_of, running_at
from annotation.rounds.settings import AnnotateSettings


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`dalil annotate serve`, and the address that it prints."""
    command = [sys.executable, "-m", "dalil", "annotate", "serve", *options, str(folder)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"the page is at (http://\S+)", line):
                yield process, found[1]
                return
        raise AssertionError("the page never came")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def invited(folder: Path, name: str) -> dict[str, object]:
    found = CliRunner().invoke(annotate, ["invite", "--json", name, str(folder)])
    assert found.exit_code == 0, found.output
    made: dict[str, object] = json.loads(found.output)
    return made


def test_a_link_leads_to_where_the_page_is(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    kit.make(folder, 2).close()
    before = invited(folder, "amal")
    assert before["running"] is False
    assert str(before["link"]).startswith("http://127.0.0.1:8765/join/")
    with served(folder, "--port", "0") as (process, address):
        made = invited(folder, "amal")
        assert made["running"] is True
        assert str(made["link"]).startswith(f"{address}/join/"), "its own port, not the configured one"
        session = requests.Session()
        assert "amal" in session.get(str(made["link"]), timeout=20).text
        session.post(f"{address}/join", {"secret": str(made["link"]).rsplit("/", 1)[1]}, timeout=20)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert invited(folder, "bashir")["running"] is False, "an address that was left behind is old"
    with served(folder, "--port", "0") as (process, address):
        assert session.get(f"{address}/", timeout=20).status_code == 200, "sessions outlive the server"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0, "Ctrl-C is how it ends"
        assert running_at(folder) is None


def test_a_link_says_what_it_needs_while_the_page_is_not_there(tmp_path: Path) -> None:
    own = AnnotateSettings(port=9000)
    link, unless = link_of(own, tmp_path, "s")
    assert link == "http://127.0.0.1:9000/join/s"
    assert unless is not None
    assert "not running" in unless
    link, unless = link_of(AnnotateSettings(port=0), tmp_path, "s")
    assert link == "/join/s"
    assert unless is not None
    with announced(tmp_path, "http://127.0.0.1:4321"), announced(tmp_path, "http://127.0.0.1:5"):
        assert link_of(own, tmp_path, "s") == ("http://127.0.0.1:4321/join/s", None)
        public = AnnotateSettings(address="https://notes.example/")
        assert link_of(public, tmp_path, "s") == ("https://notes.example/join/s", None)
    assert running_at(tmp_path) is None
    assert (tmp_path / FILE).exists()


def test_of_two_servers_the_other_is_told_of_when_the_first_has_ended(tmp_path: Path) -> None:
    with ExitStack() as later:
        with announced(tmp_path, "http://127.0.0.1:4321"):
            later.enter_context(announced(tmp_path, "http://127.0.0.1:5"))
            assert running_at(tmp_path) == "http://127.0.0.1:4321"
        for _ in range(100):
            if running_at(tmp_path) == "http://127.0.0.1:5":
                break
            time.sleep(0.05)
        assert running_at(tmp_path) == "http://127.0.0.1:5"
    assert running_at(tmp_path) is None


def test_a_second_server_says_that_there_is_another(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    kit.make(folder, 2).close()
    command = [sys.executable, "-m", "dalil", "annotate", "serve", "--port", "0", str(folder)]
    with served(folder, "--port", "0") as (_, address):
        second = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert second.stderr is not None
        said = ""
        while "too" not in said:
            said = second.stderr.readline()
            assert said, "it ended without a word"
        second.kill()
        second.wait()
        second.stderr.close()
    assert f"runs at {address}, too" in said


def test_an_address_that_others_can_use() -> None:
    assert address_of("::1", 80) == "http://[::1]:80"
    assert "0.0.0.0" not in address_of("0.0.0.0", 80)


@pytest.mark.parametrize(
    "address",
    ["notes.example", "ftp://x", "https://", "https://x/notes", "http://[", "https://a@b", "https://x:y"],
)
def test_a_public_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    folder = tmp_path / "corpus"
    kit.make(folder, 1, f'[corpus]\n[annotate]\naddress = "{address}"\n').close()
    found = CliRunner().invoke(annotate, ["invite", "amal", str(folder)])
    assert found.exit_code != 0
    assert "https://HOST" in str(found.exception)


def test_the_other_loopback_answers_too(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    kit.make(folder, 1).close()
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with served(folder, "--host", "::1", "--port", "0") as (_, address):
        assert requests.get(f"{address}/static/app.css", timeout=20).status_code == 200
        assert requests.get(address, timeout=20).status_code == 401
        rebound = requests.get(address, headers={"host": "evil.example"}, timeout=20)
        assert rebound.status_code == 400


def test_a_taken_port_is_said_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    kit.make(folder, 1).close()
    with served(folder, "--port", "0") as (_, address):
        port = address.rsplit(":", 1)[1]
        command = [sys.executable, "-m", "dalil", "annotate", "serve", "--port", port, str(folder)]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert found.returncode == 1
        assert "cannot listen on" in found.stderr
        assert "Traceback" not in found.stderr
