"""Fetching AraStance: whole and as published, or nothing and a clear line."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from standin import StandInClaim, stand_in, write
from werkzeug import Response

from annotation.dataset import fetch as fetching
from annotation.dataset.fetch import fetch
from dalil.cli import main
from dalil.errors import DalilError, UsageError
from dalil.net.local import VARIABLE

FILES = ("train.jsonl", "dev.jsonl", "test.jsonl")


@pytest.fixture
def base(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(VARIABLE, f"{httpserver.host}:{httpserver.port}")
    monkeypatch.setattr(fetching, "ATTEMPTS", 1)
    return httpserver.url_for("/data/")


def serve(server: HTTPServer, claims: list[StandInClaim], folder: Path) -> None:
    write(claims, folder)
    for name in FILES:
        body = (folder / "data" / name).read_bytes()
        server.expect_request(f"/data/{name}").respond_with_data(body, content_type="text/plain")


def test_files_as_published_are_kept(httpserver: HTTPServer, base: str, tmp_path: Path) -> None:
    serve(httpserver, stand_in(), tmp_path / "made")
    told: list[str] = []
    checks = fetch("arastance", tmp_path / "got", base=base, say=told.append)
    assert {check.status for check in checks} == {"ok"}
    assert sorted(path.name for path in (tmp_path / "got" / "data").iterdir()) == sorted(FILES)
    assert (tmp_path / "got" / "data" / "dev.jsonl").read_bytes() == (
        tmp_path / "made" / "data" / "dev.jsonl"
    ).read_bytes()
    assert len(told) == 3
    with pytest.raises(UsageError, match="not empty"):
        fetch("arastance", tmp_path / "got", base=base)


def test_other_counts_keep_nothing_and_name_the_first_cell(
    httpserver: HTTPServer, base: str, tmp_path: Path
) -> None:
    claims = stand_in()
    claims[0].article.pop()
    claims[0].stance.pop()
    serve(httpserver, claims, tmp_path / "made")
    with pytest.raises(DalilError, match=r"differs from the paper: pairs: found 4,062, stated 4,063"):
        fetch("arastance", tmp_path / "got", base=base)
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_a_page_instead_of_the_file_keeps_nothing(httpserver: HTTPServer, base: str, tmp_path: Path) -> None:
    for name in FILES:
        httpserver.expect_request(f"/data/{name}").respond_with_data("<html>moved</html>")
    with pytest.raises(DalilError, match="what was downloaded is not AraStance"):
        fetch("arastance", tmp_path / "got", base=base)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_says_what_to_do(
    httpserver: HTTPServer, base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    httpserver.expect_request("/data/train.jsonl").respond_with_response(Response(status=404))
    with pytest.raises(SystemExit) as stop:
        main(["dataset", "fetch", "--from", base, "arastance", str(tmp_path / "got")])
    assert stop.value.code == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "HTTP 404" in told
    assert "https://github.com/Tariq60/arastance by hand" in told


def test_offline_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fetching, "ATTEMPTS", 1)
    monkeypatch.delitem(os.environ, VARIABLE, raising=False)

    def refuse(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(SystemExit) as stop:
        main(["dataset", "fetch", "arastance", str(tmp_path / "got")])
    assert stop.value.code == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "train.jsonl" in told
    assert "check the connection" in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("base", ["", "elsewhere", "file:///tmp/", "ftp://x/", "/data"])
def test_what_is_no_address_is_refused(base: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no address"):
        fetch("arastance", tmp_path / "got", base=base)
    assert list(tmp_path.iterdir()) == []


def test_an_address_needs_no_slash_at_its_end(httpserver: HTTPServer, base: str, tmp_path: Path) -> None:
    serve(httpserver, stand_in(), tmp_path / "made")
    assert fetch("arastance", tmp_path / "got", base=base.rstrip("/"))
