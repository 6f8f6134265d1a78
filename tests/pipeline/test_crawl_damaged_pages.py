"""Damaged pages through the WARC and extraction: each becomes an article or a reason, none a crash.

Mutations are seeded: truncations, wrong charsets, swapped and lost tags, huge attributes, NULs,
random bytes, broken codings. Pages are those of the fake web, and with real data at hand the stored
pages of CheckThat! 2019 (1,000 of them: benchmarks/crawl_damaged.py).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from damage import DAMAGES, Damage, fixtures, outcomes
from realdata import data_dir

from dalil.state import warc


def test_damaged_pages_of_the_fake_web(tmp_path: Path) -> None:
    found = outcomes(tmp_path / "c", fixtures(), 100, seed=4)
    assert found["article"] > 15
    assert len(found) > 3


def test_damaged_real_pages(tmp_path: Path) -> None:
    path = data_dir("checkthat2019") / "pages.warc.gz"
    real = [
        record.response.body
        for record in warc.records(path)
        if record.response is not None and record.response.body
    ]
    assert len(real) > 1000
    found = outcomes(tmp_path / "c", real, 60, seed=2019)
    assert found["article"] > 20
    assert found["timed_out"] == 0


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_damages(damage: Damage) -> None:
    """Otherwise the tests above would show nothing."""
    page = fixtures()[0]
    assert any(damage(random.Random(seed), page) != page for seed in range(5))
