"""Inside or outside a window: as far as a date is known."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.window import outside


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("2019-03-01", False),
        ("2019-05-31T23:59:59Z", False),
        ("2019-02-28", True),
        ("2019-06-01 08:00", True),
        ("2019-03", False),
        ("2019-02", True),
        ("2019", False),
        ("2018", True),
        (None, False),
        ("", False),
        ("Feb 18, 2018", False),
        ("18/02/2018", False),
        ("20180218", False),
        ("99999-01-01", False),
    ],
)
def test_dates_as_far_as_they_are_known(when: str | None, expected: bool) -> None:
    assert outside(when, "2019-03-01", "2019-05-31") is expected
    assert not outside(when, None, None)


def test_half_a_window() -> None:
    assert outside("2019-02-28", "2019-03-01", None)
    assert not outside("2029-02-28", "2019-03-01", None)
    assert outside("2029-02-28", None, "2019-03-01")


DAYS = st.dates(date(1990, 1, 1), date(2030, 12, 31))


@given(DAYS, DAYS, st.integers(0, 200), st.sampled_from((4, 7, 10)))
def test_what_is_less_precise_is_outside_less_often(when: date, start: date, length: int, known: int) -> None:
    """A whole day is judged exactly; a month or year is outside only where all of its days are."""
    end = start + timedelta(days=length)
    exact = not start <= when <= end
    assert outside(when.isoformat(), start.isoformat(), end.isoformat()) is exact
    if outside(when.isoformat()[:known], start.isoformat(), end.isoformat()):
        assert exact
