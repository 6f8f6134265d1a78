"""Token buckets with a clock of one's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.net.pacing import Bucket


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


@given(
    rate=st.floats(0.01, 100),
    burst=st.integers(1, 10),
    idle=st.lists(st.floats(0, 50), min_size=1, max_size=60),
)
def test_no_window_ever_has_more_than_burst_plus_rate(rate: float, burst: int, idle: list[float]) -> None:
    clock = Clock()
    bucket = Bucket(rate, burst, clock=clock, sleep=clock.sleep)
    taken = []
    for pause in idle:
        clock.now += pause
        bucket.take()
        taken.append(clock.now)
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            assert (
                last - first + 1
                <= burst + rate * (taken[last] - taken[first]) + 1e-6 * (last - first + 1) + 1e-6
            )


def test_twenty_a_minute_is_one_each_three_seconds() -> None:
    clock = Clock()
    bucket = Bucket(20 / 60, clock=clock, sleep=clock.sleep)
    waits = [bucket.take() for _ in range(21)]
    assert waits[0] == 0
    assert sum(waits) == pytest.approx(60)


def test_a_pause_is_kept() -> None:
    clock = Clock()
    bucket = Bucket(10, 5, clock=clock, sleep=clock.sleep)
    bucket.pause(30)
    assert bucket.take() == pytest.approx(30)


def test_a_bucket_that_never_fills_is_refused() -> None:
    with pytest.raises(ValueError, match="rate above 0"):
        Bucket(0)
