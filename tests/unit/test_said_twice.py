"""What two packages must both say, since neither may import the other, or to keep an import light."""

from __future__ import annotations

from importlib import import_module

import pytest

from retrieval.answers import OLDER
from retrieval.engines import ENGINES
from retrieval.engines.collection import STORED_TEXT
from retrieval.named import KEYS
from spiders.articles import PASSED_OVER


def test_fetching_passes_over_the_hits_that_searching_marks_so() -> None:
    assert {OLDER, STORED_TEXT} == PASSED_OVER


@pytest.mark.parametrize("engine", ENGINES)
def test_the_doctor_asks_for_the_key_that_an_engine_reads(engine: str) -> None:
    module = import_module(ENGINES[engine].partition(":")[0])
    assert KEYS.get(engine) == getattr(module, "KEY", None)
