"""The fake web, started once; each test begins with an empty log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakeweb.client import VARIABLE, FakeWeb, running


@pytest.fixture(scope="session")
def server() -> Iterator[FakeWeb]:
    with running() as found:
        yield found


@pytest.fixture
def web(server: FakeWeb, monkeypatch: pytest.MonkeyPatch) -> FakeWeb:
    monkeypatch.setenv(VARIABLE, server.address)
    server.reset()
    return server
