"""One Chromium for the browser tests of a module: its event loop ends with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browserkit import browser, need_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    need_chromium()
    with browser() as found:
        yield found
